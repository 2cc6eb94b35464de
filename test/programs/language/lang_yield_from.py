# Delegation to generators and plain iterables.
def inner(name, n):
    for i in range(n):
        got = yield f"{name}{i}"
        if got:
            print("inner got", got)
    return n * 10


def outer():
    a = yield from inner("a", 2)
    b = yield from inner("b", 1)
    yield from [a, b]
    return a + b


def collect():
    result = yield from outer()
    print("result", result)


print(list(collect()))

g = outer()
print(next(g), g.send("hello"), next(g))


def tree(node):
    if node is not None:
        left, value, right = node
        yield from tree(left)
        yield value
        yield from tree(right)


print(list(tree(((None, 1, None), 2, ((None, 3, None), 4, None)))))


def guarded():
    try:
        yield from inner("x", 5)
    except KeyError as e:
        yield ("handled", e.args)


g = guarded()
print(next(g), g.throw(KeyError("k")))
