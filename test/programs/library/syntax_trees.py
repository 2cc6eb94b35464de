"""Syntax trees: read, walked, changed, compiled, and what is refused."""
import ast
t = ast.parse("x = 1 + y\ndef f(a, b=2, *c, d, e=3, **k) -> int:\n    'doc'\n    return a\n")
print(ast.dump(t, include_attributes=True, indent=1))
print(ast.unparse(t))
ns = {}
exec(compile(t, "<t>", "exec"), {"y": 5}, ns); print(ns["x"], ns["f"](3, d=1), ns["f"].__doc__)
print(ast.literal_eval("{'a': [1, -2.5, (3,)], 'b': {1, 2}, 'c': b'x', 'd': None, 'e': 1+2j}"))
class T(ast.NodeTransformer):
    def visit_BinOp(self, n):
        self.generic_visit(n)
        return ast.copy_location(ast.BinOp(n.left, ast.Mult(), n.right), n)
t2 = ast.fix_missing_locations(T().visit(ast.parse("1 + 2 + z", mode="eval")))
print(eval(compile(t2, "", "eval"), {"z": 7}))
print([type(n).__name__ for n in ast.walk(ast.parse("a.b[c:d](e)"))])
class V(ast.NodeVisitor):
    def visit_Name(self, n): print(n.id, n.lineno, n.col_offset)
V().visit(ast.parse("a\nb = c"))
for bad in ["ast.Module([ast.Expr(ast.Name('x', ast.Load()))], [])", "ast.Module([ast.fix_missing_locations(ast.Return(3))], [])", "ast.Expression(3)", "ast.Module([ast.fix_missing_locations(ast.If(ast.Constant(1), [], []))], [])", "ast.Expression(ast.fix_missing_locations(ast.Constant([1])))", "ast.fix_missing_locations(ast.Expression(ast.BinOp(ast.Constant(1), ast.Add())))", "ast.fix_missing_locations(ast.Module([ast.Return()], []))"]:
    try: compile(eval(bad), "f", "eval" if "Expression" in bad else "exec"); print("compiled")
    except Exception as e: print(type(e).__name__, e)
print(ast.Name._fields, ast.Name("x").__dict__, ast.Return().value)
try: ast.Name(1, 2, 3)
except TypeError as e: print(e)
print(isinstance(ast.Constant(1), ast.Num), isinstance(ast.Constant(1), ast.Str), ast.get_docstring(t.body[1]), ast.get_source_segment("x = 1 + y", ast.parse("x = 1 + y").body[0].value))
for s in ["f'{a[\"x\"]}'", "f'a{x!r:>{w}}b'", "f\"it's {x}\"", "f'\\n{x}'","f'''a\n{x}\"q\"'''","f'{ {1:2} }'", "f'{x}\\\\'", "f\"{x['a']}'\"", "f'\\t{x}'", "f'a\"b\\'c{d}'"]:
    print(s, '=>', ast.unparse(ast.parse(s)))

for text in ["sum(x for x in y)", "f(a)(b for b in c)", "x[*a]", "import a.b as c", "from . import d", "u'x'", "(yield)", "a: int = 3", "(a): int", "lambda *, k=1: k", "print(f'{x=}', b'a' b'b')"]:
    print(ast.dump(ast.parse(text), include_attributes=True))
print(ast.dump(compile("1;2", "f", "single", ast.PyCF_ONLY_AST)))
match = """match p:
    case [1, *rest] if rest: pass
    case {"k": v, **more}: pass
    case C(a, b=2) | None: pass
    case str() as s: pass
try:
    pass
except* (A, B) as e:
    raise
async def g():
    async with a as b, c: await d
    async for x in y: yield [z async for z in x]
"""
tree = ast.parse(match)
print(ast.dump(tree, indent=1))
print(ast.unparse(tree))
code = compile(ast.parse("def f(x):\n    y = x\n\n    return y / 0\n"), "made.py", "exec")
space = {}
exec(code, space)
try:
    space["f"](1)
except ZeroDivisionError as e:
    print(e.__traceback__.tb_next.tb_lineno, e.__traceback__.tb_next.tb_frame.f_code.co_filename)
node = ast.parse("a + b", mode="eval").body
for place in [(5, 0, 3, 0), (1, 9, 1, 2)]:
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    try:
        compile(ast.Expression(node), "f", "eval")
    except ValueError as e:
        print(e)
loop = ast.List([], ast.Load())
loop.elts.append(loop)
ast_error = None
try:
    compile(ast.Expression(ast.copy_location(loop, node)), "f", "eval")
except (RecursionError, ValueError) as e:
    ast_error = type(e).__name__
print(ast_error is not None, issubclass(ast.Name, ast.expr), ast.parse("a").body[0].value.ctx is ast.parse("b").body[0].value.ctx)
class Mine(ast.Name):
    pass
made = ast.fix_missing_locations(ast.Expression(Mine("q", ast.Load())))
print(eval(compile(made, "", "eval"), {"q": "found"}), ast.dump(made))
import copy, pickle
twin = copy.deepcopy(tree)
print(ast.dump(twin) == ast.dump(tree), ast.dump(pickle.loads(pickle.dumps(tree))) == ast.dump(tree))
