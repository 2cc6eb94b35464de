"""Iterators over lists and tuples made in a region, which are there after it."""
import torch
torch.manual_seed(0)
x = torch.randn(3)
seen = []
class Box: pass
box = Box()
for i in range(60):
    parts = [x * 0.5, x + 0.1, x.tanh()]
    it = iter(parts)
    first = next(it)
    t = iter((x, first, x))
    pair = (next(t), next(t))
    box.it = iter([1, 2, i])
    for v in box.it:
        if v == 2: break
    x = first + next(it) * 0.3 + pair[1] * 0.1
    if i % 3 == 0: parts.append(x)
    done = iter([x])
    for v in done: pass
    if i % 10 == 0:
        print(i, [f"{v.sum().item():.3f}" for v in it], len(list(t)), list(box.it), next(done, None))
    else:
        seen.append(next(it, None) is parts[2])
print(all(seen), [f"{v:.4f}" for v in x.tolist()])
