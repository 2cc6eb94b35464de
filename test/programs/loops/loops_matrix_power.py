# A loop over the bits of an int, a nested while, and matrices as state.
import torch


def matpow(m, n):
    result = torch.eye(m.shape[0], dtype=m.dtype)
    while n:
        if n & 1:
            result = result @ m
        m = m @ m
        n >>= 1
    return result


f = torch.tensor([[1.0, 1.0], [1.0, 0.0]], dtype=torch.float64, requires_grad=True)
out = []
for n in list(range(12)) + [30, 50]:
    p = matpow(f, n)
    out.append(int(p[0, 1].item()))
p.sum().backward()
print(out, f"{f.grad[0, 0].item():.1f}")
