# Classes as targets: which shapes fit, and what is said of those that do not.
import torch
import torch.nn.functional as F


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


torch.manual_seed(0)
x, x3 = torch.rand(1, 5), torch.rand(3, 5)
t(lambda: F.cross_entropy(x, torch.tensor(2)))
t(lambda: F.nll_loss(x, torch.tensor(2)))
t(lambda: F.nll_loss(x3, torch.tensor(2)))
t(lambda: F.nll_loss(x3, torch.tensor([2])))
t(lambda: F.nll_loss(x3, torch.tensor([[2], [1], [0]])))
t(lambda: F.nll_loss(x[0], torch.tensor(2)))
t(lambda: F.nll_loss(x[0], torch.tensor([2])))
t(lambda: F.nll_loss(x[0], torch.tensor([2, 3])))
t(lambda: F.cross_entropy(x[0], torch.tensor([2])))
t(lambda: F.cross_entropy(x3, torch.tensor([[2, 1], [1, 1], [0, 0]])))
t(lambda: F.cross_entropy(torch.rand(2, 3, 4, 4), torch.zeros(2, 4, dtype=torch.long)))
t(lambda: F.cross_entropy(torch.rand(2, 3, 4, 4), torch.zeros(2, 4, 5, dtype=torch.long)))
t(lambda: F.cross_entropy(torch.rand(2, 3, 4, 4), torch.zeros(3, 4, 4, dtype=torch.long)))
t(lambda: F.cross_entropy(torch.rand(2, 3, 4), torch.zeros(2, 5, dtype=torch.long)))
t(lambda: F.cross_entropy(torch.rand(2, 3, 4), torch.zeros(3, 4, dtype=torch.long)))
t(lambda: F.cross_entropy(x3, torch.zeros(3)))
t(lambda: F.cross_entropy(x3, torch.zeros(3, 4)))
t(lambda: F.cross_entropy(x3, torch.zeros(2, dtype=torch.long)))
t(lambda: F.cross_entropy(torch.tensor(1.0), torch.tensor(0)))
t(lambda: F.nll_loss(torch.rand(2, 3, 4, 4), torch.zeros(2, 4, 4, 4, dtype=torch.long)))
t(lambda: F.nll_loss(torch.rand(2, 3, 4, 5, 6), torch.zeros(2, 4, 5, dtype=torch.long)))
t(lambda: F.nll_loss(torch.rand(2, 3, 4, 5, 6), torch.zeros(2, 4, 5, 7, dtype=torch.long)))
row = torch.rand(5, requires_grad=True)
for options in ({}, {"reduction": "none"}, {"label_smoothing": 0.1}, {"weight": torch.arange(5.0)}, {"ignore_index": 2, "reduction": "sum"}):
    loss = F.cross_entropy(row, torch.tensor(2), **options)
    print(loss.shape, round(loss.item(), 4))
    row.grad = None
    loss.backward()
    print([round(v, 4) for v in row.grad.tolist()])
for reduction in ("mean", "none", "sum"):
    loss = F.cross_entropy(row.detach(), torch.tensor([2]), reduction=reduction)
    print(loss.shape, round(loss.item(), 4))
