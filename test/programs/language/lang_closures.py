# Closures share cells, and see later writes.
def make_counter(start):
    count = start

    def bump(by=1):
        nonlocal count
        count += by
        return count

    def peek():
        return count

    return bump, peek


bump, peek = make_counter(10)
print(bump(), bump(5), peek())
other, _ = make_counter(0)
print(other(), peek())

late = [lambda: i for i in range(3)]
early = [lambda i=i: i for i in range(3)]
print([f() for f in late], [f() for f in early])


def outer():
    def show():
        return value

    try:
        show()
    except NameError as e:
        print(type(e).__name__, e)
    value = "set"
    print(show())
    del value
    try:
        show()
    except NameError as e:
        print(e)


outer()


def adders(*steps):
    def chain(x):
        for step in steps:
            x = step(x)
        return x

    return chain


print(adders(lambda x: x + 1, lambda x: x * 2)(5))
