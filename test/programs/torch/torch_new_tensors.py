# Tensors made like another one: new, new_zeros and others, in hot code.
import torch


def made(x, n):
    a = x.new(2, n).fill_(1)
    b = x.new([1, 2, n])
    c = x.new_zeros(n, 2) + x.new_full((2,), 3)
    d = x.new(x.size()).zero_() + x.new_ones(x.shape)
    return a.sum() + b.sum() + c.sum(), d, x.new_tensor([n, 1]), x.new_empty(n, 0).shape, x.new(n).shape, x.new().shape


def mask(x, lengths):
    out = x.new_zeros(len(lengths), max(lengths), dtype=torch.bool)
    for i, n in enumerate(lengths):
        out[i, :n] = True
    return out & (x[:, None] > 0)


for i in range(8):
    print(*made(torch.ones(2, 3) * i, i % 3 + 1))
    print(*made(torch.arange(3), 2))
    print(mask(torch.tensor([1.0, -1.0, i - 4.0]), [1, 2, 3 + i % 2]))


def shared(x):
    x = x + 1
    y = x.new(x)
    y.add_(1)
    return x, y is x


for i in range(6):
    print(*shared(torch.zeros(2)))
x, y = torch.ones(2), torch.zeros(2, dtype=torch.int64)
for f in (lambda: x.new(y), lambda: x.new(2.5), lambda: x.new(True), lambda: x.new(None), lambda: torch.FloatTensor(y), lambda: torch.LongTensor(x),
          lambda: torch.Tensor(y).dtype, lambda: y.new([1.5, 2]), lambda: x.new(size=(2, 3)).shape, lambda: x.new(-1)):
    try:
        print(f())
    except (TypeError, RuntimeError) as e:
        print(type(e).__name__, e)
