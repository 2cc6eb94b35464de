# IndexError, KeyError, AttributeError, TypeError and StopIteration inside the hot function.
import torch


class Thing:
    value = 2.0


def probe(x, i):
    items = [x, x * 2]
    table = {0: 1.0, 1: 2.0}
    try:
        y = items[i % 3] * table[i % 4]
    except IndexError:
        y = x * -1
    except KeyError as e:
        y = x * 0 + e.args[0]
    try:
        y = y + getattr(Thing, "value" if i % 5 else "missing")
    except AttributeError as e:
        y = y - 1
    try:
        n = len(i) if i % 7 == 0 else i
    except TypeError:
        n = 0
    return y.sum() + n + next(iter([] if i % 2 else [5]), 0)


x = torch.tensor([1.0, 2.0])
print([probe(x, i).item() for i in range(28)])
