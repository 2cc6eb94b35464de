# Loops over dicts: keys, values, items, in insertion order, while values change.
import torch

torch.manual_seed(13)
params = {"w": torch.randn(2, 2, requires_grad=True), "b": torch.zeros(2, requires_grad=True)}
stats = {}


def update(lr):
    with torch.no_grad():
        for name, p in params.items():
            p -= lr * p.grad
            p.grad.zero_()
            stats[name] = stats.get(name, 0) + 1
    total = 0.0
    for p in params.values():
        total = total + p.detach().sum()
    for name in params:
        stats["last"] = name
    return total


x = torch.randn(5, 2)
for step in range(14):
    loss = ((x @ params["w"] + params["b"] - 1) ** 2).mean()
    loss.backward()
    total = update(0.1)
print(f"{loss.item():.5f}", f"{total.item():.4f}", stats)
