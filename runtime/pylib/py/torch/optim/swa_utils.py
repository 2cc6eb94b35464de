"""Averages of models: stochastic weight averaging, exponential moving averages."""

import math
from copy import deepcopy

import torch
from torch.nn import Module
from torch.nn.modules.batchnorm import _NormBase
from torch.optim.lr_scheduler import LRScheduler, _per_group


def get_swa_avg_fn():
    def swa_update(averaged_param, current_param, num_averaged):
        with torch.no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_avg_fn(decay=0.999):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")

    def ema_update(ema_param, current_param, num_averaged):
        with torch.no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_multi_avg_fn():
    def swa_update(averaged_params, current_params, num_averaged):
        with torch.no_grad():
            weight = (1 / (num_averaged + 1)).item() if isinstance(num_averaged, torch.Tensor) else 1 / (num_averaged + 1)
            for averaged, current in zip(averaged_params, current_params):
                averaged.lerp_(current, weight)

    return swa_update


def get_ema_multi_avg_fn(decay=0.999):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")

    def ema_update(ema_params, current_params, _):
        with torch.no_grad():
            for averaged, current in zip(ema_params, current_params):
                if averaged.is_floating_point() or averaged.is_complex():
                    averaged.lerp_(current, 1 - decay)
                else:
                    averaged.copy_(averaged * decay + current * (1 - decay))

    return ema_update


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        own, other = list(self.module.parameters()), list(model.parameters())
        if self.use_buffers:
            own, other = own + list(self.module.buffers()), other + list(model.buffers())
        own = [p.detach() for p in own]
        other = [p.detach() for p in other]
        if bool(self.n_averaged == 0):
            for averaged, current in zip(own, other):
                averaged.copy_(current)
        elif self.avg_fn is not None:
            for averaged, current in zip(own, other):
                averaged.copy_(self.avg_fn(averaged, current, self.n_averaged))
        elif self.multi_avg_fn is not None:
            self.multi_avg_fn(own, other, self.n_averaged)
        else:
            average = get_swa_avg_fn()
            for averaged, current in zip(own, other):
                averaged.copy_(average(averaged, current, self.n_averaged))
        if not self.use_buffers:
            for averaged, current in zip(self.module.buffers(), model.buffers()):
                averaged.detach().copy_(current.detach())
        self.n_averaged += 1


def update_bn(loader, model, device=None):
    """Runs the model over the data, so that batch norms know its moments."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, _NormBase):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    with torch.no_grad():
        for input in loader:
            if isinstance(input, (list, tuple)):
                input = input[0]
            model(input if device is None else input.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


def _linear(t):
    return t


def _cosine(t):
    return (1 - math.cos(math.pi * t)) / 2


class SWALR(LRScheduler):
    """Anneals the learning rate of each group to a fixed one."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        rates = _per_group("swa_lr", optimizer, swa_lr)
        for rate, group in zip(rates, optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ["cos", "linear"]:
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _alpha(self, step):
        anneal = _cosine if self._anneal_strategy == "cos" else _linear
        return anneal(max(0, min(1, step / max(1, self.anneal_epochs))))

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._alpha(step - 1), self._alpha(step)
        rates = []
        for group in self.optimizer.param_groups:
            lr, swa_lr = group["lr"], group["swa_lr"]
            first = swa_lr if before == 1 else (lr - before * swa_lr) / (1 - before)
            rates.append(swa_lr * now + first * (1 - now))
        return rates
