# What a growing list holds has other names: writes to those are seen in the list, and the reverse.
import torch


def show(v):
    if isinstance(v, torch.Tensor):
        return [round(x, 3) + 0.0 for x in v.flatten().tolist()]
    return [show(x) for x in v] if isinstance(v, (list, tuple)) else v


def written_after(xs):
    outs = []
    for x in xs:
        h = x * 2
        outs.append(h)
    h.add_(1)
    return torch.stack(outs)


def written_outside(xs):
    outs = []
    for x in xs:
        outs.append(x)
    xs.mul_(2)
    return torch.stack(outs)


def written_at_once(xs):
    outs = []
    for x in xs:
        h = x * 2
        outs.append(h)
        h.add_(1)
    return torch.stack(outs)


def sometimes(xs):
    outs = []
    h = xs[0] * 1
    for x in xs:
        if x[0] > 0:
            h = x * 2
            outs.append(h)
    h.add_(1)
    return torch.stack(outs) if outs else h


def items_written(xs):
    outs = []
    for x in xs:
        outs.append(x * 1)
    outs[0].add_(5)
    outs[-1].mul_(3)
    return torch.stack(outs), outs[0]


def are_same(xs):
    outs = [xs[0]]
    for x in xs:
        y = x * 1
        outs.append(y)
    return outs[0] is xs, outs[-1] is y, outs[-1] is outs[0], len(outs)


def on_self(box, xs):
    box.outs = []
    for x in xs:
        box.outs.append(x + 1)
    return box.outs[-1].sum()


def both(xs):
    outs = []
    for x in xs:
        y = x + 2
        outs.append(y)
    return outs, y, outs[0]


def too_short(xs, n):
    outs = []
    for i in range(n):
        outs.append(xs[i])
    return torch.stack(outs)


def no_item(n):
    outs = []
    for i in range(n):
        outs.append(i)
    return outs[2], max(outs)


def rows_of_rows(xs):
    rows = []
    for x in xs:
        row = []
        for v in x:
            row.append(v * 2)
        rows.append(torch.stack(row))
    return torch.stack(rows)


class Box:
    pass


box = Box()
for i in range(30):
    n = 1 + i * 7 % 9
    xs = torch.arange(3.0 * n).reshape(n, 3) - i
    functions = [written_after, written_outside, written_at_once, sometimes]
    functions += [items_written, are_same, rows_of_rows]
    for f in functions:
        print(i, f.__name__, show(f(xs.clone())))
    for f, args in ((too_short, (xs, min(i % 3, n))), (no_item, (i % 6,))):
        try:
            print(show(f(*args)))
        except (RuntimeError, IndexError, ValueError) as e:
            print(type(e).__name__, e)
    print(on_self(box, xs).item(), len(box.outs), show(box.outs[0]))
    outs, y, first = both(xs)
    y.add_(1)
    first.mul_(2)
    print(outs[-1] is y, outs[0] is first, show(outs))
