class Borg:
    _shared = {}
    def __init__(self):
        self.__dict__ = self._shared
    def bump(self):
        self.n = self.n + 1
        return self.n

a = Borg(); b = Borg()
a.x = 1
print(b.x, a.__dict__ is b.__dict__, a.__dict__ is Borg._shared, a is b)
b.n = 0
for i in range(60):
    a.bump(); b.bump()
print(a.n, b.n, Borg._shared)
Borg._shared['y'] = 5
print(a.y, b.y, Borg().y)
del a.x
try:
    print(b.x)
except AttributeError as e:
    print(e)

class AttrDict(dict):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.__dict__ = self

cfg = AttrDict(lr=0.1, steps=3)
print(cfg.lr, cfg['lr'], cfg)
cfg.momentum = 0.9
cfg['decay'] = 0.01
print(cfg, cfg.decay, sorted(vars(cfg)))
for i in range(60):
    cfg.lr = cfg['lr'] * 0.5 + cfg.steps
    cfg['steps'] = cfg.steps + 1
    cfg.total = cfg['steps'] + cfg.lr
print(round(cfg.lr, 6), cfg.steps, round(cfg['total'], 6))
import copy
c2 = copy.copy(cfg)
c2.lr = 7
print(cfg['lr'] == 7, c2['lr'], type(c2).__name__)
print(cfg.pop('decay'), hasattr(cfg, 'decay'))

class Plain:
    kind = 'plain'
    def __init__(self): self.v = 1
p, q = Plain(), Plain()
d = {'v': 10, 'kind': 'own'}
p.__dict__ = d
print(p.v, p.kind, q.v, q.kind)
d['v'] = 11
p.w = 2
print(p.v, d, vars(p) is d)
def total(objects):
    s = 0
    for o in objects:
        s += o.v
        o.v += 1
    return s
print([total([p, q]) for _ in range(40)][-1], d, vars(q))
q.__dict__ = d
print([total([p, q]) for _ in range(40)][-1], d)
del q.__dict__
print(vars(q), hasattr(q, 'v'), p.v)
q.v = 3
print(vars(q), p.v)
for bad in ([], None, 3):
    try:
        p.__dict__ = bad
    except TypeError as e:
        print(e)
class S:
    __slots__ = ('a',)
try:
    S().__dict__ = {}
except AttributeError as e:
    print(e)
e = ValueError('x')
e.__dict__ = {'code': 4}
print(e.code)
old = vars(p)
p.__dict__ = {}
print(old['w'], vars(p))
p.__dict__.update(w=5)
print(p.w, old['w'])
object.__setattr__(p, '__dict__', {'z': 1})
print(p.z, hasattr(p, 'w'))
setattr(p, '__dict__', dict(z=2))
print(p.z)

import gc
class Node(list): pass
n = Node(); shared = {'k': [1]}
n.__dict__ = shared
n.append(n); n.me = n
del shared['me']
del n
gc.collect()
print(shared)
class A: pass
a = A(); a.x = 0; a.y = 1
d = vars(a)
def f(n):
    a.x = a.x + n
    d['x'] = d['x'] * 2 % 1000
    return a.x + d['y']
s = 0
for i in range(100):
    s += f(i)
print(s, a.x, d['x'])
import torch
t = torch.ones(3)
def g(n):
    a.x = a.x + n
    u = t * d['x']
    d['x'] = d['x'] * 2 % 1000
    return (u + a.x + d['y']).sum()
s = 0
for i in range(60):
    s += g(i)
print(s, a.x, d['x'])
b = A(); b.z = 2
for i in range(60):
    b.__dict__['z'] = b.z + 1
    b.w = t.sum() + b.z
print(b.z, b.w, vars(b))
class A:
    def __init__(self, n):
        self.x = n
def f(a, b, n):
    s = a.x + b.x
    a.p = n
    b.q = n + 1
    s += a.p + b.q
    a.q = n * 2
    b.p = n * 3
    return s + b.q + a.p + a.x + b.x
def g(a, b, n):
    t = a.x
    b.x = t + n
    a.x = a.x + b.x
    return a.x * 2 + b.x
for shared in (False, True, False, True):
    total = 0
    for i in range(3000):
        a, b = A(i), A(i + 1)
        if shared:
            b.__dict__ = a.__dict__
        total += f(a, b, i) + g(a, b, i)
        if shared and i % 100 == 0:
            c = A(0); c.__dict__ = {'x': i}
            total += g(c, a, i)
    print(shared, total, vars(a), vars(b))
def swap(a, d, e):
    s = 0
    for i in range(200):
        a.__dict__ = d if i % 2 else e
        a.x += i
        s += a.x
        del a.__dict__
        a.x = s
        s += a.x % 7
    return s
a = A(1)
for _ in range(30):
    r = swap(a, {'x': 1}, {'y': 2, 'x': 3})
print(r, vars(a))
def nope(a):
    a.__dict__ = {}
    return a.x
for _ in range(50):
    try: nope(A(3)); print('bad')
    except AttributeError as e: pass
print(e if 0 else 'ok')
