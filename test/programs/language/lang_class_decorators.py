# Decorators on functions and classes, with and without arguments.
def trace(prefix):
    def decorate(f):
        def wrapper(*args, **kwargs):
            result = f(*args, **kwargs)
            print(prefix, f.__name__, args, kwargs, "->", result)
            return result

        wrapper.__name__ = f.__name__
        wrapper.__wrapped__ = f
        return wrapper

    return decorate


def memo(f):
    cache = {}

    def wrapper(n):
        if n not in cache:
            cache[n] = f(n)
        return cache[n]

    wrapper.cache = cache
    return wrapper


@trace("outer")
@trace("inner")
def add(a, b=1):
    return a + b


add(2, b=3)
print(add.__name__, add.__wrapped__.__wrapped__(1))


@memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(60), len(fib.cache))
registry = {}


def register(cls):
    registry[cls.__name__.lower()] = cls
    cls.registered = True
    return cls


def with_repr(*fields):
    def decorate(cls):
        cls.__repr__ = lambda self: f"{cls.__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in fields)})"
        return cls

    return decorate


@register
@with_repr("x", "y")
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


print(Point(1, "b"), registry["point"] is Point, Point.registered)
