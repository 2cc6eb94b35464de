"""A generator that waits inside of `try` ends where its last name goes, and not later."""
import torch

log = []


def waiting(n):
    try:
        yield n
    finally:
        log.append(n)


class Box:
    pass


def started(n):
    g = waiting(n)
    next(g)
    return g


def of_function():
    g = started(7)
    g = None
    log.append('after')
    g = started(8)
    del g
    log.append('after')
    g = started(9)


def of_cell():
    g = started(10)

    def inner():
        return g
    g = 5
    log.append('after')
    return inner()


g = started(1)
del g
print(log)
g = started(2)
g = None
print(log)
kept = [started(3)]
del kept[:1]
print(log)
kept = [started(4)]
kept[0] = 1
print(log)
kept = {0: started(5)}
del kept[0]
print(log)
box = Box()
box.g = started(6)
box.g = 1
print(log)
box.g = started(6)
del box.g
print(log)
of_function()
of_cell()
print(log)
kept = [started(11)]
del log[:], kept[:1]
print(log)
kept = [started(12)]
del kept[:1], log[:]
print(log)

for i in range(40):
    x = torch.ones(3) * i
    kept.append(started(i % 7))
    if i % 3 == 0:
        next(kept[-1], None)
    del log[:-4], kept[:-2]
    if i > 36:
        print(i, log, (x * len(log)).sum().item())
