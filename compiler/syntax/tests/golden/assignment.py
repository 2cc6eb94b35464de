a = b = c
a, b = b, a
a, b, c = x, y, z
(a, [b, *c]), d.e = f
x[i] = x.y = 1
x += 1
x[i] += 1
x.y @= z
x[i:j] = []
x: int = 1
x.y: int
(x): int = 2
del a, x[i], x.y, (b, [c])
global_name = 1


def f():
    global global_name
    global_name = local = 2
    del local
    return global_name
