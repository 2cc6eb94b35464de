"""keys(), values() and items() of a dict: gone over more than once, kept, seen after a change."""
import torch

torch.manual_seed(0)
G = {"a": 1, "b": 2}


def made(i, x):
    d = {"a": i, "b": 2, i % 3: 4}
    return d.items(), d.keys(), d.values(), x * 0.9 + i * 0.01


def case0(i, x):
    v, k, w, x = made(i, x)
    return x, (list(v), list(v))


def case1(i, x):
    v, k, w, x = made(i, x)
    return x, (list(k), len(k), list(k))


def case2(i, x):
    v, k, w, x = made(i, x)
    return x, (sum(w), sum(w))


def case3(i, x):
    v, k, w, x = made(i, x)
    return x, [(p, q) for p in k for q in w]


def case4(i, x):
    v, k, w, x = made(i, x)
    return x, (len(v), "a" in k, 2 in w, ("b", 2) in v)


def case5(i, x):
    v, k, w, x = made(i, x)
    return x, list(zip(k, k))


def case6(i, x):
    v, k, w, x = made(i, x)
    return x, [*k, *k]


def case7(i, x):
    v, k, w, x = made(i, x)
    return x, tuple(w) + tuple(w)


def case8(i, x):
    v, k, w, x = made(i, x)
    return x, (bool(k), any(w), max(w), min(w))


def case9(i, x):
    v, k, w, x = made(i, x)
    return x, {**dict(v)}


def after_change(i, x):
    d = {"a": i}
    k = d.keys()
    d["b"] = 2
    return x * 0.9 + 0.1, list(k), len(k), isinstance(k, list), type(k).__name__


class Box:
    pass


box = Box()


def kept(i, x):
    d = {"a": i, "b": x}
    box.items = d.items()
    d["c"] = 3
    return x * 0.9 + 0.1, d.keys()


x = torch.randn(3)
for f in (case0, case1, case2, case3, case4, case5, case6, case7, case8, case9, after_change):
    for i in range(24):
        x, *told = f(i, x)
        print(i, told, f"{x.sum().item():.4f}")
for i in range(30):
    x, keys = kept(i, x)
    G["abcd"[i % 4]] = i
    print(list(keys), list(keys), len(box.items), list(box.items)[0], type(keys).__name__, f"{x.sum().item():.4f}")
d = {"a": 1}
try:
    next(d.keys())
except TypeError as e:
    print(e)
