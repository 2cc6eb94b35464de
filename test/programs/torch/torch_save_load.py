import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
model(torch.randn(4, 2)).sum().backward()
opt.step()
path = os.path.join(tempfile.mkdtemp(), "check.pt")
torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "epoch": 3, "losses": [0.5, 0.25]}, path)
data = torch.load(path)
print(sorted(data.keys()), data["epoch"], data["losses"], list(data["model"].keys()))
other = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
print(other.load_state_dict(data["model"]))
opt2 = torch.optim.SGD(other.parameters(), lr=1.0)
opt2.load_state_dict(data["opt"])
print(torch.equal(other[0].weight, model[0].weight), opt2.param_groups[0]["lr"], other[1].num_batches_tracked)
torch.save(torch.arange(3), path)
print(torch.load(path), torch.load(path).dtype)
torch.save([torch.tensor([True]), (1, "x", None, 2.5)], path)
print(torch.load(path))
