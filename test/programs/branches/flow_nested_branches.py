# Branches three deep, whose arms define and update the same variables.
import torch


def forward(x, a, b, c):
    h = x
    used = ""
    if a:
        h = h * 2
        if b:
            h = h + 1
            if c:
                h = h.relu()
                used += "abc"
            else:
                used += "ab"
        else:
            h = h - 1
            used += "a"
    else:
        if c:
            h = h.sigmoid()
            used += "c"
        elif b:
            h = h.tanh()
            used += "b"
    return h.sum(), used


torch.manual_seed(8)
x = torch.randn(4, requires_grad=True)
seen = {}
for k in range(288):
    loss, used = forward(x, bool(k & 1), bool(k & 2), bool(k & 4))
    loss.backward()
    seen[used] = seen.get(used, 0) + 1
print(sorted(seen.items()))
print([f"{g:.4f}" for g in x.grad.tolist()])
