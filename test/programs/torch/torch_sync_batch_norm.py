"""SyncBatchNorm in one process: conversion, its state, the same numbers as BatchNorm."""
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Sequential(nn.Flatten(), nn.Linear(16, 3), nn.BatchNorm1d(3)))
other = nn.SyncBatchNorm.convert_sync_batchnorm(net)
print(other)
print(other is net, other[1].weight is net[1].weight, list(other.state_dict()))
x, y = torch.randn(6, 1, 4, 4), torch.randn(6, 3)
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
for step in range(20):
    optimizer.zero_grad()
    loss = (other(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print(step, f"{loss.item():.4f}", other[1].num_batches_tracked.item(), other[1].training)
other.eval()
print(f"{other(x).double().sum().item():.3f}", f"{other[1].running_mean.double().sum().item():.4f}")
for wrong in (torch.zeros(3), torch.zeros(2, 0)):
    try:
        nn.SyncBatchNorm(3).train()(wrong)
    except ValueError as e:
        print(e)
