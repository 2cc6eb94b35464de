"""Hooks on gradients of parameters and modules, checkpoints, forked random numbers."""

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
torch.set_printoptions(precision=3)
w = torch.tensor([1.0, 2.0], requires_grad=True)
seen = []
handle = w.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
(w * 3).sum().backward()
(w * 2).sum().backward()
handle.remove()
w.sum().backward()
print(seen, w.grad)
model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
log = []


def note(module, grad_input, grad_output):
    log.append((type(module).__name__, [None if g is None else g.shape for g in grad_input], [g.sum().item() for g in grad_output]))


handles = [m.register_full_backward_hook(note) for m in model]
x = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
model(x).pow(2).sum().backward()
for name, gi, go in log:
    print(name, gi, [round(v, 3) for v in go])
plain = [p.grad.clone() for p in model.parameters()]
for h in handles:
    h.remove()
double = model[1].register_full_backward_hook(lambda m, gi, go: (gi[0] * 2,))
pre = model[1].register_full_backward_pre_hook(lambda m, go: (go[0] * 5,))
model.zero_grad()
model(x).pow(2).sum().backward()
print([torch.allclose(p.grad, g) for p, g in zip(model.parameters(), plain)], torch.allclose(model[0].weight.grad, plain[0] * 10))
double.remove()
pre.remove()
model.zero_grad()
y = checkpoint(model, x.clone().requires_grad_(), use_reentrant=False)
y.pow(2).sum().backward()
print([torch.allclose(p.grad, g) for p, g in zip(model.parameters(), plain)])
torch.manual_seed(5)
with torch.random.fork_rng():
    a = torch.rand(2)
b = torch.rand(2)
print(torch.equal(a, b))
try:
    (w * 2).register_post_accumulate_grad_hook(print)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(1).register_post_accumulate_grad_hook(print)
except RuntimeError as e:
    print(e)
