# Warnings of the compiler, errors in lists of parameters, strings with three quotes inside f-strings.
import ast
import warnings


def tried(source, mode="exec", action="always"):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        try:
            compile(source, "<s>", mode)
            result = "compiles"
        except SyntaxError as e:
            result = f"{type(e).__name__}: {e.msg} {e.lineno}:{e.offset}-{e.end_offset}"
    print(repr(source), result, [(w.category.__name__, str(w.message), w.lineno, w.filename) for w in caught])


for source in (
    "x is 1", "x is not 'a'", "1 is 1", "x is (1,)", "x is ()", "x is -1", "x is 1.5", "x is y is 3", "b'a' is x",
    "x is None", "x is True", "x is ...", "x is [1]", "x is y", "x == 1 is z",
    "def f():\n    if a is 'b': return lambda: c is not 4",
    r"'\d'", r"b'\d \u'", r"f'\d{x}\w'", r"r'\d'", r"'\400'", r"b'\777'", r"'\8'", r"'ab' '\q'", r"'\n\x41\N{DIGIT ONE}\u0041\101'",
    "'''\n\n\\d'''", "x = [\n'\\z',\n'\\y']",
    "assert (x, y)", "assert (x, 'm')", "assert ()", "assert (x)",
    "1()", "'a'()", "(1, 2)()", "[1]()", "{1}()", "{}()", "None()", "1.5()", "...()", "f'a'()", "(x for x in y)()",
    "[x for x in y]()", "{x: 1 for x in y}()", "(lambda: 1)()", "[(1, 2) (3, 4)]",
    "1[0]", "'a'['b']", "[1]['a']", "[1, 2][1, 2]", "(1, 2)['a']", "{1}[0]", "None[0]", "(lambda: 1)[0]", "'a'[1.5]",
    "[1][x]", "'abc'[None]", "f'a'['b']", "b'a'[0.5]", "(x for x in y)[0]", "[1][b'a']", "{1: 2}['a']", "'a'['b':]",
    "[1]['a'] = 2", "'a'[True]", "True[0]",
    "1if x else 2", "0x1for x in y", "1or 2", "1and x", "1in x", "0b1is x", "1_000or x", "1.5if x else y", "1jor 2",
    "0o7and 1", "0xfor x in y", "1else", "1not in x", "1 if x else 2",
):
    tried(source)
tried("x is 1", action="error")
tried("assert (1, 2)", action="error")
tried(r"'\d'", action="error")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(eval("1 is 1"), [str(w.message) for w in caught])
    exec("f = lambda: 2 is 2\nprint(f())")
    tree = ast.parse("a is 2\n'\\d'")
    compile(tree, "<tree>", "exec")
    print([(str(w.message), w.lineno, w.filename) for w in caught])

for parameters in (
    "*, **k", "*", "*,", "a, a", "a=1, b", "*a, *b", "**k, a", "**k, *a", "**k, **j", "/, a", "a, /, b, /", "*a, /",
    "*, a, /", "*a=1", "**k=1", "*a, b, *, c", "*, *a", "a, (b, c)", "(a)", "1", "'a'", "None", "a.b", "a b", "a, , b",
    "a=", "*a, b=", "a, *, /", "a, *, b, *c", "__debug__", "a, *b, a", "**a, b=1", "a, /, *, ", "*, a=1, b",
    "a, *b, c, d=1, e, **g", "*, a, (b)", "a=(1, 2), *, b=[3], **c",
):
    tried(f"def f({parameters}): pass")
    if parameters != "1" and ":" not in parameters:
        tried(f"lambda {parameters}: 1")

print(f"{'''x'''}", f"{'''eric's'''}", f'{"x" """eric"s""" "y"}', f'{"""a"""}{b"""c"d"""!r}', f"{'''it's''':>6}|{{'''}}")
