# What operations say of dtypes and shapes that they do not take, in a step that runs often.
import functools

import torch

A = torch.arange(6.0).view(2, 3)
L = torch.ones(3, 2, dtype=torch.int64)
small, whole = torch.ones(3, dtype=torch.int8), torch.arange(3)
flags, none, one = A > 2, torch.zeros(0, 3), torch.tensor(3.0)

TRIED = [
    lambda: A @ L, lambda: A @ small, lambda: small @ L, lambda: whole @ A.t(), lambda: small @ whole, lambda: (A[0] @ flags),
    lambda: torch.outer(A, small), lambda: torch.outer(small, A), lambda: whole.hypot(small), lambda: small.hypot(A[0]),
    lambda: torch.arange(float('inf')), lambda: torch.arange(1e19), lambda: flags[:, :2].trace(), lambda: one.unbind(),
    lambda: torch.log_softmax(L, 0), lambda: torch.softmax(L, 1), lambda: A.index_add(0, whole[:2], L), lambda: A[0].index_add(0, whole, A[0][:2]),
    lambda: torch.ones(2, 6).copy_(A), lambda: torch.ones(1).copy_(A), lambda: none[whole], lambda: none.index_select(0, whole),
    lambda: one.index_select(0, whole), lambda: one.chunk(2), lambda: A.scatter(0, whole, 1.0), lambda: A.gather(0, whole),
    lambda: torch.where(flags.to(torch.uint8), A, -1.0), lambda: torch.finfo(torch.int32), lambda: torch.iinfo(torch.float32),
    lambda: one.gather(0, whole * 0), lambda: one.gather(0, whole), lambda: one.split(2), lambda: whole.clone().add_(A[:, :1]),
    lambda: functools.reduce(min, 3), lambda: divmod(1.5, 'a'), lambda: divmod([], 2),
]


def step(x, i):
    y = x * 0.5 + 1
    try:
        return y, TRIED[i]()
    except Exception as e:
        return y, (type(e).__name__, str(e).split('\n')[0])


x = torch.zeros(2)
for i in range(len(TRIED)):
    for _ in range(4):
        x, said = step(x, i)
    print(i, said)
print(x)
