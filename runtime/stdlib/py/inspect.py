"""What functions, classes and modules are made of."""

import sys
import types
from _refused import refused
from collections import namedtuple

__all__ = ["signature", "Signature", "Parameter", "isfunction", "isclass", "ismodule", "ismethod", "isbuiltin",
           "isroutine", "isgenerator", "isgeneratorfunction", "iscoroutinefunction", "isabstract", "getmembers",
           "getmro", "getsource", "getfile", "getsourcefile", "getmodule", "getdoc", "cleandoc",
           "getfullargspec", "getattr_static", "currentframe", "stack", "trace", "getframeinfo",
           "getouterframes", "getinnerframes", "FrameInfo", "Traceback", "unwrap"]


CO_OPTIMIZED, CO_NEWLOCALS, CO_VARARGS, CO_VARKEYWORDS, CO_NESTED, CO_GENERATOR, CO_NOFREE = 1, 2, 4, 8, 16, 32, 64
CO_COROUTINE, CO_ITERABLE_COROUTINE, CO_ASYNC_GENERATOR = 128, 256, 512


def ismodule(object):
    return isinstance(object, types.ModuleType)


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return isinstance(object, types.FunctionType)


def ismethod(object):
    return isinstance(object, types.MethodType)


def isbuiltin(object):
    return isinstance(object, types.BuiltinFunctionType)


def ismethodwrapper(object):
    return isinstance(object, types.MethodWrapperType)


def ismethoddescriptor(object):
    return isinstance(object, types.MethodDescriptorType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object)


def isgenerator(object):
    return isinstance(object, types.GeneratorType)


def iscode(object):
    return isinstance(object, types.CodeType)


def istraceback(object):
    return isinstance(object, types.TracebackType)


def isframe(object):
    return isinstance(object, types.FrameType)


def getmodulename(path):
    name = path.rpartition("/")[2]
    for suffix in (".py", ".pyc", ".so"):
        if name.endswith(suffix):
            return name[:-len(suffix)]
    return None


def isdatadescriptor(object):
    return not isclass(object) and (hasattr(type(object), "__set__") or hasattr(type(object), "__delete__"))


def _has_flag(obj, flag):
    """Whether a function, or the one under bound methods and partial calls, is made by code with this flag."""
    while True:
        if ismethod(obj):
            obj = obj.__func__
        elif type(obj).__name__ == "partial" and hasattr(obj, "func"):
            obj = obj.func
        else:
            return isfunction(obj) and bool(obj.__code__.co_flags & flag)


def isgeneratorfunction(obj):
    return _has_flag(obj, CO_GENERATOR)


def iscoroutinefunction(obj):
    return _has_flag(obj, CO_COROUTINE)


def isasyncgenfunction(obj):
    return _has_flag(obj, CO_ASYNC_GENERATOR)


def iscoroutine(object):
    return type(object).__name__ == "coroutine"


def isawaitable(object):
    return iscoroutine(object) or hasattr(type(object), "__await__")


def isabstract(object):
    return isclass(object) and bool(getattr(object, "__abstractmethods__", None))


def getmro(cls):
    return cls.__mro__


def getmembers(object, predicate=None):
    members = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            members.append((name, value))
    return sorted(members, key=lambda pair: pair[0])


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and (stop is None or not stop(func)):
        func = func.__wrapped__
    return func


class _empty:
    pass


class _ParameterKind(int):
    def __new__(cls, value, name, description):
        made = int.__new__(cls, value)
        made.name, made.description = name, description
        return made

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {int(self)}>"

    def __str__(self):
        return self.name


_POSITIONAL_ONLY = _ParameterKind(0, "POSITIONAL_ONLY", "positional-only")
_POSITIONAL_OR_KEYWORD = _ParameterKind(1, "POSITIONAL_OR_KEYWORD", "positional or keyword")
_VAR_POSITIONAL = _ParameterKind(2, "VAR_POSITIONAL", "variadic positional")
_KEYWORD_ONLY = _ParameterKind(3, "KEYWORD_ONLY", "keyword-only")
_VAR_KEYWORD = _ParameterKind(4, "VAR_KEYWORD", "variadic keyword")


