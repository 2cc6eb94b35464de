# Loops that take apart what enumerate, zip, items and others give, hot enough for machine code: the pairs are not made, and
# what is no pair, ends midway or changes meanwhile is as ever.
import traceback


def dot(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


def weighted(xs):
    return sum(i * x for i, x in enumerate(xs, 2))


def swapped(d):
    return {v: k for k, v in d.items()}


def grown(d):
    for k, v in d.items():
        if v == 3:
            d[k * 10] = 0
    return d


def firsts(pairs):
    out = []
    for a, b in pairs:
        out.append(a)
    else:
        out.append("end")
    return out


def nested(rows):
    t = 0
    for i, row in enumerate(rows):
        for j, (a, b) in enumerate(zip(row, row[1:])):
            if a == b:
                continue
            t += i * j + a - b
            if t > 10**6:
                break
    return t


def same_iterator(it):
    return [a + b for a, b in zip(it, it)]


def chained(a, b):
    last = None
    for n, (x, y) in enumerate(zip(a, b)):
        last = n, x, y
    return last


for k in range(400):
    r = (
        dot([1, 2, 3], (4, 5, 6)),
        dot([1.5, 2], [2, 0.5, 9]),
        dot(range(k % 7), range(9)),
        dot("abc", [1, 2, 3]) if False else dot([True, False], [k, k]),
        weighted([k, 2, 3]),
        swapped({"a": k, "b": 2}),
        firsts({1: 2, 3: 4}.items()),
        firsts([(1, 2), [3, 4], "xy", {5, 6}]),
        firsts(zip([1, 2, 3], iter([4, 5]))),
        firsts((i, i) for i in range(3)),
        firsts(enumerate("ab")),
        nested([[1, 2, 2, 5], [3, 1]]),
        same_iterator(iter([1, 2, 3, 4, 5])),
        chained([k, k + 1], "pq"),
        firsts(zip([[1], [2]], [[3], [4]])),
    )
    if k in (0, 399):
        print(r)


def fails(f, *args):
    try:
        return f(*args)
    except Exception as e:
        line = traceback.extract_tb(e.__traceback__)[-1].lineno
        return type(e).__name__, str(e), line


for k in range(300):
    r = (
        fails(firsts, [(1, 2), (3,)]),
        fails(firsts, [(1, 2), (3, 4, 5)]),
        fails(firsts, [1]),
        fails(firsts, zip([1], [2], [3])),
        fails(grown, {1: 1, 2: 3}),
        fails(dot, [1, "a"], [2, "b"]),
        fails(dot, [10**18, 10**18], [10**18, 7]),
        fails(weighted, [1, None]),
    )
print(r)

# A list that shrinks and grows under a loop over pairs of it.
def shifting(a):
    seen = []
    for i, x in enumerate(a):
        seen.append((i, x))
        if x % 3 == 0 and len(a) > 4:
            a.pop()
        elif len(seen) < 5:
            a.append(x + 1)
    return seen, a


for k in range(300):
    r = shifting([1, 2, 3, 4, k % 5])
print(r)


class Dying:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        LOG.append(self.name)


LOG = []


def dies(n):
    order = []
    for i, d in zip(range(n), [Dying(k) for k in range(n)]):
        order.append((i, list(LOG)))
    return len(order), len(LOG)


print(dies(5), LOG)
for k in range(300):
    LOG.clear()
    r = dies(4)
print(r, LOG)
