# zip and enumerate gone through in compiled loops
import sys, gc

def dot(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total

def rows(m, v):
    out = []
    for row in m:
        out.append(sum(a * b for a, b in zip(row, v)))
    return out

def where(items, wanted):
    found = []
    for i, x in enumerate(items):
        if x == wanted:
            found.append(i)
    return found

def from_one(items, start):
    total = 0
    for i, x in enumerate(items, start):
        total += i * x
    return total

def three(a, b, c):
    total = 0
    for i, (x, y, z) in enumerate(zip(a, b, c)):
        total += i + x * y - z
        if total > 10 ** 15:
            break
    return total

def whole(a, b):
    last = None
    for pair in zip(a, b):
        last = pair
    return last

def grows(a):
    n = 0
    for i, x in enumerate(a):
        if i < 50:
            a.append(x + 1)
        n += x
    return n

def mixed(a, b):
    out = []
    for x, y in zip(a, b):
        out.append(x + y)
    return out

def nested(m):
    best = None
    for i, row in enumerate(m):
        for j, x in enumerate(row):
            if best is None or x > m[best[0]][best[1]]:
                best = (i, j)
    return best

def with_range(a):
    s = 0
    for i, x in zip(range(len(a)), a):
        s += i * x
    for x, i in zip(a, range(10 ** 6)):
        s -= i
    return s

def leaves_in_the_middle(a, b):
    out = 0
    for i, (x, y) in enumerate(zip(a, b)):
        try:
            out += x // y
        except ZeroDivisionError:
            out += 1000 + i
    return out

def generator(a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if (x + y) % 3 == 0:
            yield i

def uneven(a, b):
    it = 0
    for x, y in zip(a, b):
        it += x - y
    return it

class P:
    alive = 0
    def __init__(self, v): self.v = v; P.alive += 1
    def __del__(self): P.alive -= 1

def objects(n):
    ps = [P(i) for i in range(n)]
    qs = tuple(P(-i) for i in range(n))
    t = 0
    for p, q in zip(ps, qs):
        t += p.v - q.v
    for i, p in enumerate(ps):
        t += i * p.v
    return t

def temporaries(n):
    t = 0
    for k in range(n):
        for i, x in enumerate([k, k + 1, k + 2]):
            t += i * x
        for x, y in zip([k] * 3, (1, 2, 3)):
            t += x * y
    return t

a = [float(i % 7) for i in range(400)]
b = [float(i % 5) - 1 for i in range(400)]
ints = [i * 37 % 101 for i in range(300)]
for _ in range(60):
    r = [dot(a, b), rows([a[:20]] * 5, b[:20])[0], len(where(ints, 5)), from_one(ints, 3), three(ints, ints[1:], tuple(ints)),
         whole(a, b), grows(list(range(60))), mixed(ints, a[:50])[-1], mixed(['x', 'y'], ['a', 'b']), nested([ints[:5], ints[5:12], []]),
         with_range(ints), leaves_in_the_middle(ints, [i % 9 for i in range(250)]), sum(generator(ints, ints[3:])), uneven(ints, ints[:7]), uneven([], ints),
         objects(20), temporaries(20)]
print(r)
print(P.alive)
print(from_one([1, 2], 2 ** 62), from_one([1, 2], 2 ** 63 - 1), from_one([1], True))
print(mixed([1, 2.5, 2], [10 ** 20, 1, 'q'][:2]))
try:
    mixed(ints[:3] + ['z'], ints)
except TypeError as e:
    print('TypeError', e)
def strict(a, b):
    n = 0
    for x, y in zip(a, b, strict=True):
        n += 1
    return n
for _ in range(60):
    strict(ints, ints)
try:
    strict(ints, ints[:-1])
except ValueError as e:
    print(e)
def mutated(a, b):
    t = 0
    for x, y in zip(a, b):
        t += x
        if len(b) > 5:
            b.pop()
    return t
print([mutated(list(range(100)), list(range(100))) for _ in range(60)][-1])
z = 0
for i, x in enumerate(ints * 20):
    z += i * x
for (i, x), y in zip(enumerate(ints * 20), ints * 20):
    z += i * x - y
print(z)
