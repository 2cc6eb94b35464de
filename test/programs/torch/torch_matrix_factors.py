"""Factors of matrices and what is made of them: values, what they multiply to, gradients that do not depend on signs."""
import torch

L = torch.linalg


def show(name, *values):
    for value in values:
        flat = [round(v, 3) + 0.0 if isinstance(v, float) else v for v in value.detach().reshape(-1).tolist()]
        print(name, value.dtype, tuple(value.shape), flat)


def attempt(name, function):
    try:
        show(name, function())
    except RuntimeError as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


torch.manual_seed(0)
tall, wide, square = torch.randn(4, 3), torch.randn(2, 3, 5), torch.randn(3, 3)
definite = square @ square.T + torch.eye(3)
for a in (tall, wide, square.double(), torch.randn(3, 2, dtype=torch.complex64)):
    for mode in ("reduced", "complete"):
        q, r = L.qr(a, mode)
        print(mode, q.shape, r.shape, torch.allclose(q @ r, a, atol=1e-5))
    u, s, vh = L.svd(a, full_matrices=False)
    print(u.shape, vh.shape, torch.allclose((u * s.unsqueeze(-2)) @ vh, a, atol=1e-5), L.svd(a).Vh.shape)
    show("svdvals", L.svdvals(a), L.matrix_rank(a))
show("qr", *L.qr(tall))
values, vectors = L.eigh(definite)
show("eigh", values, L.eigvalsh(definite, UPLO="U"))
print(torch.allclose((vectors * values) @ vectors.T, definite, atol=1e-5))
eigen = L.eig(square)
print(torch.allclose(square.to(eigen.eigenvectors.dtype) @ eigen.eigenvectors, eigen.eigenvectors * eigen.eigenvalues, atol=1e-5))
show("lu_factor", *L.lu_factor(square))
p, low, up = L.lu(tall)
show("lu", p, low, up)
show("lu_solve", L.lu_solve(*L.lu_factor(square), tall[:3]))
show("pinv", L.pinv(tall), torch.pinverse(wide))
show("lstsq", L.lstsq(tall, torch.ones(4, 2)).solution)
show("matrix_exp", L.matrix_exp(square))
show("cond", L.cond(square), L.cond(square, 1))
show("inv_ex", *L.inv_ex(square))
show("cholesky_ex", *L.cholesky_ex(definite))
show("vander", L.vander(torch.tensor([1.0, 2.0, 3.0])))
show("tensorinv", L.tensorinv(torch.eye(6).reshape(2, 3, 6) * 2))
show("householder", L.householder_product(*torch.geqrf(tall)))
show("cholesky_inverse", torch.cholesky_inverse(L.cholesky(definite)))

for name, function in (
    ("svdvals", lambda a: L.svdvals(a).sum()), ("nuclear", lambda a: L.svd(a, full_matrices=False).S.pow(2).sum()),
    ("projection", lambda a: (L.svd(a, full_matrices=False).U[:, :1] @ L.svd(a, full_matrices=False).Vh[:1]).sum()),
    ("qr", lambda a: (L.qr(a).Q * 2 + L.qr(a).R.sum()).sum()), ("pinv", lambda a: L.pinv(a).sum()),
    ("lstsq", lambda a: L.lstsq(a, torch.ones(4, 1)).solution.sum()), ("lu", lambda a: (L.lu(a).L.sum() + L.lu(a).U).sum()),
):
    a = tall.clone().requires_grad_()
    function(a).backward()
    show(name, a.grad)
for name, function in (
    ("eigvalsh", lambda a: L.eigvalsh(a).pow(2).sum()), ("eigh", lambda a: L.eigh(a).eigenvectors.pow(2).mul(tall[:3]).sum()),
    ("matrix_exp", lambda a: L.matrix_exp(a / 8).sum()), ("eigvals", lambda a: L.eigvals(a).abs().sum()),
):
    a = definite.clone().requires_grad_()
    function(a).backward()
    show(name, a.grad)

attempt("qr", lambda: L.qr(torch.ones(3))[0])
attempt("qr", lambda: L.qr(tall, "other")[0])
attempt("svd", lambda: L.svd(torch.ones(2, 2, dtype=torch.int64))[0])
attempt("eigh", lambda: L.eigh(tall)[0])
attempt("eig", lambda: L.eig(torch.full((2, 2), float("nan")))[0])
attempt("lu_factor", lambda: L.lu_factor(torch.zeros(2, 2))[0])
