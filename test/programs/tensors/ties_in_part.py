"""Which of equal elements topk, kthvalue and median find, and where an unsorted row is searched."""
import torch

torch.manual_seed(3)


def found(x, k):
    most, least = torch.topk(x, k), torch.topk(x, k, largest=False, sorted=False)
    return most.indices, least.indices, torch.kthvalue(x, k).indices, torch.median(x, -1).indices


for n, k in ((1, 1), (4, 2), (8, 8), (20, 3), (70, 40), (200, 3), (1000, 500), (1000, 5)):
    x = torch.randint(0, 4, (2, n)).float()
    for i in range(25):
        all = found(x, k)
    print(n, k, *(t.flatten()[:12].tolist() for t in all), *(int((t.flatten() * torch.arange(t.numel())).sum()) for t in all))

x = torch.tensor([0.0, 2.0, 2.0, 1.0, 2.0, 0.0], requires_grad=True)
for i in range(25):
    x.grad = None
    (torch.topk(x, 2).values.sum() + torch.kthvalue(x, 2).values).backward()
print(x.grad)
