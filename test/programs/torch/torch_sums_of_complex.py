# Sums and differences of complex numbers: an alpha of one multiplies, too, so that signs of zeros and infinite parts tell.
import torch

inf, nan = float("inf"), float("nan")
A = torch.tensor([complex(0.0, 0.0), complex(-0.0, -0.0), complex(1, -0.0), complex(inf, 1), complex(nan, 1), complex(1, inf)])
B = torch.tensor([complex(-0.0, -0.0), complex(-0.0, 0.0), complex(-0.0, 0.0), complex(1, inf), complex(1, 1), complex(inf, 1)])
R = torch.tensor([1.0, -0.0, 0.0, 1, 2, 3])


def step(a, b, r):
    return (
        a + b,
        a - b,
        torch.rsub(a, b),
        1 - a,
        a - 1,
        a + 1,
        r + a,
        r - a,
        a + r,
        a.clone().add_(b),
        a.clone().sub_(b),
        torch.add(a, b, alpha=2),
        torch.sub(a, b, alpha=2j),
        torch.sub(a, b, alpha=-1),
    )


for _ in range(8):
    results = step(A, B, R)
for result in results:
    print(result.dtype, result.tolist())
print((A.to(torch.complex128) + B).tolist())
x = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
y = torch.tensor([2 - 1j, 1j], requires_grad=True)
for _ in range(4):
    (torch.sub(x, y, alpha=2j).abs().sum() + (x + y).real.sum()).backward()
print([round(v, 4) for v in torch.view_as_real(x.grad).flatten().tolist()])
print([round(v, 4) for v in torch.view_as_real(y.grad).flatten().tolist()])
try:
    torch.add(A, B, alpha=True)
except RuntimeError as e:
    print(e)
