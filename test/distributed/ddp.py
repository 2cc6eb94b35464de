"""DistributedDataParallel: buffers, buckets, no_sync, parameters that some ranks, or none, use."""
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
import torch
import torch.distributed as dist

from together import begin, end, say

rank, n = begin()


torch.manual_seed(rank)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 16), nn.Tanh(), nn.Linear(16, 3))
model = DDP(net)
say([(k, round(v.double().sum().item(), 5)) for k, v in model.state_dict().items()])
torch.manual_seed(3)
x, y = torch.randn(48, 1, 8, 8), torch.randint(0, 3, (48,))
data = TensorDataset(x, y)
sampler = DistributedSampler(data, shuffle=True)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(12):
    sampler.set_epoch(epoch)
    for a, b in DataLoader(data, batch_size=4, sampler=sampler):
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    say(epoch, "%.3f" % loss.item())
with torch.no_grad():
    model.eval()
    say("%.3f" % F.cross_entropy(model(x), y).item())
    model.train()
with model.no_sync():
    F.cross_entropy(model(x[rank::n]), y[rank::n]).backward()
    say("no_sync", "%.2f" % net[4].weight.grad.double().abs().sum().item())
F.cross_entropy(model(x[rank::n] * 2), y[rank::n]).backward()
say("synced", "%.2f" % net[4].weight.grad.double().abs().sum().item())


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x, which):
        return self.a(x) if which else self.b(x)


torch.manual_seed(5)
m = DDP(Branches(), find_unused_parameters=True)
for step in range(3):
    m.zero_grad()
    m(torch.ones(2, 3) * (rank + 1), (step + rank) % 2 == 0 and step < 2).sum().backward()
    say(step, [None if p.grad is None else p.grad.sum().item() for p in m.parameters()])
m = DDP(Branches())
m(torch.ones(2, 3), True).sum().backward()
try:
    m(torch.ones(2, 3), True).sum().backward()
except RuntimeError as e:
    say(str(e).split("\n")[0])
total = sum(p.double().sum() for p in net.parameters()).item()
say("%.2f" % total)

end()
