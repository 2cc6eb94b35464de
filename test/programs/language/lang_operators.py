# Operator overloading, reflected and in-place operations.
class Vec:
    def __init__(self, *xs):
        self.xs = xs

    def __repr__(self):
        return f"Vec{self.xs}"

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(*(a + b for a, b in zip(self.xs, other.xs)))

    def __mul__(self, k):
        return Vec(*(a * k for a in self.xs))

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.xs = tuple(a + 1 for a in self.xs)
        return self

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.xs, other.xs))

    def __neg__(self):
        return self * -1

    def __eq__(self, other):
        return self.xs == other.xs

    def __lt__(self, other):
        return self.xs < other.xs

    def __getitem__(self, i):
        return self.xs[i]

    def __len__(self):
        return len(self.xs)

    def __bool__(self):
        return any(self.xs)

    def __call__(self, i):
        return f"called {i}"


a, b = Vec(1, 2), Vec(3, 4)
print(a + b, a * 2, 2 * a, a @ b, -a, a == Vec(1, 2), a != b, a < b, a > b)
c = a
c += b
print(a, c is a, len(a), bool(Vec(0, 0)), a[0], a[-1], list(a), a(5), 3 in a)
try:
    a + 1
except TypeError as e:
    print(e)
