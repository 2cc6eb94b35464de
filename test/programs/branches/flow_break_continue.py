# break and continue inside nested loops with tensor work.
import torch


def scan(rows, stop):
    kept = []
    total = torch.zeros(())
    for i, row in enumerate(rows):
        if row.sum() < 0:
            continue
        for j in range(len(row)):
            if j == stop:
                break
            if j % 2:
                continue
            total = total + row[j]
        else:
            kept.append(i)
        if total > 4:
            break
    return total, kept


torch.manual_seed(6)
for trial in range(12):
    rows = torch.randn(6, 5)
    total, kept = scan(rows, trial % 7)
    if trial % 3 == 0:
        print(trial, f"{total.item():.4f}", kept)
