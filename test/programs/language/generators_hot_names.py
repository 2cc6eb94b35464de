"""Names that a compiled loop keeps in variables, and that the body of a generator reads and assigns which the loop goes through."""
total = 0
rate = 1


def counted(n):
    global total
    for i in range(n):
        total += 1
        yield i * rate


for i in range(1500):
    for j in counted(4):
        total += j
        rate = 1 + total % 3
print(total, rate)

ended = []
for i in range(1500):
    step = 0
    for j in counted(i % 5):
        step += j
    total -= step
    if i % 500 == 3:
        ended.append((step, total, rate))
print(ended, total)


def captured(n):
    level = 0

    def below(k):
        nonlocal level
        for i in range(k):
            level += 1
            yield i - level % 7

    out = 0
    for i in range(n):
        for j in below(3):
            out += j
            level += j
        products = (level * x for x in (1, 2, 3))
        for product in products:
            level -= product % 5
            out ^= product
    return out, level


print(captured(40), captured(1200))


class Walk:
    steps = 0

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            Walk.steps += 1
            self.n -= i & 1
            yield self.n


seen = 0
for i in range(900):
    for left in Walk(6):
        seen += left + Walk.steps % 2
print(seen, Walk.steps)


def chained(n):
    global total
    for x in counted(n):
        total -= 1
        yield x
        total += x


def through(n):
    got = 0
    for k in range(n):
        for x in chained(3):
            got += x + total % 11
    return got


total = 0
print(through(30), total, through(1000), total)
for k in range(700):
    for x in chained(3):
        total += x % 2
print(total, [v for v in chained(3)], sum(chained(5)), total)
