# for/else, while/else, match, del, global, walrus, star expressions, f-strings.
for i in range(3):
    if i == 5:
        break
else:
    print("no break")
n = 0
while n < 3:
    n += 1
    if n == 2:
        break
else:
    print("never")
print(n)

def classify(v):
    match v:
        case 0 | 1:
            return "small"
        case int(x) if x < 0:
            return f"negative {x}"
        case int():
            return "int"
        case [a]:
            return f"one {a}"
        case [a, b]:
            return f"two {a} {b}"
        case [first, *rest]:
            return f"many {first} {rest}"
        case {"k": v, **others}:
            return f"dict {v} {others}"
        case {}:
            return "empty or any dict"
        case Point(x=0, y=y):
            return f"on axis {y}"
        case Point(x, y):
            return f"point {x} {y}"
        case str() as s:
            return "str " + s
        case None:
            return "none"
        case _:
            return "other"

class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

for v in (0, -4, 44, [1], (1, 2), [1, 2, 3], {"k": 1, "z": 2}, {}, Point(0, 5), Point(3, 4), "s", None, 2.5):
    print(classify(v))

total = 0
def bump():
    global total, fresh
    total += 1
    fresh = total
bump(); bump()
print(total, fresh)
del fresh
try:
    fresh
except NameError as e:
    print(e)

if (w := 5) > 3:
    print(w)
print([y := 1, y ** 2], [last := v for v in range(3)], last)
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
a, b = b, a
print(a, b)
x = y = [1]
x.append(2)
print(y)
l = [1, 2, 3, 4, 5]
l[1:3] = [9]
print(l, l[::-1], l[-2:])
del l[0], l[-1]
print(l)
print([*range(3), *"ab"], {**{"a": 1}, "b": 2}, (*[1], 2), {*[1, 1]})
name, width, value = "n", 8, 3.14159
print(f"{name!r:>{width}}|{value:.2f}|{value:{width}.3f}|{name=}|{1 + 1=}|{{}}|{'nested ' + f'{name}'}")
print(f"{1234567:,} {255:#x} {0.5:%} {'x':^5}|{True}|{None}|{3:05d}")
print("%s %d %.2f %r %5s|%-5s|" % ("a", 3, 2.5, "q", "r", "l"))
print(1 < 2 < 3, 1 < 3 < 2, not 1, 1 and 2, 0 or 3, None is None, 5 in [5], 5 not in [5])
print(7 // 2, -7 // 2, 7 % -3, -7 % 3, 2 ** 10, 2 ** -1, 7 / 2, 10 ** 20, 1 << 70, -5 >> 1, 5 & 3, 5 | 3, 5 ^ 3, ~5)
print(9223372036854775807 + 1, -9223372036854775808 - 1, 3037000500 * 3037000500, -(-9223372036854775808))
print(0.1 + 0.2, 1e16, 1e-5, 1.0, -0.0, 1e300 * 1e10, 5 == 5.0, 2 ** 53 + 1 == float(2 ** 53 + 1))
i = 10
i += 5; i -= 3; i *= 2; i //= 5; i **= 3; i %= 50; i <<= 2; i |= 1; i ^= 3; i >>= 1; i &= 0xff
print(i)
s = "abc"
s += "def"
s *= 2
print(s, s[1], s[-1], s[1:4], s[::2])
d = {"a": 1}
d["b"] = 2
d["a"] += 10
del d["b"]
print(d, "a" in d, len(d))
t = (1, 2) + (3,)
print(t, t * 2, t[1])
class K:
    pass
k = K()
k.v = 1
k.v += 1
k.l = []
k.l += [1]
print(k.v, k.l)
print(*[1, 2], sep="-")
def gen_args(*a, **k): return a, k
print(gen_args(*(1, 2), 3, *[4], x=1, **{"y": 2}))
assert True
pass
lst = [[0] * 3 for _ in range(2)]
lst[1][2] = 7
print(lst)
print(exec("q = 5"), q, eval("q + 1"), eval("a * 2", {"a": 21}))
ns = {}
exec("def f(x):\n    return x + 1\nr = f(1)", ns)
print(ns["r"], sorted(k for k in ns if not k.startswith("__")))
def local_names():
    u = 1
    v = 2
    return sorted(locals())
print(local_names(), "total" in globals(), __name__)
print((lambda: (yield))().__class__.__name__)
annotated: int = 5
print(__annotations__, annotated)
def ann(a: int, b: "str" = "x") -> list: ...
print(ann.__annotations__, ann(1))
