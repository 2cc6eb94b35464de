# What a backward pass keeps of a tensor that the region itself overwrites is a copy: no write after it
# is blamed.
# RUN: janus-jit run --cache off --compile sync --passes BASE %s | FileCheck %s
import torch

b = torch.ones(3, requires_grad=True)


def step(i):
    u = torch.zeros(3) + i
    t = torch.zeros(3)
    for _ in range(3):
        gs = []
        k = 0
        while k < i % 5 + 1:
            k += 1
            v = u[1:] * 1
            u.mul_(0.5)
            t = t + u[1:].sum() - v.sum()
            gs.append(b + u)
            u.mul_(0.5)
        t = t + sum(gs) * 0.1
    t.sum().backward()
    return t.sum().item()


# CHECK: 0 0.9000
# CHECK: 15 -55.2094
for i in range(16):
    print(i, f"{step(i):.4f}")
