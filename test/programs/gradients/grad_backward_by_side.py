# A loss that is added up over several iterations, and differentiated in one of them.
import torch

p = torch.ones(3, requires_grad=True)
acc = 0
for t in range(40):
    acc = acc + (p * p).sum()
    if t % 4 == 3:
        p.grad = None
        acc.backward()
        acc = 0
print(t, p.grad.sum().item())

h = torch.ones(3)
seen = []
for t in range(60):
    h = torch.tanh(h * p + 0.1)
    if t % 5 == 4:
        p.grad = None
        h.sum().backward()
        seen.append(p.grad.tolist())
        h = h.detach()
print(seen[-1], h.tolist())

kept = None
for t in range(40):
    loss = (p * t).sum()
    if t % 3 == 0:
        loss.backward()
    kept = loss if t % 3 else None
    if t == 31:
        kept.backward()
print(kept, p.grad.tolist())
try:
    for t in range(40):
        loss = (p * p).sum()
        if t % 2 == 0:
            loss.backward()
        if t == 36:
            loss.backward()
except RuntimeError as e:
    print(t, str(e)[:50])