def formatannotation(annotation, base_module=None):
    if isinstance(annotation, types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ in ("builtins", base_module):
            return annotation.__qualname__
        return annotation.__module__ + "." + annotation.__qualname__
    return repr(annotation).replace("typing.", "")


class Parameter:
    empty = _empty
    POSITIONAL_ONLY = _POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _VAR_POSITIONAL
    KEYWORD_ONLY = _KEYWORD_ONLY
    VAR_KEYWORD = _VAR_KEYWORD

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def replace(self, **changes):
        values = {"name": self.name, "kind": self.kind, "default": self.default, "annotation": self.annotation}
        values.update(changes)
        return type(self)(values.pop("name"), values.pop("kind"), **values)

    def __str__(self):
        text = self.name
        if self.annotation is not _empty:
            text = f"{text}: {formatannotation(self.annotation)}"
        if self.default is not _empty:
            text += (" = " if self.annotation is not _empty else "=") + repr(self.default)
        if self.kind == _VAR_POSITIONAL:
            text = "*" + text
        elif self.kind == _VAR_KEYWORD:
            text = "**" + text
        return text

    def __repr__(self):
        return f'<{self.__class__.__name__} "{self}">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return (self.name, self.kind, self.default, self.annotation) == \
            (other.name, other.kind, other.default, other.annotation)

    def __hash__(self):
        return hash((self.name, self.kind))


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    @property
    def args(self):
        args = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY) or name not in self.arguments:
                break
            value = self.arguments[name]
            args.extend(value if parameter.kind == _VAR_POSITIONAL else [value])
        return tuple(args)

    @property
    def kwargs(self):
        kwargs = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.arguments:
                if parameter.kind == _VAR_KEYWORD:
                    kwargs.update(self.arguments[name])
                elif parameter.kind == _KEYWORD_ONLY:
                    kwargs[name] = self.arguments[name]
        return kwargs

    def apply_defaults(self):
        values = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.arguments:
                values[name] = self.arguments[name]
            elif parameter.default is not _empty:
                values[name] = parameter.default
            elif parameter.kind == _VAR_POSITIONAL:
                values[name] = ()
            elif parameter.kind == _VAR_KEYWORD:
                values[name] = {}
        self.arguments = values


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = types.MappingProxyType({p.name: p for p in parameters or ()})
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, **kwargs):
        if kwargs:
            raise refused("inspect.Signature.from_callable", "kwargs")
        return signature(obj, follow_wrapped=follow_wrapped)

    def replace(self, *, parameters=None, return_annotation=_empty):
        return type(self)(self.parameters.values() if parameters is None else parameters,
                          return_annotation=self.return_annotation if return_annotation is _empty
                          else return_annotation)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        arguments = {}
        rest = list(args)
        for name, parameter in self.parameters.items():
            kind = parameter.kind
            if kind == _VAR_POSITIONAL:
                arguments[name] = tuple(rest)
                rest = []
            elif kind == _VAR_KEYWORD:
                arguments[name] = kwargs
                kwargs = {}
            elif rest and kind != _KEYWORD_ONLY:
                if name in kwargs and kind != _POSITIONAL_ONLY:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = rest.pop(0)
            elif name in kwargs and kind != _POSITIONAL_ONLY:
                arguments[name] = kwargs.pop(name)
            elif parameter.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if rest:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, {k: v for k, v in arguments.items() if
                                     self.parameters[k].kind not in (_VAR_POSITIONAL, _VAR_KEYWORD) or v})

    def __str__(self):
        result = []
        slash_pending = star_seen = False
        for parameter in self.parameters.values():
            if parameter.kind == _POSITIONAL_ONLY:
                slash_pending = True
            elif slash_pending:
                result.append("/")
                slash_pending = False
            if parameter.kind == _VAR_POSITIONAL:
                star_seen = True
            elif parameter.kind == _KEYWORD_ONLY and not star_seen:
                result.append("*")
                star_seen = True
            result.append(str(parameter))
        if slash_pending:
            result.append("/")
        text = f"({', '.join(result)})"
        if self.return_annotation is not _empty:
            text += f" -> {formatannotation(self.return_annotation)}"
        return text

    def __repr__(self):
        return f"<{self.__class__.__name__} {self}>"

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return dict(self.parameters) == dict(other.parameters) and self.return_annotation == other.return_annotation


