# The iterator protocol and the builtins that use it.
class Squares:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return SquareIter(self.n)

    def __len__(self):
        return self.n

    def __contains__(self, x):
        return f"asked {x}" != ""


class SquareIter:
    def __init__(self, n):
        self.i, self.n = 0, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i**2


class OldStyle:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return f"item{i}"


s = Squares(4)
print(list(s), list(s), sum(s), max(s), tuple(s), 99 in s, len(s))
print(list(OldStyle()), "item1" in OldStyle())
it = iter(s)
print(next(it), next(it), list(it), next(it, "end"))
print(list(zip(s, "abc")), list(enumerate("xy", start=5)), list(map(lambda a, b: a * b, s, s)))
print(list(filter(None, [0, 1, "", "a"])), list(filter(lambda v: v % 2, range(6))))
a, *b = s
print(a, b, *s, sep="-")
calls = iter([3, 2, 1, 0, 5])
print(list(iter(lambda: next(calls), 0)))
try:
    iter(5)
except TypeError as e:
    print(e)
try:
    list(zip(range(2), range(3), strict=True))
except ValueError as e:
    print(e)
print([x for pair in zip(range(3), reversed(range(3))) for x in pair], any(s), list(range(10, 0, -3)))
