"""Adafactor: second moments of matrices by their rows and columns (Shazeer and Stern, 2018)."""

import torch
from torch.optim.optimizer import Optimizer


class Adafactor(Optimizer):
    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None,
        maximize=False,
    ):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize,
        })

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(p, group)
        return loss

    def _update(self, p, group):
        if torch.is_complex(p):
            raise RuntimeError("Adafactor does not support complex parameters")
        grad = -p.grad if group["maximize"] else p.grad
        state = self.state[p]
        if not state:
            state["step"] = torch.tensor(0.0)
            if grad.dim() > 1:
                state["row_var"] = grad.new_zeros(grad.shape[:-1] + (1,))
                state["col_var"] = grad.new_zeros(grad.shape[:-2] + (1,) + grad.shape[-1:])
            else:
                state["variance"] = torch.zeros_like(grad)
        eps1, eps2 = group["eps"]
        eps1 = torch.finfo(p.dtype).eps if eps1 is None else eps1
        state["step"] += 1
        step = state["step"].item()
        lr = float(group["lr"])
        fresh = step ** group["beta2_decay"]
        alpha = max(eps2, p.norm(2).item() / p.numel() ** 0.5) * min(lr, 1 / step**0.5)
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        if grad.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(torch.norm(grad, dim=-1, keepdim=True).square() / grad.size(-1), fresh)
            columns.lerp_(torch.norm(grad, dim=-2, keepdim=True).square() / grad.size(-2), fresh)
            estimate = (rows @ columns) / rows.mean(dim=-2, keepdim=True).clamp(min=eps1)
        else:
            estimate = state["variance"].lerp_(grad * grad, fresh).clone()
        update = estimate.clamp(min=eps1 * eps1).rsqrt() * grad
        clipped = max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * group["d"]))
        p.add_(update, alpha=-alpha / clipped)
