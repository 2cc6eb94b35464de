"""`+=` of objects with tensors, of a list with a tensor's rows, sorted() in an order that moves."""
import torch
torch.manual_seed(25)
class Acc:
    def __init__(self): self.items = []
    def __iadd__(self, v):
        self.items.append(v); return self
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
class Vec:
    def __init__(self, t): self.t = t
    def __iadd__(self, o): self.t = self.t + o; return self
    def __imul__(self, o): self.t = self.t * o; return self
    def __mul__(self, o): return Vec(self.t * o)
    def __add__(self, o): return Vec(self.t + 2 * o)
x = torch.randn(3)
v = Vec(torch.zeros(3))
for i in range(80):
    a = Acc()
    x = x * 0.9 + 0.1
    a += x
    a += x * 2
    v += x
    v *= x.abs() if i % 3 else 0.5
    w = v
    w = w + x
    rows = [x]
    rows += torch.stack([x, x + 1])
    order = sorted(rows, key=lambda r: r.sum().item(), reverse=i % 4 == 1)
    named = sorted([(3, "a"), (1, "b"), (2, "c")], reverse=i % 2 == 0)
    x = x + order[0] * 0.01 + len(rows) * 0.001
    if i % 8 == 0: print(i, len(a), named[0], [f"{t:.4f}" for t in x.tolist()], [f"{t:.4f}" for t in w.t.tolist()])
