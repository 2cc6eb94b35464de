# Text that branches decide on: put together, formatted, joined, cut, and used as keys.
import torch

torch.manual_seed(5)
counts = {"+3x8": 0, "-3x8": 0, "low": 0, "high": 0}
labels = []


def label(t):
    m = t.mean().item()
    sign = "+" if m >= 0 else "-"
    return f"{sign}3x8"


for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    t = torch.randn(3, 8)
    key = label(t)
    counts[key] += 1
    counts["low" if t[0, 0] < 0 else "high"] += 1
    marks = "".join("x" if v > 0 else "." for v in t[0, :3])
    shown = f"{t.sum().item():.3f}"
    part = shown[:4] + "|" + shown[::-1] + "|" + key[:1] * 2
    labels.append(part + marks)
    if i % 12 == 11:
        print(i, f"{key:>6}", marks, part, shown[1:3].upper(), len(labels))
print(counts, labels[-3:])
