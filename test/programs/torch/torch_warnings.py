# What PyTorch warns of: sizes that are stretched in a loss, a dimension that is guessed, too few numbers for a
# deviation, a gradient that nobody keeps.
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

x, y = torch.arange(4.0).reshape(4, 1), torch.arange(4.0)
w = torch.ones(1, requires_grad=True)


def no_grad_of(x):
    h = w * x
    h.sum().backward()
    return h.grad


def kept_grad_of(x):
    h = w * x
    h.retain_grad()
    h.sum().backward()
    return h.grad.shape


calls = {
    'mse': lambda: F.mse_loss(x, y),
    'mse of one size': lambda: F.mse_loss(x, x + 1),
    'mse of a module': lambda: nn.MSELoss()(y, x),
    'l1': lambda: F.l1_loss(y, x, reduction='sum'),
    'smooth l1': lambda: F.smooth_l1_loss(x, y),
    'huber': lambda: nn.HuberLoss()(x, y[:1]),
    'softmax': lambda: F.softmax(y),
    'softmax with a dim': lambda: F.softmax(y, 0),
    'module': lambda: nn.LogSoftmax()(x),
    'softmin': lambda: F.softmin(y),
    'std': lambda: torch.std(y[:1]),
    'std of two': lambda: torch.std(y[:2]),
    'var': lambda: x.var(1),
    'biased': lambda: x.var(1, unbiased=False),
    'lstm': lambda: nn.LSTM(1, 1, dropout=0.5).num_layers,
    'grad': lambda: no_grad_of(x),
    'kept grad': lambda: kept_grad_of(x),
    'leaf': lambda: w.grad is None,
    'T': lambda: y.T,
    'T once': lambda: torch.ones(1, 2, 3).T.shape,
}
for name, call in calls.items():
    seen = []
    for i in range(6):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            r = call()
        seen.append([(c.category.__name__, str(c.message).split(' (Triggered')[0]) for c in caught])
    print(name, r if not isinstance(r, torch.Tensor) else r.tolist(), seen[0], [len(s) for s in seen])


def step(x, y):
    return ((F.mse_loss(x, y) + x.sum()) * 2).item()


for i in range(8):
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        try:
            print(step(x, y if i == 6 else y.reshape(4, 1) * i))
        except UserWarning as e:
            print('raised', str(e)[:40])
