# any(), all() and generator expressions inside the hot function.
import torch


def gate(x, flags):
    y = x
    if all(flags):
        y = y * 3
    if any(f > 2 for f in flags):
        y = y + 1
    if not any(flags) or all(f < 2 for f in flags):
        y = y - 0.5
    return y.sum()


x = torch.linspace(-1, 1, 5)
x.requires_grad_()
out = []
for i in range(18):
    loss = gate(x, [i % 2, i % 3, i % 5])
    loss.backward()
    out.append(round(loss.item(), 4))
print(out)
print(x.grad.tolist())
