# Characters, slices and comparisons of what is built in, in compiled code, with the errors that go with them.
import heapq

text = "héllo wörld, 12 + 34.5e3 \U0001f600 end"


def scan(s):
    i, out = 0, []
    while i < len(s):
        c = s[i]
        if c in "0123456789.":
            j = i
            while j < len(s) and s[j] in "0123456789.e":
                j += 1
            out.append(s[i:j])
            i = j
        elif c == " ":
            i += 1
        else:
            out.append(c + s[-1 - i])
            i += 1
    return out


for _ in range(60):
    tokens = scan(text)
print(tokens)


def ends(s, at):
    try:
        return s[at]
    except IndexError as e:
        return str(e)


print({ends("abc", i) for i in range(-6, 6) for _ in range(30)} == {"a", "b", "c", "string index out of range"})


def slices(xs, t, s):
    n = 0
    for i in range(-4, 5):
        for step in (None, 1, 2, -1, -2):
            n = n * 31 + len(xs[i:]) + len(xs[:i:step]) + len(t[i::step]) + len(s[i : i + 2])
            xs[:2] = xs[1::-1]
            n = n % 1000003 + sum(xs[i : i + 3])
    return n


print([slices([3, 1, 2, 5], (1, 2, 3), "abcd") for _ in range(40)][-1])


def bad(xs):
    try:
        return xs[::0]
    except ValueError as e:
        return str(e)


print({bad([1, 2]) for _ in range(60)})

# Heaps and sorts of tuples whose first items are alike.
nan = float("nan")
heap = []
for i in range(800):
    heapq.heappush(heap, (i * 7919 % 13, i % 2 == 0, str(i % 5), -i))
out = [heapq.heappop(heap) for _ in range(len(heap))]
print(out == sorted(out), out[:3], out[-2:])
pairs = [((1, 2.0), "b"), ((1, 2), "a"), ((True, 2), "c"), ((0, nan), "x"), ((0,), "y"), ((1 << 70, 0), "z")]
print(sorted(pairs[:3] + pairs[4:]), (1, nan) < (1, nan), (nan,) < (nan, 1), (nan,) <= (nan,), (1, 2) < (1, 2, 0))
print([a < b for a in pairs[3:] for b in pairs[3:]])


class Key:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v > other.v


print([k.v for _, k in sorted((i % 2, Key(i)) for i in range(6))])
try:
    sorted([(1, "a"), (1, 2)])
except TypeError as e:
    print(e)
