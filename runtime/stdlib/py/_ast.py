"""The classes of the nodes of syntax trees; `compile()` makes and reads their objects."""

PyCF_ONLY_AST, PyCF_TYPE_COMMENTS, PyCF_ALLOW_TOP_LEVEL_AWAIT = 0x400, 0x1000, 0x2000

# Kinds of nodes, and the nodes of each with their fields: one marked with ? may be None. Kinds marked with @ have
# a place in the source text.
_GRAMMAR = """
mod: Module(body type_ignores) Interactive(body) Expression(body) FunctionType(argtypes returns)
@stmt: FunctionDef(name args body decorator_list returns? type_comment?)
  AsyncFunctionDef(name args body decorator_list returns? type_comment?)
  ClassDef(name bases keywords body decorator_list) Return(value?) Delete(targets)
  Assign(targets value type_comment?) AugAssign(target op value) AnnAssign(target annotation value? simple)
  For(target iter body orelse type_comment?) AsyncFor(target iter body orelse type_comment?)
  While(test body orelse) If(test body orelse) With(items body type_comment?) AsyncWith(items body type_comment?)
  Match(subject cases) Raise(exc? cause?) Try(body handlers orelse finalbody) TryStar(body handlers orelse finalbody)
  Assert(test msg?) Import(names) ImportFrom(module? names level?) Global(names) Nonlocal(names) Expr(value)
  Pass() Break() Continue()
@expr: BoolOp(op values) NamedExpr(target value) BinOp(left op right) UnaryOp(op operand) Lambda(args body)
  IfExp(test body orelse) Dict(keys values) Set(elts) ListComp(elt generators) SetComp(elt generators)
  DictComp(key value generators) GeneratorExp(elt generators) Await(value) Yield(value?) YieldFrom(value)
  Compare(left ops comparators) Call(func args keywords) FormattedValue(value conversion format_spec?)
  JoinedStr(values) Constant(value kind?) Attribute(value attr ctx) Subscript(value slice ctx) Starred(value ctx)
  Name(id ctx) List(elts ctx) Tuple(elts ctx) Slice(lower? upper? step?)
expr_context: Load() Store() Del()
boolop: And() Or()
operator: Add() Sub() Mult() MatMult() Div() Mod() Pow() LShift() RShift() BitOr() BitXor() BitAnd() FloorDiv()
unaryop: Invert() Not() UAdd() USub()
cmpop: Eq() NotEq() Lt() LtE() Gt() GtE() Is() IsNot() In() NotIn()
comprehension(target iter ifs is_async)
@excepthandler: ExceptHandler(type? name? body)
arguments(posonlyargs args vararg? kwonlyargs kw_defaults kwarg? defaults)
@arg(arg annotation? type_comment?)
@keyword(arg? value)
@alias(name asname?)
withitem(context_expr optional_vars?)
match_case(pattern guard? body)
@pattern: MatchValue(value) MatchSingleton(value) MatchSequence(patterns) MatchMapping(keys patterns rest?)
  MatchClass(cls patterns kwd_attrs kwd_patterns) MatchStar(name?) MatchAs(pattern? name?) MatchOr(patterns)
type_ignore: TypeIgnore(lineno tag)
"""


class AST:
    __module__ = "ast"
    _fields = ()
    _attributes = ()
    __match_args__ = ()

    def __init__(self, *args, **kwargs):
        cls = type(self)
        fields = self._fields
        if len(args) > len(fields):
            plural = "" if len(fields) == 1 else "s"
            raise TypeError(f"{cls.__name__} constructor takes at most {len(fields)} positional argument{plural}")
        for name, value in zip(fields, args):
            setattr(self, name, value)
        for name, value in kwargs.items():
            if name in fields[:len(args)]:
                raise TypeError(f"{cls.__name__} got multiple values for argument {name!r}")
            setattr(self, name, value)

    def __reduce__(self):
        return type(self), (), self.__dict__


# The objects of nodes without fields that `compile()` gives.
_single = {}


def _node_class(name, base, fields, placed):
    names = tuple(field.rstrip("?") for field in fields)
    namespace = {"__module__": "ast", "_fields": names, "__match_args__": names,
                 "__doc__": f"{name}({', '.join(fields)})" if fields else name}
    namespace.update((field[:-1], None) for field in fields if field.endswith("?"))
    if placed:
        namespace["_attributes"] = ("lineno", "col_offset", "end_lineno", "end_col_offset")
        if name != "pattern":
            namespace["end_lineno"] = namespace["end_col_offset"] = None
    return type(name, (base,), namespace)


def _define(text):
    made = {}
    for rule in text.strip().replace("\n  ", " ").splitlines():
        placed = rule.startswith("@")
        kind, colon, nodes = rule.lstrip("@").partition(":")
        if not colon:
            kind, nodes = "AST", kind
        base = AST if kind == "AST" else _node_class(kind, AST, (), placed)
        if base is not AST:
            made[kind] = base
        for node in nodes.replace(") ", ")\n").splitlines():
            name, _, fields = node.strip().rstrip(")").partition("(")
            fields = fields.split()
            made[name] = _node_class(name, base, fields, placed and base is AST)
            if not fields and kind not in ("stmt", "mod"):
                _single[name] = made[name]()
    return made


globals().update(_define(_GRAMMAR))
