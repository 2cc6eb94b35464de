"""cosine_similarity: operands broadcast before the dimension counts, and the limit of a norm keeps its gradient."""
import torch
import torch.nn.functional as F


def numbers(t):
    return [round(v, 6) + 0.0 for v in t.detach().flatten().tolist()]


def similar(a, b, dim, eps):
    a.grad = b.grad = None
    r = F.cosine_similarity(a, b, dim, eps)
    r.sum().backward()
    return r, a.grad, b.grad


def shown(a, b, dim=1, eps=1e-8):
    a = torch.tensor(a, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(b, dtype=torch.float64, requires_grad=True)
    for i in range(25):
        r, p, q = similar(a, b, dim, eps)
    print(list(r.shape), numbers(r), numbers(p), numbers(q))


shown([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[2.0, 1.0, 0.0], [1.0, 2.0, 3.0]])
shown([[1.0, 2.0, 3.0]], [[2.0, 1.0, 0.0], [1.0, 2.0, 3.0]], eps=3.0)
shown([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[[2.0, 1.0, 0.0], [1.0, 2.0, 3.0]], [[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]]])
shown([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[[2.0, 1.0, 0.0], [1.0, 2.0, 3.0]], [[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]]], -1)
shown([1.0, 2.0, 3.0], [2.0, 1.0, 0.0], 0, 100.0)
