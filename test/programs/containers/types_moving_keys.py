"""Dicts and sets under keys that move."""
import torch
from collections import defaultdict, Counter
torch.manual_seed(0)
names = ["a", "b", "c", "d"]
table = {("s", "x"): "t", ("s", "y"): "s", ("t", "x"): "u", ("t", "y"): "s", ("u", "x"): "s", ("u", "y"): "t"}
state = "s"
hits = {}
tot = 0.0
for i in range(60):
    state = table[state, "xy"[i % 3 % 2]]
    hits[state] = hits.get(state, 0) + 1
    tot += (torch.ones(3) * i).sum().item()
print(state, hits, tot)

sums = defaultdict(lambda: torch.zeros(2))
count = Counter()
for i in range(80):
    key = ("lr"[i % 2], i * i % 7)
    sums[key] += torch.full((2,), float(i))
    count[key] += 1
    count[names[i % 4]] += 2
print(sorted((k, v.tolist()) for k, v in sums.items()))
print(list(count.items()))

cache = {}
w = torch.randn(3)
def step(i):
    k = i % 11
    v = cache.pop(k, None)
    if v is None:
        v = w * k
    v = v * 0.9 + 1
    cache[k] = v
    if len(cache) > 6:
        cache.pop((k + 5) % 11, None)
    return v.sum()
s = 0.0
for i in range(90):
    s += step(i).item()
print(f"{s:.4f}", list(cache), len(cache))

seen = set()
active = {"z"}
for i in range(60):
    e = (names[i % 4], i % 3)
    new = e not in seen
    seen.add(e)
    if names[i % 4] in active:
        active.remove(names[i % 4])
    else:
        active.add(names[i % 4])
    w = w * 0.99 + (1.0 if new else 0.5)
print(sorted(seen), sorted(active), f"{w.sum().item():.4f}")

class Meter:
    def __init__(self):
        self.vals = {}
        self.n = 0
    def add(self, name, x):
        self.n += 1
        self.vals.setdefault(name, 0.0)
        self.vals[name] = 0.9 * self.vals[name] + x.mean().item()
m = Meter()
for i in range(70):
    m.add(names[i % 4], torch.ones(4) * i)
    m.add(f"k{i % 5}", torch.ones(4))
print({k: round(v, 3) for k, v in m.vals.items()}, m.n)
