# Loops over generators that the data end early: what a generator does at its end is done on the side that left it, and only there.
from contextlib import contextmanager

import torch

log = []
w = torch.tensor([0.5, -0.3, 0.8])


def with_finally(x):
    try:
        yield x
        yield x * 2
        yield x * 3
    finally:
        log.append("fin")


@contextmanager
def scope(name):
    log.append(name)
    try:
        yield
    finally:
        log.append("/" + name)


def with_scope(x):
    with scope("s"):
        yield x
        yield x + 1
    yield x + 2


def with_except(x):
    try:
        yield x
        yield x * 2
    except GeneratorExit:
        log.append("exit")
        raise


def plain(x):
    yield x
    yield x * 2
    yield x * 3


def broken(make, x):
    t = x + w
    k = 0
    for v in make(x):
        k += 1
        t = t + v * 0.1
        if t.sum() > 0.8:
            break
    return [round(v, 3) for v in t.tolist()], k


def returned(make, x):
    t = x + w
    for v in make(x):
        if t.sum() > 0.8:
            return round(t.sum().item(), 3)
        t = t + v * 0.2
    return -round(t.sum().item(), 3)


def one_side(make, x):
    if x.sum() > 0:
        g = make(x)
        t = next(g) + next(g)
    else:
        t = x * 0.5
    return round(t.sum().item(), 3)


def nested(make, x):
    t = x
    for a in make(x):
        for b in make(a):
            t = t + b * 0.1
            if t.sum() > 1:
                break
        if t.sum() > 2:
            break
    return round(t.sum().item(), 3)


def paired(make, x):
    t = x
    for a, b in zip(make(x), plain(x * 0.5)):
        t = t + a * b
        if t.sum() > 0.5:
            break
    return round(t.sum().item(), 3)


for run in (broken, returned, one_side, nested, paired):
    for make in (with_finally, with_scope, with_except, plain):
        log.clear()
        out = []
        for i in range(12):
            x = torch.full((3,), float(i % 5) * 0.4 - 0.8)
            out.append(run(make, x))
            out.append(len(log))
        print(run.__name__, make.__name__, out[-8:], log[-4:])
