import torch, random, numpy as np, os
from torch.utils.data import Dataset, IterableDataset, DataLoader, get_worker_info
class D(Dataset):
    def __init__(self, n): self.n = n; self.count = 0
    def __len__(self): return self.n
    def __getitem__(self, i):
        self.count += 1
        w = get_worker_info()
        return i, torch.rand(2), random.random(), np.random.rand(), w.id if w else -1
class It(IterableDataset):
    def __iter__(self):
        w = get_worker_info()
        a, b = (0, 11) if w is None else (w.id * 6, min(11, w.id * 6 + 6))
        for i in range(a, b): yield torch.tensor([i, w.id if w else -1])
class Bad(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        if i == 2: raise ValueError("bad item")
        return i
def init(i): np.random.seed(i + 7)
if __name__ == "__main__":
    for nw in (0, 1, 2, 3):
        torch.manual_seed(3); random.seed(1); np.random.seed(1); d = D(10)
        for e in range(2):
            for b in DataLoader(d, batch_size=3, shuffle=True, num_workers=nw): print(nw, b)
        print(d.count > 0, torch.rand(1))
    torch.manual_seed(1); random.seed(1); np.random.seed(1)
    l = DataLoader(D(6), batch_size=2, num_workers=2, persistent_workers=True, worker_init_fn=init)
    for e in range(2):
        for b in l: print(b)
    for nw in (0, 1, 2): print([b.tolist() for b in DataLoader(It(), batch_size=4, num_workers=nw)])
    print([b.tolist() for b in DataLoader(It(), batch_size=4, num_workers=2, drop_last=True)])
    try:
        for b in DataLoader(Bad(), num_workers=2): print(b)
    except ValueError as e: print(str(e).splitlines()[0], "|", str(e).splitlines()[-1])
    it = iter(DataLoader(D(10), num_workers=2)); print(next(it)[0]); del it
    g = torch.Generator(); g.manual_seed(9)
    for b in DataLoader(D(4), num_workers=1, generator=g, shuffle=True): print(b)
    for kw in ({"prefetch_factor": 3}, {"persistent_workers": True}, {"timeout": -1}):
        try: DataLoader(D(2), **kw)
        except ValueError as e: print(e)
    print(get_worker_info())
