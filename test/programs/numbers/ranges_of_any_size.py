# Ranges whose bounds, steps and lengths 64 bits do not hold, and slices of that length.
import pickle


def show(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)


big = 2**100
for r in (range(big, big + 10, 3), range(big), range(0, big, big // 4), range(5, -big, -big), range(big, 0), range(0, 1, big),
          range(-2**63, 2**63 - 1), range(2**63 - 3, 2**63 + 1)):
    print(r, bool(r), r.start, r.stop, r.step, r == range(r.start, r.stop, r.step), hash(r) == hash(range(r.start, r.stop, r.step)))
    show(lambda: len(r))
    show(lambda: (r[0], r[-1], r[1:3], r[::-1], r[-2:], r[big:], r[:big]))
    show(lambda: (r[2], r[-3]))
    show(lambda: r[big])
    show(lambda: (r.index(r.start), r.count(r.start), r.start in r, r.start + 1 in r, 0.5 in range(3), r.index(-7)))
    show(lambda: pickle.loads(pickle.dumps(r)))
r = range(big, big + 10, 3)
print(list(r), list(reversed(r)), sum(r), [x - big for x in r], min(r), max(r), r == range(big, big + 12, 3), r != range(big))
print(range(0, 2**63, 2**62) == range(0, 2**62 + 1, 2**62), range(big, big) == range(0), {range(big, big): 1}[range(0)])
it = iter(r)
print(type(it).__name__, next(it), it.__length_hint__(), list(pickle.loads(pickle.dumps(it))), list(it), list(it))
it = iter(range(2**65, 2**65 + 20, 5))
it.__setstate__(2)
print(list(it), type(iter(range(3))).__name__, isinstance(r, range), type(r) is range)
for i, x in enumerate(range(2**64 - 1, 2**64 + 3)):
    print(i, x, x % 7)
show(lambda: range(big, big + 1, 0))
show(lambda: range(1.5))
show(lambda: r["a"])
show(lambda: range(3).index("x"))
show(lambda: range(3).count(1.0))
print(list(zip(range(big, big + 3), range(3))), dict.fromkeys(range(big, big + 2)), [*range(-big, -big + 2)], tuple(range(big, big - 3, -1)))
s = slice(-big, big, 3)
print(s.indices(10), s.indices(big), slice(None, None, -big).indices(5), slice(big, None, -1).indices(big + 1), slice(True).indices(3))
show(lambda: s.indices(-1))
show(lambda: slice(None, None, 0).indices(3))
show(lambda: slice("a").indices(3))


def total(bounds):
    n = 0
    for low, high in bounds:
        for x in range(low, high):
            n += x
    return n


print(total([(0, 1000)] * 50), total([(2**63 - 2, 2**63 + 2)] * 3), total([(0, 10), (big, big + 2)]))
