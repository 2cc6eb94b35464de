"""Hooks of all modules: before those of a module itself, in training that is hot, removed again."""
import torch
import torch.nn as nn
from torch.nn.modules.module import (
    register_module_forward_hook, register_module_forward_pre_hook, register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)

log = []
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
x = torch.randn(4, 2)
net[0].register_forward_hook(lambda m, i, o: log.append(("own", tuple(o.shape))))
handles = [
    register_module_forward_pre_hook(lambda m, i: log.append(("pre", type(m).__name__))),
    register_module_forward_hook(lambda m, i, o: log.append(("forward", type(m).__name__, tuple(o.shape)))),
    register_module_full_backward_pre_hook(lambda m, g: log.append(("before", type(m).__name__, [tuple(t.shape) for t in g]))),
    register_module_full_backward_hook(
        lambda m, i, o: log.append(("backward", type(m).__name__, [t is None or tuple(t.shape) for t in i]))),
]
net(x).sum().backward()
print(*log, sep="\n")
for h in handles:
    h.remove()
log.clear()
net(x)
print(log)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
seen = 0


def count(m, i, o):
    global seen
    seen += 1
    return o * 2 if isinstance(m, nn.ReLU) else None


for step in range(40):
    if step == 20:
        handle = register_module_forward_hook(count)
    if step == 30:
        handle.remove()
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 in (0, 9):
        print(step, round(loss.item(), 4), seen)
with register_module_forward_hook(lambda m, a, k, o: print(type(m).__name__, sorted(k)), with_kwargs=True):
    nn.Linear(2, 2)(input=torch.ones(1, 2))


class Broken(nn.Module):
    def forward(self, x):
        raise ValueError("broken")


with register_module_forward_hook(lambda m, a, o: print("always", o), always_call=True):
    try:
        Broken()(x)
    except ValueError as e:
        print(e)
