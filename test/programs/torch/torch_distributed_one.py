"""torch.distributed with one process, and what scripts ask before there is any."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def attempt(what):
    try:
        print(repr(what()))
    except Exception as error:
        print(type(error).__name__, error)


print(dist.is_available(), dist.is_initialized(), dist.is_torchelastic_launched())
for what in (
    lambda: dist.get_rank(), lambda: dist.get_world_size(), lambda: dist.barrier(),
    lambda: dist.all_reduce(torch.ones(1)), lambda: dist.destroy_process_group(),
    lambda: DDP(nn.Linear(1, 1)), lambda: dist.init_process_group("gloo"),
    lambda: DistributedSampler([1, 2, 3]),
):
    attempt(what)

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29512", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
print(dist.get_rank(), dist.get_world_size(), dist.get_backend(), dist.is_initialized())
x = torch.arange(3.0)
gathered = [torch.zeros(3)]
objects = [None]
for what in (
    lambda: dist.init_process_group("gloo"), lambda: dist.all_reduce(x),
    lambda: dist.all_reduce(x, op=dist.ReduceOp.AVG), lambda: dist.broadcast(x, 0),
    lambda: dist.broadcast(x, src=1), lambda: dist.all_gather(gathered, x), lambda: dist.reduce(x, 0),
    lambda: dist.all_reduce(x, async_op=True).wait(), lambda: dist.barrier(),
    lambda: dist.all_gather_object(objects, {"a": 1}), lambda: dist.send(x, 0),
    lambda: dist.scatter(torch.zeros(3), [x], src=0),
):
    attempt(what)
print(x, gathered, objects)

torch.manual_seed(0)
model = DDP(nn.Linear(2, 1))
print(model, list(model.state_dict()), [name for name, _ in model.named_parameters()])
data = TensorDataset(torch.randn(24, 2), torch.randn(24, 1))
sampler = DistributedSampler(data, shuffle=True, seed=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    sampler.set_epoch(epoch)
    total = torch.zeros(1)
    for inputs, targets in DataLoader(data, batch_size=8, sampler=sampler):
        optimizer.zero_grad()
        with model.no_sync():
            loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    print(epoch, f"{total.item() / dist.get_world_size():.4f}")
for options in (
    {"num_replicas": 2, "rank": 1, "seed": 3}, {"num_replicas": 3, "rank": 0, "shuffle": False},
    {"num_replicas": 3, "rank": 0, "shuffle": False, "drop_last": True}, {"num_replicas": 9, "rank": 8},
):
    share = DistributedSampler(list(range(7)), **options)
    print(list(share), len(share))
attempt(lambda: DistributedSampler([1], num_replicas=2, rank=5))
dist.destroy_process_group()
print(dist.is_initialized())
