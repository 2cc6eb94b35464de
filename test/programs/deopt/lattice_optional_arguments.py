# Keyword arguments that come and go, among them tensors, None and callables.
import torch


def layer(x, weight=None, bias=None, act=None, scale=1.0, residual=False):
    y = x if weight is None else x @ weight
    if bias is not None:
        y = y + bias
    if act:
        y = act(y)
    y = y * scale
    return y + x if residual else y


torch.manual_seed(7)
w, b = torch.randn(3, 3, requires_grad=True), torch.zeros(3, requires_grad=True)
options = [{}, {"weight": w}, {"weight": w, "bias": b}, {"bias": b, "act": torch.tanh}, {"weight": w, "scale": 2, "residual": True}]
for i in range(30):
    y = layer(torch.ones(2, 3) * i, **options[i // 6 if i < 25 else i % 5])
    if y.requires_grad:
        y.mean().backward()
print([f"{v:.3f}" for v in w.grad.flatten().tolist()][:4], [f"{v:.4f}" for v in b.grad.tolist()])
