import torch
from torch.utils.data import (
    ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler, Subset, TensorDataset, random_split,
)


class Squares(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.tensor([float(i)]), i * i


torch.manual_seed(0)
ds = Squares(7)
for x, y in DataLoader(ds, batch_size=3):
    print(x.view(-1), y)
for x, y in DataLoader(ds, batch_size=3, shuffle=True):
    print(x.view(-1), y)
print(torch.rand(1))
for x, y in DataLoader(ds, batch_size=2, drop_last=True, shuffle=True):
    print(y)
print(len(DataLoader(ds, batch_size=2)), len(DataLoader(ds, batch_size=2, drop_last=True)))
td = TensorDataset(torch.arange(6).view(3, 2), torch.tensor([0, 1, 2]))
print(td[1], len(td))
for a, b in DataLoader(td, batch_size=2):
    print(a, b)
train, val = random_split(ds, [5, 2], generator=torch.Generator().manual_seed(1))
print(len(train), [y for _, y in val], train.indices)
print([len(s) for s in random_split(ds, [0.5, 0.5])], len(ConcatDataset([ds, ds])), Subset(ds, [1, 3])[1][1])
loader = DataLoader(ds, batch_size=4, sampler=RandomSampler(ds, replacement=True, num_samples=6))
print([y.tolist() for _, y in loader])
print([b for b in DataLoader([1.5, 2.5, 3.5], batch_size=2)])
print([b for b in DataLoader(["a", "b", "c"], batch_size=2)])
print([b for b in DataLoader([{"a": 1, "b": torch.ones(2)}] * 3, batch_size=2)])
print(next(iter(DataLoader(ds, batch_size=2, collate_fn=lambda rows: [r[1] for r in rows]))))


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))


print([b.tolist() for b in DataLoader(Stream(), batch_size=2)])
g = torch.Generator().manual_seed(3)
print([b.tolist() for b in DataLoader(list(range(6)), batch_size=3, shuffle=True, generator=g)])
