"""A training loop that is hot, with a collective of its own between the graphs of a step."""
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.head = nn.Embedding(11, 8), nn.GRU(8, 12, batch_first=True), nn.Linear(12, 11)

    def forward(self, x):
        return self.head(self.rnn(self.emb(x))[0])


def loss_of(model, x):
    return nn.functional.cross_entropy(model(x[:, :-1]).reshape(-1, 11), x[:, 1:].reshape(-1))


torch.manual_seed(7 + rank)
model = DistributedDataParallel(Net())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
counted = torch.zeros(1)
for step in range(60):
    x = torch.randint(0, 11, (4, 6 + step % 2))
    x[:, 1::2] = x[:, :1]
    optimizer.zero_grad()
    loss = loss_of(model, x)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    mean = loss.detach().clone()
    dist.all_reduce(mean, op=dist.ReduceOp.AVG)
    counted += 1
    if step % 10 == 9:
        say(step, f"{loss.item():.3f} {mean.item():.3f}")
dist.all_reduce(counted)
say(counted.item(), f"{sum(p.double().abs().sum() for p in model.parameters()).item():.2f}")
weights = [torch.zeros_like(model.module.head.weight) for _ in range(n)]
dist.all_gather(weights, model.module.head.weight.detach())
say(all(torch.equal(weights[0], w) for w in weights))

end()
