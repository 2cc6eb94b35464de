# Globals that are read, written and deleted by the hot function.
import torch

counter = 0
scale = 1.0
last = torch.zeros(2)


def step(x):
    global counter, last, extra
    counter += 1
    y = x * scale + last
    last = y * 0.5
    extra = counter * 2
    return y


torch.manual_seed(8)
for i in range(20):
    y = step(torch.randn(2))
    if i == 9:
        scale = -2.0
print(counter, extra, [f"{v:.4f}" for v in last.tolist()])
del extra
print("extra" in globals(), step(torch.ones(2)).shape, extra)
