import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.ones(100000)
for i in range(1000):
    if rank == 1 and i == 50:
        raise ValueError("rank one is unhappy")
    dist.all_reduce(x)
