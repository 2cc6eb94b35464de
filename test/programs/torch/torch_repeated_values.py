"""Gradients through eigenvalues and singular values that repeat, and of norms that do not move."""
import torch


def grad(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    g = torch.autograd.grad(y.sum(), x, allow_unused=True)[0]
    # PyTorch has no gradient, or zeros.
    g = torch.zeros_like(x) if g is None else g
    return [round(v, 4) for v in y.detach().flatten().tolist()], [round(v, 4) + 0.0 for v in g.flatten().tolist()]


linalg = torch.linalg
for a in (torch.eye(2) * 2, torch.diag(torch.tensor([1.0, 2.0, 2.0])), torch.zeros(2, 2)):
    for f in (
        lambda a: linalg.eigh(a)[0], linalg.eigvalsh, lambda a: linalg.svd(a)[1], linalg.svdvals,
        lambda a: linalg.eigvals(a).real, lambda a: a.norm("nuc"),
    ):
        print(*grad(f, a))
print(grad(lambda a: linalg.eigh(a)[0] * 2, torch.tensor([[2.0, 1.0], [1.0, 3.0]])))
x = torch.tensor([0.0, -2.0, 3.0])
for f in (lambda x: x.norm(0), lambda x: linalg.vector_norm(x, 0), lambda x: torch.dist(x, torch.ones(3), 0), torch.angle):
    print(*grad(f, x), f(x.clone().requires_grad_()).requires_grad)
for driver in (None, "gels", "gelsd"):
    a, b = torch.tensor([[1.0, 2.0], [3.0, 5.0], [1.0, 0.0]]), torch.tensor([[1.0], [2.0], [4.0]])
    found = linalg.lstsq(a, b, driver=driver)
    print([round(v, 3) for v in found.solution.flatten().tolist()], [round(v, 3) for v in found.residuals.tolist()])
for t in torch.ones(3, 4).topk(2, dim=1) + torch.ones(3, 4).kthvalue(2, dim=0):
    print(t.is_contiguous(), t.view(-1).shape)
print(torch.fft.rfft(torch.ones(3, 6)).is_contiguous(), torch.view_as_real(torch.fft.rfft(torch.ones(2, 4))).view(-1).shape)
