import torch
import torch.nn as nn
from torch.optim.lr_scheduler import (
    CosineAnnealingLR, ExponentialLR, LambdaLR, LinearLR, MultiStepLR, OneCycleLR, ReduceLROnPlateau,
    SequentialLR, StepLR,
)


def run(make, steps=8):
    opt = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
    sched = make(opt)
    out = []
    for _ in range(steps):
        out.append(f"{opt.param_groups[0]['lr']:.6f}")
        opt.step()
        sched.step()
    print(type(sched).__name__, out, [f"{v:.6f}" for v in sched.get_last_lr()])


run(lambda o: StepLR(o, 3, gamma=0.5))
run(lambda o: MultiStepLR(o, [2, 5], gamma=0.1))
run(lambda o: ExponentialLR(o, 0.9))
run(lambda o: LambdaLR(o, lambda e: 1 / (e + 1)))
run(lambda o: CosineAnnealingLR(o, 5, eta_min=0.01))
run(lambda o: LinearLR(o, 0.1, total_iters=4))
run(lambda o: OneCycleLR(o, 1.0, total_steps=10))
run(lambda o: SequentialLR(o, [LinearLR(o, 0.1, total_iters=3), ExponentialLR(o, 0.9)], [3]))
opt = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
sched = ReduceLROnPlateau(opt, factor=0.5, patience=1)
for loss in [1.0, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5]:
    sched.step(loss)
    print(opt.param_groups[0]["lr"], end=" ")
print()
