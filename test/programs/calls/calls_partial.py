# functools.partial, functools.reduce, map, filter and operator functions.
import functools
import operator

import torch


def layer(w, x, act=None):
    y = x @ w
    return act(y) if act else y


torch.manual_seed(8)
ws = [torch.randn(3, 3) * 0.5 for _ in range(3)]
layers = [functools.partial(layer, w, act=torch.tanh) for w in ws]


def forward(x):
    h = functools.reduce(lambda v, f: f(v), layers, x)
    parts = map(operator.neg, [h, h * 2])
    big = list(filter(lambda v: v.sum() > 0, [h, -h]))
    return functools.reduce(operator.add, parts) + len(big) + operator.itemgetter(0)(h)


for i in range(13):
    y = forward(torch.ones(3) * i * 0.2)
print([f"{v:.4f}" for v in y.tolist()], layers[0].func.__name__, list(layers[0].keywords))
