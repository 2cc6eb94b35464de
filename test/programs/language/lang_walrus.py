# Assignment expressions.
import_data = iter([4, 8, 15, 16, 23, 42])
total = 0
while (n := next(import_data, None)) is not None:
    total += n
print(total, n)
if (length := len("hello")) > 3 and (half := length // 2):
    print(length, half)
values = [y := 10, y + 1, y**2]
print(values, y)
print([last := x for x in range(4)], last)
print(any((found := w).startswith("b") for w in ["apple", "bat", "cat"]), found)


def classify(x):
    if not (sq := x * x):
        return "zero"
    return f"{sq} is {'even' if (r := sq % 2) == 0 else f'odd ({r})'}"


print([classify(x) for x in range(4)])


def scope():
    results = [(lambda v: (inner := v + 1) * 2)(i) for i in range(3)]
    evens = [e for i in range(6) if (e := i * 2) % 4 == 0]
    return results, evens, e


print(scope())
print((a := 1) + (a := a + 1) + a, a)
d = {"k": (v := 5), "w": v + 1}
print(d, f"{(z := 3)} {z:>3}", (b := [1, 2])[0], b)
x = (t := 1, 2)
print(x, t)
