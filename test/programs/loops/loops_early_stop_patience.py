# Early stopping with patience over epochs, and an else clause on the training loop.
import torch
from torch import nn


def fit(lr, patience):
    torch.manual_seed(8)
    model = nn.Linear(2, 1)
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    x = torch.randn(12, 2)
    y = x @ torch.tensor([[2.0], [-1.0]])
    best, bad = float("inf"), 0
    for epoch in range(40):
        loss = nn.functional.l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() < best - 1e-3:
            best, bad = loss.item(), 0
        else:
            bad += 1
            if bad > patience:
                break
    else:
        return best, "ran out"
    return best, epoch


for lr in (0.01, 0.1, 0.5, 1.0):
    best, end = fit(lr, 3)
    print(lr, f"{best:.4f}", end)
