import collections
import datetime
import fractions
import functools
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import struct
import warnings

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

inf, nan = math.inf, math.nan


def T(values, dtype='float32', grad=False):
    return torch.tensor(values, dtype=getattr(torch, dtype), requires_grad=grad)


def A(values, dtype='float64'):
    return np.array(values, dtype=dtype)


def ones_like_ramp(t):
    """An incoming gradient whose elements differ."""
    ramp = torch.arange(t.numel(), dtype=torch.float32).reshape(t.shape) * 0.25 + 1
    return ramp.to(t.dtype)


def tensors_of(out):
    if isinstance(out, torch.Tensor):
        return [out]
    if isinstance(out, (tuple, list)):
        return [t for o in out for t in tensors_of(o)]
    return []


def back(out, *leaves):
    """What was computed, and the gradients of the leaves."""
    for t in tensors_of(out):
        if t.requires_grad:
            t.backward(ones_like_ramp(t), retain_graph=True)
    return out, [leaf.grad for leaf in leaves]


def back_twice(out, *leaves):
    """The gradients of the gradients of the leaves."""
    out = [t for t in tensors_of(out) if t.requires_grad]
    first = torch.autograd.grad(out, leaves, [ones_like_ramp(t) for t in out], create_graph=True, allow_unused=True)
    live = [g for g in first if g is not None and g.requires_grad]
    if not live:
        return first, 'no second gradients'
    return first, torch.autograd.grad(live, leaves, [ones_like_ramp(g) for g in live], allow_unused=True)


def filled(module):
    """The module with parameters that do not depend on random numbers."""
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            n = p.numel()
            p.copy_((torch.arange(n, dtype=torch.float32).reshape(p.shape) * 7 % 11 - 5) / 10 + k * 0.01)
    return module


def module_back(module, *inputs):
    """What a module gives, and the gradients of its inputs and parameters."""
    out = module(*inputs)
    for t in tensors_of(out):
        if t.requires_grad:
            t.backward(ones_like_ramp(t), retain_graph=True)
    state = [p.grad for p in module.parameters()] + list(module.buffers())
    return out, [x.grad for x in inputs if isinstance(x, torch.Tensor)], state


def descent(make, steps=4):
    """Parameters after a few steps of an optimizer, and what it keeps of them."""
    a = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
    b = torch.tensor([[0.3, -0.1], [2.0, 1.0]], requires_grad=True)
    opt = make([a, b])
    for _ in range(steps):
        def closure():
            opt.zero_grad()
            loss = (a * a).sum() * 0.5 + (b.sin() * a[:2]).sum()
            loss.backward()
            return loss
        opt.step(closure)
    state = opt.state_dict()
    kept = [(k, sorted(v)) for k, v in state['state'].items()]
    return a, b, kept, state['state'], state['param_groups']


def schedule(make, steps=8, metric=None):
    """Learning rates that a scheduler gives, and its state at the end."""
    p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    opt = torch.optim.SGD([p], lr=0.5, momentum=0.9)
    sched = make(opt)
    rates = []
    for k in range(steps):
        p.grad = torch.ones(2)
        opt.step()
        if metric is None:
            sched.step()
        else:
            sched.step(metric[k % len(metric)])
        rates.append([g['lr'] for g in opt.param_groups] + [g['momentum'] for g in opt.param_groups])
    state = {k: v for k, v in sched.state_dict().items() if not callable(v) and k != '_schedulers'}
    return rates, state, sched.get_last_lr()


def taken(iterator, n=12):
    """The first items of an iterator."""
    return list(itertools.islice(iterator, n))


def changed(obj, out):
    """What a method gave, and the object behind it."""
    return out, obj


def layout(t):
    """Where the elements of a view lie."""
    return t, t.stride(), t.storage_offset(), t.is_contiguous()
