# A region that needs more versions than it may have at first: a key for each of eight ways through it.
import torch


def way(x, k):
    used = ""
    for name, bit in (("a", 1), ("b", 2), ("c", 4)):
        if k & bit:
            x = x * 0.5 if bit != 2 else x + 1
            used += name
    return x.sum(), used


torch.manual_seed(8)
x = torch.randn(4, requires_grad=True)
seen = {}
for k in range(240):
    loss, used = way(x, k)
    loss.backward()
    seen[used] = seen.get(used, 0) + 1
print(sorted(seen.items()))
print([f"{g:.4f}" for g in x.grad.tolist()])
