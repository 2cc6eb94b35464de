"""Logging."""

from _refused import refused
import os
import sys
import time

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0

_level_names = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}
_name_levels = {"CRITICAL": CRITICAL, "FATAL": FATAL, "ERROR": ERROR, "WARN": WARNING, "WARNING": WARNING,
                "INFO": INFO, "DEBUG": DEBUG, "NOTSET": NOTSET}
_start_time = time.time()
raiseExceptions = True
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"


def getLevelName(level):
    result = _level_names.get(level)
    if result is not None:
        return result
    result = _name_levels.get(level)
    return result if result is not None else f"Level {level}"


def getLevelNamesMapping():
    return _name_levels.copy()


def addLevelName(level, levelName):
    _level_names[level] = levelName
    _name_levels[levelName] = level


def _check_level(level):
    if isinstance(level, int):
        return level
    if isinstance(level, str):
        if level not in _name_levels:
            raise ValueError(f"Unknown level: {level!r}")
        return _name_levels[level]
    raise TypeError(f"Level not an integer or a valid string: {level!r}")


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        now = time.time()
        self.name = name
        self.msg = msg
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.args = args
        self.levelname = getLevelName(level)
        self.levelno = level
        self.pathname = pathname
        self.filename = os.path.basename(pathname)
        self.module = os.path.splitext(self.filename)[0]
        self.exc_info = exc_info
        self.exc_text = None
        self.stack_info = sinfo
        self.lineno = lineno
        self.funcName = func
        self.created = now
        self.msecs = int((now - int(now)) * 1000) + 0.0
        self.relativeCreated = (now - _start_time) * 1000
        self.thread = 1
        self.threadName = "MainThread"
        self.processName = "MainProcess"
        self.process = os.getpid()

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg


class Formatter:
    converter = time.localtime
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in "%{$":
            raise ValueError("Style must be one of: %,{,$")
        self._style = style
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._defaults = defaults or {}
        self.datefmt = datefmt

    def usesTime(self):
        return "asctime" in self._fmt

    def formatTime(self, record, datefmt=None):
        moment = type(self).converter(record.created)
        if datefmt:
            return time.strftime(datefmt, moment)
        text = time.strftime(self.default_time_format, moment)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        import traceback
        return "".join(traceback.format_exception(*ei)).rstrip("\n")

    def formatStack(self, stack_info):
        return stack_info

    def formatMessage(self, record):
        values = {**self._defaults, **record.__dict__}
        if self._style == "%":
            return self._fmt % values
        if self._style == "{":
            return self._fmt.format(**values)
        from string import Template
        return Template(self._fmt).substitute(values)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for extra in (record.exc_text, record.stack_info):
            if extra:
                text = text.rstrip("\n") + "\n" + extra
        return text


_default_formatter = Formatter()


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for f in self.filters:
            if not (f.filter(record) if hasattr(f, "filter") else f(record)):
                return False
        return True


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self.name = None
        self.level = _check_level(level)
        self.formatter = None

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def setLevel(self, level):
        self.level = _check_level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _default_formatter).format(record)

    def handle(self, record):
        allowed = self.filter(record)
        if allowed:
            self.emit(record)
        return allowed

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def acquire(self):
        pass

    def release(self):
        pass

    def flush(self):
        pass

    def close(self):
        pass

    def handleError(self, record):
        if raiseExceptions and sys.stderr:
            import traceback
            sys.stderr.write("--- Logging error ---\n")
            traceback.print_exc()

    def __repr__(self):
        return f"<{self.__class__.__name__} ({getLevelName(self.level)})>"


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = sys.stderr if stream is None else stream

    def flush(self):
        if self.stream and hasattr(self.stream, "flush"):
            self.stream.flush()

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        old = self.stream
        self.stream = stream
        return old


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = os.path.abspath(filename)
        self.mode, self.encoding, self.errors = mode, encoding, errors
        Handler.__init__(self)
        self.stream = None if delay else self._open()

    def _open(self):
        return open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors)

    def emit(self, record):
        if self.stream is None:
            self.stream = self._open()
        super().emit(record)

    def close(self):
        if self.stream:
            self.stream.close()
            self.stream = None


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


class _LastResort(StreamHandler):
    def __init__(self, level):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return sys.stderr


