# Two global tensors are exchanged, updated through a list, and rebound.
import torch

cur = torch.zeros(5)
nxt = torch.zeros(5)
cur[2] = 1.0
frames = []


def diffuse():
    global cur, nxt
    nxt[1:-1] = 0.25 * cur[:-2] + 0.5 * cur[1:-1] + 0.25 * cur[2:]
    nxt[0], nxt[-1] = cur[0], cur[-1]
    cur, nxt = nxt, cur
    frames.append(cur.max().item())


for t in range(20):
    diffuse()
print([f"{v:.4f}" for v in frames[::4]], [f"{v:.5f}" for v in cur.tolist()], [f"{v:.5f}" for v in nxt.tolist()])
