# Trees that no grammar makes are refused by compile(); names of keyword arguments stay as they are written; `eval` asks
# mappings; ways out of `except*`.
import ast
import collections


def expr(text):
    return ast.parse(text, mode="eval").body


def check(body, kind=ast.Module):
    tree = kind([body], []) if kind is ast.Module else kind(body)
    ast.fix_missing_locations(tree)
    try:
        compile(tree, "<made>", "exec" if kind is ast.Module else "eval")
        print("compiles")
    except Exception as e:
        print(type(e).__name__, e)


x, store = expr("x"), ast.Name("x", ast.Store())
no = ast.arguments([], [], None, [], [], None, [])
for s in (ast.Assign([x], x), ast.Assign([], x), ast.Assign([None], x), ast.Assign([store], store), ast.AugAssign(x, ast.Add(), x),
          ast.AnnAssign(expr("a.b"), x, None, 1), ast.AnnAssign(store, store, None, 1), ast.Delete([x]), ast.Delete([]), ast.Delete([None]),
          ast.For(x, x, [ast.Pass()], []), ast.For(store, x, [], []), ast.For(store, x, [ast.Expr(store)], []), ast.While(store, [ast.Pass()], []),
          ast.While(x, [], []), ast.If(x, [None], []), ast.With([], [ast.Pass()]), ast.With([ast.withitem(x, x)], [ast.Pass()]),
          ast.Raise(None, x), ast.Raise(store, None), ast.Try([ast.Pass()], [], [], []), ast.Try([ast.Pass()], [], [ast.Pass()], [ast.Pass()]),
          ast.TryStar([ast.Pass()], [], [], []), ast.Try([ast.Pass()], [ast.ExceptHandler(store, "y", [ast.Pass()])], [], []),
          ast.Assert(store, None), ast.Import([]), ast.ImportFrom("m", [], 0), ast.Global([]), ast.Expr(store), ast.Return(store),
          ast.ClassDef("C", [store], [], [ast.Pass()], []), ast.ClassDef("C", [], [ast.keyword("k", store)], [ast.Pass()], []),
          ast.ClassDef("C", [], [], [], []), ast.FunctionDef("f", no, [], []), ast.FunctionDef("f", no, [ast.Pass()], [store]),
          ast.FunctionDef("f", ast.arguments([], [], None, [], [], None, [x]), [ast.Pass()], []),
          ast.FunctionDef("f", ast.arguments([], [], None, [ast.arg("k")], [], None, []), [ast.Pass()], []),
          ast.FunctionDef("f", ast.arguments([], [ast.arg("a", store)], None, [], [], None, []), [ast.Pass()], []), ast.FunctionDef(None, no, [ast.Pass()], []),
          ast.Match(x, []), ast.Match(x, [ast.match_case(ast.MatchValue(x), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchSingleton(3), None, [ast.Pass()])]), ast.Match(x, [ast.match_case(ast.MatchStar("a"), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchAs(ast.MatchAs(), None), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchOr([ast.MatchAs()]), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchMapping([x], [], None), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchClass(expr("f()"), [], [], []), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchAs(None, "_"), None, [ast.Pass()])]),
          ast.Match(x, [ast.match_case(ast.MatchSequence([ast.MatchStar("a")]), None, [ast.Pass()])])):
    check(s)
one = ast.comprehension(store, x, [], 0)
for e in (ast.BoolOp(ast.And(), [x]), ast.UnaryOp(ast.Not(), store), ast.Lambda(no, store), ast.IfExp(x, store, x), ast.Dict([x], []),
          ast.Dict([None], [store]), ast.Set([None]), ast.Set([store]), ast.ListComp(x, []), ast.GeneratorExp(store, [one]),
          ast.DictComp(x, x, [ast.comprehension(x, x, [], 0)]), ast.SetComp(x, [ast.comprehension(store, x, [store], 0)]), ast.Compare(x, [ast.Lt()], []),
          ast.Compare(x, [ast.Lt()], [x, x]), ast.Compare(x, [ast.In()], [store]), ast.Call(store, [], []), ast.Call(x, [None], []),
          ast.Call(x, [], [ast.keyword("k", store)]), ast.Attribute(store, "y", ast.Load()), ast.Subscript(x, store, ast.Load()),
          ast.Starred(store, ast.Load()), ast.List([store], ast.Load()), ast.Tuple([None], ast.Load()), ast.Tuple([x], ast.Store()),
          ast.NamedExpr(expr("a.b"), x), ast.NamedExpr(store, x), ast.Constant([1]), ast.Constant((1, int)), ast.Yield(store), ast.Await(store)):
    check(e, ast.Expression)
for place in ((10, 9, 0, 0), (1, 1, 10, 9), (-5, -2, 0, 0), (1, 1, -5, 1)):
    tree = ast.parse("x")
    node = tree.body[0]
    node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = place
    try:
        compile(tree, "<made>", "exec")
    except ValueError as e:
        print(e)


class Keywords:
    def take(self, __own=1, **more):
        return __own, more

    def give(self):
        return dict(__k=2), self.take(__own=3), self.take(**dict(_Keywords__own=4)), dict(__a=1, **{"__b": 2})


print(Keywords().give())


class Length(dict):
    def __getitem__(self, name):
        return len(name)


print(eval("a + word", Length()), eval("missing", collections.defaultdict(lambda: "made")), eval("a", {"a": 1}), eval("b", {}, Length()))
for body in ("break", "continue", "return"):
    for around in ("while 1:", "def f():"):
        try:
            compile(f"{around}\n  try: pass\n  except* ValueError:\n    {body}\n", "<made>", "exec")
        except SyntaxError as e:
            print(body, around, e.msg)
try:
    compile("try: pass\nexcept* ValueError:\n  for x in y: break\n  while 1: continue\n", "<made>", "exec")
    compile("break", "<made>", "exec")
except SyntaxError as e:
    print(e.msg)
