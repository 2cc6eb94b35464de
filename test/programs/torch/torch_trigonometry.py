# sin, cos and tan of huge arguments: the multiple of pi / 2 is taken off exactly.
import torch

values = [1e30, 1e5, 1e6, 1.1e6, 1.3e7, 1.4e7, 2.0**24, 1e8, 1e10, 3.4e38, 123456.7, 1e20, 5.0**18, 9.8765e33]
x = torch.tensor(values + [-v for v in values])


def show(t):
    print([f"{v:.5g}" for v in t.tolist()])


for dtype in (torch.float32, torch.float64):
    y = x.to(dtype)
    for function in (torch.sin, torch.cos, torch.tan):
        for _ in range(30):
            out = function(y)
        show(out)
print(torch.sin(torch.tensor([float("inf"), float("-inf"), float("nan"), 0.0, -0.0])))


def chain(t):
    return (torch.sin(t) * torch.cos(t)).sum()


z = x.clone().requires_grad_()
for _ in range(30):
    z.grad = None
    chain(z).backward()
show(z.grad)
