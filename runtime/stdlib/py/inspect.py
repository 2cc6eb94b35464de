"""CPython's questions about functions, classes and modules, with what 3.11 has besides."""

import _pyinspect
import functools
import sys
import types
from _pyinspect import *
from _pyinspect import _empty
from collections import namedtuple

__all__ = [
    "ArgInfo", "Arguments", "Attribute", "BlockFinder", "BoundArguments", "CORO_CLOSED", "CORO_CREATED",
    "CORO_RUNNING", "CORO_SUSPENDED", "CO_ASYNC_GENERATOR", "CO_COROUTINE", "CO_GENERATOR", "CO_ITERABLE_COROUTINE",
    "CO_NESTED", "CO_NEWLOCALS", "CO_NOFREE", "CO_OPTIMIZED", "CO_VARARGS", "CO_VARKEYWORDS", "ClosureVars",
    "EndOfBlock", "FrameInfo", "FullArgSpec", "GEN_CLOSED", "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED",
    "Parameter", "Signature", "TPFLAGS_IS_ABSTRACT", "Traceback", "classify_class_attrs", "cleandoc", "currentframe",
    "findsource", "formatannotation", "formatannotationrelativeto", "formatargvalues", "get_annotations",
    "getabsfile", "getargs", "getargvalues", "getattr_static", "getblock", "getcallargs", "getclasstree",
    "getclosurevars", "getcomments", "getcoroutinelocals", "getcoroutinestate", "getdoc", "getfile", "getframeinfo",
    "getfullargspec", "getgeneratorlocals", "getgeneratorstate", "getinnerframes", "getlineno", "getmembers",
    "getmembers_static", "getmodule", "getmodulename", "getmro", "getouterframes", "getsource", "getsourcefile",
    "getsourcelines", "indentsize", "isabstract", "isasyncgen", "isasyncgenfunction", "isawaitable", "isbuiltin",
    "isclass", "iscode", "iscoroutine", "iscoroutinefunction", "isdatadescriptor", "isframe", "isfunction",
    "isgenerator", "isgeneratorfunction", "isgetsetdescriptor", "ismemberdescriptor", "ismethod",
    "ismethoddescriptor", "ismethodwrapper", "ismodule", "isroutine", "istraceback", "signature", "stack", "trace",
    "unwrap", "walktree",
]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_pyinspect, name)


def ismethodwrapper(object):
    return isinstance(object, types.MethodWrapperType)


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


def getsource(object):
    return "".join(getsourcelines(object)[0])


def findsource(object):
    """All lines of the file, and the number of the first of the object's."""
    with open(getfile(object)) as file:
        lines = file.readlines()
    return lines, max(getsourcelines(object)[1] - 1, 0)


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


def getabsfile(object, _filename=None):
    import os

    return os.path.normcase(os.path.abspath(_filename or getsourcefile(object) or getfile(object)))


def getmodule(object, _filename=None):
    import sys
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, "__module__", None))


getsourcefile = getfile


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


def isroutine(object):
    return (isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object)
            or ismethodwrapper(object))


def getmembers_static(object, predicate=None):
    """As `getmembers`, without descriptors at work."""
    names = set(dir(object))
    if isclass(object):
        for base in object.__bases__:
            names.update(name for name, value in base.__dict__.items() if isinstance(value, types.DynamicClassAttribute))
    members = []
    for name in sorted(names):
        try:
            value = getattr_static(object, name)
        except AttributeError:
            for base in getmro(object) if isclass(object) else ():
                if name in base.__dict__:
                    value = base.__dict__[name]
                    break
            else:
                continue
        if predicate is None or predicate(value):
            members.append((name, value))
    return members


class Signature(_pyinspect.Signature):
    __slots__ = ()

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
        try:
            made = _pyinspect._signature_from_callable(obj, follow_wrapper_chains=follow_wrapped, sigcls=cls)
        except ValueError:
            # A class whose instances are made as plain objects are.
            if not (isclass(obj) and type not in obj.__mro__ and obj.__init__ is object.__init__
                    and obj.__new__ is object.__new__):
                raise
            made = cls()
        return made._evaluated(obj, globals, locals) if eval_str else made

    def _evaluated(self, obj, globals, locals):
        """With annotations that are texts evaluated."""
        function = unwrap(obj)
        while isinstance(function, (functools.partial, types.MethodType)):
            function = function.func if isinstance(function, functools.partial) else function.__func__
        found = get_annotations(function, globals=globals, locals=locals, eval_str=True)
        parameters = [p.replace(annotation=found[p.name]) if p.name in found else p for p in self.parameters.values()]
        return self.replace(parameters=parameters, return_annotation=found.get("return", self.return_annotation))


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    return Signature.from_callable(obj, follow_wrapped=follow_wrapped, globals=globals, locals=locals,
                                   eval_str=eval_str)


def _shadowed_dict(klass):
    """What stands in the way of the attributes of an instance. A class's own `__dict__` does not know here of which class
    it is.
    """
    attributes = type.__dict__["__dict__"]
    for entry in _pyinspect._static_getmro(klass):
        found = attributes.__get__(entry).get("__dict__", _pyinspect._sentinel)
        own = type(found) is types.GetSetDescriptorType and found.__name__ == "__dict__"
        if found is not _pyinspect._sentinel and not own:
            return found
    return _pyinspect._sentinel


_pyinspect._shadowed_dict = _shadowed_dict
for _class in (Signature, _pyinspect.Parameter, _pyinspect.BoundArguments, _pyinspect._empty):
    _class.__module__ = "inspect"
_pyinspect.Signature = Signature


def _keep_as_dict(self, signature, arguments):
    """A dict has kept its order since 3.7, and 3.9 hands one out."""
    self.arguments, self._signature = dict(arguments), signature


def _apply_defaults(self):
    _apply_ordered_defaults(self)
    self.arguments = dict(self.arguments)


_apply_ordered_defaults = BoundArguments.apply_defaults
_keep_as_dict.__name__ = "__init__"
_apply_defaults.__name__ = "apply_defaults"
_apply_defaults.__doc__ = _apply_ordered_defaults.__doc__
BoundArguments.__init__, BoundArguments.apply_defaults = _keep_as_dict, _apply_defaults
