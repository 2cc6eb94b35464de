"""Norms of matrices by their singular values, one triangle of a Hermitian matrix, slopes of sequences."""
import torch

a = torch.arange(12.0).reshape(2, 2, 3) ** 1.5
for order in ("nuc", 2, -2, 2.0):
    print(["%.4f" % v for v in torch.linalg.matrix_norm(a, order).tolist()], tuple(torch.linalg.matrix_norm(a, order, dim=(0, 2), keepdim=True).shape), "%.4f" % torch.linalg.norm(a[0], order))
print("%.4f" % torch.linalg.norm(torch.tensor([3.0, 4.0]), 2), "%.4f" % torch.linalg.norm(a), torch.linalg.norm(a.double(), 2, dim=(1, 2)).dtype)
x = a[0].clone().requires_grad_()
torch.linalg.norm(x, "nuc").backward()
print([["%.4f" % v for v in row] for row in x.grad.tolist()])
m = torch.tensor([[1 + 2j, 2], [3j, 4]])
print(["%.4f" % v for v in torch.linalg.eigvalsh(m).tolist()], ["%.4f" % v for v in torch.linalg.eigvalsh(m, UPLO="U").tolist()])
print(torch.gradient(torch.arange(4.0) ** 2), type(torch.gradient(a)).__name__, torch.gradient(torch.tensor([1, 4, 9, 2]), spacing=None))
print(torch.lu(torch.eye(2), get_infos=True)[2], type(torch.lu(torch.eye(2), get_infos=True)).__name__, torch.linalg.vander(torch.tensor(-8), N=2))
for call in (
    lambda: torch.geqrf(x)[0].sum().backward(), lambda: torch.histogram(x, 3).hist.sum().backward(), lambda: torch.nextafter(x, x + 1).sum().backward(),
    lambda: torch.linalg.matrix_norm(a, 3),
):
    try:
        call()
    except (RuntimeError, NotImplementedError) as e:
        print(type(e).__name__, e)
