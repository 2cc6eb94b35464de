"""min, max and sorted whose keys, items or defaults are tensors: each in a function of its own, hot."""
import torch

tensor = torch.tensor


def by_key(a, b, c):
    return max([a, b], key=lambda t: -t)


def by_square(a, b, c):
    return min([a, b, tensor(1.5)], key=lambda t: (t - 2) ** 2)


def by_place(a, b, c):
    return max(enumerate(c), key=lambda p: p[1])[0]


def by_value(a, b, c):
    return max({"u": a, "v": b}.items(), key=lambda kv: kv[1])[0]


def by_get(a, b, c):
    scores = {"u": a, "v": b}
    return min(scores, key=scores.get)


def by_item(a, b, c):
    return min(range(3), key=lambda k: c[k].item() + k * 0.25)


def with_default(a, b, c):
    return max([x for x in c if x > 1], default=a)


def with_both(a, b, c):
    return min([x for x in c if x > 1], key=lambda t: -t, default=a)


def of_two(a, b, c):
    return min(a, b, key=lambda t: t * -1)


def of_rows(a, b, c):
    return max([c, c.flip(0) * 2], key=lambda t: t[0]).sum()


class Score:
    def __init__(self, name, value):
        self.name, self.value = name, value


def of_objects(a, b, c):
    return max([Score("p", a), Score("q", b), Score("r", c[1])], key=lambda s: s.value).name


def in_order(a, b, c):
    return sorted([a, b, c[1]], key=lambda t: (t - 2).abs())[0]


def shown(v):
    return round(v.item(), 3) if isinstance(v, torch.Tensor) else v


for function in (
    by_key, by_square, by_place, by_value, by_get, by_item, with_default, with_both, of_two, of_rows, of_objects, in_order
):
    found = []
    for i in range(18):
        a, b = tensor(float(i % 5)), tensor(2.5 if i % 7 else 0.5)
        c = tensor([1.0, float(i % 3), 2.0 if i % 4 else 0.0])
        found.append(shown(function(a, b, c)))
    print(function.__name__, found)