def _of_function(func):
    code = func.__code__
    names = code.co_varnames
    annotations = getattr(func, "__annotations__", None) or {}
    defaults = func.__defaults__ or ()
    kw_defaults = func.__kwdefaults__ or {}
    positional, keyword = code.co_argcount, code.co_kwonlyargcount
    parameters = []

    def add(name, kind, default=_empty):
        parameters.append(Parameter(name, kind, default=default, annotation=annotations.get(name, _empty)))

    first_default = positional - len(defaults)
    for i in range(positional):
        kind = _POSITIONAL_ONLY if i < code.co_posonlyargcount else _POSITIONAL_OR_KEYWORD
        add(names[i], kind, defaults[i - first_default] if i >= first_default else _empty)
    after = positional + keyword
    if code.co_flags & 0x04:
        add(names[after], _VAR_POSITIONAL)
        after += 1
    for i in range(positional, positional + keyword):
        add(names[i], _KEYWORD_ONLY, kw_defaults.get(names[i], _empty))
    if code.co_flags & 0x08:
        add(names[after], _VAR_KEYWORD)
    return Signature(parameters, return_annotation=annotations.get("return", _empty))


def _without_first(sig):
    parameters = list(sig.parameters.values())
    if parameters and parameters[0].kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD):
        parameters = parameters[1:]
    return sig.replace(parameters=parameters)


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    if globals is not None:
        raise refused("inspect.signature", "globals")
    if locals is not None:
        raise refused("inspect.signature", "locals")
    if eval_str:
        raise refused("inspect.signature", "eval_str")
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if isinstance(obj, types.MethodType):
        return _without_first(signature(obj.__func__))
    if follow_wrapped:
        obj = unwrap(obj)
    if isinstance(getattr(obj, "__signature__", None), Signature):
        return obj.__signature__
    if isinstance(obj, types.FunctionType):
        return _of_function(obj)
    from functools import partial
    if isinstance(obj, partial):
        return _of_partial(obj)
    if isinstance(obj, type):
        for name in ("__init__", "__new__"):
            method = getattr(obj, name)
            if isinstance(method, types.FunctionType):
                return _without_first(_of_function(unwrap(method)))
        return Signature()
    call = getattr(type(obj), "__call__", None)
    if isinstance(call, types.FunctionType):
        return _without_first(_of_function(call))
    raise ValueError(f"no signature found for builtin {obj!r}")


def _of_partial(obj):
    parameters = list(signature(obj.func).parameters.values())[len(obj.args):]
    result = []
    for parameter in parameters:
        if parameter.name in obj.keywords:
            parameter = parameter.replace(default=obj.keywords[parameter.name], kind=_KEYWORD_ONLY)
        elif result and result[-1].kind == _KEYWORD_ONLY and parameter.kind == _POSITIONAL_OR_KEYWORD:
            parameter = parameter.replace(kind=_KEYWORD_ONLY)
        result.append(parameter)
    return Signature(result)


def getfullargspec(func):
    from collections import namedtuple
    spec = namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations")
    args, varargs, varkw, kwonly = [], None, None, []
    defaults, kw_defaults, annotations = [], {}, {}
    for parameter in signature(func).parameters.values():
        if parameter.kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD):
            args.append(parameter.name)
            if parameter.default is not _empty:
                defaults.append(parameter.default)
        elif parameter.kind == _VAR_POSITIONAL:
            varargs = parameter.name
        elif parameter.kind == _KEYWORD_ONLY:
            kwonly.append(parameter.name)
            if parameter.default is not _empty:
                kw_defaults[parameter.name] = parameter.default
        else:
            varkw = parameter.name
        if parameter.annotation is not _empty:
            annotations[parameter.name] = parameter.annotation
    if isinstance(func, types.MethodType):
        args.insert(0, "self")
    return spec(args, varargs, varkw, tuple(defaults) or None, kwonly, kw_defaults or None, annotations)


getargspec = getfullargspec


def getmodule(object, _filename=None):
    import sys
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, "__module__", None))


def getfile(object):
    if ismodule(object):
        if getattr(object, "__file__", None):
            return object.__file__
        raise TypeError(f"{object!r} is a built-in module")
    if isclass(object):
        module = getmodule(object)
        if getattr(module, "__file__", None):
            return module.__file__
        raise TypeError(f"{object!r} is a built-in class")
    if ismethod(object):
        object = object.__func__
    if isfunction(object):
        object = object.__code__
    if istraceback(object):
        object = object.tb_frame
    if isframe(object):
        object = object.f_code
    if iscode(object):
        return object.co_filename
    raise TypeError("module, class, method, function, traceback, frame, or code object was expected, "
                    f"got {type(object).__name__}")


getsourcefile = getfile


class EndOfBlock(Exception):
    pass


