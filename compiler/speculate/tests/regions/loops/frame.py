# A long loop is a frame: `enter`, `merge`, `loop_cond`, `switch`, `next_iteration`, `exit`.
import torch

def step(x):  # region
    for i in range(100):
        x = x * 0.5 + i
    return x

for _ in range(5):
    step(torch.ones(2))
