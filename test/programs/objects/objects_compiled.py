# Hot loops over objects: attributes, methods, constructors, tuples, dicts, strings, and when objects die.


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def add(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    def move(self, d):
        self.x += d
        self.y -= d


def vectors(n):
    a, b, total = Point(1.0, 2.0), Point(0.5, 0.25), 0.0
    for _ in range(n):
        c = a.add(b)
        total += c.dot(a)
        a.move(0.5)
    return total, a.x, a.y


print(vectors(10), vectors(3000))

# An object dies with its last reference, also in compiled code.


class Dies:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


log = []


def drops(n):
    d = None
    for i in range(n):
        d = Dies(i)
        if i % 500 == 499:
            log.append("at")
            log.append(len(log))
    return d


drops(2000)
print(len(log), log[495:505], log[-5:])


def replaces(n):
    box = [None]
    holder = Point(0, 0)
    for i in range(n):
        box[0] = Dies(-i)
        holder.x = Dies(10000 + i)
    return len(log)


log.clear()
print(replaces(600), log[:6], log[-4:])


def mixed(n):
    points = [Point(i, 2 * i) for i in range(n)]
    total = 0
    for k in range(50):
        for p in points:
            total += p.x * p.y
        points[k].x = k
        points[k] = points[-1]
    for k in range(len(points)):
        total += points[k].x
    return total


print(mixed(100))


def tuples(n):
    rows = [(i, i + 1.5, "s") for i in range(n)]
    total, names = 0, 0
    for _ in range(30):
        for a, b, c in rows:
            total += a * b
            if c == "x":
                total += 1
        for row in rows:
            total += row[0]
        for name in ("a", "b", "c"):
            if name in ("b", "c"):
                names += 1
    return total, names


print(tuples(60))


def dicts(n):
    d = {}
    for i in range(n):
        k = i % 17
        if k in d:
            d[k] = d[k] + i
        else:
            d[k] = i
    for i in range(n):
        d[i % 5] = d.get(i % 7, 0) + 1
    return sorted(d.items())


print(dicts(3000))


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def chain(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    total = 0
    while head is not None:
        total += head.value
        head = head.next
    return total


print([chain(1500) for _ in range(4)])


class A:
    def f(self):
        return 1


class B(A):
    def f(self):
        return 2


class C(A):
    def f(self):
        return 3.5


def several(n):
    objects = [A(), B(), C()]
    total = 0
    for i in range(n):
        total += objects[i % 3].f()
    return total


print([several(2000) for _ in range(3)])


def changed(n):
    b = B()
    total = 0
    for i in range(n):
        total += b.f()
        if i == n // 2:
            B.f = lambda self: 100
    return total


print(changed(3000))


def enumerated(n):
    items, total = [3, 1, 2] * n, 0
    for i, x in enumerate(items):
        total += i * x
    for x, y in zip(items, items[1:]):
        total += x - y
    return total, sum(v for v in items)


print(enumerated(500))


def caught(n):
    p, errors = Point(1, 2), 0
    for i in range(n):
        try:
            if i % 100 == 99:
                p.x = None
            p.move(i)
        except TypeError as error:
            errors += len(str(error))
            p.x = 0
    return errors, p.x, p.y


print(caught(2000))


def uncaught(n):
    p = Point(1, 2)
    for i in range(n):
        if i == n - 1:
            p.x = "text"
        p.move(i)


try:
    uncaught(3000)
except TypeError as error:
    lines, tb = [], error.__traceback__
    while tb is not None:
        lines.append(tb.tb_lineno)
        tb = tb.tb_next
    print(error, lines[1:])


def texts(n):
    s, found = "", 0
    for i in range(n):
        s = s + "ab"
        if s == "abab":
            s = s + "c"
        found += s.endswith("b")
    return len(s), s[-3:], found


print(texts(1000))
