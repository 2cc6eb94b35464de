"""Warnings: filters, and where they go."""

from _refused import refused
import sys

__all__ = ["warn", "warn_explicit", "showwarning", "formatwarning", "filterwarnings", "simplefilter",
           "resetwarnings", "catch_warnings"]

# (action, message pattern, category, module pattern, line), the first that fits decides.
filters = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]
_defaultaction = "default"
_registry = {}


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message = message
        self.category = category
        self.filename = filename
        self.lineno = lineno
        self.file = file
        self.line = line
        self.source = source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return (f"{{message : {self.message!r}, category : {self._category_name!r}, filename : {self.filename!r}, "
                f"lineno : {self.lineno}, line : {self.line!r}}}")


def formatwarning(message, category, filename, lineno, line=None):
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    if line is None:
        line = _source_line(filename, lineno)
    if line:
        text += f"  {line.strip()}\n"
    return text


def _source_line(filename, lineno):
    try:
        with open(filename) as file:
            for number, line in enumerate(file, 1):
                if number == lineno:
                    return line
    except (OSError, UnicodeDecodeError):
        pass
    return ""


def showwarning(message, category, filename, lineno, file=None, line=None):
    (sys.stderr if file is None else file).write(formatwarning(message, category, filename, lineno, line))


_original_show = showwarning


def _add(item, append):
    if append:
        if item not in filters:
            filters.append(item)
    else:
        if item in filters:
            filters.remove(item)
        filters.insert(0, item)
    _registry.clear()


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError(f"invalid action: {action!r}")
    _add((action, message or None, category, module or None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError(f"invalid action: {action!r}")
    _add((action, None, category, None, lineno), append)


def resetwarnings():
    filters.clear()
    _registry.clear()


def _fits(pattern, text, flags):
    if pattern is None:
        return True
    import re
    return re.match(pattern, text, flags) is not None


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = message.__class__
    if category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    filename, lineno, module = sys._caller(stacklevel)
    warn_explicit(message, category, filename, lineno, module)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    if module is None:
        module = filename[:-3] if filename.endswith(".py") else filename or "<unknown>"
    if isinstance(message, Warning):
        text = str(message)
        category = message.__class__
    else:
        text = message
        message = category(message)
    action = _defaultaction
    for candidate, pattern, filter_category, module_pattern, line in filters:
        # 2 is re.IGNORECASE.
        if issubclass(category, filter_category) and line in (0, lineno) and _fits(pattern, text, 2) \
                and _fits(module_pattern, module, 0):
            action = candidate
            break
    if action == "ignore":
        return
    if action == "error":
        raise message
    key = {"default": (text, category, filename, lineno), "module": (text, category, filename),
           "once": (text, category)}.get(action)
    if key is not None:
        if key in _registry:
            return
        _registry[key] = True
    recorded = WarningMessage(message, category, filename, lineno, source=source)
    _show(recorded)


def _show(recorded):
    if showwarning is not _original_show:
        showwarning(recorded.message, recorded.category, recorded.filename, recorded.lineno)
    else:
        sys.stderr.write(formatwarning(recorded.message, recorded.category, recorded.filename, recorded.lineno))


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        if module is not None:
            raise refused("warnings.catch_warnings", "module")
        self._record = record
        self._filter = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        global filters, showwarning, _show
        self._saved = filters, showwarning, _show
        filters = filters[:]
        _registry.clear()
        if self._filter is not None:
            simplefilter(*self._filter)
        if self._record:
            log = []
            _show = log.append
            return log
        return None

    def __exit__(self, *exc_info):
        global filters, showwarning, _show
        filters, showwarning, _show = self._saved
        _registry.clear()


def _deprecated(name, message="{name!r} is deprecated and slated for removal in Python {remove}", *, remove,
                _version=sys.version_info):
    """What a module calls that is to go."""
    text = f"{remove[0]}.{remove[1]}"
    if _version[:2] > remove or (_version[:2] == remove and _version[3] != "alpha"):
        raise RuntimeError(f"{name!r} was slated for removal after Python {text} alpha")
    warn(message.format(name=name, remove=text), DeprecationWarning, stacklevel=3)


def _set_option(text):
    """One filter of `-W` or `PYTHONWARNINGS`: action:message:category:module:line."""
    parts = [part.strip() for part in text.split(":")]
    if len(parts) > 5:
        raise ValueError(f"too many fields (max 5): {text!r}")
    action, message, category, module, lineno = parts + [""] * (5 - len(parts))
    known = ("default", "always", "ignore", "module", "once", "error")
    actions = ["always"] if action == "all" else [a for a in known if a.startswith(action or "default")]
    if not actions:
        raise ValueError(f"invalid action: {action!r}")
    if "." in category:
        name, _, last = category.rpartition(".")
        try:
            kind = getattr(__import__(name, None, None, [last]), last)
        except (ImportError, AttributeError):
            raise ValueError(f"unknown warning category: {category!r}") from None
    else:
        import builtins
        kind = getattr(builtins, category or "Warning", None)
    if not (isinstance(kind, type) and issubclass(kind, Warning)):
        raise ValueError(f"invalid warning category: {category!r}")
    if message or module:
        import re
        message, module = re.escape(message), re.escape(module) + r"\Z" if module else ""
    if lineno and not lineno.isdigit():
        raise ValueError(f"invalid lineno {lineno!r}")
    filterwarnings(actions[0], message, kind, module, int(lineno or 0))


for _option in sys.warnoptions:
    try:
        _set_option(_option)
    except ValueError as _error:
        print("Invalid -W option ignored:", _error, file=sys.stderr)
