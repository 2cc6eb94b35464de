# `is` between arguments that are one object in some calls and two in others.
import torch


class Mode:
    pass


class State:
    def __init__(self, weight):
        self.weight = weight
        self.seen = []


TRAIN, EVAL = Mode(), Mode()


def step(state, mode, other):
    out = state.weight * 2
    if mode is TRAIN:
        out = out + 1
    if state is other:
        out = out * 10
    if state.seen is not other.seen:
        out = out - 0.5
    return out.sum().item()


def same(a, b):
    return (a * 1 + (100 if a is b else b)).sum().item()


results = []
first = State(torch.ones(2))
for i in range(24):
    state = State(torch.ones(2) * i)
    other = state if i % 5 == 4 else first
    if i % 7 == 6:
        state.seen = first.seen
    mode = EVAL if i % 4 == 3 else TRAIN
    # The call is no part of a graph, so that the function is compiled on its own.
    exec("results.append(step(state, mode, other))")
print(results)

a, b = torch.ones(3), torch.ones(3)
results = []
for i in range(24):
    pair = (a, a) if i % 3 == 2 else (a, b)
    exec("results.append(same(*pair))")
print(results)

orders = []
for i in range(16):
    made = Mode()
    x = torch.ones(2) * i
    if i % 2:
        made.first, made.second = x.sum(), x
    else:
        made.second, made.first = x, x.sum()
    orders.append(list(vars(made)))
print(orders)