lastResort = _LastResort(WARNING)


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name = name
        self.level = _check_level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False

    def setLevel(self, level):
        self.level = _check_level(level)

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled_up_to and level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        return getLogger(suffix if self.parent is None else f"{self.name}.{suffix}")

    def debug(self, msg, *args, **kwargs):
        self._maybe(DEBUG, msg, args, kwargs)

    def info(self, msg, *args, **kwargs):
        self._maybe(INFO, msg, args, kwargs)

    def warning(self, msg, *args, **kwargs):
        self._maybe(WARNING, msg, args, kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self._maybe(ERROR, msg, args, kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self._maybe(ERROR, msg, args, {"exc_info": exc_info, **kwargs})

    def critical(self, msg, *args, **kwargs):
        self._maybe(CRITICAL, msg, args, kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        self._maybe(level, msg, args, kwargs)

    def _maybe(self, level, msg, args, kwargs):
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        filename, lineno, function = _caller(stacklevel)
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
            elif not isinstance(exc_info, tuple):
                exc_info = sys.exc_info()
        record = self.makeRecord(self.name, level, filename, lineno, msg, args, exc_info, function, extra)
        self.handle(record)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            record.__dict__[key] = value
        return record

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def callHandlers(self, record):
        found = 0
        logger = self
        while logger:
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if not found and lastResort and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def __repr__(self):
        return f"<{self.__class__.__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


class RootLogger(Logger):
    def __init__(self, level):
        super().__init__("root", level)


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)


def _caller(stacklevel):
    """File, line and function of the first frame outside of this module."""
    depth = 1
    while True:
        filename, lineno, module, function = sys._caller(depth, True)
        if filename == "<unknown>" or module != __name__:
            break
        depth += 1
    if stacklevel > 1:
        filename, lineno, module, function = sys._caller(depth + stacklevel - 1, True)
    return filename, lineno, function


root = RootLogger(WARNING)
Logger.root = root
_loggers = {}
_disabled_up_to = 0
_logger_class = Logger


def setLoggerClass(klass):
    global _logger_class
    _logger_class = klass


def getLoggerClass():
    return _logger_class


def getLogger(name=None):
    if not name or name == root.name:
        return root
    logger = _loggers.get(name)
    if logger is not None:
        return logger
    logger = _loggers[name] = _logger_class(name)
    parent = root
    head = name
    while "." in head:
        head = head.rpartition(".")[0]
        if head in _loggers:
            parent = _loggers[head]
            break
    logger.parent = parent
    # Loggers below that were made before this one.
    for other, child in _loggers.items():
        if other.startswith(name + ".") and len(child.parent.name if child.parent is not root else "") < len(name):
            child.parent = logger
    return logger


class _Manager:
    loggerDict = _loggers
    root = root

    @property
    def disable(self):
        return _disabled_up_to


Logger.manager = _Manager()


def basicConfig(*, filename=None, filemode="a", format=None, datefmt=None, style="%", level=None, stream=None,
                handlers=None, force=False, encoding=None, errors="backslashreplace"):
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    if handlers is None:
        if stream is not None and filename is not None:
            raise ValueError("'stream' and 'filename' should not be specified together")
        if filename:
            handlers = [FileHandler(filename, filemode, encoding=encoding, errors=errors)]
        else:
            handlers = [StreamHandler(stream)]
    elif stream is not None or filename is not None:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    default = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}", "$": "${levelname}:${name}:${message}"}[style]
    formatter = Formatter(default if format is None else format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    global _disabled_up_to
    _disabled_up_to = _check_level(level)


def _to_root(method):
    def function(msg, *args, **kwargs):
        if not root.handlers:
            basicConfig()
        getattr(root, method)(msg, *args, **kwargs)

    function.__name__ = method
    return function


debug, info, warning, error = map(_to_root, ("debug", "info", "warning", "error"))
exception, critical = map(_to_root, ("exception", "critical"))
warn, fatal = warning, critical


def log(level, msg, *args, **kwargs):
    if not root.handlers:
        basicConfig()
    root.log(level, msg, *args, **kwargs)


def captureWarnings(capture):
    if capture:
        raise refused("logging.captureWarnings", "capture")


def shutdown(handlerList=None):
    for logger in [root, *_loggers.values()]:
        for handler in logger.handlers:
            handler.flush()