class BlockFinder:
    """Finds where a block ends: it is handed the tokens one by one, and raises EndOfBlock behind the last one."""

    def __init__(self):
        self.indent = 0
        self.last = 1
        self.islambda = self.started = self.passline = self.indecorator = False
        self.body_col0 = None
        self._brackets = 0

    def tokeneater(self, type, token, srowcol, erowcol, line):
        import tokenize

        if not self.started and not self.indecorator:
            if token == "@":
                self.indecorator = True
            elif token in ("def", "class", "lambda"):
                self.islambda = token == "lambda"
                self.started = True
            # Up to the end of the line it is no more than a line.
            self.passline = True
        elif self.indecorator and token in ("(", ")"):
            self._brackets += 1 if token == "(" else -1
        elif type == tokenize.NEWLINE:
            self.passline = False
            self.last = srowcol[0]
            if self.islambda:
                raise EndOfBlock
            if self.indecorator and not self._brackets:
                self.indecorator = False
        elif self.passline:
            pass
        elif type == tokenize.INDENT:
            if self.body_col0 is None and self.started:
                self.body_col0 = erowcol[1]
            self.indent += 1
            self.passline = True
        elif type == tokenize.DEDENT:
            self.indent -= 1
            if self.indent <= 0:
                raise EndOfBlock
        elif type == tokenize.COMMENT:
            if self.body_col0 is not None and srowcol[1] >= self.body_col0:
                self.last = srowcol[0]
        elif self.indent == 0 and type not in (tokenize.COMMENT, tokenize.NL):
            # A statement outside of the block: it had one line.
            raise EndOfBlock


def getblock(lines):
    """The lines of the block that begins with the first one."""
    import tokenize

    finder = BlockFinder()
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            finder.tokeneater(*token)
    except (EndOfBlock, IndentationError):
        pass
    return lines[: finder.last]


def getsourcelines(object):
    with open(getfile(object)) as file:
        lines = file.readlines()
    if ismodule(object):
        return lines, 0
    if ismethod(object):
        object = object.__func__
    if isclass(object):
        import re
        start = next((i for i, line in enumerate(lines)
                      if re.match(rf"\s*class\s+{object.__name__}\b", line)), None)
        if start is None:
            raise OSError("could not find class definition")
    else:
        if istraceback(object):
            object = object.tb_frame
        code = object.f_code if isframe(object) else object if iscode(object) else unwrap(object).__code__
        if code.co_name == "<module>":
            return lines, 0
        start = code.co_firstlineno - 1
        if start >= len(lines):
            raise OSError("lineno is out of bounds")
    return getblock(lines[start:]), start + 1


Arguments = namedtuple("Arguments", "args, varargs, varkw")


def getargs(co):
    """The names of a code object's parameters: those by position or keyword, `*args`, `**kwargs`."""
    if not iscode(co):
        raise TypeError(f"{co!r} is not a code object")
    count = co.co_argcount + co.co_kwonlyargcount
    names = list(co.co_varnames)
    varargs = varkw = None
    if co.co_flags & CO_VARARGS:
        varargs = names[count]
        count += 1
    if co.co_flags & CO_VARKEYWORDS:
        varkw = names[count]
    return Arguments(names[: co.co_argcount + co.co_kwonlyargcount], varargs, varkw)


def getsource(object):
    return "".join(getsourcelines(object)[0])


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    doc = getattr(object, "__doc__", None)
    return cleandoc(doc) if isinstance(doc, str) else None


def getattr_static(obj, attr, default=_empty):
    for holder in [obj, *type(obj).__mro__]:
        namespace = getattr(holder, "__dict__", {})
        if attr in namespace:
            return namespace[attr]
    if default is not _empty:
        return default
    raise AttributeError(attr)


def currentframe():
    return sys._getframe(1)


class Traceback(namedtuple("Traceback", "filename lineno function code_context index")):
    """What `getframeinfo` tells of a frame."""

    def __new__(cls, filename, lineno, function, code_context, index, *, positions=None):
        made = super().__new__(cls, filename, lineno, function, code_context, index)
        made.positions = positions
        return made


class FrameInfo(namedtuple("FrameInfo", "frame filename lineno function code_context index")):
    """A frame with what `getframeinfo` tells of it."""

    def __new__(cls, frame, filename, lineno, function, code_context, index, *, positions=None):
        made = super().__new__(cls, frame, filename, lineno, function, code_context, index)
        made.positions = positions
        return made


