# f-strings with formats that only feed prints and logs.
import torch

log = []


def step(x, i):
    y = (x * i).tanh()
    name = f"step {i:03d}"
    log.append(f"{name}: {y.sum().item():+.3f} {tuple(y.shape)} {y.dtype!s:>14}")
    if i % 7 == 0:
        print(f"{name!r:<12}|{i / 7:^8.2f}|{'x' * (i // 7)}|{i:#x}")
    return y


torch.manual_seed(3)
x = torch.randn(3)
for i in range(264):  # expect: tier 2, at most 20 entries in tier 0
    x = step(x, i) + 0.5
print(*log[::7], sep="\n")
print("%d logs, last %s" % (len(log), log[-1].split(":")[0]), "{0:.2f} {0!r}".format(1.5))
