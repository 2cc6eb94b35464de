import datetime
import time
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.ones(100000)
if rank == 1:
    time.sleep(60)
dist.monitored_barrier(timeout=datetime.timedelta(seconds=1))
