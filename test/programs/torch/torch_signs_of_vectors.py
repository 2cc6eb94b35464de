# Singular vectors and eigenvectors with the signs that PyTorch gives them, and gradients that depend on these.
import torch

torch.manual_seed(4)


def rounded(t):
    return [round(v, 3) + 0.0 for v in t.detach().flatten().tolist()]


for kind in (torch.float64, torch.float32):
    for shape in ((1, 1), (2, 2), (4, 4), (3, 2), (4, 3), (5, 3), (9, 3), (30, 2), (2, 3), (3, 5), (3, 9), (2, 3, 3)):
        a = torch.randn(shape, dtype=kind)
        u, s, vh = torch.linalg.svd(a, full_matrices=False)
        print(kind, shape, rounded(u)[:9], rounded(s), rounded(vh)[:9])
        leaf = a.clone().requires_grad_()
        u, s, vh = torch.linalg.svd(leaf, full_matrices=False)
        (u[..., 0, 0] * s[..., 0] + vh[..., 0, 0]).sum().backward()
        print("   ", rounded(leaf.grad)[:6]) if min(shape[-2:]) == shape[-1] else None
    for n in (1, 2, 3, 5, 10, 25) if kind is torch.float64 else (1, 2, 3, 5):
        a = torch.randn(n, n, dtype=kind)
        w, v = torch.linalg.eigh(a + a.T)
        print(n, rounded(w[:3]), rounded(v[:3, :3]))
x = torch.randn(50, 4) @ torch.diag(torch.tensor([3.0, 1.0, 0.5, 0.1]))
print(rounded(torch.linalg.svd(x - x.mean(0), full_matrices=False)[2]))
