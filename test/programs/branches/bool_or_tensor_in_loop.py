# A flag that is a bool at times and a tensor at others, in a loop whose trip count moves.
import torch

torch.manual_seed(2)


def walk(w, limit):
    pos = torch.zeros(2)
    t = 0
    done = False
    while not done:
        pos = pos + torch.tanh(pos @ w + 0.3)
        t += 1
        done = t >= limit or pos.abs().max() > 3
    return pos, t


w = torch.randn(2, 2)
total = torch.zeros(2)
n = 0
for i in range(120):
    p, t = walk(w, 3 + i % 20)
    total = total + p
    n += t
print(total, n)
