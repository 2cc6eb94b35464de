import time
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.ones(100000)
print("here", flush=True)
if rank == 1:
    time.sleep(600)
dist.barrier()
