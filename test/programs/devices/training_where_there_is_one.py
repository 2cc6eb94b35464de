# Scripts that ask for a device and do without: the numbers are those of the CPU's random stream, so that they are the same
# on every device. On an emulated one `cargo xtask gpu-emulate` runs it.
import copy
import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.head = nn.Linear(4 * 4 * 4, 3)
        self.register_buffer("scale", torch.tensor([1.0, 0.5, 2.0]))

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        x = nn.functional.max_pool2d(x, 2)
        return self.head(x.flatten(1)) * self.scale


def train(epochs):
    torch.manual_seed(3)
    inputs, labels = torch.randn(24, 1, 8, 8), torch.randint(0, 3, (24,))
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=6)
    model = Net().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    criterion = nn.CrossEntropyLoss().to(device)
    for epoch in range(epochs):
        model.train()
        total, right = 0.0, 0
        for x, y in loader:
            x, y = x.to(device), y.to(device, non_blocking=True)
            optimizer.zero_grad()
            out = model(x)
            loss = criterion(out, y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * x.size(0)
            right += (out.argmax(1) == y).sum().item()
        scheduler.step()
        print(epoch, round(total / 24, 4), right, scheduler.get_last_lr())
    return model, optimizer


model, optimizer = train(6)
assert all(p.device.type == device.type for p in model.parameters())
assert all(p.grad.device == p.device for p in model.parameters())
assert model.scale.device.type == device.type
assert optimizer.state[model.head.weight]["exp_avg"].device.type == device.type

# A checkpoint, read on the CPU and where it came from.
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
file.seek(0)
there = torch.load(file, map_location=device)
assert there["model"]["conv.weight"].device.type == device.type
file.seek(0)
here = torch.load(file, map_location="cpu")
assert here["model"]["conv.weight"].device == torch.device("cpu")
again = Net()
again.load_state_dict(here["model"])
again.to(device).eval()
model.eval()
x = torch.linspace(-1, 1, 128).reshape(2, 1, 8, 8).to(device)
with torch.no_grad():
    print(torch.equal(again(x), model(x)), [round(v, 3) for v in model(x).cpu().flatten().tolist()])
print(torch.equal(copy.deepcopy(model)(x), model(x)))

# Gradients go back to where a leaf is, from wherever it was used.
leaf = torch.arange(4.0, requires_grad=True)
for _ in range(12):
    leaf.grad = None
    moved = leaf.to(device) ** 2
    (moved.cpu() * leaf).sum().backward()
print(leaf.grad, leaf.grad.device)

# A number of the CPU beside tensors of a device, and what is made of what is there.
x = torch.ones(3, device=device)
factor = torch.tensor(0.5)
for i in range(15):
    x = x * factor + torch.ones_like(x) + x.new_full((3,), 0.25) + torch.zeros(3, device=x.device)
    x[i % 3] = float(i)
    x[1:] += torch.arange(2.0).to(x)
print(x.cpu(), x.is_cuda == (device.type == "cuda"), x.get_device() >= -1)

# Running statistics and a list of losses.
history = []
weight = torch.zeros(3, 3).to(device).requires_grad_()
target = torch.eye(3).to(device)
for step in range(25):
    loss = ((weight - target) ** 2).sum()
    (grad,) = torch.autograd.grad(loss, weight)
    with torch.no_grad():
        weight -= 0.1 * grad
    history.append(loss.detach())
print([round(v, 4) for v in torch.stack(history).cpu().tolist()[::6]], history[0].device.type == device.type)
