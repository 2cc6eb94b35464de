"""Collectives of float16 and bfloat16."""
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


torch.manual_seed(rank)
for dtype in (torch.float16, torch.bfloat16):
    for op in (dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT, dist.ReduceOp.MIN, dist.ReduceOp.MAX, dist.ReduceOp.AVG):
        t = (torch.randn(3000) * 3).to(dtype)
        dist.all_reduce(t, op)
        say(dtype, op, t.float()[:6].tolist(), t.double().abs().sum().item())
    special = torch.tensor([float("inf"), float("nan"), 1.0, 65504.0, 1e-7]).to(dtype) * (rank + 1)
    dist.all_reduce(special)
    say(special.float().tolist())
    out = torch.zeros(2 * n, dtype=dtype)
    dist.all_gather_into_tensor(out, torch.tensor([rank + 0.5, 1], dtype=dtype))
    say(out.float().tolist())
    t = torch.full((3,), rank + 1.5, dtype=dtype)
    dist.broadcast(t, n - 1)
    say(t.float().tolist())
    try:
        dist.all_reduce(t, dist.ReduceOp.BAND)
    except RuntimeError as e:
        say(e)

end()
