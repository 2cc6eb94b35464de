import os
import signal
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.ones(100000)
for i in range(100000):
    if rank == 1 and i == 50:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.all_reduce(x)
