# `out=` takes on the result's shape and keeps its own dtype; what requires grad cannot be computed into it.
import warnings

import torch

warnings.simplefilter('ignore')


def attempt(f):
    try:
        return f()
    except RuntimeError as e:
        return 'RuntimeError: ' + str(e)


def sums(k):
    out = torch.empty(0)
    torch.add(torch.full((k % 3 + 1,), 2.0), 1, out=out)
    wide = torch.zeros(2, 3, dtype=torch.float64)
    same = torch.sum(torch.ones(2, 4), 0, out=wide)
    return out, wide, same is wide


for k in range(30):
    found = sums(k)
print(found)

out = torch.zeros(3)
print(torch.exp(torch.zeros(2, 2), out=out), out.shape, out.is_contiguous())
ints = torch.ones(2, dtype=torch.int64)
kept = torch.empty(0, dtype=torch.int64)
torch.ceil(ints, out=kept)
kept += 1
print(ints, kept)

w = torch.ones(2, requires_grad=True)
plain = torch.zeros(2)
print(attempt(lambda: torch.add(w, 1, out=plain)))
print(attempt(lambda: torch.mul(plain, 2, out=w)))
print(attempt(lambda: torch.cat([w, w], out=plain)))
with torch.no_grad():
    print(attempt(lambda: torch.add(w, 1, out=plain)), attempt(lambda: torch.mul(plain, 3, out=w)))
