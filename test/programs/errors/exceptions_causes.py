"""Causes of exceptions that were there before, and causes that are none."""
import torch
OUT = ValueError("kept")
n = 0
for k in range(30):
    x = torch.ones(3) * k
    try:
        try:
            raise OUT from KeyError(k)
        except ValueError as e:
            n += e.__cause__.args[0]
        raise TypeError("t") from 3 if k % 2 else RuntimeError(k)
    except TypeError as e:
        n += len(str(e)) + int(x.sum())
print(n, repr(OUT.__cause__))
