"""Each kind of instruction, to change."""
import os.path
from sys import argv as words


def outer(a, /, b=1, *rest, c: int = 2, **more):
    total = 0

    def inner(x):
        nonlocal total
        total += x
        return lambda: (x, total, __class__ if False else b)

    for i in range(a):
        if i % 2 and i < 5 or not b:
            continue
        try:
            total += inner(i)()[0] ** 2
        except (ValueError, KeyError) as error:
            del error
            raise RuntimeError("x") from None
        finally:
            b -= 1
    else:
        total = {**more, "k": [*rest, a], f"{a!r:>{b}}": {1, 2}}
    while a > 0 > b:
        a, (b, *c) = b, (a, 1)
        break
    with open(words[0]) as file, file:
        file.x[a:b] = file.y
    return [x for x in rest if x is not None]


class Named(dict, metaclass=type):
    field: int = 3

    def method(self):
        yield super().get(self.field)
        got = yield from self.method()
        return got

    async def later(self):
        async with self as a:
            async for b in a:
                await b


def match(x):
    global words
    match x:
        case {"a": 1, **rest}:
            return rest
        case Named(field=2) | [1, *_]:
            assert x, "no"
        case None:
            pass
    words = x = y = 1j, b"b", 10 ** 30, ...
    return x if (z := y) else print(*z, sep="", **{})
