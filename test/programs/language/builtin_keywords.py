def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for base in (list, tuple, set, frozenset, float, int, str, bytes, dict, complex, enumerate, zip, map, filter, reversed, slice, object):
    print(base.__name__)
    arg = {enumerate:[()], zip:[()], map:[len,()], filter:[None,()], reversed:[()], object: []}.get(base, [])
    t(lambda: type(base(*arg, newarg=3)).__name__)
    try:
        class S(base): pass
    except TypeError as e:
        print(e); continue
    t(lambda: type(S(*arg, newarg=3)).__name__)
    class I(base):
        def __init__(self, *a, newarg=None): self.newarg = newarg
    t(lambda: type(I(*arg, newarg=3)).__name__)
    class N(base):
        def __new__(cls, *a, newarg=None): return super().__new__(cls, *a)
    t(lambda: type(N(*arg, newarg=3)).__name__)
    class B(base):
        def __new__(cls, *a, newarg=None): return super().__new__(cls, *a)
        def __init__(self, *a, newarg=None): pass
    t(lambda: type(B(*arg, newarg=3)).__name__)
