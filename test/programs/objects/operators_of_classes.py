# Operators that classes define, in code that is hot: which method is asked, in which order, and what happens on the way.
class V:
    made = 0

    def __init__(self, x, y):
        self.x = x
        self.y = y
        V.made += 1

    def __add__(self, other):
        if isinstance(other, V):
            return V(self.x + other.x, self.y + other.y)
        return NotImplemented

    def __sub__(self, other):
        return V(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    def __rmul__(self, k):
        return V(k * self.x, k * self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __repr__(self):
        return f"V({self.x}, {self.y})"


class W(V):
    def __radd__(self, other):
        return "W's"


class R:
    def __radd__(self, other):
        return ("R's", type(other).__name__)


def mixed(n):
    a, b = V(1, 2), V(3.5, 4)
    total = V(0, 0)
    for k in range(n):
        total += a + b - V(k, 1)
        total = total * 0.5 + 2 * (a @ b * V(0.25, k))
    return total


print(mixed(300), V.made)


def other_operands(n, last):
    a = V(1, 1)
    out = None
    for k in range(n):
        b = V(k, k) if k < n - 1 else last
        out = a + b
    return out


for last in (V(5, 6), W(5, 6), R(), 3, "x", None):
    try:
        print(other_operands(100, last))
    except TypeError as e:
        print(e)


class Changing:
    def __add__(self, other):
        return 1


def changes(n):
    c = Changing()
    out = []
    for k in range(n):
        if k == n // 2:
            Changing.__add__ = lambda self, other: 2
        if k == n - 3:
            del Changing.__add__
        if k == n - 2:
            Changing.__radd__ = lambda self, other: 3
        try:
            out.append(c + k)
        except TypeError as e:
            out.append(str(e))
        try:
            out.append(k + c)
        except TypeError as e:
            out.append(str(e))
    return out[0], out[1], out[n], out[-6:], len(set(map(str, out)))


print(changes(200))


class Raising:
    def __init__(self, at):
        self.at = at
        self.count = 0

    def __sub__(self, other):
        self.count += 1
        if self.count == self.at:
            raise ValueError(f"at {other}")
        return self.count

    def __mul__(self, other):
        self.count += 1
        return NotImplemented if self.count >= self.at else self.count


def raises(n, at):
    r = Raising(at)
    total = 0
    try:
        for k in range(n):
            total += r - k
    except ValueError as e:
        return total, str(e), e.__traceback__.tb_next.tb_frame.f_code.co_name
    return total


print(raises(200, 150), raises(200, 1000))


class Right:
    def __rmul__(self, other):
        return 1000


def gives_up(n, at, right):
    r = Raising(at)
    total = 0
    for k in range(n):
        total += r * right
    return total


print(gives_up(200, 150, Right()), gives_up(200, 1000, Right()))
try:
    print(gives_up(200, 150, 7))
except TypeError as e:
    print(e)


class Loop:
    """A method with a loop and another operator in it, which calls itself."""

    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        if self.n == 0:
            return 0
        total = 0
        for k in range(3):
            total += k
        return total + (Loop(self.n - 1) + other)

    def __floordiv__(self, other):
        yield self.n
        yield other


print([Loop(k % 5) + None for k in range(60)][-5:], sum(sum(Loop(k) // k) for k in range(100)))


class Gone:
    alive = 0

    def __init__(self):
        Gone.alive += 1

    def __del__(self):
        Gone.alive -= 1

    def __add__(self, other):
        return Gone()


def lives(n):
    most = 0
    g = Gone()
    for _ in range(n):
        g = g + Gone() + Gone()
        most = max(most, Gone.alive)
    return most, Gone.alive


print(lives(200), Gone.alive)


class I:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        return NotImplemented if other == 7 else I(self.v + other)

    def __add__(self, other):
        return NotImplemented if other == 7 else I(self.v - other)


def in_place(n):
    i = I(0)
    for k in range(n):
        i += k % 5
    return i.v


print(in_place(100))
try:
    x = I(1)
    x += 7
except TypeError as e:
    print(e)
