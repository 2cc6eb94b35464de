# A mixture of experts as people write it: each expert sees the rows that chose it, if there are any.
import torch
import torch.nn as nn

torch.manual_seed(0)


class Mixture(nn.Module):
    def __init__(self, size, experts):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(experts)])
        self.gate = nn.Linear(size, experts)

    def forward(self, x):
        weight, chosen = self.gate(x).softmax(-1).topk(1, -1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mine = chosen[:, 0] == i
            if mine.any():
                out[mine] = weight[mine] * expert(x[mine])
        return out


model = Mixture(4, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
skipped = [0, 0, 0]
for i in range(150):
    x = torch.randn(5, 4)
    loss = ((model(x) - x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    for k, expert in enumerate(model.experts):
        if expert.weight.grad is None:
            skipped[k] += 1
    optimizer.step()
    if i % 25 == 0:
        print(i, f"{loss.item():.4f}", skipped)
print(skipped, f"{sum(p.abs().sum().item() for p in model.parameters()):.3f}")
