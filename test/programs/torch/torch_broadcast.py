import torch

a = torch.arange(3).reshape(3, 1)
b = torch.arange(4)
print(a + b)
print((a * b).shape, (torch.ones(2, 1, 3) + torch.ones(4, 1)).shape)
print(torch.zeros(1, 3) + torch.tensor(2.0))
print(a.expand(3, 2), b.expand(2, -1), a.expand_as(torch.zeros(3, 3)))
print(torch.broadcast_to(b, (2, 4)))
x, y = torch.broadcast_tensors(a, b)
print(x.shape, y.shape)
for f in [
    lambda: torch.ones(3) + torch.ones(4),
    lambda: torch.ones(2, 3) * torch.ones(2),
    lambda: torch.ones(3).expand(4),
    lambda: torch.ones(2, 2).expand(2),
]:
    try:
        f()
    except RuntimeError as e:
        print(e)
