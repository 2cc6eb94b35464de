# An exception in the middle of a region that has written attributes, items and tensors.
import torch


class S:
    pass


s = S()
s.n = 0
s.t = torch.zeros(2)
table = {}


def update(i, divisor):
    s.n += 1
    s.t += 1
    table[i % 3] = s.t.clone()
    r = 10 // divisor
    s.n += 100
    s.t *= 2
    return r


errors = 0
for i in range(20):
    try:
        update(i, (i + 3) % 7)
    except ZeroDivisionError:
        errors += 1
        print("at", i, s.n, s.t.tolist(), sorted(table))
    if s.t[0] > 1000:
        s.t = s.t / 1024
print(errors, s.n, [f"{v:.4f}" for v in s.t.tolist()], [f"{table[k][0].item():.4f}" for k in sorted(table)])
