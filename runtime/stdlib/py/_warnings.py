"""What `warnings` takes from C: the filters that it begins with, `warn` and `warn_explicit`.

The filters that decide are those that the module `warnings` has when something is warned of.
"""

import sys

filters = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]
_defaultaction = "default"
_onceregistry = {}
_version = 0


def _filters_mutated():
    global _version
    _version += 1


def _state(name, otherwise):
    return getattr(sys.modules.get("warnings"), name, otherwise)


def _fits(pattern, text):
    if pattern is None:
        return True
    return pattern == text if type(pattern) is str else pattern.match(text) is not None


def _action(category, text, lineno, module):
    known = _state("filters", filters)
    if not isinstance(known, list):
        raise ValueError("_warnings.filters must be a list")
    for at, item in enumerate(known):
        if not isinstance(item, tuple) or len(item) != 5:
            raise ValueError(f"_warnings.filters item {at} isn't a 5-tuple")
        action, message, kind, where, line = item
        if not isinstance(action, str):
            raise TypeError(f"action must be a string, not '{type(action).__name__}'")
        if issubclass(category, kind) and line in (0, lineno) and _fits(message, text) and _fits(where, module):
            return action, item
    action = _state("defaultaction", _defaultaction)
    if not isinstance(action, str):
        raise TypeError(f"_warnings.defaultaction must be a string, not '{type(action).__name__}'")
    return action, None


def _known(registry, key, note):
    if not isinstance(registry, dict):
        return False
    if registry.get("version") != _version:
        registry.clear()
        registry["version"] = _version
    elif registry.get(key):
        return True
    if note:
        registry[key] = True
    return False


def _warn(message, category, filename, lineno, module, registry, source):
    if module is None:
        module = filename[:-3] if filename.endswith(".py") else filename or "<unknown>"
    if registry is not None and not isinstance(registry, dict):
        raise TypeError("'registry' must be a dict or None")
    if isinstance(message, Warning):
        text, category = str(message), type(message)
    else:
        text = message
        message = category(message)
    key = text, category, lineno
    if registry is not None and _known(registry, key, False):
        return
    action, item = _action(category, text, lineno, module)
    if action == "error":
        raise message
    if action == "ignore":
        return
    if action != "always":
        if registry is not None:
            registry[key] = True
        if action == "once":
            if registry is None:
                registry = _state("onceregistry", _onceregistry)
            if _known(registry, (text, category), True):
                return
        elif action == "module":
            if registry is not None and _known(registry, (text, category), True):
                return
        elif action != "default":
            raise RuntimeError(f"Unrecognized action ({action!r}) in warnings.filters:\n {item!r}")
    import warnings
    show = getattr(warnings, "_showwarnmsg", None)
    if show is None:
        return
    if not callable(show):
        raise TypeError("warnings._showwarnmsg() must be set to a callable")
    show(warnings.WarningMessage(message, category, filename, lineno, None, None, source))


def _is_internal(frame):
    filename = frame.f_code.co_filename
    return "importlib" in filename and "_bootstrap" in filename


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    frame = sys._getframe(1)
    if stacklevel <= 0 or _is_internal(frame):
        skipped = lambda _frame: False
    else:
        skipped = _is_internal
    while stacklevel > 1 and frame is not None:
        frame = frame.f_back
        while frame is not None and skipped(frame):
            frame = frame.f_back
        stacklevel -= 1
    if frame is None:
        space, filename, lineno = sys.__dict__, "sys", 1
    else:
        space, filename, lineno = frame.f_globals, frame.f_code.co_filename, frame.f_lineno
    registry = space.setdefault("__warningregistry__", {})
    _warn(message, category, filename, lineno, space.get("__name__", "<string>"), registry, source)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    if module_globals:
        if not isinstance(module_globals, dict):
            raise TypeError(f"module_globals must be a dict, not '{type(module_globals).__name__}'")
        # The loader may know the line that is shown.
        import linecache
        linecache.getlines(filename, module_globals)
    _warn(message, category, filename, lineno, module, registry, source)
