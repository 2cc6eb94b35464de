a + b * -c ** ~d // (e % f) @ g
a and b or not c
x if y else z
a < b <= c != d in e
a is None or b is not None
[1, 2, 3], (1, 2, 3), {1, 2, 3}, {"a": 1, **b, "c": d}
[*a, b, *c], (*a,), {*a, b}
x[1], x[1:2], x[::3], x[a:b, ..., None]
x.y.z, x.m(1).n(*a, k=v)
f(a, *b, c=1, **d, e=2)
f(a, b=1)
f(*args)
x in [1, 2], x not in {1, 2}
-1, +1, ~1, -1.5, -2j, 10**20, 123456789012345678901234567890
(lambda a, *b: a)(1)
if not (a and b) and (c or d if e else f):
    pass
if x is None and y is not None:
    pass
