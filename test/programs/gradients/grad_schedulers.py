# Learning rate schedulers step by step inside the training loop.
import torch
from torch import nn
from torch.optim import lr_scheduler as S


def run(make):
    torch.manual_seed(3)
    model = nn.Linear(3, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    sched = make(opt)
    x = torch.randn(8, 3)
    rates = []
    for epoch in range(12):
        opt.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        opt.step()
        rates.append(opt.param_groups[0]["lr"])
        sched.step()
    return loss.item(), rates


for name, make in [
    ("step", lambda o: S.StepLR(o, step_size=4, gamma=0.5)),
    ("multi", lambda o: S.MultiStepLR(o, [2, 7], gamma=0.1)),
    ("exp", lambda o: S.ExponentialLR(o, 0.9)),
    ("cos", lambda o: S.CosineAnnealingLR(o, T_max=10)),
    ("lambda", lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e))),
    ("linear", lambda o: S.LinearLR(o, 0.5, 1.0, total_iters=5)),
]:
    loss, rates = run(make)
    print(f"{name:<7} {loss:.6f}", [f"{r:.4f}" for r in rates[::3]])
