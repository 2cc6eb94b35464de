# Indexing, slicing, slice assignment and deletion.
xs = list(range(10))
print(xs[2:5], xs[:3], xs[7:], xs[-3:], xs[::3], xs[::-1], xs[8:2:-2], xs[20:], xs[-100:2])
ys = xs[:]
ys[2:4] = ["a", "b", "c"]
print(ys)
ys[::4] = [0, 0, 0]
print(ys)
del ys[1:3], ys[-1]
print(ys)
ys[len(ys):] = [1, 2]
ys[0:0] = ["front"]
print(ys)
try:
    ys[::2] = [1]
except ValueError as e:
    print(e)
for bad in (lambda: xs[10], lambda: xs["a"], lambda: xs[::0], lambda: "abc"[5]):
    try:
        bad()
    except (IndexError, TypeError, ValueError) as e:
        print(type(e).__name__, e)
print("hello"[1:4], "hello"[::-1], (1, 2, 3)[1:], b"bytes"[1:3], range(10)[2:8:3])
s = slice(1, None, 2)
print(s, xs[s], s.indices(6))


class Grid:
    def __getitem__(self, key):
        return key


g = Grid()
print(g[1], g[1:2], g[1:2, ::3], g[..., None], g[()], g[*[1, 2]])
row = [[0] * 2 for _ in range(2)]
row[0][1] += 5
row[1][0:1] = [9]
print(row)
