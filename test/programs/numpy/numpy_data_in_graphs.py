import numpy as np, torch
np.random.seed(0); torch.manual_seed(0)
def step(w, a, idx):
    x = torch.tensor(a)                      # copies
    y = torch.as_tensor(a)                   # shares
    z = torch.from_numpy(a).float()
    u = torch.Tensor(a)
    v = torch.FloatTensor([a[0], a[1]])
    s = torch.stack([torch.from_numpy(a), y])
    p = w[idx]
    a += 1.0
    q = y.numpy() * 2
    return ((x * w).sum() + y.sum() + z.mean() + u.sum() + v.sum() + s.sum() + p.sum()).item(), q.sum()
w = torch.randn(4, 3, dtype=torch.float64)
for i in range(120):
    a = np.random.normal(0, 1, (4, 3))
    b = np.random.rand(5)
    c = np.random.randint(0, 4, size=3)
    d = np.random.choice(7, 3)
    e = np.random.permutation(6)
    f = np.random.randn(3)
    g = np.random.uniform(-1, 1, (2, 2))
    h = list(range(5)); np.random.shuffle(h)
    k = np.random.randint(10)
    r = step(w, a, c)
    if i % 17 == 0:
        print(i, [f"{float(v):.4f}" for v in r], b.sum(), c, d, e, f, g.sum(), h, k, np.random.random())
print(np.random.get_state()[2:], torch.rand(1))
