"""What is under way at the same time: collectives, transfers, groups, and what nobody waits for."""
import datetime
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin(timeout=datetime.timedelta(seconds=30))


tensors = [torch.full((1000,), float(i + rank)) for i in range(50)]
works = [dist.all_reduce(tensor, async_op=True) for tensor in tensors]
sent = dist.isend(torch.tensor([rank + 0.5]), (rank + 1) % n, tag=3)
got = torch.zeros(1)
dist.recv(got, (rank - 1) % n, tag=3)
sent.wait()
for work in reversed(works):
    work.wait()
say(got, all((t == sum(i + k for k in range(n))).all().item() for i, t in enumerate(tensors)))
for i in range(5):
    dist.all_reduce(torch.ones(10), async_op=True)

# Two groups in another order on each side.
one, two = dist.new_group(), dist.new_group()
a, b = torch.ones(5), torch.ones(5) * 2
if rank == 0:
    works = [dist.all_reduce(a, group=one, async_op=True), dist.all_reduce(b, group=two, async_op=True)]
else:
    works = [dist.all_reduce(b, group=two, async_op=True), dist.all_reduce(a, group=one, async_op=True)]
for work in works:
    work.wait()
say(a, b)

# Several transfers of one tag keep their order.
if rank == 0:
    for work in [dist.isend(torch.tensor([i]), 1, tag=9) for i in range(20)]:
        work.wait()
elif rank == 1:
    received = [torch.zeros(1, dtype=torch.int64) for _ in range(20)]
    for work in [dist.irecv(tensor, 0, tag=9) for tensor in received]:
        work.wait()
    say([tensor.item() for tensor in received])

work = dist.broadcast(a, 0, async_op=True)
while not work.is_completed():
    pass
say(work.wait(), work.is_completed(), work.is_success(), a)
views = torch.zeros(4, 6)
dist.all_reduce(views[:, 1], op=dist.ReduceOp.SUM)
part = torch.arange(12.0).view(3, 4)[1:]
dist.all_reduce(part)
say(part, part.storage_offset())
leaf = torch.ones(3, requires_grad=True)
with torch.no_grad():
    dist.all_reduce(leaf)
(leaf * leaf).sum().backward()
say(leaf.is_leaf, leaf.requires_grad, leaf.detach(), leaf.grad)
numbers = torch.ones(3).numpy()
dist.all_reduce(torch.from_numpy(numbers))
say(numbers)

end()
