"""SparseAdam: Adam of the rows that a sparse gradient has."""

import torch
from torch.optim.optimizer import Optimizer


class SparseAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for index, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        at = [[i, k] for i, group in enumerate(self.param_groups) for k, p in enumerate(group["params"]) if p.is_sparse]
        if at:
            raise ValueError(f"Sparse params at indices {at}: SparseAdam requires dense parameter tensors")
        at = [[i, k] for i, group in enumerate(self.param_groups) for k, p in enumerate(group["params"]) if p.is_complex()]
        if at:
            raise ValueError(f"Complex params at indices {at}: SparseAdam does not support complex parameters")

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
        grad = p.grad
        if not grad.is_sparse:
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        state = self.state[p]
        if len(state) == 0:
            state["step"] = 0
            state["exp_avg"] = torch.zeros_like(p)
            state["exp_avg_sq"] = torch.zeros_like(p)
        state["step"] += 1
        # Rows are added up first: what follows is not linear.
        grad = grad.coalesce()
        values = -grad._values() if group["maximize"] else grad._values()
        if values.numel() == 0:
            return
        places = tuple(grad._indices())
        beta1, beta2 = group["betas"]
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        old_mean, old_square = mean[places], square[places]
        mean_update = values.sub(old_mean).mul_(1 - beta1)
        mean.index_put_(places, mean_update, accumulate=True)
        square_update = values.pow(2).sub_(old_square).mul_(1 - beta2)
        square.index_put_(places, square_update, accumulate=True)
        numerator = mean_update.add_(old_mean)
        denominator = square_update.add_(old_square).sqrt_().add_(group["eps"])
        correction1 = 1 - beta1 ** state["step"]
        correction2 = 1 - beta2 ** state["step"]
        size = float(group["lr"]) * correction2**0.5 / correction1
        p.index_put_(places, -size * numerator.div_(denominator), accumulate=True)
