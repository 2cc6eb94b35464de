"""Indentation of tabs and spaces: what CPython takes, where both ways to measure it agree, and what it refuses."""

program = """
if True:
        x = 1
        if x:\t
        \tprint("tab behind spaces")
        else:
        \tprint("not here")
        s = '''
\t  \tkept
  \ttoo'''
        print(repr(s))
        y = [1,
 \t2]
        print(y)
        # a comment
 \t# another one
        for i in range(2):
        \tif i:
        \t\tprint("inner", i)
        \tprint(i)
class A:
\tdef f(self):
\t    return 3
\tdef g(self):
\t    if 1:
\t    \treturn 4
print(A().f(), A().g())
"""
exec(program)

for text in (
    "if 1:\n        a=1\n\tb=2\n",
    "if 1:\n \ta=1\n\tb=2\n",
    "if 1:\n    a=1\n  \tb=2\n",
    "if 1:\n\ta=1\n        b=2\n",
    "if 1:\n  \ta=1\n    \tb=3\n",
    "if 1:\n  \ta = (1,\n b)\n  \tdef f(:\n",
    "if 1:\n\ta=1\n\n  \t\n\tb=2\n",
    "for i in x:\n    \tif i:\n    \t    pass\n    \telse:\n    \t    pass\n  \tq=1\n",
    "if 1:\n \tif 2:\n \t\tx = '''\n\t a'''\n \ty=1\nz=2\n",
):
    try:
        compile(text, "text", "exec")
        print("taken")
    except SyntaxError as e:
        print(type(e).__name__, e.msg, e.lineno, e.offset, repr(e.text))
