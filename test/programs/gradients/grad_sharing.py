# One parameter used twice, tied weights, and the same module called twice.
import torch
from torch import nn

torch.manual_seed(6)


class Tied(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.embed = nn.Embedding(n, d)
        self.mix = nn.Linear(d, d)
        self.out = nn.Linear(d, n, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        h = self.mix(torch.tanh(self.mix(self.embed(ids))))
        return self.out(h)


model = Tied(7, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.2)
ids = torch.tensor([0, 3, 3, 6, 1])
for i in range(15):
    loss = nn.functional.cross_entropy(model(ids[:-1]), ids[1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.5f}", len(list(model.parameters())), model.out.weight is model.embed.weight)
print([f"{v:.4f}" for v in model.embed.weight.grad.sum(1).tolist()])