def getframeinfo(frame, context=1):
    if istraceback(frame):
        line, frame = frame.tb_lineno, frame.tb_frame
    elif isframe(frame):
        line = frame.f_lineno
    else:
        raise TypeError(f"{frame!r} is not a frame or traceback object")
    filename = getsourcefile(frame) or getfile(frame)
    lines = index = None
    if context > 0:
        import linecache
        text = linecache.getlines(filename, frame.f_globals)
        if text:
            start = max(0, min(line - 1 - context // 2, len(text) - context))
            lines, index = text[start:start + context], line - 1 - start
    return Traceback(filename, line, frame.f_code.co_name, lines, index)


def _frame_info(frame, at, context):
    return FrameInfo(frame, *getframeinfo(at, context))


def getouterframes(frame, context=1):
    found = []
    while frame:
        found.append(_frame_info(frame, frame, context))
        frame = frame.f_back
    return found


def getinnerframes(tb, context=1):
    found = []
    while tb:
        found.append(_frame_info(tb.tb_frame, tb, context))
        tb = tb.tb_next
    return found


def stack(context=1):
    return getouterframes(sys._getframe(1), context)


def trace(context=1):
    exception = sys.exc_info()[1]
    return getinnerframes(exception.__traceback__ if exception else None, context)


def isasyncgen(object):
    return isinstance(object, types.AsyncGeneratorType)


GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED, GEN_CLOSED = "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED"
CORO_CREATED, CORO_RUNNING, CORO_SUSPENDED, CORO_CLOSED = "CORO_CREATED", "CORO_RUNNING", "CORO_SUSPENDED", "CORO_CLOSED"


def _state(running, frame, prefix):
    if running:
        return prefix + "_RUNNING"
    if frame is None:
        return prefix + "_CLOSED"
    # A suspended frame stands behind a yield, never at its first instruction.
    return prefix + ("_CREATED" if frame.f_lasti <= 0 else "_SUSPENDED")


def getgeneratorstate(generator):
    return _state(generator.gi_running, generator.gi_frame, "GEN")


def getcoroutinestate(coroutine):
    return _state(coroutine.cr_running, coroutine.cr_frame, "CORO")


def getgeneratorlocals(generator):
    if not isgenerator(generator):
        raise TypeError(f"{generator!r} is not a Python generator")
    return generator.gi_frame.f_locals if generator.gi_frame is not None else {}


def getcoroutinelocals(coroutine):
    return coroutine.cr_frame.f_locals if coroutine.cr_frame is not None else {}


ArgInfo = namedtuple("ArgInfo", "args varargs keywords locals")


def getargvalues(frame):
    """The arguments of a frame's function, and all that it knows."""
    return ArgInfo(*getargs(frame.f_code), frame.f_locals)


def findsource(object):
    """All lines of the file, and the number of the first of the object's."""
    with open(getfile(object)) as file:
        lines = file.readlines()
    return lines, max(getsourcelines(object)[1] - 1, 0)


def getabsfile(object, _filename=None):
    import os

    return os.path.normcase(os.path.abspath(_filename or getsourcefile(object) or getfile(object)))


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    """The annotations of a class, a module or a function in a dict of their own; with `eval_str`, texts are evaluated."""
    if isinstance(obj, type):
        own = vars(obj).get("__annotations__")
        names = getattr(sys.modules.get(obj.__module__), "__dict__", None)
        local = dict(vars(obj))
        wrapped = obj
    elif isinstance(obj, types.ModuleType):
        own, names, local, wrapped = getattr(obj, "__annotations__", None), vars(obj), None, None
    elif callable(obj):
        own, names, local, wrapped = getattr(obj, "__annotations__", None), getattr(obj, "__globals__", None), None, obj
    else:
        raise TypeError(f"{obj!r} is not a module, class, or callable.")
    if own is None:
        return {}
    if not isinstance(own, dict):
        raise ValueError(f"{obj!r}.__annotations__ is neither a dict nor None")
    if not own or not eval_str:
        return dict(own)
    while wrapped is not None:
        inner = getattr(wrapped, "__wrapped__", None)
        if inner is None:
            break
        wrapped = inner
    if wrapped is not None and hasattr(wrapped, "__globals__"):
        names = wrapped.__globals__
    globals = names if globals is None else globals
    locals = local if locals is None else locals
    return {key: eval(value, globals, locals) if isinstance(value, str) else value for key, value in own.items()}


for _kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD, _VAR_POSITIONAL, _KEYWORD_ONLY, _VAR_KEYWORD):
    setattr(_ParameterKind, _kind.name, _kind)
