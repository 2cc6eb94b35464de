# Two names for one tensor, a view of it in an attribute, and a detached copy.
import torch


class Box:
    pass


def step(a, box):
    a.add_(1)
    b = a
    b[0] *= 2
    box.view += 0.5
    box.copy = a.clone()
    a.data.mul_(0.9)
    return (a * box.view.sum()).sum()


a = torch.ones(3)
box = Box()
box.view = a[1:]
alias = a
for i in range(12):
    out = step(a, box)
print(f"{out.item():.3f}", [f"{v:.4f}" for v in alias.tolist()], [f"{v:.4f}" for v in box.view.tolist()])
print(a is alias, box.view.data_ptr() == a[1:].data_ptr(), [f"{v:.4f}" for v in box.copy.tolist()])
