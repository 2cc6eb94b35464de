# Loops at module level and in functions keep globals and cells in variables: what called code assigns is seen at once.
import heapq


class Bag:
    def __init__(self, n):
        self.n = n
        self.items = []

    def __lt__(self, other):
        return self.n < other.n

    def put(self, x):
        self.items.append(x)
        return len(self.items)


class Noisy:
    alive = 0

    def __init__(self, n):
        self.n = n
        Noisy.alive += 1

    def __del__(self):
        Noisy.alive -= 1

    def next(self):
        return Noisy(self.n + 1)


counter = 0
calls = {"a": lambda x: x + 1, "b": lambda x: x * 2 % 1000003}


def bump(by):
    global counter
    counter += by
    return counter


# A number that both the loop and what it calls assign.
total = 0
ops = [bump, lambda by: by]
for i in range(1500):
    counter += 1
    total += ops[i % 2](i % 3)
print(counter, total)

# An object that each iteration assigns; the old one dies at once.
bag = Bag(0)
most = 0
noisy = Noisy(0)
for i in range(1500):
    noisy = noisy.next()
    most = max(most, Noisy.alive)
    if i % 100 == 0:
        bag = Bag(i)
    size = bag.put(i)
print(most, Noisy.alive, noisy.n, size, len(bag.items))

# A name that is None first and an object later.
last = None
seen = 0
for i in range(1500):
    if last is not None:
        seen += last.n
    last = Bag(i) if i % 3 else None
print(seen, last.n)

# Unread names that others change, calls through dicts, heaps of objects.
x = 1
heap = []
limit = 600
for i in range(1500):
    x = calls["ab"[i % 2]](x)
    heapq.heappush(heap, Bag(x % 97))
    if len(heap) > limit:
        limit -= heapq.heappop(heap).n % 2
print(x, limit, len(heap), heap[0].n)


def change_limit():
    global limit
    limit = "done" if limit > 5 else limit


steps = 0
actions = [len, abs, str]
for i in range(1500):
    steps += 1
    actions[i % 3]([] if i % 3 == 0 else i)
    if i == 1200:
        change_limit()
    if limit == "done":
        break
print(steps, limit)


# Cells: what an inner function assigns while the loop of the outer one runs.
def outer(n):
    count = 0
    made = None

    def inc(by):
        nonlocal count, made
        count += by
        if by == 2:
            made = Bag(count)
        return made

    table = [inc, lambda by: None]
    got = 0
    for i in range(n):
        bag = table[i % 4 != 1](i % 3)
        if bag is not None and bag is made:
            got += bag.n
        count += 1
    return count, got, made.n


print(outer(1500))

# The end of an iterator in Python changes a name that the loop reads.
flag = 0


class Ending:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        global flag
        if self.n == 0:
            flag += 1
            raise StopIteration
        self.n -= 1
        return self.n


ends = []
for i in range(900):
    for j in Ending(i % 3):
        flag += 0
    ends.append(flag)
print(ends[:5], ends[-1], flag)

# Functions and classes that are replaced while a loop runs.
def f(v):
    return v + 1


def replace():
    global f
    f = lambda v: v + 100
    return 0


table = [lambda: 0, replace]
acc = 0
for i in range(1500):
    acc = f(acc)
    acc += table[i == 1000]()
print(acc)

# A string, a list and a tuple that a loop replaces.
text, items, pair = "", [], (0, 0)
for i in range(1500):
    text = text[-20:] + "abc"[i % 3]
    items = items[-5:] + [i]
    pair = (pair[1], pair[0] + i)
print(text, items, pair)

# Names that are ints of more than 64 bits in one iteration and small in the next.
b, d, e = 2, 0.25, 0
for i in range(900):
    e += 9223372036854775807 + 1
    for j in range(2, -300, -2):
        d = 9 + b
        b = 16 + e
        e = j
    d = -2
    b = min(b / d, i)
print(b, d, e)
