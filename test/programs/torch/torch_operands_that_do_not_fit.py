# Operands that would broadcast where PyTorch refuses: bilinear, soft_margin_loss, unflatten, embedding, index_add, slices.
import torch
import torch.nn.functional as F

ones = torch.ones


def told(name, f):
    for _ in range(6):
        try:
            r = f()
            text = (tuple(r.shape), round(r.sum().item(), 4))
        except (RuntimeError, IndexError, ValueError, TypeError, AssertionError) as e:
            text = type(e).__name__, str(e)
    print(name, text)


def rows(*values):
    return torch.tensor(values, dtype=torch.int64)


W = ones(4, 2, 2)
for a, b, bias in (((1, 2), (3, 2), 4), ((3, 2), (2,), 4), ((3, 2), (3, 3), 4), ((3, 3), (3, 2), 4), ((3, 2), (3, 2), 3), ((2,), (2,), 4)):
    told(f"bilinear {a} {b} {bias}", lambda: F.bilinear(ones(a), ones(b), W, ones(bias)))
for a, b in (((3, 1), (3,)), ((2, 3), (3,)), ((3,), (1,)), ((2, 3), (2, 1))):
    told(f"soft_margin_loss {a} {b}", lambda: F.soft_margin_loss(ones(a), ones(b)))
x = ones(4, 4)
for sizes in ((2, 3), (), (2, 2), (3, -1), (0, -1), (-1, 2)):
    told(f"unflatten {sizes}", lambda: x.unflatten(1, sizes))
for size, index in (((0, 2), rows(0)), ((2, 0), rows(5)), ((3, 2), rows(0, 3)), ((3, 2), rows(-1)), ((2, 3, 2), rows(1, 7)), ((0, 2), rows())):
    told(f"index_add {size} {index.tolist()}", lambda: ones(size).index_add(0, index, ones(len(index), *size[1:])))
for size, index, padding in (((0, 3), rows(0), None), ((0, 3), rows(), None), ((3,), rows(1), None), ((3, 2, 2), rows(1), None), ((3, 2), rows(5), 4), ((3, 2), rows(1), -3)):
    told(f"embedding {size} {index.tolist()} {padding}", lambda: F.embedding(index, ones(size), padding))
for index in (torch.tensor([0.5, 1.0]), rows(0, 1).reshape(1, 2), rows(0, 2).int()):
    told(f"index_reduce {index.tolist()}", lambda: ones(3, 2).index_reduce(0, index, ones(2, 2), "prod"))
for step in (0, -1, 1.0, 2, "a"):
    told(f"slice {step}", lambda: x[::step])
told("slice to a float", lambda: x[: 2.0])


def changed(make, f):
    w = make()
    f(w)
    return w.detach()


def leaf():
    return ones(1).expand(3).requires_grad_()


def view():
    return ones(1, requires_grad=True).expand(3)


def first(w):
    w[0] = 1


for make in (leaf, view, lambda: ones(1).expand(3)):
    for f in (lambda w: w.add_(1), first, lambda w: w.zero_() if w.requires_grad else w, lambda w: w.index_add_(0, rows(0), ones(1)), lambda w: w.normal_()):
        told("expanded", lambda: changed(make, f))
