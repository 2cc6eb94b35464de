# True and False are no ints where a dimension, an extent or a count is wanted.
import torch
import torch.nn.functional as F

x = torch.arange(6.0).reshape(2, 3)
calls = [
    lambda k: x.sum(k), lambda k: x.mean(dim=k), lambda k: x.unsqueeze(k), lambda k: x.argmax(k), lambda k: x.max(k),
    lambda k: x.cumsum(k), lambda k: x.softmax(k), lambda k: F.softmax(x, k), lambda k: x.size(k),
    lambda k: x.reshape(k, 6), lambda k: x.repeat(k, 2), lambda k: x.transpose(k, 0), lambda k: x.narrow(k, 0, 1),
    lambda k: x.chunk(k), lambda k: x.split(k), lambda k: torch.cat([x], k), lambda k: torch.stack([x], dim=k),
    lambda k: torch.zeros(k), lambda k: torch.eye(k), lambda k: x.flip(k), lambda k: x.roll(k), lambda k: x.topk(k),
    lambda k: x.sort(k), lambda k: x.tril(k), lambda k: x.unbind(k), lambda k: x.flatten(k), lambda k: x.stride(k),
    lambda k: x.index_select(k, torch.tensor([0])), lambda k: torch.randperm(k).shape, lambda k: x.sum((k,)),
    lambda k: x.view((k, 6)), lambda k: F.one_hot(torch.tensor([0]), k),
]
taken = [
    lambda k: x.view(6, k).shape, lambda k: torch.zeros(2, k).shape, lambda k: torch.arange(k), lambda k: x.std(k),
    lambda k: x.clamp(k), lambda k: x.pow(k), lambda k: x.sum(1, k).shape, lambda k: x.norm(k), lambda k: x * k,
    lambda k: x[k].shape, lambda k: x.sum(dim=[0, k]), lambda k: x.any(1, k).shape,
]


def outcome(f, k):
    try:
        return f(k)
    except TypeError:
        return 'TypeError'


for i, f in enumerate(calls):
    print(i, [str(outcome(f, k) if isinstance(k, bool) else type(outcome(f, k)).__name__) for k in (1, 1, 1, True, True, 1)])
for i, f in enumerate(taken):
    print(i, [str(outcome(f, k)) for k in (True, True, True, True)][-1])
