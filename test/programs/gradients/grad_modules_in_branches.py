# Which modules take part in a step is decided by data; the others get no gradient.
import torch
from torch import nn

torch.manual_seed(6)


class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(3, 2) for _ in range(3))
        self.gate = nn.Linear(3, 3)
        self.uses = [0, 0, 0]

    def forward(self, x):
        scores = self.gate(x).softmax(-1)
        k = int(scores.argmax())
        self.uses[k] += 1
        return self.experts[k](x) * scores[k]


m = Routed()
opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
for i in range(24):
    loss = m(torch.randn(3)).pow(2).sum()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
print(m.uses, [e.weight.grad is not None for e in m.experts], f"{loss.item():.5f}")
