# Complex tensors: how they are made, printed, promoted, computed with, and what PyTorch refuses.
import torch
def t(s):
    try: print(s, '->', eval(s))
    except Exception as e: print(s, '!!', type(e).__name__, str(e).split('\n')[0])
z = torch.tensor([1+2j, 3-4j, -0.5j])
w = torch.tensor([2-1j, 0.5+0.25j, 1j])
r = torch.tensor([1.5, -2.0, 3.0])
m = torch.tensor([[1+1j, 2], [0.5j, -1]])
d = z.to(torch.complex128)
k = torch.tensor([1, 2, 3])
for s in '''z
z.dtype
d
d.dtype
z.real
z.imag
z.conj()
torch.conj(r)
z.abs()
z.angle()
torch.angle(r)
z.sgn()
torch.sgn(torch.tensor([0j, 3+4j]))
torch.sign(z)
z.is_complex()
torch.is_complex(r)
z + w
z - w
z * w
z / w
z ** 2
z ** 3
z ** 0.5
z ** -1
z ** w
2 ** z
z ** (1+1j)
-z
z + 1
z + 1.5
z + 2j
r + 2j
k + 2j
k * 1j
r * z
d * r
r.double() * z
z == w
z != w
z == z
z < w
z > 1
z.exp()
z.log()
z.sqrt()
z.rsqrt()
z.sin()
z.cos()
z.tan()
z.sinh()
z.cosh()
z.tanh()
z.asin()
z.acos()
z.atan()
z.asinh()
z.acosh()
z.atanh()
z.sigmoid()
z.log1p()
z.expm1()
z.log2()
z.log10()
z.exp2()
z.reciprocal()
z.square()
z.sum()
z.mean()
z.prod()
z.var()
z.std()
z.cumsum(0)
z.cumprod(0)
m.sum(0)
m @ m
torch.mm(m, m)
torch.bmm(m[None], m[None])
torch.einsum('ij,jk->ik', m, m)
torch.dot(z, w)
torch.vdot(z, w)
torch.outer(z, w)
m.T
m.mH
m.H
m.adjoint()
z[1]
z[1].item()
z.tolist()
m.reshape(4)
torch.cat([z, w])
torch.cat([z, r])
torch.stack([z, w])
torch.where(z == w, z, w)
torch.where(r > 0, z, w)
z[r > 0]
z.index_select(0, torch.tensor([2, 0]))
z.gather(0, torch.tensor([2, 0]))
torch.zeros(3, dtype=torch.complex64).scatter_add(0, torch.tensor([0, 0, 1]), z)
z.max()
z.argmax()
z.sort()
z.floor()
z.round()
z.clamp(0, 1)
torch.relu(z)
torch.maximum(z, w)
z // w
z % w
z & w
~z
torch.view_as_real(z)
torch.view_as_real(r)
torch.view_as_complex(torch.arange(6.).reshape(3, 2))
torch.view_as_complex(r)
torch.view_as_complex(k)
torch.complex(r, r)
torch.complex(r, r.double())
torch.complex(k, k)
torch.polar(r.abs(), r)
z.to(torch.complex128).dtype
z.real.dtype
d.real.dtype
r.to(torch.complex64)
k.to(torch.complex64)
r.cfloat()
r.cdouble()
torch.tensor(1j)
torch.tensor([1j, 2], dtype=torch.complex128)
torch.tensor([1j], dtype=torch.float32)
torch.zeros(2, dtype=torch.complex64)
torch.ones(2, 2, dtype=torch.complex128)
torch.full((2,), 1+1j)
torch.empty(0, dtype=torch.complex64)
torch.empty(0, dtype=torch.complex128)
torch.eye(2, dtype=torch.complex64)
torch.promote_types(torch.float64, torch.complex64)
torch.promote_types(torch.float32, torch.complex128)
torch.result_type(r, 1j)
torch.result_type(k, 1j)
torch.can_cast(torch.complex64, torch.float32)
complex(z[0])
float(torch.tensor(1j))
int(torch.tensor(2+0j))
bool(torch.tensor(1j))
torch.isnan(z)
torch.isinf(torch.tensor([complex(float('inf'), 0), 1j]))
torch.isfinite(z)
torch.isreal(torch.tensor([1+0j, 1j]))
torch.allclose(z, z + 1e-9)
torch.equal(z, z.clone())
torch.isclose(z, w)
z.norm()
torch.linalg.norm(z)
torch.linalg.norm(m)
torch.linalg.vector_norm(z, 1)
torch.linalg.vecdot(z, w)
z.any()
z.all()
z.count_nonzero()
z.nonzero()
z.flip(0)
z.roll(1)
z.unsqueeze(0).expand(2, 3)
torch.diag(z)
m.trace()
m.tril()
m.diagonal()
torch.kron(z, w)
torch.lerp(z, w, 0.3)
torch.addcmul(z, z, w)
torch.addcdiv(z, z, w)
torch.matrix_power(m, 3)
torch.tensordot(m, m, 1)
z.clone().fill_(2j)
z.clone().zero_()
z.clone().mul_(2j)
r.clone().mul_(2j)
k.clone().add_(1j)
z.masked_fill(r > 0, 1j)
r.masked_fill(r > 0, 1j)
z.is_conj()
z.conj().is_conj()
z.conj().resolve_conj().is_conj()
torch.is_floating_point(z)
z.element_size()
torch.complex64.is_complex
torch.complex64.is_floating_point
torch.complex128.itemsize
torch.cfloat is torch.complex64
torch.complex64.to_real()
torch.float64.to_complex()
torch.finfo(torch.complex64)
torch.finfo(torch.complex128).eps
torch.get_default_dtype()
z.type()
z.type(torch.complex128).type()
torch.complex(torch.tensor(1e-8), torch.tensor(1e8))
torch.tensor([1e-5+1j, 100+2e6j])
torch.tensor([complex('nan'), complex('inf'), 1-0j, complex(1, -0.0)])
torch.randn(2, 20, dtype=torch.complex64).shape
torch.nn.functional.mse_loss(z, w)
torch.nn.functional.gelu(z)
torch.nn.functional.dropout(z, 0.0)
torch.nn.functional.linear(m, m)
torch.randint(0, 3, (2,), dtype=torch.complex64)
torch.arange(3, dtype=torch.complex64)
torch.linspace(0, 1, 3, dtype=torch.complex64)
'''.strip().split('\n'): t(s)
torch.manual_seed(3)
print(torch.randn(3, dtype=torch.complex64), torch.rand(2, dtype=torch.complex128), torch.randn(12, dtype=torch.cfloat)[-2:])
print(torch.arange(1200).to(torch.complex64).reshape(30,40)*(1+0.5j))
z.real = torch.tensor([9., 8., 7.]); print(z)
z.imag[1] = 5; print(z)
z[0] = 1 - 1j; print(z)
z.real.mul_(2); print(z)
