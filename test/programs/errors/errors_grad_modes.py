# no_grad, enable_grad, set_grad_enabled and inference_mode nested in the hot function.
import torch


def step(x, w, train):
    with torch.set_grad_enabled(train):
        y = x * w
        with torch.no_grad():
            m = y.mean()
            with torch.enable_grad():
                z = (w * m).sum()
        out = (y - m).pow(2).sum()
    return out, z.requires_grad, out.requires_grad, torch.is_grad_enabled()


torch.manual_seed(9)
w = torch.randn(3, requires_grad=True)
flags = set()
for i in range(216):
    out, a, b, c = step(torch.randn(3), w, i % 3 != 2)
    flags.add((a, b, c))
    if b:
        out.backward()
print(sorted(flags), [f"{g:.4f}" for g in w.grad.tolist()])
with torch.inference_mode():
    print((w * 2).requires_grad)
