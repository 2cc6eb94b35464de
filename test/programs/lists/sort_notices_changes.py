"""list.sort notices that the list was changed meanwhile, also where nothing is left of it."""
from functools import cmp_to_key
def attempt(name, change, n=2):
    L = list(range(n))
    def cmp(x, y):
        change(L)
        return (x > y) - (x < y)
    try:
        L.sort(key=cmp_to_key(cmp))
        print(name, "no error", L)
    except ValueError as e:
        print(name, e, L)
def a(L): L.append(3); L.pop()
def b(L): L.append(3); del L[:]
def d(L): L.extend([1, 2])
def e(L): L[:] = [5]
def f(L): len(L), L.copy(), L[:]
def g(L): L.insert(0, 1); L.remove(1)
def h(L): L += [1]; del L[0]
for fn in (a, b, d, e, f, g, h):
    for n in (1, 2, 5): attempt(fn.__name__, fn, n)
