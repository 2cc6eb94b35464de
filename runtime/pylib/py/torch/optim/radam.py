"""RAdam, NAdam and Adamax."""

import torch
from torch.optim.optimizer import Optimizer


def _check(lr, betas, eps, weight_decay):
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")
    if not 0.0 <= eps:
        raise ValueError(f"Invalid epsilon value: {eps}")
    if not 0.0 <= betas[0] < 1.0:
        raise ValueError(f"Invalid beta parameter at index 0: {betas[0]}")
    if not 0.0 <= betas[1] < 1.0:
        raise ValueError(f"Invalid beta parameter at index 1: {betas[1]}")
    if not 0.0 <= weight_decay:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")


class _AdamLike(Optimizer):
    """The loop that these optimizers share; each says what a step of one parameter is."""

    _of_real_numbers = True

    def _decoupled(self, group):
        return group["decoupled_weight_decay"]

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    grad = p.grad
                    if grad is None:
                        continue
                    if grad.is_sparse:
                        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
                    state = self.state[p]
                    if len(state) == 0:
                        self._start(state, p)
                    if group["maximize"]:
                        grad = -grad
                    weight_decay = group["weight_decay"]
                    if weight_decay != 0:
                        if self._decoupled(group):
                            p.mul_(1 - group["lr"] * weight_decay)
                        else:
                            grad = grad.add(p, alpha=weight_decay)
                    state["step"].add_(1)
                    self._update(p, grad, state, group, state["step"].item())
        return loss


class RAdam(_AdamLike):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        _check(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _start(self, state, p):
        state["step"] = torch.tensor(0.0)
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_avg_sq"] = torch.zeros_like(p)

    def _update(self, p, grad, state, group, step):
        beta1, beta2 = group["betas"]
        exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction1 = 1 - beta1**step
        correction2 = 1 - beta2**step
        corrected = exp_avg / correction1
        limit = 2 / (1 - beta2) - 1
        length = limit - 2 * step * (beta2**step) / correction2
        if length > 5.0:
            rectification = (
                (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)
            ) ** 0.5
            adaptive = (correction2**0.5) / exp_avg_sq.sqrt().add_(group["eps"])
            p.add_(corrected * group["lr"] * adaptive * rectification, alpha=-1.0)
        else:
            p.add_(corrected * group["lr"], alpha=-1.0)


class NAdam(_AdamLike):
    _capturable = "params, mu_products and state_steps"

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):
        _check(lr, betas, eps, weight_decay)
        if not 0.0 <= momentum_decay:
            raise ValueError(f"Invalid momentum_decay value: {momentum_decay}")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _start(self, state, p):
        state["step"] = torch.tensor(0.0)
        state["mu_product"] = torch.ones(())
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_avg_sq"] = torch.zeros_like(p)

    def _update(self, p, grad, state, group, step):
        beta1, beta2 = group["betas"]
        lr, decay = group["lr"], group["momentum_decay"]
        exp_avg, exp_avg_sq, product = state["exp_avg"], state["exp_avg_sq"], state["mu_product"]
        correction2 = 1 - beta2**step
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (step * decay)))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * decay)))
        product *= mu
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denom = exp_avg_sq.div(correction2).sqrt().add(group["eps"])
        reached = product.item()
        p.addcdiv_(grad, denom, value=(-lr * (1.0 - mu) / (1.0 - reached)))
        p.addcdiv_(exp_avg, denom, value=(-lr * mu_next) / (1.0 - reached * mu_next))


class Adamax(_AdamLike):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):
        _check(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _decoupled(self, group):
        return False

    def _start(self, state, p):
        state["step"] = torch.tensor(0.0)
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_inf"] = torch.zeros_like(p)

    def _update(self, p, grad, state, group, step):
        beta1, beta2 = group["betas"]
        exp_avg, exp_inf = state["exp_avg"], state["exp_inf"]
        exp_avg.lerp_(grad, 1 - beta1)
        exp_inf.copy_(torch.maximum(exp_inf.mul(beta2), grad.abs().add(group["eps"])))
        p.addcdiv_(exp_avg, exp_inf, value=-group["lr"] / (1 - beta1**step))
