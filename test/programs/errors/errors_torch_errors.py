# Errors of torch functions caught in a hot loop; tensors keep what was written before.
import torch

state = torch.zeros(4)


def update(x, i):
    state[i % 4] += 1
    y = x @ state
    state[i % 4] += y.item() * 0.01
    return y


bad = []
for i in range(20):
    x = torch.ones(4 if i % 6 != 5 else 3)
    try:
        update(x, i)
    except RuntimeError as e:
        bad.append((i, str(e)))
print(bad)
print([f"{v:.4f}" for v in state.tolist()])
for f in (lambda: torch.ones(2) + torch.ones(3), lambda: torch.zeros(2)[5], lambda: torch.ones(2, 3).view(4),
          lambda: torch.cat([torch.ones(1, 2), torch.ones(1, 3)]), lambda: torch.tensor([1, 2]).mean()):
    try:
        f()
    except (RuntimeError, IndexError) as e:
        print(type(e).__name__, e)
