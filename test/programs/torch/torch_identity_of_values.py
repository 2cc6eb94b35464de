# `is` between what a function is handed: texts that move, methods, classes, numbers, containers; and to a global.
import torch


class A:
    def method(self):
        return 1


def same(t, a, b):
    if a is b:
        return t + 1
    return t - 1


def same_as_global(t, a):
    return t + 1 if a is chosen else t - 1


def kind(v):
    match v:
        case [torch.Tensor() as a, *rest]:
            return "list", a.sum(), len(rest)
        case (a, b) if a is b:
            return "same"
        case _:
            return "other", type(v).__name__


t = torch.ones(2)
texts = ["a", "b", "c", "zzz"]
print([same(t, texts[i % 4], texts[i // 2 % 4])[0].item() for i in range(40)])
first, second = "".join(["ab", "cd"]), "".join(["a", "bcd"])
print([same(t, *pair)[0].item() for pair in [(first, second), (first, first), (second, first), ("q", first)] * 5])
a = A()
values = [len, max, A, a, A(), a.method, "abc".upper, None, (1,), [1], {1: 2}, t, torch.float32, range(3), b"x", lambda: 1]
for repetition in range(3):
    found = [i for i, (p, q) in enumerate((p, q) for p in values for q in values) if same(t, p, q)[0] == 2]
    print(found == [i * (len(values) + 1) for i in range(len(values))])
for chosen in values + texts:
    print(sum(same_as_global(t, v)[0].item() == 2 for v in values + texts), end=" ")
print()
o, p = "s", "q"
for i in range(40):
    one = [kind(v) for v in ([torch.ones(2), i, i], (o, o), (o, p), (p, o))]
print(one)
