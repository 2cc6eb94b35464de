# A generator that is left early runs its `finally`.
import torch

ended = []


class Scope:
    def __enter__(self):
        ended.append("in")

    def __exit__(self, kind, *rest):
        ended.append(kind.__name__ if kind else "out")


def guarded():
    try:
        yield 1
        yield 2
    finally:
        ended.append("end")


def scoped():
    with Scope():
        yield 1
        yield 2


def first(x):
    for v in guarded():
        return x * v


total = torch.zeros(2)
for i in range(20):
    x = torch.ones(2) * i
    for v in guarded():
        if i % 2:
            break
        x = x + v
    for v in scoped():
        break
    total += x + first(x) + sum(guarded())
print(total, len(ended), ended[-8:])
