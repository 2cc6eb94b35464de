"""Python that compiled code calls through operators, attributes, iteration and natives sees the frames that it is called from."""
import sys

seen = set()


def callers(kind):
    names, frame = [], sys._getframe(2)
    while frame:
        names.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    seen.add((kind, tuple(names)))


class Told:
    def __init__(self, x):
        self.x = x
        self.items = [1]

    def __sub__(self, other):
        callers("-")
        return 1

    def __rsub__(self, other):
        callers("r-")
        return 1

    def __neg__(self):
        callers("neg")
        return 1

    def __lt__(self, other):
        callers("<")
        return self.x < other.x

    def __getitem__(self, key):
        callers("[]")
        return key

    def __setitem__(self, key, value):
        callers("[]=")

    def __contains__(self, item):
        callers("in")
        return True

    def __iter__(self):
        callers("iter")
        return iter(self.items)

    def __len__(self):
        callers("len")
        return 3

    def __str__(self):
        callers("str")
        return "told"

    def __hash__(self):
        callers("hash")
        return 7

    def __eq__(self, other):
        return self is other

    @property
    def twice(self):
        callers("property")
        return 2 * self.x


def key(x):
    callers("key")
    return -x


def apart(a, b):
    return a - b


def mixed(a):
    return 1 - a


def work(a, b, numbers, table):
    total = apart(a, 1) + mixed(a) + (-a)
    total += a < b
    total += a[2]
    a[1] = total
    total += 5 in a
    for item in a:
        total += item
    total += len(a)
    total += len(str(a))
    total += len(f"{a}")
    total += a.twice
    total += sorted(numbers, key=key)[0]
    total += sum(map(key, numbers))
    table[a] = total
    total += min(a, b).x
    return total


def main():
    a, b, numbers, table = Told(1), Told(2), [3, 1, 2], {}
    result = 0
    for _ in range(400):
        result += work(a, b, numbers, table)
    return result


print(main())
for kind, names in sorted(seen):
    print(kind, names)
