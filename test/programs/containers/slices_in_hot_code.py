# Slices of lists, tuples and strings, and assignments to them, in hot code: all forms of bounds, items that die, errors, sets and dicts made
# of them.


def turned(n):
    p = list(range(9))
    for i in range(n):
        k = 1 + i % 8
        p[: k + 1] = p[k::-1]
        p[i % 5 :] = p[i % 5 :][::-1]
    return p


print(turned(5000))


def parts(n):
    t, s, l = tuple(range(12)), "hello, wörld", list(range(12))
    total = 0
    for i in range(n):
        a, b = i % 14 - 7, i % 11 - 5
        total += len(t[a:b]) + len(s[a:]) + len(l[:b]) + sum(l[a:b:2]) + len(s[::-1][b:a:-2]) + len(t[:])
        total += len(l + l[:2]) + len(s + s[:1]) + len({x % 3 for x in l[a:]}) + len({x: i for x in t[b:]})
        total += sum(tuple(x + 1 for x in l[a:b]))
    return total


print(parts(4000))


def grows(n):
    l = []
    for i in range(n):
        l[len(l) :] = [i]
        l[1:3] = [i, i, i]
        l[5:] = l[5:9]
        l[:0] = l[:1]
    return l


print(grows(3000))


def refused(n):
    out = []
    for step in (1, 0):
        try:
            for i in range(n):
                x = [1, 2, 3]
                x[0 : 3 : (1 if i < n - 1 else step)] = [3, 4, 5]
        except ValueError as e:
            out.append(str(e))
    try:
        for i in range(n):
            x = [1, 2, 3]
            x[::2] = [3] * (2 if i < n - 1 else 3)
    except ValueError as e:
        out.append(str(e))
    try:
        for i in range(n):
            x = [1, 2, 3]
            x[0:1] = [4] if i < n - 1 else 4
    except TypeError as e:
        out.append(str(e))
    return out


print(refused(2000))
gone = []


class Noisy:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        gone.append(self.n)


def dying(n):
    x = [None] * 3
    for i in range(n):
        x[0:2] = [Noisy(i), Noisy(-i)]
        y = x[:1]
        x[0:2] = [None, None]
        assert len(gone) == 2 * i + 1, (i, len(gone))
        del y
        assert len(gone) == 2 * i + 2
    return gone[-4:]


print(dying(1500))


class Index:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


def indexed(n):
    l, total = list(range(10)), 0
    for i in range(n):
        total += sum(l[Index(i % 4) : Index(8)]) + len(l[: True])
        l[Index(2) : Index(4)] = [i, i]
    return total


print(indexed(1500))


class Hashed:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return self.n % 2

    def __eq__(self, other):
        return isinstance(other, Hashed) and self.n == other.n


def sets(n):
    total = 0
    for i in range(n):
        s = {Hashed(k % 3) for k in range(i % 5)} | {1.0, True, "a", i % 3}
        s.discard("a")
        s.discard("b")
        if i % 3 in s:
            s.remove(i % 3)
        total += len(s) + len(set([1, 2, Hashed(1), Hashed(1), 3])) + len(set((1, 1.0, "1")))
    return total


print(sets(1500))
