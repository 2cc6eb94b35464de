# sort and sorted: keys, stability, reverse, comparisons.
words = "the Quick brown fox Jumps over the lazy dog".split()
print(sorted(words))
print(sorted(words, key=str.lower))
print(sorted(words, key=len))
print(sorted(words, key=lambda w: (-len(w), w.lower())))
print(sorted(words, key=len, reverse=True))
records = [("b", 2), ("a", 2), ("c", 1), ("a", 1)]
records.sort(key=lambda r: r[1])
print(records)
records.sort()
print(records)
print(min(words, key=len), max(words, key=len), min(3, 1, 2), max([], default="none"))
print(sorted([3.5, 1, True, -2]), sorted("hello"), sorted({"b": 1, "a": 2}))
print(list(reversed([1, 2, 3])), sorted([(1, "b"), (1, "a"), (0, "z")]))


class Item:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n > other.n

    def __repr__(self):
        return f"I{self.n}"


items = [Item(n) for n in (2, 5, 1)]
items.sort()
print(items, sorted(items, reverse=True))
try:
    sorted([1, "a"])
except TypeError as e:
    print(e)
big = [(i * 7919) % 1009 for i in range(500)]
s = sorted(big)
print(all(s[i] <= s[i + 1] for i in range(len(s) - 1)), s[:5], s[-3:])


def by_pivot(xs):
    if len(xs) < 2:
        return xs
    pivot, *rest = xs
    return by_pivot([x for x in rest if x < pivot]) + [pivot] + by_pivot([x for x in rest if x >= pivot])


print(by_pivot(big) == s)
