import torch
import torch.nn as nn

torch.manual_seed(2)
x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
criterion = nn.BCEWithLogitsLoss()
for step in range(200):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        print(f"step {step:3d} loss {loss.item():.4f}")
with torch.no_grad():
    pred = (torch.sigmoid(model(x)) > 0.5).float()
print(pred.view(-1).tolist(), (pred == y).all().item())
