def count(n):
    i = 0
    while i < n:
        got = yield i
        if got:
            print("got", got)
        i += 1
    return "done"

g = count(3)
print(next(g), g.send("hello"), next(g))
try:
    next(g)
except StopIteration as e:
    print("stop", e.value)
print(list(count(4)), sum(count(5)))

def delegate():
    r = yield from count(2)
    print("result", r)
    yield from [10, 20]
    yield from (x * x for x in range(3))
    return r

print(list(delegate()))

def catcher():
    while True:
        try:
            x = yield
            print("x", x)
        except ValueError as e:
            print("caught", e)
            yield "recovered"
        finally:
            print("round")

g = catcher()
next(g)
g.send(1)
print(g.throw(ValueError("boom")))
next(g)
g.close()

def closing():
    try:
        yield 1
        yield 2
    finally:
        print("closed")

for v in closing():
    print(v)
    break
g = closing()
next(g)
g.close()
try:
    next(g)
except StopIteration:
    print("finished")

def bad():
    yield 1
    raise StopIteration("x")

try:
    list(bad())
except RuntimeError as e:
    print(e, repr(e.__cause__))

def handled():
    try:
        raise KeyError("inside")
    except KeyError:
        yield 1
        try:
            raise
        except KeyError as e:
            print("again", e)
        yield 2

g = handled()
try:
    raise ValueError("outside")
except ValueError:
    print(next(g))
    try:
        raise
    except ValueError as e:
        print("still", e)
print(next(g))

def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b

from_fib = []
for f in fib():
    if f > 50:
        break
    from_fib.append(f)
print(from_fib)

def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)

print(list(tree(3)))
print([x for x in range(10) if x % 2], {x: x * x for x in range(3)}, {x % 3 for x in range(9)})
print([(i, j) for i in range(3) for j in range(i)])
gen = (x for x in range(3))
print(next(gen), list(gen), list(gen))

class Iter:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n

print(list(Iter(3)), [*Iter(2), *Iter(1)], max(Iter(5)))
a, *b = Iter(4)
print(a, b)

async def co(x):
    return x + 1

async def main():
    return await co(1) + await co(2)

c = main()
try:
    c.send(None)
except StopIteration as e:
    print("awaited", e.value)

def thrower():
    try:
        yield from count(3)
    except ValueError as e:
        print("outer caught", e)
        yield "end"

g = thrower()
next(g)
print(g.throw(ValueError("into")))

def send_through():
    x = yield from inner_sender()
    yield x

def inner_sender():
    a = yield "first"
    b = yield "second"
    return a + b

g = send_through()
print(next(g), g.send(1), g.send(2))
