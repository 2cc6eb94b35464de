"""ASGD, Rprop, more schedules, averaged models."""

import torch
import torch.nn as nn
from torch.optim import lr_scheduler as sched
from torch.optim.swa_utils import AveragedModel, get_ema_avg_fn, update_bn

torch.manual_seed(0)
torch.set_printoptions(precision=4)
x, y = torch.randn(16, 3), torch.randn(16, 1)


def train(make, steps=6):
    torch.manual_seed(1)
    model = nn.Linear(3, 1)
    optimizer = make(model.parameters())
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return round(loss.item(), 4), model.weight.detach(), sorted(optimizer.param_groups[0])


print(train(lambda p: torch.optim.ASGD(p, lr=0.1, lambd=1e-2, t0=2, weight_decay=0.01)))
print(train(lambda p: torch.optim.Rprop(p, lr=0.05)))
print(train(lambda p: torch.optim.Adamax(p, lr=0.05)))


def lrs(make, momentum=0.9, steps=9):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1, momentum=momentum)
    scheduler = make(optimizer)
    seen = []
    for _ in range(steps):
        seen.append((round(optimizer.param_groups[0]["lr"], 6), round(optimizer.param_groups[0]["momentum"], 6)))
        optimizer.step()
        scheduler.step()
    return seen, scheduler.get_last_lr()


for mode in ["triangular", "triangular2", "exp_range"]:
    print(lrs(lambda o: sched.CyclicLR(o, 0.01, 0.1, step_size_up=2, step_size_down=3, mode=mode, gamma=0.9)))
print(lrs(lambda o: sched.PolynomialLR(o, total_iters=5, power=2.0)))
print(lrs(lambda o: sched.ChainedScheduler([sched.ConstantLR(o, 0.5, 3), sched.ExponentialLR(o, 0.9)])))
model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
mean, ema = AveragedModel(model), AveragedModel(model, avg_fn=get_ema_avg_fn(0.9))
for _ in range(4):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
    mean.update_parameters(model)
    ema.update_parameters(model)
update_bn([x[:8], x[8:]], mean)
print(mean.n_averaged, mean.module[0].weight.detach(), ema.module[2].weight.detach(), mean.module[1].running_mean)
print(mean.eval()(x[:2]).detach(), list(ema.state_dict())[:3])
for f in [lambda: torch.optim.Rprop([torch.zeros(1)], etas=(2, 3)), lambda: sched.CyclicLR(torch.optim.Adagrad([torch.zeros(1, requires_grad=True)]), 0.1, 0.2)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
