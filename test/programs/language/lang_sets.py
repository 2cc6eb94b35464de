# Sets and frozensets (printed sorted: their order is not defined).
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b))
print(a <= b, {3} < b, a.isdisjoint({9}), b.issuperset({5}), {1} == {1.0, True})
c = set()
c.add(1)
c.add(1)
c.update([2, 3], (4,))
c.discard(99)
c.remove(2)
print(sorted(c), len(c), 3 in c, 7 not in c, c.pop() in (1, 3, 4))
try:
    c.remove("nope")
except KeyError as e:
    print("KeyError", e)
a &= {1, 2, 10}
a |= {7}
print(sorted(a), sorted(a.union([100], [200])), sorted(a.intersection([1])))
f = frozenset("abca")
print(sorted(f), f == {"a", "b", "c"}, {f: "hashable"}[frozenset("cab")])
try:
    {[1]}
except TypeError as e:
    print(e)
try:
    f.add("x")
except AttributeError as e:
    print(e)
print(set(), repr(frozenset()), bool(set()), sorted({x % 3 for x in range(10)}), sorted({*"ab", *[1]}, key=str))


def dedupe(items):
    seen = set()
    return [x for x in items if not (x in seen or seen.add(x))]


print(dedupe([3, 1, 3, 2, 1]))
primes = set(range(2, 50))
for n in range(2, 8):
    primes -= set(range(n * n, 50, n))
print(sorted(primes))
