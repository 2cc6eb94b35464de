import datetime
import time
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.ones(100000)
group = dist.new_group(timeout=datetime.timedelta(seconds=1))
if rank == 1:
    time.sleep(60)
dist.all_reduce(x, group=group)
