# Closures with nonlocal counters and tensors.
import torch


def make(decay):
    average = torch.zeros(3)
    calls = 0

    def update(x):
        nonlocal average, calls
        calls += 1
        average = decay * average + (1 - decay) * x
        return average / (1 - decay ** calls)

    def report():
        return calls, average.sum().item()

    return update, report


torch.manual_seed(9)
fast, fast_report = make(0.5)
slow, slow_report = make(0.9)
for i in range(18):
    x = torch.randn(3)
    y = fast(x) - slow(x)
    if i % 4 == 0:
        fast(x)
print([f"{v:.4f}" for v in y.tolist()], fast_report()[0], f"{fast_report()[1]:.4f}", slow_report()[0], f"{slow_report()[1]:.4f}")
