# Functions of constant tensors: the same to the last bit, whichever tier computes them.
import torch

first, same = None, 0
for i in range(24):
    t = torch.full((3, 3), 0.25)
    now = [
        torch.tanh((t * 0.5).transpose(0, 1)).clone().mean().item(), t.exp().mean().item(),
        (t + 0.3).log().mean().item(), torch.sin(t * 3).mean().item(), torch.cos(t * 7).mean().item(),
        t.sigmoid().mean().item(), (t**2.5).mean().item(), torch.erf(t).mean().item(),
        torch.expm1(t).mean().item(), torch.log1p(t).mean().item(), t.softmax(1).mean().item(),
    ]
    first = first or now
    same += now == first
print(same, [f"{m:.5f}" for m in now])
