# Models trained in processes that are started anew; a process that raises.
import multiprocessing
import torch
import torch.nn as nn
import torch.multiprocessing as mp


def train(rank, q):
    torch.manual_seed(rank)
    m = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x, y = torch.randn(32, 8), torch.randint(0, 2, (32,))
    for i in range(60):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(m(x), y)
        loss.backward()
        opt.step()
    q.put((rank, round(loss.item(), 4), (torch.arange(3) + rank).tolist()))


def fail(rank):
    if rank == 1:
        raise ValueError("rank one")


if __name__ == "__main__":
    q = multiprocessing.get_context("spawn").SimpleQueue()
    mp.spawn(train, args=(q,), nprocs=2)
    print(sorted([q.get(), q.get()]))
    try:
        mp.spawn(fail, nprocs=2)
    except mp.ProcessRaisedException as e:
        print(str(e).splitlines()[2], "|", str(e).splitlines()[-1], e.error_index)
