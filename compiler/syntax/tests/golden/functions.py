def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def every(a, b=2, /, c=3, *args, d, e=5, **kw) -> int:
    """Doc."""
    return a, b, c, args, d, e, kw


def annotated(x: int, *ys: str, z: float = 1.5) -> list:
    local: int = 3
    return local


def outer(n):
    total = n

    def inner(k):
        nonlocal total
        total += k
        return lambda: (total, n)

    return inner


@decorator
@other(1)
def decorated():
    pass


constant_defaults = lambda a, b=(1, 2), *, c="x": a
