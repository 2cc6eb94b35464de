# Variables that are None or a tensor, a number or a tensor, an object of one class or another.
import torch

torch.manual_seed(2)


class Square:
    scale = 2.0

    def __call__(self, v):
        return v * v

    def name(self):
        return "square"


class Shift:
    def __init__(self, by):
        self.scale = by

    def __call__(self, v):
        return v + self.scale

    def name(self):
        return f"shift {self.scale}"


square, shift = Square(), Shift(0.5)
memory, log, best = None, [], None
for i in range(90):
    x = torch.randn(3)
    positive = x.sum() > 0
    f = square if positive else shift
    y = f(x) * f.scale
    extra = y.mean() if x[0] > 0 else None
    if extra is not None:
        y = y + extra
    weight = x.max() if i % 3 and positive else 0.25
    y = y * weight
    memory = y if memory is None or positive else memory * 0.9 + y
    kept = [y, memory] if x[1] > 0 else (memory,)
    s = sum(k.sum().item() for k in kept)
    if best is None or s > best[0]:
        best = (s, i, f)
    log.append((f.name(), len(kept), s))
for entry in log[::11]:
    print(*entry[:2], f"{entry[2]:.4f}")
print(f"{memory.sum().item():.4f}", best[1], best[2].name(), f"{best[0]:.4f}")
