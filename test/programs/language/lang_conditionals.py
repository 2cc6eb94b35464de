# Truth, chained comparisons, short circuits, conditional expressions.
def noisy(name, value):
    print(name, end=" ")
    return value


print(noisy("a", 1) and noisy("b", 0) and noisy("c", 1))
print(noisy("a", 0) or noisy("b", []) or noisy("c", "last"))
print(noisy("x", 1) < noisy("y", 3) < noisy("z", 2) < noisy("never", 9))
print(1 < 2 < 3, 1 < 3 > 2, 1 == 1.0 != None, 3 > 2 > 2)
for v in (0, 0.0, "", [], (), {}, set(), None, False, 0j, 1, "0", [0], -1):
    print(int(bool(v)), end="")
print()
print("yes" if [] else "no", not None, not "a" or "b", (1 and 2) or 3, [] or {} or 0)
x = 5
if x < 3:
    print("small")
elif x < 6 and not x == 4:
    print("medium")
else:
    print("large")
print("a" if x > 5 else "b" if x == 5 else "c", (0 or "z") and (None or "y"))
if not (x > 3 and (x < 10 or x == 100)):
    print("no")
elif x in (1, 5) and x not in [2] and x is not None:
    print("in")


class Odd:
    def __bool__(self):
        raise ValueError("no truth")

    def __eq__(self, other):
        return "equal?"


try:
    if Odd():
        pass
except ValueError as e:
    print(e)
print(Odd() == 3, None is None, [] is [], () == (), True == 1, True is (1 == 1))
assert x == 5, "fine"
try:
    assert x == 6, f"x is {x}"
except AssertionError as e:
    print("assertion:", e)
