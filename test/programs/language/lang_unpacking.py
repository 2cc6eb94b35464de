# Assignment to many targets.
a, b = 1, 2
a, b = b, a
print(a, b)
first, *rest = range(5)
*init, last = "abc"
head, *middle, tail = [1, 2]
print(first, rest, init, last, head, middle, tail)
(x, (y, *z)), w = (1, (2, 3, 4)), 5
print(x, y, z, w)
[p, q] = {"k1": 1, "k2": 2}
print(p, q)
i = j = k = []
i.append(1)
print(j is k, k)
data = [0, 0, 0]
idx = 0
idx, data[idx] = 2, "set"
print(idx, data)
for n, (m, *o) in [(1, (2, 3)), (4, (5,))]:
    print(n, m, o)
for bad in ("a, b = 1, 2, 3", "a, b, c = 1, 2", "a, *b, c = [1]", "a, b = 5"):
    try:
        exec(bad)
    except (ValueError, TypeError) as e:
        print(bad, "->", e)


class Box:
    pass


box = Box()
box.a, box.b = "attr", {}
box.b["key"], box.c = 1, 2
print(box.a, box.b, box.c)
print([*range(3), *"ab"], (*(1, 2), 3), {**{"a": 1}, **{"b": 2}}, *[1, 2])


def tup(*values):
    return values


x = y, = tup(7)
print(x, y, (lambda *a: a)(*tup(1, 2), *tup(3)))
c, d, e = b"abc"
print(c, d, e)
