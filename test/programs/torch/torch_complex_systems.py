# Systems, inverses, determinants, Cholesky factors and convolutions of complex numbers, with their gradients.
import torch
import torch.nn.functional as F


def numbers(*shape, seed):
    g = torch.Generator().manual_seed(seed)
    re, im = torch.randn(*shape, generator=g, dtype=torch.float64), torch.randn(*shape, generator=g, dtype=torch.float64)
    return torch.complex(re, im)


def shown(z):
    return [complex(round(v.real, 4) + 0.0, round(v.imag, 4) + 0.0) for v in z.detach().to(torch.complex128).flatten().tolist()]


def told(name, f, *inputs):
    leaves = [t.clone().requires_grad_() for t in inputs]
    out = f(*leaves)
    outs = out if isinstance(out, tuple) else (out,)
    loss = sum([(t.abs() ** 2).sum() if t.is_complex() else (t * t).sum() for t in outs])
    loss.backward()
    print(name, [str(t.dtype)[6:] for t in outs], shown(outs[0])[:4])
    print("   ", [shown(t.grad)[:4] for t in leaves])


a, b, v = numbers(3, 3, seed=1), numbers(3, 2, seed=2), numbers(3, seed=3)
batch = numbers(2, 3, 3, seed=4)
positive = a @ a.mH + 3 * torch.eye(3)
low = a.tril() + 3 * torch.eye(3)
told("solve", torch.linalg.solve, a, b)
told("solve a vector", torch.linalg.solve, a, v)
told("solve from the right", lambda a, b: torch.linalg.solve(a, b, left=False), a, b.mT.contiguous())
told("solve of batches", torch.linalg.solve, batch, batch)
told("inv", torch.linalg.inv, a)
told("det", torch.linalg.det, batch)
told("slogdet", lambda a: torch.linalg.slogdet(a)[1], a)
told("sign", lambda a: (torch.linalg.slogdet(a)[0] * a[0, 0]), a)
told("logdet", torch.logdet, positive)
told("cholesky", lambda a: torch.linalg.cholesky(a @ a.mH + torch.eye(3)), a)
told("cholesky, upper", lambda a: torch.linalg.cholesky(a @ a.mH + torch.eye(3), upper=True), a)
told("cholesky_solve", torch.cholesky_solve, b, low)
told("solve_triangular", lambda a, b: torch.linalg.solve_triangular(a, b, upper=False), low, b)
told("matrix_power", lambda a: torch.linalg.matrix_power(a, -2), a)
told("tensorinv", lambda a: torch.linalg.tensorinv(a.reshape(3, 1, 3)), a)
told("lu_solve", lambda a, b: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b), a, b)
told("qr", lambda a: torch.linalg.qr(a)[1], a)
told("nuclear", lambda a: torch.norm(a, p="nuc"), a)
told("conv1d", lambda x, w: F.conv1d(x[None, :, :], w[:, :, None], padding=1), a, b.mT.contiguous())
told("conv2d", lambda x, w, c: F.conv2d(x[None, None], w[None, None, :2], c[:1], stride=2, padding=1), a, b, v)
told("conv_transpose2d", lambda x, w: F.conv_transpose2d(x[None, None], w[None, None], stride=2), a, b)
told("sinc", torch.sinc, a)
told("dist", torch.dist, a, batch[0])
told("softsign", F.softsign, a)
told("l1_loss", F.l1_loss, a, batch[0])
told("matrix_norm", lambda a: torch.linalg.matrix_norm(a, 1), a)
print(torch.norm(torch.arange(6.0).reshape(2, 3), p="nuc").item(), torch.arange(8.0).reshape(2, 2, 2).norm("nuc", (1, 2)).tolist())
for f in (lambda: torch.linalg.solve(torch.zeros_like(a), b), lambda: torch.linalg.cholesky(-positive)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:90])
