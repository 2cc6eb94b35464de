# What is reduced from nothing: an extremum is refused, a softmax and a sum are not, whether nothing is always there or
# only at times.
import torch

torch.manual_seed(0)

WAYS = {
    'argmax': lambda y: y.argmax(0),
    'amax': lambda y: y.amax(0),
    'max': lambda y: y.max(0).values,
    'all argmax': lambda y: y.argmax(),
    'all max': lambda y: y.max(),
    'min': lambda y: y.min(0)[1],
    'median': lambda y: y.median(0).values,
    'kthvalue': lambda y: y.kthvalue(1, 0).values,
    'mode': lambda y: y.mode(0).values,
    'norm': lambda y: y.norm(dim=0, p=float('inf')),
    'softmax': lambda y: y.softmax(0).shape,
    'logsumexp': lambda y: y.logsumexp(0),
    'rows': lambda y: y.max(1).values,
    'prod': lambda y: y.prod(0),
    'any': lambda y: y.any(0),
    'all': lambda y: (y > 0).to(torch.uint8).all(0),
}


def reduced(x, n, way):
    y = x[:n] * 2
    return WAYS[way](y)


def always_nothing(x, way):
    y = x[:, :0].t() * 2
    return WAYS[way](y)


x = torch.randn(4, 3)
for way in WAYS:
    for n in [4, 3, 2, 0, 1, 0, 3]:
        for f, args in (reduced, (x, n, way)), (always_nothing, (x, way)):
            try:
                print(way, n, f.__name__, f(*args))
            except Exception as e:
                print(way, n, f.__name__, type(e).__name__, str(e).split('\n')[0])
