# Parameters of every kind, and calls with stars.
def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    return (a, b, c, args, d, e, kw)


print(f(1, d=4))
print(f(1, 2, 3, 4, 5, d=6, z=7, a="kw"))
args, kwargs = (1, 2), {"d": 1, "c": 9}
print(f(*args, **kwargs))
print(f(*args, *[7, 8], **{"d": 0}, e=1, **{"y": 2}))
for call in (
    lambda: f(),
    lambda: f(1),
    lambda: f(1, 2, b=3, d=4) and f(1, d=1, d2=2, **{"d": 2}),
    lambda: (lambda x: x)(1, 2),
    lambda: (lambda x: x)(y=1),
    lambda: (lambda *, k: k)(1),
    lambda: print(*5),
):
    try:
        print(call())
    except TypeError as e:
        print("TypeError:", e)


def defaults(item, bucket=[]):
    bucket.append(item)
    return bucket


print(defaults(1), defaults(2), defaults.__defaults__)
print(f.__kwdefaults__, f.__code__.co_varnames[:7], f.__code__.co_argcount)


def swap(a, b):
    return b, a


print(swap(*swap(1, 2)), swap(**{"b": 1, "a": 2}))
