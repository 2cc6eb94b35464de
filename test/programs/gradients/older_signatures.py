"""Optimisers as they were written before PyTorch 1.5: factors in front of their operands, Variables, in hot code and out of it."""
import math
import warnings

import torch
import torch.nn as nn
from torch.autograd import Variable

warnings.simplefilter("ignore")
torch.manual_seed(0)


class OlderAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, amsgrad=False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad))

    def step(self, closure=None):
        loss = None if closure is None else closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p.data)
                    state["exp_avg_sq"] = torch.zeros_like(p.data)
                exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
                beta1, beta2 = group["betas"]
                state["step"] += 1
                if group["weight_decay"] != 0:
                    grad = grad.add(group["weight_decay"], p.data)
                exp_avg.mul_(beta1).add_(1 - beta1, grad)
                exp_avg_sq.mul_(beta2).addcmul_(1 - beta2, grad, grad)
                denom = exp_avg_sq.sqrt().add_(group["eps"])
                correction1 = 1 - beta1 ** state["step"]
                correction2 = 1 - beta2 ** state["step"]
                step_size = group["lr"] * math.sqrt(correction2) / correction1
                p.data.addcdiv_(-step_size, exp_avg, denom)
        return loss


model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = OlderAdam(model.parameters())
x = torch.rand(32, 4)
y = x.sum(1, keepdim=True).sin()
for i in range(60):
    data, target = Variable(x), Variable(y)
    loss = (model(data) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if i % 15 == 0:
        print(i, round(loss.item(), 4))

w = torch.zeros(3)
g = torch.tensor([1.0, 2.0, 4.0])
for i in range(30):
    w.add_(-0.5 / (i + 1), g)
    w.sub_(0.25, g)
print(w)

a, b = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 0.25])
print(torch.add(a, 2, b), torch.sub(a, 2, b), a.add(3, b), torch.addcmul(a, 2, b, b), torch.addcdiv(a, 2, b, b))
m, e = torch.ones(2, 2), torch.eye(2)
print(torch.addmm(2, m, 3, e, e), torch.addmm(2, m, e, e), m.clone().addmm_(2, 3, e, e))
print(torch.addmv(1, torch.ones(2), 2, e, a), torch.addr(2, m, 3, a, a), torch.baddbmm(2, m[None], 3, e[None], e[None]))
for wrong in (lambda: a.add_(b, 2, 3, 4), lambda: torch.add(a, b, b)):
    try:
        wrong()
        print("no error")
    except TypeError:
        print("TypeError")

v = Variable(torch.ones(2), requires_grad=True)
print(v, isinstance(v, Variable), isinstance(a, Variable), isinstance(3, Variable), type(v) is torch.Tensor, Variable().shape)
print(isinstance(a, torch.autograd.Variable), Variable(a).requires_grad, Variable.__name__)

p, q = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3)
for how in ("none", "sum", "mean"):
    losses = [nn.functional.l1_loss(p, q, reduction=how), nn.functional.kl_div(p, q, reduction=how)]
    losses.append(nn.functional.kl_div(p, q, reduction=how, log_target=True))
    print(how, [type(loss.grad_fn).__name__ for loss in losses])
print(type(p.median().grad_fn).__name__)
