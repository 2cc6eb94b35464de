# assert statements, with messages that hold tensors' numbers.
import torch


def normalise(x):
    assert x.dim() == 1, f"expected a vector, got {x.dim()}d"
    s = x.sum()
    assert s != 0, "zero sum: " + str(x.tolist())
    return x / s


out = []
xs = [torch.arange(1.0, 4), torch.ones(2), torch.zeros(2), torch.ones(2, 2), torch.tensor([1.0, -1.0])]
for i in range(25):
    try:
        out.append(round(normalise(xs[i % 2] if i < 15 else xs[i % 5]).max().item(), 4))
    except AssertionError as e:
        out.append(str(e))
for line in out[12:]:
    print(line)
