# An item that is taken out of a set from outside is a commit.
# relax: open names
import torch

names = {"a", "b", "c"}

def step(x, name):  # region
    y = x * 2
    names.remove(name)
    return y

for i in range(4):
    names.add("a")
    step(torch.ones(2), "a")
