"""What `ast.parse` takes and `compile` refuses: errors that are the compiler's, not the grammar's."""
import ast

TEXTS = (
    "from __future__ import nope", "x = 1\nfrom __future__ import division", "from __future__ import *", "from __future__ import annotations",
    "*a, *b = c", "*a = c", "*a", "try:\n pass\nexcept:\n pass\nexcept E:\n pass", "return", "break", "yield",
    "def f():\n x = 1\n global x", "nonlocal x", "__debug__ = 1", "f(__debug__=1)", "lambda __debug__: 1", "del __debug__", "a.__debug__ = 1",
    "match x:\n case [*a, *b]: pass", "match x:\n case C(a=1, a=2): pass", "match x:\n case a: pass\n case b: pass",
    # These are errors of the grammar.
    "f() = 1", "del f()", "(a, b): int", "a, b += 1", "f(x for x in y, 1)", "with a as f(): pass", "None = 1", "1 = 2",
)
for text in TEXTS:
    found = []
    for read in (ast.parse, lambda text: compile(text, "<text>", "exec")):
        try:
            read(text)
            found.append("ok")
        except SyntaxError as error:
            found.append(error.msg)
    print(repr(text), *found, sep=" | ")
