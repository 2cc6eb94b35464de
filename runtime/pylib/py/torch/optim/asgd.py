"""ASGD and Rprop."""

import torch
from torch.optim.optimizer import Optimizer


class ASGD(Optimizer):
    _of_real_numbers = True

    _capturable = "params, mus, etas, and state_steps"

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }
        super().__init__(params, defaults)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                lr, lambd = group["lr"], group["lambd"]
                for p in group["params"]:
                    grad = p.grad
                    if grad is None:
                        continue
                    if grad.is_sparse:
                        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
                    state = self.state[p]
                    if len(state) == 0:
                        state["step"] = torch.zeros(())
                        state["eta"] = torch.tensor(float(lr))
                        state["mu"] = torch.ones(())
                        state["ax"] = torch.zeros_like(p)
                    if group["maximize"]:
                        grad = -grad
                    state["step"].add_(1)
                    if group["weight_decay"] != 0:
                        grad = grad.add(p, alpha=group["weight_decay"])
                    eta = state["eta"].item()
                    p.mul_(1 - lambd * eta)
                    p.add_(grad, alpha=-eta)
                    ax, mu = state["ax"], state["mu"]
                    if mu.item() != 1:
                        ax.add_(p.sub(ax).mul_(mu))
                    else:
                        ax.copy_(p)
                    step = state["step"].item()
                    state["eta"].fill_(lr / ((1 + lambd * lr * step) ** group["alpha"]))
                    past = step - group["t0"]
                    mu.fill_(1 / past if past > 1 else 1.0)
        return loss


class Rprop(Optimizer):
    _of_real_numbers = True

    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }
        super().__init__(params, defaults)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                less, more = group["etas"]
                smallest, largest = group["step_sizes"]
                for p in group["params"]:
                    grad = p.grad
                    if grad is None:
                        continue
                    if grad.is_sparse:
                        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
                    state = self.state[p]
                    if len(state) == 0:
                        state["step"] = torch.zeros(())
                        state["prev"] = torch.zeros_like(p)
                        state["step_size"] = torch.full_like(grad, group["lr"])
                    if group["maximize"]:
                        grad = -grad
                    state["step"].add_(1)
                    sign = grad.mul(state["prev"]).sign()
                    ones = torch.ones_like(sign)
                    factor = torch.where(sign > 0, ones * more, torch.where(sign < 0, ones * less, ones))
                    state["step_size"].mul_(factor).clamp_(smallest, largest)
                    # Where the sign changed, there is no step.
                    grad = torch.where(sign < 0, torch.zeros_like(grad), grad)
                    p.addcmul_(grad.sign(), state["step_size"], value=-1)
                    state["prev"].copy_(grad)
        return loss
