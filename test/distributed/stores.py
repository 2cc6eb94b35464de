"""The stores in which processes meet."""
import datetime
import tempfile
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


def attempt(name, f):
    try:
        say(name, f())
    except Exception as e:
        say(name, type(e).__name__, str(e).split("\n")[0].split(" object at ")[0])


def use(store):
    store.set("a", "1")
    say(store.get("a"), store.add("n", 3), store.add("n", -1), store.get("n"), store.check(["a"]), store.check(["z"]))
    say(store.delete_key("a"), store.delete_key("a"), store.check(["a"]))
    say(store.compare_set("c", "", "x"), store.compare_set("c", "y", "z"), store.compare_set("c", "x", "z"), store.get("c"))
    attempt("wait", lambda: store.wait(["never"], datetime.timedelta(milliseconds=60)))
    prefix = dist.PrefixStore("p", store)
    prefix.set("k", b"v")
    say(prefix.get("k"), store.get("p/k"))


port = torch.zeros(1, dtype=torch.int64)
store = None
if rank == 0:
    store = dist.TCPStore("localhost", 0, n, True, wait_for_workers=False)
    port[0] = store.port
    use(store)
dist.broadcast(port, 0)
if rank > 0:
    store = dist.TCPStore("localhost", int(port), n, False)
store.set(f"from {rank}", str(rank * 10))
say([store.get(f"from {r}") for r in range(n)])
dist.barrier()
name = [tempfile.mkdtemp() + "/store" if rank == 0 else None]
dist.broadcast_object_list(name)
file = dist.FileStore(name[0], n)
file.set(f"of {rank}", f"file {rank}")
say([file.get(f"of {r}") for r in range(n)])
dist.barrier()
say(file.add("sum", 1) > 0)
dist.barrier()
say(file.add("sum", 0))

end()
