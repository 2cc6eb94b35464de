"""Averages of models: stochastic weight averaging, exponential moving averages."""

from copy import deepcopy

import torch
from torch.nn import Module
from torch.nn.modules.batchnorm import _NormBase


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
                averaged.lerp_(current, 1 - decay)

    return ema_update


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long))
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
            model(input)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)
