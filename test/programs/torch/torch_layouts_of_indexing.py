"""How what is taken by index tensors, and what is turned, lies in memory: strides as PyTorch has them."""
import torch

x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
m = torch.arange(12.0).reshape(3, 4).t()
i, j = torch.tensor([0, 1]), torch.tensor([[0, 1, 1], [1, 0, 0]])


def taken(x, m):
    return [
        x[i], x[:, i], x[..., i], x[i, i], x[:, i, i], x[i, :, i], x[j], x[:, j], x[j.t()], x[0][i], x[1:, i, :1],
        x[:, [0, 1], None], m[i], m[:, i], m[j], m[m > 3], m[j.t()], x[..., [0, 2, 1]], m[i, i],
        torch.rot90(x, 1, [0, 1]), torch.rot90(x, 2, [0, 1]), torch.rot90(x, 3, [0, 2]), torch.rot90(x, 4, [0, 1]),
        torch.rot90(m), torch.rot90(m, -1), x.flip(0), m.flip(0, 1), x.roll(1, 0), x.index_select(1, i),
        m.take_along_dim(j[:, :1].long() * 0, 0), x.gather(0, torch.zeros(1, 2, 3, dtype=torch.int64)),
    ]


for k in range(12):
    r = taken(x, m)
for t in r:
    print(tuple(t.shape), t.stride(), t.is_contiguous(), t.flatten()[:5].tolist())
for f in (lambda: x[:, i].view(-1), lambda: m[i].view(8), lambda: torch.rot90(m).view(-1), lambda: m[:, i].view(-1).shape):
    try:
        print(f())
    except RuntimeError as e:
        print(e)
w = torch.ones(4, 3, requires_grad=True)
(w.t()[i] * torch.arange(8.0).reshape(2, 4)).sum().backward()
print(w.grad, w.grad.stride())
