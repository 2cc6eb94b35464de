"""Lists whose length moves: matched against patterns, compared with others, what is callable."""
import torch

torch.manual_seed(0)


def kind(v):
    match v:
        case []:
            return "empty"
        case [a]:
            return f"one {a}"
        case [a, b, *rest]:
            return f"{a} {b} +{len(rest)}"
        case _:
            return "other"


def listed(n, x):
    items = []
    for k in range(n):
        items.append(k)
        x = x * 0.9 + 0.1 * k
    return items, x


def matched(n, x):
    items, x = listed(n, x)
    return kind(items), x


def compared(n, x):
    items, x = listed(n, x)
    others = [k for k in range(n)]
    return items == others, items != others, items == items[:-1], x


def with_literal(n, x):
    items, x = listed(n, x)
    return items == [0, 1, 2], [0, 1] != items, x


def with_tuple(n, x):
    items, x = listed(n, x)
    return items == (0, 1), (items, 1) == (items, 1), x


def with_nan(n, x):
    items = [x[0].item() * 0 / (k - 2) if k != 2 else float("nan") for k in range(n)]
    return items == items[:], items == items, x * 0.9 + 0.1


class Called:
    def __call__(self):
        return 1


things = [Called(), 3, len, "text", kind]
for f in (matched, compared, with_literal, with_tuple, with_nan):
    x = torch.randn(3)
    for i in range(40):
        *told, x = f(i % 5, x)
        print(f.__name__, i, told, callable(things[i % 5]), f"{x.sum().item():.4f}")
