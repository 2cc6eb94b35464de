# A training loop at module level with epochs, batches and a running mean.
import torch
from torch import nn

torch.manual_seed(19)
X, Y = torch.randn(24, 3), torch.randint(0, 2, (24,))
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.3)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(6):
    order = torch.randperm(24)
    running = 0.0
    right = 0
    for start in range(0, 24, 8):
        idx = order[start:start + 8]
        opt.zero_grad()
        out = model(X[idx])
        loss = loss_fn(out, Y[idx])
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
        right += (out.argmax(1) == Y[idx]).sum().item()
    print(f"epoch {epoch}: {running / 24:.4f} {right}")
