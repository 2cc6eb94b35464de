# A branch that alternates, one that flips once, and one that never does.
import torch

torch.manual_seed(11)
lin = torch.nn.Linear(3, 3)
opt = torch.optim.SGD(lin.parameters(), lr=0.1)


def train(x, step, warm):
    opt.zero_grad()
    y = lin(x)
    if step % 2 == 0:
        y = y.relu()
    if step >= warm:
        y = y * 0.5
    if step < 0:
        raise ValueError("never")
    loss = (y - x).pow(2).mean()
    loss.backward()
    opt.step()
    return loss


x = torch.randn(4, 3)
for step in range(30):
    loss = train(x, step, 15)
    if step % 5 == 4:
        print(step, f"{loss.item():.5f}")
