# expect: line 36 tier 2
# expect: line 72 tier 2
# Warnings that were given at their line before do nothing, and are part of a graph, until filters or what was given change.
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
warnings.resetwarnings()
shown = []
warnings.showwarning = lambda message, category, filename, lineno, file=None, line=None: shown.append((str(message)[:30], category.__name__, lineno))
layer = nn.Linear(4, 3)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
x = torch.randn(5, 4)
y = torch.randn(5, 1)


def old_name(p):
    warnings.warn("old_name is another function now", stacklevel=2)
    return p * 1.5


def step():
    opt.zero_grad()
    p = old_name(F.softmax(layer(x)))
    loss = F.mse_loss(p, y)
    warnings.warn("a script's own", FutureWarning)
    loss.backward()
    opt.step()
    return loss


total = 0.0
for i in range(40):
    total += step().item()
print(f"{total:.4f}", shown)

# Filters that change between runs.
shown.clear()


def quick(k):
    return F.log_softmax(x * k).sum()


total = 0.0
for i in range(60):
    total += quick(i * 0.1)
    if i == 30:
        warnings.simplefilter("default", UserWarning)
    if i == 45:
        warnings.simplefilter("always")
    if i == 48:
        warnings.resetwarnings()
    if i == 52:
        del globals()["__warningregistry__"]
print(f"{total.item():.2f}", shown)

# Filters that ignore: what a text says does not matter then.
shown.clear()
warnings.filterwarnings("ignore", category=UserWarning)


def told(k):
    warnings.warn(f"number {k}")
    return F.softmax(x + k).max()


total = 0.0
for i in range(40):
    total += told(i)
print(f"{total.item():.2f}", shown)
warnings.filters.insert(0, ("default", None, UserWarning, None, 0))
for i in range(3):
    total += told(i)
print(shown)

# An error is raised where it would be shown.
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        for i in range(5):
            quick(2.0)
    except UserWarning as e:
        print("raised", i, str(e)[:20])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for i in range(4):
        quick(1.0)
print(len(caught), caught[0].lineno)
