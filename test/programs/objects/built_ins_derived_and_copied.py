"""Which methods of a derived deque, dict, OrderedDict and defaultdict are asked, and which are not."""
from collections import Counter, OrderedDict, defaultdict, deque

import torch


class Backwards(deque):
    def __iter__(self):
        return iter(list(super().__iter__())[::-1])

    def append(self, q):
        super().appendleft(q)


def held(d):
    return type(d).__name__, list(deque.__iter__(d)), d.maxlen


d = Backwards([1, 2])
d.append(3)
print(held(d), list(d), list(reversed(d)), d)
print(held(d + Backwards([1])), held(d * 2), held(2 * d), held(d.copy()))
d += [7]
d.extend([8, 9])
d.extendleft([5])
print(held(d), d == deque([1]), d == d.copy(), 1 in d, d.index(3), d.count(3))
d = deque([1, 2], 3)
e = d
d *= 2
print(d, e is d, d * 0, d * 3)


class Tagged(deque):
    def __init__(self, items=(), maxlen=None, tag='t'):
        super().__init__(items, maxlen)
        self.tag = tag


q = Tagged([1, 2], 5, tag='z')
print(held(q.copy()), q.copy().tag, held(q + q), held(q * 3))


class Wrong(deque):
    def __new__(cls, *a):
        return 5 if a else deque.__new__(cls)


try:
    Wrong().copy()
except TypeError as e:
    print(e)


class Keys(dict):
    def keys(self):
        return ['a', 'z']

    def __missing__(self, key):
        return 6


class Iterated(Keys):
    def __iter__(self):
        return super().__iter__()


def named(**given):
    return given


for kind in (Keys, Iterated):
    d = kind(a=1, k=2)
    joined = {'q': 0}
    joined.update(d)
    print(kind.__name__, dict(d), {**d}, {} | d, named(**d), joined, list(d))
    print(Counter(d), defaultdict(int, d), dict.fromkeys(d))


class Ordered(OrderedDict):
    def __reversed__(self):
        return iter(['r'])

    def __iter__(self):
        return iter(['i'])

    def __len__(self):
        return 0

    def pop(self, key):
        return 'pop'


o = Ordered(a=1, b=2, c=3)
o.move_to_end('a')
print(list(o.items()), repr(o), o != OrderedDict(b=2, c=3, a=1))
o.move_to_end('a', last=False)
print(list(o.items()), o.popitem(), o.popitem(last=False), list(o.items()))


class Default(defaultdict):
    def __init__(self, *a):
        self.extra = len(a)


print(Default(int), Default(int).default_factory)


class Named(defaultdict):
    pass


n = Named(int)
n['a'] += 1
print(n, n.copy())


def step(x, i):
    d = Backwards([x, x * 2])
    d.append(x * 3)
    e = d + Backwards([x])
    return sum(v * k for k, v in enumerate(e)), Keys(a=x) | {'b': x}


for i in range(30):
    total, joined = step(torch.ones(2) * i, i)
    if i in (0, 28, 29):
        print(i, total.tolist(), list(joined))
