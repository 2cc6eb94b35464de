# Something wants to know a list's form: the branches that filled it are kept apart in the next attempt.
import torch

def step(xs):  # region
    kept = [x for x in xs if x.sum() > 0]
    kept.reverse()
    return kept[0] if kept else xs[0]

for i in range(8):
    step([torch.ones(2) * ((i + k) % 3 - 1) for k in range(2)])
