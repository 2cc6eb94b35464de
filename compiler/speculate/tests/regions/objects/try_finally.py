# `finally` runs on the normal path; it would on others.
import torch

log = []

def step(x):  # region
    try:
        return x * 2
    finally:
        log.append(1)

for _ in range(5):
    step(torch.ones(2))
