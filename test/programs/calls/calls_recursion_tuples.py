# tuples and ints as trees, isinstance
import torch, random
rng = random.Random(5)
torch.manual_seed(2)
def build(n):
    if n == 1:
        return rng.randrange(5)
    c = rng.randint(1, n - 1)
    return (build(c), build(n - c))
E = torch.randn(5, 4)
def encode(t):
    if isinstance(t, int):
        return E[t]
    a, b = t
    return torch.sin(encode(a)) + 0.5 * encode(b)
trees = [build(rng.randint(2, 10)) for _ in range(20)]
for k in range(4):
    s = 0.0
    for t in trees:  # expect: tier 2, at most 20 entries in tier 0
        s += encode(t).sum().item()
    print(f"{s:.5f}")
