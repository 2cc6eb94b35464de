# Functions of constant tensors: the same to the last bit, whenever they are computed.
import torch


def table(n):
    t = torch.full((n, 3), 0.25)
    return [
        torch.tanh(t * 0.5), t.exp(), (t + 0.3).log(), torch.sin(t * 3), torch.cos(t * 7), t.sigmoid(), (t**2.5),
        torch.erf(t), torch.expm1(t), torch.log1p(t), torch.ones(n, 3).softmax(1), t.sqrt(), t.rsqrt(),
    ]


first = None
for i in range(24):
    now = [v.transpose(0, 1).clone() for v in table(3)]
    if first is None:
        first = now
    assert all(torch.equal(p, q) for p, q in zip(first, now)), i
    means = [v.mean().item() for v in now]
print([f"{m:.5f}" for m in means])
