"""Lists of the elements of a vector whose length moves, and of long ones."""
import torch
torch.manual_seed(0)
for i in range(40):
    x = torch.randn(2 + i % 5)
    k = (x * 10).long()
    l = k.tolist()
    m = x.tolist()
    bl = (x > 0).tolist()
    k += 100
    print(i, l, m, bl, len(l), sum(l), max(m), l[0], l[-1])
    l.append(3)
    t = 0
    for v in l:
        t += v
    print(t, k.tolist(), [v for v in m if v > 0])
big = torch.arange(100)
keep = []
for i in range(30):
    keep.append((big * i).tolist())
    big = big + 1
print(keep[-1], len(keep))
