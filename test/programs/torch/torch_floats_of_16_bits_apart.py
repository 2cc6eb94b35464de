# Floats of 16 bits beside numbers, bools and complex numbers: what is rounded, and what is not.
import torch

torch.manual_seed(0)
x = torch.randn(400) * 5


def told(t):
    """What a tensor adds up to, in a way that tells one element from another."""
    wide = t.detach().double().flatten()
    return str(t.dtype)[6:], int((wide * 2048).round().long().remainder(9973).mul(torch.arange(wide.numel()) % 7 + 1).sum())


def tried(f):
    try:
        return f()
    except (RuntimeError, TypeError) as e:
        return type(e).__name__, str(e)[:100]


for dtype in (torch.half, torch.bfloat16):
    a = x.to(dtype)
    for n in (0.7, 0.3, 3):
        print(dtype, n, told(a // n), told(a // torch.tensor(n)), told(n / a.clamp(min=0.5)), told(a % n), told(a + n))
        print(told(torch.nn.functional.hardshrink(a, n)), told(a * n), told(a.clone().floor_divide_(n)))
    print(told((a * 0.25) ** 3), told(a.clamp(min=0.5) ** -2), told(a.abs() ** 0.5))
    for i in range(6):
        with_complex = torch.tensor([1.0, -2.0], dtype=torch.bfloat16) + torch.tensor(1 + 1j), torch.tensor([2.5]).bfloat16() - torch.tensor([1 + 0j])
    print(with_complex)
    print(tried(lambda: a - torch.tensor([True])), tried(lambda: torch.rsub(a, torch.tensor(True))))
    print(torch.ldexp(torch.tensor([1.0, 3.0], dtype=dtype), torch.tensor([2, -1])))

# In place, and by tensors of one element.
i8 = torch.tensor([1, -1, 2], dtype=torch.int8)
print(tried(lambda: i8.masked_fill(i8 > 0, torch.tensor(1 + 1j))), tried(lambda: i8.masked_fill(i8 > 0, torch.tensor(300))))
print(tried(lambda: i8.index_fill(0, torch.tensor([0]), torch.tensor(2j))), tried(lambda: torch.full_like(i8, torch.tensor([2]))))
print(i8.long().scatter(0, torch.tensor([1]), torch.tensor(7)), i8.scatter_add(0, torch.tensor([2]), torch.tensor(5, dtype=torch.int8)))
print(torch.lerp(i8, i8 * 3, torch.tensor(0.25)), torch.lerp(torch.ones(2), torch.zeros(2), torch.tensor(0.25, dtype=torch.float64)))
print(tried(lambda: torch.lerp(i8, i8, 0.5)), tried(lambda: torch.isin(i8, True)), tried(lambda: torch.lerp(torch.ones(1), torch.ones(1), 1j)))
print(torch.gcd(torch.tensor([-128, -128, 12], dtype=torch.int8), torch.tensor([127, 6, -18], dtype=torch.int8)))
z = torch.tensor([1 + 1j, -0.5j])
print(torch.logaddexp(z, z * 2), torch.float_power(z, 2), torch.ldexp(z, torch.tensor([1, 2])))

# Weights of losses, and targets of bytes.
p, q, w = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0.0, 0.5, 0.0]), torch.tensor([1.0, 2.0, 0.5])
F = torch.nn.functional
for how in ("mean", "sum", "none"):
    print(F.mse_loss(p, q, reduction=how, weight=w), F.l1_loss(p, q, reduction=how, weight=w), F.huber_loss(p, q, reduction=how, delta=0.5, weight=w))
print(tried(lambda: F.smooth_l1_loss(p, q, beta=-1.0)), F.soft_margin_loss(p, q.double()).dtype)
print(F.cross_entropy(torch.tensor([[1.0, 2.0], [0.5, 0.0]]), torch.tensor([1, 0], dtype=torch.uint8)))

# Gradients: ties with an element that does not count, coordinates that nothing depends on, slopes near 0.
x = torch.tensor([1.0, 2.0, 0.0], requires_grad=True)
s = torch.tensor([1.0, 0.0, 3.0, 3.0, 1.0], requires_grad=True)
y = x.scatter_reduce(0, torch.tensor([0, 1, 2, 2, 0]), s, "amax", include_self=False)
print(torch.autograd.grad((y * torch.tensor([1.0, 2.0, 3.0])).sum(), (x, s)))
g = torch.zeros(1, 1, 2, 2, requires_grad=True)
F.grid_sample(torch.ones(1, 1, 3, 3), g, mode="nearest", align_corners=True).sum().backward()
print(g.grad)
t = torch.tensor([1e-6, -3e-9, 2.0], requires_grad=True)
print(torch.autograd.grad(torch.cosh(t).sum(), t), torch.special.i1(torch.tensor([1e-20, -3e-12])))
u = torch.tensor([1e-20, 0.5], requires_grad=True)
print(torch.autograd.grad(torch.special.i1(u).sum(), u), torch.polygamma(1, torch.tensor([-2615.6462, -150.25], dtype=torch.float64)))
