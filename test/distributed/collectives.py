"""Each collective, with each dtype and reduction, in the job's group and in a part of it."""
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


def attempt(name, f):
    try:
        say(name, f())
    except Exception as e:
        say(name, type(e).__name__, str(e).split("\n")[0].split(" object at ")[0])


R = dist.ReduceOp
for dtype in (torch.float32, torch.float64, torch.int64, torch.int32, torch.int8, torch.uint8, torch.int16, torch.bool):
    for op in (R.SUM, R.PRODUCT, R.MIN, R.MAX, R.AVG, R.BAND, R.BOR, R.BXOR):
        t = (torch.arange(7) + rank * 3 + 1).to(dtype)
        attempt(f"all_reduce {dtype} {op.name if hasattr(op, 'name') else op}", lambda: (dist.all_reduce(t, op), t.tolist()))
t = (torch.arange(12.).view(3, 4) * (rank + 1)).t()
dist.all_reduce(t)
say("not contiguous", t.tolist(), t.stride())
for src in range(n):
    t = torch.full((3,), float(rank))
    dist.broadcast(t, src)
    say("broadcast", src, t.tolist())
    t = torch.full((3,), float(rank + 1))
    dist.reduce(t, src)
    say("reduce", src, t.tolist() if rank == src else None)
    out = [torch.zeros(2, dtype=torch.int64) for _ in range(n)] if rank == src else None
    dist.gather(torch.tensor([rank, rank * 10]), out, src)
    say("gather", src, out)
    parts = [torch.tensor([i * 100 + rank]) for i in range(n)] if rank == src else None
    t = torch.zeros(1, dtype=torch.int64)
    dist.scatter(t, parts, src)
    say("scatter", src, t)
out = [torch.zeros(2, 2) for _ in range(n)]
dist.all_gather(out, torch.full((2, 2), float(rank)))
say("all_gather", out)
out = torch.zeros(n * 2)
dist.all_gather_into_tensor(out, torch.tensor([rank + 0.5, rank]))
say("all_gather_into_tensor", out)
out = torch.zeros(2)
dist.reduce_scatter(out, [torch.full((2,), float(i + rank)) for i in range(n)])
say("reduce_scatter", out)
dist.reduce_scatter_tensor(out, torch.arange(2. * n) + rank)
say("reduce_scatter_tensor", out)
out = torch.zeros(n, dtype=torch.int64)
dist.all_to_all_single(out, torch.arange(n) + 10 * rank)
say("all_to_all_single", out)
attempt("all_to_all_single splits", lambda: (
    o := torch.zeros(sum(range(1, n + 1)) * 0 + (rank + 1) * n, dtype=torch.int64),
    dist.all_to_all_single(o, torch.arange(sum(range(1, n + 1))) + 100 * rank, [rank + 1] * n, list(range(1, n + 1))),
    o.tolist())[2])
if rank == 0:
    for i in range(1, n):
        dist.send(torch.arange(3.) * i, i)
        dist.send(torch.arange(3.) * i * 2, i, tag=5)
elif rank > 0:
    a, b = torch.zeros(3), torch.zeros(3)
    w = dist.irecv(b, 0, tag=5)
    say("recv", dist.recv(a, 0), a)
    w.wait()
    say("irecv", b, w.is_completed())
if rank == 0:
    t = torch.zeros(1, dtype=torch.int64)
    got = 0
    for _ in range(1, n):
        src = dist.recv(t)
        got += int(t) * 1000 + src
    say("anybody", got)
else:
    dist.send(torch.tensor([rank]), 0)
# What is sent next must not come to a receiver from anybody.
dist.barrier()
right, left = (rank + 1) % n, (rank - 1) % n
t = torch.zeros(2)
for w in dist.batch_isend_irecv([dist.P2POp(dist.isend, torch.tensor([1. * rank, 2]), right), dist.P2POp(dist.irecv, t, left)]):
    w.wait()
say("batch", t)
w = dist.all_reduce(t, async_op=True)
w.wait()
say("async", t, w.is_completed())
dist.barrier()
dist.monitored_barrier()
objs = [None] * n
dist.all_gather_object(objs, {"rank": rank, "x": "y" * rank})
say("objects", objs)
objs = [rank, "a"] if rank == 0 else [None, None]
dist.broadcast_object_list(objs, src=0)
say("broadcast objects", objs)
objs = [None] * n if rank == 1 else None
dist.gather_object(("g", rank), objs, dst=1)
say("gather objects", objs)
objs = [None]
dist.scatter_object_list(objs, [f"to {i}" for i in range(n)] if rank == 0 else None, src=0)
say("scatter objects", objs)
if rank == 0:
    dist.send_object_list(["hello", 3], 1)
elif rank == 1:
    objs = [None, None]
    dist.recv_object_list(objs, 0)
    say("recv objects", objs)
g = dist.new_group([0, n - 1])
say("group", dist.get_rank(g), dist.get_world_size(g))
t = torch.tensor([rank + 1.])
if rank in (0, n - 1):
    dist.all_reduce(t, group=g)
    say(dist.get_process_group_ranks(g), dist.get_group_rank(g, n - 1), dist.get_global_rank(g, 1))
    dist.broadcast(t, n - 1, group=g)
say("in group", t)
x = torch.zeros(0)
dist.all_reduce(x)
torch.manual_seed(rank)
big = torch.randn(100003)
dist.all_reduce(big)
say("big", big.double().sum().item(), big[::9999].tolist())

end()
