# What the module symtable says of the names of all kinds of blocks.
import symtable

SOURCE = '''
import os.path as p, sys
from typing import *
glob: int = 42
other: "str"
def spam(a, b, /, c: int = glob, *var, kw=1, **kwargs) -> sys:
    global bar, new_global
    bar = 47
    some_var = 12
    x = 23
    def internal():
        nonlocal x
        x = glob + a
        return [y * kw for y in var if (z := y) for w in range(y)]
    class Inner(Base, metaclass=Meta):
        __private = x
        def meth(self):
            super().meth()
            return __class__, self.__private, x
        @property
        def x(self): return free_here
    lambda q=some_var: q + undefined
    try: pass
    except ValueError as e: print(e)
    with open(c) as (f, g.h): del f
    for i, (j, *k) in kwargs: i += 1
    return internal
class Alone:
    attr: int
    attr2: int = 3
    def m(self, m): return m
    def m(self): return Alone
    def n(self): return attr
    nested = [attr2 for _ in range(attr2)]
def m(v):
    match v:
        case [first, *rest] | {"k": first, **rest}: return first
        case Point(x=0) as whole if whole: pass
def cell():
    def in_one():
        def in_two(): return deep
        return in_two
    deep = 1
    return in_one
[outer := t for t in glob]
def named(): return {(u := k): (u2 := v) for k, v in os}, u
async def co():
    async with x as y: await z
    return (n async for n in y)
def namespace_test(): pass
def namespace_test(): pass
'''
TESTS = (
    "is_referenced", "is_parameter", "is_global", "is_nonlocal", "is_declared_global", "is_local", "is_annotated", "is_free",
    "is_imported", "is_assigned", "is_namespace",
)


def show(table, depth=0):
    pad = "  " * depth
    print(f"{pad}{table!r} {table.get_type()} {table.get_lineno()} {table.is_optimized()} {table.is_nested()} {table.has_children()}")
    if isinstance(table, symtable.Function):
        print(pad, table.get_parameters(), sorted(table.get_locals()), sorted(table.get_globals()), sorted(table.get_frees()),
              table.get_nonlocals())
    if isinstance(table, symtable.Class):
        print(pad, table.get_methods())
    for symbol in sorted(table.get_symbols(), key=lambda symbol: symbol.get_name()):
        print(pad, symbol, *[test[3:] for test in TESTS if getattr(symbol, test)()])
    for child in table.get_children():
        show(child, depth + 1)


top = symtable.symtable(SOURCE, "file.py", "exec")
show(top)
show(symtable.symtable("x + (lambda y: y)(z)", "<e>", "eval"))
show(symtable.symtable("from __future__ import annotations\ndef f(a: b) -> c: d: e = 1\n", "<s>", "exec"))
print(top.lookup("spam").get_namespace(), top.lookup("namespace_test").get_namespaces(), top.lookup("glob").is_namespace())
for name in ("namespace_test", "glob"):
    try:
        top.lookup(name).get_namespace()
    except ValueError as e:
        print(e)
try:
    top.lookup("missing")
except KeyError as e:
    print("KeyError", e)
for bad in ("def f(x): global x\n", "nonlocal x\n", "def f():\n  x = 1\n  global x\n", "x =\n", "def f(a, a): pass\n"):
    try:
        symtable.symtable(bad, "bad.py", "exec")
    except SyntaxError as e:
        print(e.msg, e.filename, e.lineno)
print(top.get_children()[0] is top.get_children()[0], top.lookup("spam") is top.lookup("spam"))
