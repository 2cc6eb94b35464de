# Forward, backward and update are one graph.
import torch

model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def step(x, y):  # region
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss

for _ in range(5):
    step(torch.ones(2, 3), torch.ones(2, 1))
