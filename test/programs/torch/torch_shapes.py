import torch

x = torch.arange(24)
y = x.view(2, 3, 4)
print(y.shape, y.size(), y.size(0), y.size(-1), y.dim(), y.ndim, y.numel(), len(y), y.nelement())
print(y.view(-1).shape, y.view(6, -1).shape, y.reshape(4, -1).shape, y.view((3, 8)).shape)
print(y.transpose(0, 1).shape, y.permute(2, 0, 1).shape, y.permute((1, 0, 2)).shape)
print(y.transpose(1, 2)[0], y[0].t(), y[0].T)
print(y.flatten().shape, y.flatten(1).shape, y.flatten(0, 1).shape, torch.flatten(y, 1).shape)
print(y.unsqueeze(0).shape, y.unsqueeze(-1).shape, torch.ones(1, 2, 1).squeeze().shape)
print(torch.ones(1, 2, 1).squeeze(0).shape, torch.ones(1, 2, 1).squeeze(1).shape)
print(torch.cat([x[:2], x[3:5]]), torch.cat((y, y), dim=1).shape, torch.stack([x[:2], x[2:4]]))
print(torch.stack([x[:2], x[2:4]], dim=1), torch.hstack([x[:2], x[:1]]), torch.vstack([x[:2], x[2:4]]))
print(torch.split(x[:10], 4), x[:6].split([1, 2, 3]), x[:7].chunk(3))
print(torch.unbind(y[0]), x[:3].repeat(2), x[:2].repeat(2, 2), torch.tile(x[:2], (2,)))
print(x[:3].repeat_interleave(2), torch.repeat_interleave(x[:2].view(1, 2), 2, dim=0))
print(x[:4].flip(0), torch.flip(y[0], [0, 1]), x[:5].roll(2), y[0].roll(1, 0))
print(x.narrow(0, 2, 3), y.select(1, 0).shape, y.movedim(0, -1).shape, y.unflatten(2, (2, 2)).shape)
print(torch.tril(torch.ones(3, 3)), torch.triu(torch.ones(3, 3), 1), torch.diag(torch.tensor([1, 2])))
print(torch.diag(y[0, :, :3]), torch.diagonal(y[0]), torch.trace(y[0, :3, :3]))
print(torch.nn.functional.pad(x[:3], (1, 2)), torch.nn.functional.pad(y[0], (1, 0, 0, 1), value=-1))
print(y.is_contiguous(), y.transpose(0, 1).is_contiguous(), y.transpose(0, 1).contiguous().is_contiguous())
print(y.stride(), y.stride(0), x.unfold(0, 4, 10))
print(y.shape == (2, 3, 4), y.shape[1:], tuple(y.shape), list(y.shape), y.shape.numel(), *y.shape)
for f in [
    lambda: x.view(5, 5),
    lambda: y.transpose(0, 1).view(-1),
    lambda: x.view(-1, -1),
    lambda: y.transpose(0, 5),
    lambda: torch.cat([y, x]),
    lambda: torch.cat([torch.ones(2, 3), torch.ones(2, 4)]),
    lambda: torch.stack([x[:2], x[:3]]),
]:
    try:
        f()
    except (RuntimeError, IndexError) as e:
        print(type(e).__name__, e)
