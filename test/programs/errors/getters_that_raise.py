import torch
class A:
    cls = 1
    def __init__(s): s.d = {'x': 1}; s.c = 0
    def __getattr__(s, n):
        if n.startswith('dyn'): s.c += 1; return n
        raise AttributeError(f'no {n}')
    def __setattr__(s, n, v): object.__setattr__(s, n, v * 2 if n == 'w' else v)
    def __delattr__(s, n): print('del', n); object.__delattr__(s, n)
class B:
    def __getattribute__(s, n): return ('all', n) if n != 'real' else object.__getattribute__(s, 'v')
    v = 3
class Prop:
    def __init__(s): s._x = torch.ones(1); s.n = 0
    @property
    def x(s): s.n += 1; return s._x * s.n
    @x.setter
    def x(s, v): s._x = v + 1
    @x.deleter
    def x(s): s._x = None
class Desc:
    def __set_name__(s, o, n): s.n = n
    def __get__(s, o, t): return ('cls', t.__name__) if o is None else o.__dict__.get(s.n, 0) + 1
    def __set__(s, o, v): o.__dict__[s.n] = v * 10
class ND:
    def __get__(s, o, t): return 'nondata'
class U: a = Desc(); b = ND()
def f(i):
    a = A(); a.w = i; p = Prop(); p.x = torch.tensor([float(i)]); u = U(); u.a = i; u.b
    r = [a.dyn1, a.dyn2, a.c, a.w, getattr(a, 'zz', 'def'), hasattr(a, 'dynz'), a.cls, B().foo, B().real, p.x, p.x, u.a, U.a, u.b]
    u.__dict__['b'] = 'inst'; r.append(u.b); u.__dict__['a'] = 5; r.append(u.a)
    A.cls = i; r.append(a.cls); a.cls = 'i'; r.append(a.cls); del a.cls; r.append(a.cls)
    try: a.nope
    except AttributeError as e: r.append(str(e))
    return r
for i in range(8): print(f(i))
class S:
    __slots__ = ('a',)
for i in range(4):
    s = S()
    try: s.a
    except AttributeError as e: print(e)
    try: s.b = 1
    except AttributeError as e: print(e)
class M(torch.nn.Module):
    def __init__(s): super().__init__(); s.lin = torch.nn.Linear(1, 1)
    def __getattr__(s, n):
        try: return super().__getattr__(n)
        except AttributeError: return ('fallback', n)
    @property
    def broken(s): return s.lin.nope
m = M()
for i in range(5): print(m.foo, type(m.lin).__name__)
for i in range(3):
    try: print(m.broken)
    except AttributeError as e: print(e)
