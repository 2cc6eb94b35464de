# Decorators: plain, with arguments, functools.wraps, no_grad, and one that counts.
import functools

import torch

counts = {}


def counted(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        counts[f.__name__] = counts.get(f.__name__, 0) + 1
        return f(*args, **kwargs)

    return wrapper


def scaled(by):
    def decorate(f):
        def wrapper(x):
            return f(x) * by

        return wrapper

    return decorate


@counted
def plain(x, power=2):
    return x ** power


@counted
@scaled(0.5)
def deep(x):
    return plain(x) + plain(x, power=3)


@torch.no_grad()
def frozen(x):
    return deep(x)


x = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(12):
    y = deep(x).sum()
    y.backward()
    z = frozen(x)
print(y.item(), x.grad.tolist(), z.requires_grad, counts, plain.__name__, deep.__name__)
