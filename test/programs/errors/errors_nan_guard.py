# A training loop that skips steps whose loss is not finite, and clips otherwise.
import math

import torch
from torch import nn

torch.manual_seed(3)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
skipped = []
for i in range(100):
    x = torch.randn(5, 2)
    if i % 6 == 5:
        x[0, 0] = float("nan") if i % 4 else float("inf")
    loss = (model(x) - 1).pow(2).mean()
    opt.zero_grad()
    if not math.isfinite(loss.item()):
        skipped.append((i, "nan" if torch.isnan(loss) else "inf"))
        continue
    loss.backward()
    total = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    assert torch.isfinite(total), "gradients"
    opt.step()
print(skipped, f"{loss.item():.5f}", [f"{v:.4f}" for v in model.weight[0].tolist()])
