"""k-means as people write it: a loop over clusters whose number moves, in a loop that is left by a break."""
import torch

torch.manual_seed(3)
points = torch.cat([torch.randn(20, 2) + torch.tensor(c) for c in [(0.0, 0.0), (4.0, 4.0), (-4.0, 4.0)]])


def cluster(points, k, most, tol=1e-4):
    centers = points[torch.randperm(len(points))[:k]].clone()
    for it in range(most):
        nearest = torch.cdist(points, centers).argmin(dim=1)
        moved = centers.clone()
        for j in range(k):
            own = nearest == j
            if own.any():
                moved[j] = points[own].mean(0)
            else:
                moved[j] = points[torch.randint(len(points), (1,))].squeeze(0)
        shift = (moved - centers).norm().item()
        centers = moved
        if shift < tol:
            break
    else:
        it = -1
    return centers, nearest, it


total = 0.0
for trial in range(40):
    k = 2 + trial % 4
    centers, nearest, it = cluster(points, k, 3 if trial % 7 == 6 else 50)
    total += centers.sum().item() + nearest.sum().item() * 0.01 + it
    if trial % 8 == 0:
        print(trial, k, it, f"{total:.3f}")
print(f"{total:.3f}")
