# Stores, deletions and look-ups that no graph can contain: tier 0 does them between two graphs.
import torch

torch.manual_seed(0)


class Memory:
    def __init__(self, n):
        self.slots, self.at, self.seen = [None] * n, 0, {}

    def put(self, x):
        self.slots[self.at] = (self.at, x.sum().item())
        self.at = (self.at + 3) % len(self.slots)


class Reading:
    def __getitem__(self, i):
        return i

    def __delitem__(self, i):
        deleted.append(i)

    def __contains__(self, i):
        return str(i)[-1] == "4"


deleted = []
memory, reading = Memory(8), Reading()
x = torch.ones(4)
w = torch.full((4,), 0.5, requires_grad=True)
frame = [[0.0] * 4 for _ in range(4)]
for t in range(80):
    x = torch.tanh(x * w.detach() + 0.1 * torch.randn(4))
    y = x * 2 + 1
    memory.put(y)
    frame[t * 5 % 4][t * 3 % 4] = float(t)
    z = (torch.tensor(frame).sum(0) * y).relu()
    del reading[t % 5]
    loss = (z * w).sum() / (1 + t)
    if t in reading:
        loss = loss * 2
    memory.seen[f"{t % 7}"] = loss.item()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 1e-4 * w.grad
    if t == 50:
        try:
            memory.slots[t] = loss
        except IndexError as e:
            print(e, loss.item() > 0)
print([f"{v:.4f}" for v in x.tolist()], [f"{v:.4f}" for v in w.tolist()])
print(len(memory.seen), [s if s is None else (s[0], round(s[1], 4)) for s in memory.slots])
print(frame[1], deleted[-6:])
