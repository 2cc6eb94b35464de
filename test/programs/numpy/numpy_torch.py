"""Between numpy and PyTorch: what shares memory, what is copied, dtypes, batches, a training loop."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def attempt(what):
    try:
        print(repr(what()))
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


a = np.ones(2)
x = torch.ones(2)
i = np.array([1, 0])
for what in [
    lambda: x + a, lambda: x * np.float32(2), lambda: np.float32(2) * x, lambda: np.float64(2) * x,
    lambda: np.int64(2) * x, lambda: x[i], lambda: x[np.array([True, False])], lambda: x[np.int64(1)],
    lambda: np.sqrt(x), lambda: np.exp(x), lambda: torch.tensor(a), lambda: torch.tensor([a, a]),
    lambda: torch.tensor(np.float32(1)), lambda: torch.tensor(np.float64(1)),
    lambda: torch.tensor(np.int32(1)), lambda: torch.tensor([np.float32(1), np.float32(2)]),
    lambda: torch.tensor([np.float64(1)]), lambda: torch.Tensor(a), lambda: torch.FloatTensor(a),
    lambda: torch.as_tensor(a), lambda: torch.Tensor([a, a]), lambda: torch.tensor(a > 0),
    lambda: torch.tensor(a, dtype=torch.float32), lambda: torch.as_tensor([np.int64(3)]),
    lambda: torch.from_numpy(a), lambda: torch.from_numpy(a[::-1]), lambda: torch.from_numpy([1]),
    lambda: torch.from_numpy(a).float(), lambda: torch.zeros(np.int64(2), 2),
    lambda: torch.full((2,), np.float32(1.5)), lambda: torch.arange(np.int64(3)), lambda: x == a,
    lambda: a == x, lambda: a < x, lambda: x - a, lambda: x @ a, lambda: x / a, lambda: x > a,
    lambda: x > np.float32(0.5), lambda: x.numpy(), lambda: np.asarray(x), lambda: np.array([x, x]),
    lambda: np.array(x), lambda: np.concatenate([x, a]), lambda: x.clone().requires_grad_().numpy(),
    lambda: x.numpy() * 2, lambda: x.sum().item() + a.sum(), lambda: x.dtype == np.float32,
    lambda: torch.is_tensor(a), lambda: x ** np.float32(2),
    lambda: torch.tensor([[1.0, 2.0], [3.0, 4.0]])[:, i], lambda: torch.tensor(a).numpy().dtype,
    lambda: np.zeros(x.shape),
]:
    attempt(what)

shared = np.zeros(3, dtype=np.float32)
t = torch.from_numpy(shared)
t[0] = 5
shared[1] = 7
back = t.numpy()
back += 1
print(shared, t, torch.tensor(shared).data_ptr() == t.data_ptr())
t.mul_(2)
shared[a.size] = -1
print(shared, t)


class Waves(Dataset):
    def __init__(self, n):
        rng = np.random.RandomState(0)
        self.x = rng.uniform(-3, 3, (n, 2)).astype(np.float32)
        self.y = np.sin(self.x).sum(axis=1, keepdims=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, at):
        return self.x[at], self.y[at], np.float32(at), int(at)


np.random.seed(0)
torch.manual_seed(0)
data = Waves(64)
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(12):
    losses = []
    for batch, target, weight, at in DataLoader(data, batch_size=16, shuffle=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(epoch, f"{np.mean(losses):.4f} {np.std(losses):.4f}", batch.dtype, weight.dtype, at.dtype)
with torch.no_grad():
    predicted = model(torch.from_numpy(data.x)).numpy()
error = np.abs(predicted - data.y)
print(f"{error.mean():.3f} {error.max():.3f}", predicted.shape, np.argmax(error) >= 0)

# Data by hand, in batches of a permutation
order = np.random.permutation(len(data))
for start in range(0, len(data), 32):
    rows = order[start : start + 32]
    inputs, targets = torch.from_numpy(data.x[rows]), torch.from_numpy(data.y[rows])
    print(f"{inputs.sum().item():.4f} {targets.mean().item():.4f}", rows[:3])
dataset = TensorDataset(torch.tensor(data.x), torch.tensor(data.y))
print(len(dataset), dataset[3][0])


def moving(scale):
    """Numbers that move, in the dtype asked for."""
    return torch.tensor([1e-5 * scale, scale / 3, 0.1], dtype=torch.float64)


print(sum([moving(scale) for scale in range(60)]).tolist())
