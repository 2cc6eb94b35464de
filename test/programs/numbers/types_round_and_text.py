# Numbers that move are rounded, formatted with %, joined and kept in lists and dicts.
import torch

log = []
best = {}


def note(x, i):
    loss = float((x * x).sum())
    log.append(round(loss, 3))
    best[f"part{i % 3}"] = "%.2f at %d" % (loss, i)
    text = ", ".join([f"{loss:.1f}", str(i)])
    whole = round(loss / 2)
    return x * 0.9, text.upper(), whole


x = torch.tensor([1.5, -2.0])
for i in range(192):  # expect: tier 2, at most 20 entries in tier 0
    x, text, whole = note(x, i)
print(log)
print(best, text, whole)
print(sorted(best.items(), key=lambda p: p[0], reverse=True))
