# The data become float64 in mid-training, then float32 again; the weights follow.
import torch
import torch.nn as nn

torch.manual_seed(4)
model = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 1))
x = torch.randn(10, 5)
y = torch.randn(10, 1)
history = []


def step(model, opt, x, y):
    opt.zero_grad()
    error = model(x) - y
    loss = (error * error).mean()
    loss.backward()
    opt.step()
    history.append(loss.detach())
    return loss


def run(dtype, steps):
    model.to(dtype)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    loss = None
    for _ in range(steps):
        loss = step(model, opt, x.to(dtype), y.to(dtype))
    print(loss.dtype, f"{loss.item():.5f}", model[0].weight.dtype, model[0].weight.grad.dtype)


run(torch.float32, 10)
run(torch.float64, 10)
run(torch.float32, 10)
print(len(history), [str(h.dtype) for h in history[9:21]])
try:
    step(model, torch.optim.SGD(model.parameters(), lr=0.1), x.double(), y)
except RuntimeError as e:
    print("RuntimeError:", e)
print(len(history))
