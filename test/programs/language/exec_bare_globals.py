# exec with globals of its own: what runs there finds the rest in builtins, and leaves nothing behind.
import gc
import weakref

SOURCE = """
class A:
    def __init__(self, x):
        self.x = x
        self.me = self

    def f(self):
        return [self.x for _ in range(3)]


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


a = A(1)
r = a.f(), fib(7)
"""

for i in range(3):
    names = {}
    exec(SOURCE, names)
    print(names["r"], names["A"].__module__, names["fib"].__module__, sorted(names)[:3], __name__)

names = {}
exec("class A:\n    def f(self):\n        return A\n\na = A()\na.me = a", names)
known = weakref.ref(names["A"])
del names
gc.collect()
print(known())

code = compile(SOURCE, "<source>", "exec")
sizes = []
for i in range(60):
    exec(code, {"__name__": "own"})
    if i in (19, 59):
        gc.collect()
        sizes.append(len(gc.get_objects()))
print(sizes[1] - sizes[0] < 20)
exec("print(__name__, __builtins__ is not None)", {})
print(eval("[__name__ for _ in range(2)]", {}))
