"""What is refused before anything is sent."""
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


def attempt(name, f):
    try:
        say(name, f())
    except Exception as e:
        say(name, type(e).__name__, str(e).split("\n")[0].split(" object at ")[0])


t = torch.tensor([rank + 1.0])
g = dist.new_group([0, n - 1])
attempt("new_group", lambda: dist.new_group([0, n]))
if g is not dist.GroupMember.NON_GROUP_MEMBER:
    attempt("not in it", lambda: dist.broadcast(t, 17, group=g))
    attempt("rank", lambda: dist.get_global_rank(g, 5))
else:
    g = dist.group.WORLD
attempt("p2p", lambda: dist.P2POp(dist.broadcast, t, 0))
attempt("batch", lambda: dist.batch_isend_irecv([1]))
attempt("twice", lambda: dist.init_process_group("gloo"))
attempt("wrong", lambda: dist.all_reduce(3))
attempt("wrong list", lambda: dist.all_gather([1], t))
attempt("short list", lambda: dist.all_gather([t], t))
attempt("sizes", lambda: dist.all_gather([torch.zeros(3)] * n, torch.zeros(2)))
attempt("dtypes", lambda: dist.all_gather([torch.zeros(2, dtype=torch.int64)] * n, torch.zeros(2)))
attempt("gather without", lambda: dist.gather(t, None, dst=rank))
attempt("gather with", lambda: dist.gather(t, [t] * n, dst=(rank + 1) % n))
attempt("scatter without", lambda: dist.scatter(t, None, src=rank))
attempt("self", lambda: dist.send(t, rank))
attempt("root", lambda: dist.broadcast(t, 99))
attempt("backend", lambda: (dist.get_backend(), dist.get_backend(g)))
attempt("strided", lambda: dist.send(torch.zeros(4, 4).t(), (rank + 1) % n))

end()
