"""What occurs in a tensor: unique, unique_consecutive, bincount; also in a graph, with lengths that move."""
import torch

torch.manual_seed(0)


def show(f):
    try:
        r = f()
        print(r, r.dtype if isinstance(r, torch.Tensor) else "")
    except Exception as e:
        print(type(e).__name__, e)


for n in (0, 1, 5, 9):
    x = torch.randint(0, 4, (n,))
    show(lambda: torch.unique(x, return_inverse=True, return_counts=True))
    show(lambda: torch.unique_consecutive(x, return_inverse=True, return_counts=True))
    show(lambda: x.float().unique())
x = torch.randint(0, 2, (6, 2))
show(lambda: torch.unique(x, dim=0, return_inverse=True, return_counts=True))
show(lambda: torch.unique(x, dim=1, return_inverse=True, return_counts=True))
show(lambda: torch.unique(x.t(), dim=-1, return_counts=True))
show(lambda: torch.unique(x, return_inverse=True))
show(lambda: torch.unique(x > 0, return_inverse=True, return_counts=True))
show(lambda: torch.unique(torch.tensor([float('nan'), 1.0, float('nan'), -0.0, 0.0]), return_counts=True))
show(lambda: torch.unique(torch.tensor(3), return_inverse=True, return_counts=True))
show(lambda: torch.unique(torch.tensor([3, 1], dtype=torch.uint8)))
show(lambda: torch.unique(x, True, True, True, 0))
show(lambda: torch.unique(x, sorted=False))
show(lambda: torch.unique(torch.zeros(0, 3), dim=0))
show(lambda: torch.unique(torch.zeros(2, 0), dim=0))
show(lambda: torch.unique(x, dim=5))
show(lambda: torch.unique(torch.zeros(2, 2, 2), dim=1, return_counts=True))
show(lambda: torch.unique_consecutive(torch.tensor([[1, 2], [1, 2], [0, 2]]), dim=0, return_counts=True))
a = torch.tensor([1, 2, 2, 5])
for least in (0, 3, 8, -1):
    show(lambda: torch.bincount(a, minlength=least))
for bad in ([1, -2], [[1, 2]], 1, [1.0], [True]):
    show(lambda: torch.bincount(torch.tensor(bad)))
show(lambda: torch.bincount(torch.tensor([1, 2], dtype=torch.uint8)))
show(lambda: torch.bincount(torch.zeros(0, dtype=torch.long), torch.zeros(0), minlength=3))
show(lambda: torch.bincount(torch.zeros(0, 2, dtype=torch.long)))
for weights in ([0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4], [True, False, True, True], [0.1, 0.2, 0.3], [[0.1, 0.2, 0.3, 0.4]]):
    show(lambda: torch.bincount(a, torch.tensor(weights)))
show(lambda: a.bincount(torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64), 7))

hist = torch.zeros(7, dtype=torch.long)
total = torch.zeros(())
for i in range(100):
    x = torch.randint(0, 6, (3 + i % 5,))
    hist += torch.bincount(x, minlength=7)
    found, counts = torch.unique(x, return_counts=True)
    total += (found * counts).sum() * 0.25
    sums = torch.bincount(x, weights=torch.ones(len(x)) * 0.5)
    total += sums.sum()
    if i == 60:
        # More than what was enough so far.
        print(torch.bincount(torch.tensor([9, 2]), minlength=7 if i % 2 else 8).tolist())
    if i % 10 == 0:
        print(i, found.tolist(), counts.tolist(), len(found), sums.shape, total.item())
print(hist.tolist(), total)
for i in range(30):
    classes = torch.bincount(torch.tensor([i % 4, i % 9]), minlength=4)
    print(i, classes.tolist(), classes.shape)
