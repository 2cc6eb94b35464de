# Keys that are known make a dict of the region no more than variables.
import torch

def step(x):  # region
    out = {"y": x * 2}
    out.setdefault("z", x)
    out.update(w=out["y"] + 1)
    return sum(v for k, v in out.items() if k != "z")

for _ in range(5):
    step(torch.ones(2))
