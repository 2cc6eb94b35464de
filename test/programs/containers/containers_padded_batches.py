"""Batches of sentences of any length, padded by lists; slices that are objects."""

import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
PAD = 0
emb, out = nn.Embedding(12, 6, padding_idx=0), nn.Linear(6, 2)
opt = torch.optim.SGD([*emb.parameters(), *out.parameters()], lr=0.1)


def collate(seqs, device=None):
    longest = max(len(s) for s in seqs)
    ids = torch.tensor([s + [PAD] * (longest - len(s)) for s in seqs])
    mask = torch.tensor([[1.0] * len(s) + [0.0] * (longest - len(s)) for s in seqs], dtype=torch.float32)
    return ids, mask, torch.tensor([len(s) for s in seqs])


total = 0
for i in range(80):  # expect: tier 2, at most 10 entries in tier 0
    seqs = [[random.randrange(1, 12) for _ in range(random.randint(1, 6))] for _ in range(4)]
    ids, mask, lengths = collate(seqs)
    mean = (emb(ids) * mask.unsqueeze(2)).sum(1) / lengths.unsqueeze(1)
    target = torch.tensor([sum(s) % 2 for s in seqs])
    loss = nn.functional.cross_entropy(out(mean), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += ids.numel()
    if i % 16 == 0:
        print(i, tuple(ids.shape), int(mask.sum()), f"{loss.item():.4f}", ids[0].tolist()[:len(seqs[0])] == seqs[0])
print(total)


def batches(n, size):
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


data = torch.randn(30, 6)
seen = []
for epoch in range(12):
    s = 0.0
    for part in batches(30, 8):
        s += out(torch.tanh(data[part])).sum().item()
    seen.append(part)
    print(epoch, f"{s:.4f}", part, data[slice(None, 2 + epoch % 3)].shape, data[slice(epoch, None, 4)].shape)
print(seen[0] == seen[1], len(seen))
lists = []
for n in (3, 0, 2, 5, 1, -1, 4, 3, 2):
    x = torch.zeros(2) + n
    lists.append([n] * n + [1] * (int(x.sum()) - 2))
print(lists)
for a, b in ((2, 3), (1, 1), (4, 2), (3, 3), (2, 2), (5, 1)):
    try:
        x = torch.tensor([[1] * a, [2] * b]) * 1.0
        print(x.sum().item())
    except ValueError as e:
        print(e)
