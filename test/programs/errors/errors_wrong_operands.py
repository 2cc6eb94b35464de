# Operands of the wrong types in compiled code: what raises in CPython raises there, too.
import torch


class Plain:
    def __eq__(self, other):
        return True


def attempt(x, i):
    out = []
    y = (x * 2).sum() + x.mean()
    for f in (
        lambda: [i, 1] + (2,),
        lambda: (i, 1) + [2],
        lambda: set([[i]]),
        lambda: {[i]: 1},
        lambda: {Plain(): 1},
        lambda: next([i]),
        lambda: f"{i:q}",
        lambda: (i,) * 2.0,
        lambda: "a" + i,
        lambda: [i] < (i,),
        lambda: (i, 1)[1.0],
        lambda: [i].remove(i + 1),
        lambda: "%d" % "a",
        lambda: ",".join(["a", 1]),
        lambda: i // 0,
        lambda: (lambda *, b: b)(1),
        lambda: torch.stack([x, torch.ones(4)]),
    ):
        try:
            out.append(f())
        except (TypeError, ValueError, ZeroDivisionError, RuntimeError) as e:
            out.append(type(e).__name__ + " " + str(e)[:40])
    return out, y


for i in range(1, 10):
    print(*attempt(torch.ones(3) * i, i), sep="\n")


def concatenated(x, i):
    y = (x * 2).sum() + x.mean()
    items = [i, 1]
    items += (2, 3)
    try:
        return items + (2,), y
    except TypeError as e:
        return str(e), items, y


def hashed(x, i):
    y = (x * 2).sum() + x.mean()
    try:
        return {(i, [1]): 1}, y
    except TypeError as e:
        return str(e), y


for i in range(10):
    print(concatenated(torch.ones(3) * i, i), hashed(torch.ones(3), i))
