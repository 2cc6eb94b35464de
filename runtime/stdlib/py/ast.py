"""CPython's `ast`, which is 3.12's, where 3.11's does something else."""

import _pyast
from _pyast import *
from _pyast import _ABC, _ALL_QUOTES, _Precedence, _deprecated_globals, _splitlines_no_ff, _Unparser as _Newer


class _Unparser(_Newer):
    """Before 3.12, what is in the braces of an f-string may hold neither its quotes nor backslashes."""

    def visit_JoinedStr(self, node):
        self.write("f")
        if self._avoid_backslashes:
            with self.buffered() as buffer:
                self._write_fstring_inner(node)
            self._write_str_avoiding_backslashes("".join(buffer))
            return
        pieces, quotes = [], _ALL_QUOTES
        for value in node.values:
            with self.buffered() as buffer:
                self._write_fstring_inner(value)
            text, quotes = self._str_literal_helper("".join(buffer), quote_types=quotes,
                                                    escape_special_whitespace=isinstance(value, Constant))
            pieces.append(text)
        self.write(f"{quotes[0]}{''.join(pieces)}{quotes[0]}")

    def visit_FormattedValue(self, node):
        inner = type(self)(_avoid_backslashes=True)
        inner.set_precedence(_Precedence.TEST.next(), node.value)
        text = inner.visit(node.value)
        if "\\" in text:
            raise ValueError("Unable to avoid backslash in f-string expression part")
        with self.delimit("{", "}"):
            self.write(f" {text}" if text.startswith("{") else text)
            if node.conversion != -1:
                self.write(f"!{chr(node.conversion)}")
            if node.format_spec:
                self.write(":")
                self._write_fstring_inner(node.format_spec)


def unparse(ast_obj):
    return _Unparser().visit(ast_obj)


# The classes of before 3.8 warn from 3.12 on.
Num, Str, Bytes, NameConstant, Ellipsis = _deprecated_globals.values()
_old_kinds = {Num: (int, float, complex), Str: str, Bytes: bytes, NameConstant: (type(None), bool), Ellipsis: type(...)}


def _is_old(cls, node):
    if not isinstance(node, Constant):
        return False
    if cls not in _old_kinds:
        return type.__instancecheck__(cls, node)
    value = getattr(node, "value", _old_kinds)
    return isinstance(value, _old_kinds[cls]) and not (cls is Num and isinstance(value, bool))


def _new_old(cls, *args, **kwargs):
    for name in kwargs:
        if name in cls._fields[:len(args)]:
            raise TypeError(f"{cls.__name__} got multiple values for argument {name!r}")
    if cls in _old_kinds:
        return Constant(*((...,) if cls is Ellipsis else ()), *args, **kwargs)
    return Constant.__new__(cls)


_ABC.__instancecheck__ = _is_old
for _class in _old_kinds:
    _class.__new__ = _new_old


def _quiet():
    return property(lambda self: self.value, lambda self, value: setattr(self, "value", value), doc="Deprecated.")


Constant.n = Constant.s = _quiet()
for _value in list(globals().values()):
    if getattr(_value, "__module__", None) == "_pyast":
        _value.__module__ = "ast"
del _value, _class
