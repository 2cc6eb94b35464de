# linalg.norm of matrices, inner products, Bilinear with any number of leading dimensions.
import torch

m = torch.tensor([[3.0, 0.0], [4.0, -5.0]], requires_grad=True)
inf = float("inf")


def shown(f):
    try:
        print(f())
    except (RuntimeError, NotImplementedError) as e:
        print(e)


for order in (None, "fro", 1, -1, inf, -inf, 0, 3):
    shown(lambda: torch.linalg.norm(m, ord=order))
    shown(lambda: torch.linalg.norm(m.detach(), order, (1, 0), keepdim=True))
    if order is not None:
        shown(lambda: torch.linalg.norm(torch.ones(2, 2, 2), ord=order))
for order in (None, 1, 2, 0, inf):
    of = m if order else m.detach()
    shown(lambda: torch.linalg.norm(of[1], ord=order))
    shown(lambda: torch.linalg.norm(of, ord=order, dim=0))
shown(lambda: torch.linalg.norm(torch.ones(2, 2, 2)))
shown(lambda: torch.linalg.norm(m[0], ord="fro"))
shown(lambda: torch.linalg.norm(m, ord="fro", dim=0))
shown(lambda: torch.linalg.matrix_norm(torch.arange(12.0).reshape(3, 2, 2)))


def penalty(m):
    m.grad = None
    (torch.linalg.norm(m, ord=1) + 2 * torch.linalg.norm(m, ord=-inf)).backward()
    return m.grad


for i in range(5):
    print(penalty(m))

a, b = torch.arange(6.0).view(2, 3), torch.ones(4, 3)


def products(a, b):
    return torch.inner(a + 0, b), torch.inner(a, b[0]), a.inner(b), torch.inner(a[0], b[1]), torch.inner(a * 2, torch.tensor(2.0))


for i in range(5):
    print(*products(a, b))
print(torch.inner(torch.ones(2, 3, 4), torch.ones(5, 4)).shape)
shown(lambda: torch.inner(a, torch.ones(2, 2)))

torch.manual_seed(0)
layer = torch.nn.Bilinear(4, 5, 6)
for shape in ((3,), (2, 3), (), (2, 2, 2)):
    for i in range(4):
        y = layer(torch.randn(*shape, 4), torch.randn(*shape, 5))
    print(y.shape, f"{y.sum().item():.4f}")
