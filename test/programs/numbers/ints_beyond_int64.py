"""Ints from 2**63 on: they wrap as operands of tensors of ints, are numbers for floats, and fit nowhere else."""
import torch

ints, floats = torch.tensor([1, 2, 3]), torch.tensor([1.5, 2.5])


def shown(name, f):
    for i in range(20):
        try:
            r = f()
            text = f"{r} {r.dtype}"
        except Exception as e:
            text = f"{type(e).__name__}: {e}"
    print(name, text)


for n in (2**63, 2**64 - 1):
    print(n)
    shown("+", lambda: ints + n)
    shown("r-", lambda: n - ints)
    shown("*", lambda: ints * n)
    shown("<", lambda: ints < n)
    shown("==", lambda: ints == n)
    shown("//", lambda: ints // n)
    shown("%", lambda: ints % n)
    shown("&", lambda: ints & n)
    shown("/", lambda: ints / n)
    shown("int32", lambda: ints.int() + n)
    shown("floats +", lambda: floats + n)
    shown("floats <", lambda: floats < n)
    shown("floats max", lambda: floats.clamp(min=n))
    shown("max", lambda: ints.clamp(max=n))
    shown("full", lambda: torch.full((2,), n))
    shown("full of floats", lambda: torch.full((2,), n, dtype=torch.float32))
    shown("full_like", lambda: torch.full_like(ints, n))
    shown("fill_", lambda: torch.zeros(2, dtype=torch.int64).fill_(n))
    shown("fill_ of floats", lambda: torch.zeros(2).fill_(n))
    shown("masked_fill", lambda: ints.masked_fill(ints > 1, n))
    shown("where", lambda: torch.where(ints > 1, ints, n))
    shown("**", lambda: ints**n)
    shown("arange", lambda: torch.arange(n, n + 0))
    shown("tensor", lambda: torch.tensor(n))
    shown("tensor of floats", lambda: torch.tensor([n, 1.5]))
    shown("item", lambda: floats.clone().__setitem__(0, n))
