"""In-place functions and methods by all their names, and operators' old ones."""
import torch

start = torch.tensor([0.1, 0.5, 0.75, 0.99])
for name in (
    "absolute_ acos_ arccos_ arcsin_ arctan_ arcsinh_ arctanh_ asin_ asinh_ atan_ atanh_ cosh_ sinh_ deg2rad_ rad2deg_ erfc_ "
    "fix_ sinc_ negative_ digamma_ sgn_"
).split():
    x = start.clone()
    y = getattr(x, name)()
    print(name, y is x, [round(v, 4) for v in x.tolist()])
    if hasattr(torch, name):
        z = start.clone()
        print(getattr(torch, name)(z) is z, z.equal(x))
for name, other in (
    ("arctan2_", torch.ones(4)), ("copysign_", -torch.ones(4)), ("hypot_", torch.ones(4)), ("ldexp_", torch.full((4,), 2.0)),
    ("divide_", 2.0), ("true_divide_", 4.0), ("multiply_", 3), ("subtract_", 1), ("greater_", 0.5), ("greater_equal_", 0.5), ("less_", 0.5),
    ("less_equal_", 0.5), ("not_equal_", 0.5), ("heaviside_", torch.tensor(0.5)),
):
    x = start.clone()
    print(name, getattr(x, name)(other) is x, [round(v, 4) for v in x.tolist()])
n = torch.tensor([1, 2, 12])
print(n.clone().bitwise_left_shift_(2), n.clone().bitwise_right_shift_(1), n.bitwise_left_shift(1), n.clone().bitwise_xor_(3), n.clone().bitwise_not_())
m = n.clone()
m <<= 2
m >>= 1
print(m, 6 .__rfloordiv__(12), torch.ones(2).__rdiv__(3), torch.zero_(start.clone()), torch.fill_(start.clone(), 2), torch.clip_(start.clone(), 0.2, 0.6))
d = start.double()
print(d.float_power_(2), torch.gcd_(n.clone(), torch.tensor(4)), torch.lcm_(n.clone(), torch.tensor(4)), torch.clamp_min_(start.clone(), 0.4))
# Single numbers have one place.
s = torch.tensor(3.0, requires_grad=True)
zero = torch.tensor([0])
for t in (
    s.index_select(0, zero), s.index_add(0, zero, torch.tensor(2.0)), s.index_fill(0, zero, 7), s.index_copy(0, zero, torch.tensor(4.0)),
    torch.mode(s, 0, True)[0], torch.nansum(s, 0, True), torch.nanmean(s, 0, True),
):
    print(t)
v = torch.tensor(2.0, requires_grad=True)
x = torch.ones(3, 4, requires_grad=True)
y = x.index_fill(1, torch.tensor([1, 3, 1]), v)
(y * torch.arange(12.0).reshape(3, 4)).sum().backward()
print(y, v.grad, x.grad)
print(torch.cdist(torch.ones(2, 3), torch.zeros(1, 3), compute_mode="donot_use_mm_for_euclid_dist"), torch.repeat_interleave(torch.arange(3), torch.tensor([1, 0, 2]), output_size=3), torch.tril_indices(2, 3, device="cpu"))
c = torch.tensor([[1 + 2j, 3 - 1j]])
print(torch.addmm(torch.tensor([[1j]]), c, c.T, beta=1 + 2j, alpha=1 - 1j), torch.addcmul(c, c, c, value=1 + 1j))
for call in (lambda: torch.cdist(x, x, compute_mode="fast"), lambda: torch.repeat_interleave(n, 2, output_size=5), lambda: torch.polygamma(n, 1)):
    try:
        print(call())
    except (ValueError, RuntimeError, TypeError) as e:
        print(type(e).__name__, str(e).split("\n")[0])
