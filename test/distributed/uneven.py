"""Ranks with more inputs than others: `join`."""
import torch
import torch.distributed as dist

from together import begin, end, say
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel

rank, n = begin()


def train(inputs, **options):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 2))
    model = DistributedDataParallel(net, find_unused_parameters=options.pop("unused", False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(20 + rank)
    with model.join(**options):
        for step in range(inputs):
            optimizer.zero_grad()
            loss = (model(torch.randn(5, 4)) - 1).square().mean()
            loss.backward()
            optimizer.step()
            say(step, f"{loss.item():.4f}")
    say(inputs, [f"{v.double().sum().item():.4f}" for v in model.state_dict().values()])


train(5)
train(6 + 3 * rank)
train(9 - 3 * rank)
train(3 * rank)
train(5 + rank, divide_by_initial_world_size=False)
train(7 - 2 * rank, unused=True)
train(4, enable=False)
try:
    train(3 + rank, throw_on_early_termination=True)
except RuntimeError as e:
    say(e)

end()
