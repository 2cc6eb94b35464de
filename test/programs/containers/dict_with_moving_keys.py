# Dicts that are asked for ints which the graph computes.
import torch

torch.manual_seed(9)
cent = torch.randn(4, 2)


def assign(pts):
    groups = {k: [] for k in range(4)}
    for i in range(pts.size(0)):
        d = ((pts[i] - cent) ** 2).sum(1)
        groups[int(d.argmin())].append(i)
    return groups


sizes = [0] * 4
for step in range(30):
    groups = assign(torch.randn(6, 2))
    for k, members in groups.items():
        sizes[k] += len(members)
print(sizes, groups)

# One from outside, whose values are numbers or tensors.
names = {0: "zero", 1: "one", 2: "two"}
counts = {0: 0, 1: 0, 2: 0}
means = {0: torch.zeros(3), 1: torch.zeros(3), 2: torch.ones(3)}
text = []
for step in range(60):
    x = torch.randn(3)
    k = x.argmax().item()
    counts[k] += 1
    means[k] = means[k] * 0.9 + x * 0.1
    if step % 20 == 19:
        text.append(names[k])
print(counts, {k: round(v.sum().item(), 4) for k, v in means.items()}, text)


# Keys that may be missing.
def score(x, table, bonus):
    k = int((x.abs().sum() * 2).clamp(max=7.0))
    s = x.sum() * table.get(k, 0.5)
    if k in bonus:
        s = s + bonus[k]
    else:
        s = s - 1
    try:
        s = s * table[k + 1]
    except KeyError:
        s = s * 0.25
    return s, bonus.pop(k, None) is not None


total, popped = torch.zeros(()), 0
for step in range(60):
    s, p = score(torch.randn(3), {1: 1.0, 3: 0.25, 4: 2.0}, {2: 0.5, 3: torch.ones(()), 5: 1.5})
    total = total + s
    popped += p
print(total, popped)

# New keys come, a few.
seen = {}
for step in range(50):
    k = int(torch.randn(2).sum().clamp(-2.0, 2.0).round())
    seen[k] = seen.get(k, 0) + 1
print(sorted(seen.items()))
