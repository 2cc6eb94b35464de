"""SequentialLR starts each scheduler anew from the initial rate, those with a closed form by that."""
import warnings

import torch
import torch.optim.lr_scheduler as schedulers

warnings.simplefilter("ignore")


def optimizer():
    return torch.optim.SGD([{"params": [torch.nn.Parameter(torch.ones(1))], "lr": 1.0}], lr=0.5)


makers = {
    "constant": lambda o: schedulers.ConstantLR(o, 0.5, 2), "linear": lambda o: schedulers.LinearLR(o, 0.5, 1, 3),
    "linear_down": lambda o: schedulers.LinearLR(o, 1.0, 0.1, 4), "step": lambda o: schedulers.StepLR(o, 2, 0.5),
    "exponential": lambda o: schedulers.ExponentialLR(o, 0.9), "cosine": lambda o: schedulers.CosineAnnealingLR(o, 4),
    "polynomial": lambda o: schedulers.PolynomialLR(o, 4, 2.0), "multi": lambda o: schedulers.MultiStepLR(o, [1, 3], 0.5),
    "lambda": lambda o: schedulers.LambdaLR(o, lambda e: 1 / (e + 1)),
    "warm": lambda o: schedulers.CosineAnnealingWarmRestarts(o, 3),
}
for name, make in makers.items():
    o = optimizer()
    s = schedulers.SequentialLR(o, [schedulers.ExponentialLR(o, 0.8), make(o), make(o)], [3, 7])
    rates = []
    for _ in range(11):
        rates.append(round(o.param_groups[0]["lr"], 5))
        o.step()
        s.step()
    print(name, rates, [round(r, 5) for r in s.get_last_lr()])
    o = optimizer()
    s = make(o)
    for epoch in (2, 5, 0):
        s.step(epoch)
        print(round(o.param_groups[0]["lr"], 5), end=" ")
    print()
