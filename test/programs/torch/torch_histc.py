# Counts by equal parts of a range.
import torch


def histogram(x):
    return torch.histc(x * 1, bins=4, min=0, max=3), torch.histc(x * 2, 3)


for i in range(7):
    x = torch.tensor([0.0, 0.5, 1.0, 2.99, 3.0, 4.0, -1.0, 2.0 + i])
    print(*histogram(x))
print(torch.histc(torch.tensor([1.0, float("nan"), 2, 3, 3, 3.5]), bins=3, min=1, max=3))
print(torch.histc(torch.tensor([1.0, 1.0]), bins=3), torch.histc(torch.tensor([]), bins=3), torch.tensor([[1.0, 1.5], [2, 7]]).histc(4))
print(torch.histc(torch.tensor([1.0, 2.0], dtype=torch.float64)).sum(), torch.histc(torch.tensor([2.0]), min=2, max=2, bins=2))


def message(f):
    try:
        print(f())
    except (RuntimeError, AssertionError) as e:
        print(type(e).__name__, e)


message(lambda: torch.histc(torch.tensor([1, 2])))
message(lambda: torch.histc(torch.tensor([1.0, 2]), bins=0))
message(lambda: torch.histc(torch.tensor([1.0, 2]), bins=3, min=3, max=1))
message(lambda: torch.histc(torch.tensor([1.0, float("nan")]), bins=3))


def checked(x):
    torch._assert(x.sum() > 0, "the sum is not positive")
    return x * 2


for i in (1, 2, 3, 4, -1, 5, -2):
    message(lambda: checked(torch.ones(2) * i))
