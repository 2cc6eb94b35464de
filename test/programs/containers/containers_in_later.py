# Numbers that are told later (rounded ones) are looked for in lists and compared.
import torch
x = torch.tensor([-1.3, -3.2])
tabu = [(float(k), 1.0) for k in range(20)]
for i in range(60):
    y = x * 0 + (i * 7 % 23)
    y[1] = 1
    key = tuple(round(v, 1) for v in y.tolist())
    print(i, key, key in tabu)
import torch
x = torch.tensor([1.0, 2.0])
n = 0; m = 0; k = 0
for i in range(60):
    y = (x * (i % 5)).sum().item()
    r = round(y, 1)
    if r == 6.0: n += 1
    if 6.0 != r: m += 1
    s = str(y)
    if s == "6.0": k += 1
    t = f"{y:.1f}"
    if t == "6.0": k += 100
    if (r, 1) == (6.0, 1): k += 10000
    z = x.sum() * 2
print(n, m, k, slice(0, 3) == slice(0, 3))
