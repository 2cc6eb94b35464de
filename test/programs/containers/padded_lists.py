# Lists of a number as often as a length says that moves.
import torch

torch.manual_seed(11)


def pad_batch(seqs, value=0.0):
    n = max(len(s) for s in seqs)
    rows = []
    mask = []
    for s in seqs:
        k = n - len(s)
        rows.append(torch.cat([s, torch.full((k,), value)]))
        mask.append([1] * len(s) + [0] * k)
    return torch.stack(rows), torch.tensor(mask)


tot = 0.0
for i in range(100):
    seqs = [torch.randn((i * 7 + j * 3) % 5 + 1) for j in range(3)]
    x, m = pad_batch(seqs)
    tot += (x * m).sum().item() + m.sum().item()
print(f"{tot:.3f}")
