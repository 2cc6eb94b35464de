"""A list that one side of a branch puts another one in the place of, where something else may still name it."""

import torch


class Box:
    def __init__(self):
        self.state = [0.0, 0.0]
        self.kept = None


def moved(state, by):
    return [state[0] + by, state[1] - by]


def alone(box, x):
    """Nothing else names the list."""
    out = []
    for i in range(6):
        box.state = moved(box.state, 0.25)
        out.append((x * box.state[0]).sum())
        if box.state[0] > 1.0:
            box.state = [0.0, box.state[1]]
            break
    return out


def other_name(box, x, limit):
    """A variable still names it, on one side or on both."""
    box.state = moved(box.state, float(x[0]))
    old = box.state
    if (x.sum() > limit).item():
        box.state = [9.0, 9.0]
    box.state.append(float(x[1]))
    return old, box.state


def kept_by_side(box, x, limit):
    """One side keeps it elsewhere."""
    box.state = moved(box.state, float(x[0]))
    if x.sum() > limit:
        box.kept = box.state
        box.state = [1.0]
    else:
        box.kept = None
    box.state.append(3.0)
    return box.kept


def iterated(box, x, limit):
    """An iterator goes over it."""
    box.state = moved(box.state, float(x[0]))
    items = iter(box.state)
    if x.sum() > limit:
        box.state = [5.0, 6.0]
    box.state[1] = 8.0
    return next(items), next(items), box.state


def captured(box, x, limit):
    """A closure has it."""
    inner = moved(box.state, float(x[0]))
    read = lambda: inner
    box.state = inner
    if x.sum() > limit:
        box.state = [7.0, 7.0]
    box.state[0] = -1.0
    return read(), box.state


def inside(box, x, limit):
    """Another list holds it."""
    box.state = moved(box.state, float(x[0]))
    pair = (box.state, 1)
    if x.sum() > limit:
        box.state = [2.0, 2.0]
    box.state[0] += 1.0
    return pair, box.state


def changed(box, x, limit):
    """The side that keeps it changes it."""
    box.state = moved(box.state, float(x[0]))
    if x.sum() > limit:
        box.state = [2.0, 2.0]
    else:
        box.state[0] = 40.0
        box.state[1] += 1.0
    return (x * box.state[0]).sum() + box.state[1]


def callers(box, x, limit):
    """The caller has a name for it."""
    mine = moved(box.state, float(x[0]))
    box.state = mine
    swap(box, x, limit)
    box.state[0] = 77.0
    return mine, box.state


def swap(box, x, limit):
    if x.sum() > limit:
        box.state = [4.0, 4.0]
    else:
        box.state[1] = 5.0


def shown(box, x, limit, i):
    """A print of it waits."""
    box.state = moved(box.state, 0.5)
    if i % 9 == 0:
        print("state", box.state)
    if x.sum() > limit:
        box.state = [0.0, 0.0]
    box.state[0] += 1.0
    return x * box.state[0]


def main():
    x = torch.tensor([0.5, 0.25])
    box = Box()
    total = 0.0
    for i in range(40):  # expect: tier 2, at most 15 entries in tier 0
        sign = x if i % 3 == 0 else -x
        total += torch.stack(alone(box, x)).sum().item()
        results = [
            other_name(box, sign, 0.0),
            kept_by_side(box, sign, 0.0),
            iterated(box, sign, 0.0),
            captured(box, sign, 0.0),
            inside(box, sign, 0.0),
            callers(box, sign, 0.0),
        ]
        total += changed(box, sign, 0.0).item()
        total += shown(box, sign, 0.0, i).sum().item()
        if i % 4 == 1:
            print(i, results, box.kept, box.state)
        box.state = [0.5 * i % 1.5, 1.0]
    print(f"{total:.4f}")


main()
