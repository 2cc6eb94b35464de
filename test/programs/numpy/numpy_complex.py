# numpy: complex arrays and scalars, and numpy.fft.
import numpy as np
def t(s):
    try: print(s, '->', repr(eval(s)))
    except Exception as e: print(s, '!!', type(e).__name__, str(e).split('\n')[0])
z = np.array([1+2j, 3-4j, -0.5j])
w = np.array([2-1j, 0.5+0.25j, 1j])
c = z.astype(np.complex64)
r = np.array([1.5, -2.0, 3.0])
k = np.array([1, 2, 3])
m = np.array([[1+1j, 2], [0.5j, -1]])
for s in '''z
c
z.dtype
c.dtype
m
z.real
z.imag
r.real
r.imag
z.conj()
np.conj(c)
np.abs(z)
np.abs(c).dtype
np.angle(z)
np.angle(z, deg=True)
np.angle(r)
np.angle(1j)
z + w
z - w
z * w
z / w
z ** 2
z ** 0.5
z ** w
-z
z + 1
z + 1.5
z + 2j
c + 2j
c * 1.5
c * r
c * k
r + 2j
k * 1j
r.astype(np.float32) * 1j
c + z
z == w
z != w
np.exp(z)
np.log(z)
np.sqrt(z)
np.sin(z)
np.cos(z)
np.tan(z)
np.sinh(z)
np.tanh(z)
np.arctan(z)
np.square(z)
np.reciprocal(z)
np.sum(z)
np.mean(z)
np.prod(z)
np.var(z)
np.std(z)
np.cumsum(z)
m @ m
m.dot(m)
np.dot(z, w)
np.vdot(z, w)
np.outer(z, w)
np.einsum('ij,jk->ik', m, m)
m.T
m.conj().T
z[0]
c[0]
z[0].real
type(z[0])
z[1] * 2
z[1] + 1j
abs(z[1])
z.tolist()
z.reshape(3, 1)
np.concatenate([z, r])
np.stack([z, w])
np.where(r > 0, z, w)
z[r > 0]
np.zeros(2, dtype=complex)
np.ones(2, dtype=np.complex64)
np.full(2, 1+1j)
np.empty(0, dtype=complex)
np.eye(2, dtype=complex)
np.array([1, 2j])
np.array(3+1j)
np.asarray(1j)
np.array([1+1j], dtype='complex64')
np.array([1.0], dtype=np.complex128)
np.iscomplex(z)
np.isreal(z)
np.iscomplexobj(z)
np.isrealobj(r)
np.real(z)
np.imag(z)
np.real(2.0)
np.real_if_close(np.array([1+0j, 2]))
np.isnan(z)
np.isfinite(z)
np.allclose(z, z + 1e-10)
np.isclose(z, w)
np.array_equal(z, z)
np.complex64(1+2j)
np.complex128(0.5)
np.complex128(1, 2)
str(np.complex64(0.1+0.2j))
str(np.complex128(2j))
np.complex64(1e10)
np.complex64(1+2j) + 1
np.complex64(1+2j) * np.float64(2)
np.float32(2) * 1j
np.issubdtype(z.dtype, np.complexfloating)
np.issubdtype(np.complex64, np.inexact)
np.result_type if False else np.promote_types(np.complex64, np.float64)
np.promote_types(np.complex64, np.int64)
np.promote_types(np.complex64, np.int16)
np.can_cast(np.float64, np.complex128)
np.can_cast(np.complex64, np.float64)
np.dtype('complex64')
np.dtype(complex)
np.dtype('c8').itemsize
np.finfo(np.complex64).eps
np.linspace(0, 1, 3) * 1j
np.round(z / 3, 2)
np.sign(z)
z.sum(axis=0)
m.sum(axis=1)
m.mean(axis=0)
m.flatten()
np.sort(r)
z.astype(np.complex64).itemsize
z.nbytes
np.array([1e-5+1j, 100+2e6j])
np.array([complex('nan'), complex('inf'), 1-0j, complex(1, -0.0)])
np.array([1.123456789+2j, 3.5-4.25j], dtype=np.complex64)
np.fft.fft(r)
np.fft.ifft(np.fft.fft(r))
np.fft.rfft(np.arange(8.))
np.fft.irfft(np.fft.rfft(np.arange(8.)))
np.fft.rfft(np.arange(7.), norm='ortho')
np.fft.fft2(np.arange(4.).reshape(2, 2))
np.fft.fftn(np.arange(8.).reshape(2, 2, 2))
np.fft.fftfreq(5, 0.1)
np.fft.rfftfreq(6)
np.fft.fftshift(np.arange(5))
np.fft.ifftshift(np.arange(5))
np.fft.fft(np.array([1, 2], dtype=np.float32)).dtype
np.fft.hfft(z)
np.fft.ihfft(r)
np.fft.fft(k, n=5)
np.fft.fft(m, axis=0)
np.linalg.norm(z)
np.kron(z, w)
np.trace(m)
np.diag(z)
np.nonzero(z)
np.any(z)
np.all(z)
np.max(r)
z < w
np.floor(z)
z.max()
z // 2
z % 2
np.pad(z, 1)
np.tile(z, 2)
np.repeat(z, 2)
np.roll(z, 1)
np.flip(z)
np.transpose(m)
np.unique(k)
np.add.reduce(z)
np.multiply.outer(z, w)
z.copy()
z.any()
np.isscalar(1j)
np.zeros_like(z)
np.meshgrid(r, k)[0].shape
np.exp(1j * np.pi)
np.exp(2j * np.pi * np.arange(4) / 4)
complex(z[0])
z[0] == 1+2j
hash(z[0]) == hash(1+2j)
f'{z[0]}'
z.view(np.float64)
np.interp(1.5, r[:1], r[:1])
np.cdouble is np.complex128
np.csingle is np.complex64
np.angle(np.array([1+1j], dtype=np.complex64)).dtype
np.tril(m)
np.triu(m)
np.matmul(m, m)
np.inner(z, w)
np.tensordot(m, m, 1)
np.linalg.inv(np.array([[1., 2], [3, 4]]))
np.polyval([1, 2j], 3)
'''.strip().split('\n'): t(s)
print(z, c, m)
z.real = r; print(z)
z.imag[0] = 9; print(z)
z[1] = 7j; print(z)
z += 1j; print(z)
z *= 2; print(z)
try: r += 1j
except Exception as e: print(type(e).__name__, e)
print(np.arange(12).reshape(3, 4) * (1+0.5j))
import io
b = io.BytesIO(); np.save(b, m); b.seek(0); print(np.load(b))
import torch
x = torch.from_numpy(m); print(x, x.dtype, torch.tensor(m), torch.complex(torch.tensor(1.), torch.tensor(2.)).numpy(), (x.conj().resolve_conj()).numpy())
x[0, 0] = 5; print(m)
