import torch
import torch.nn as nn


def run(make):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    opt = make(model.parameters())
    losses = []
    for _ in range(5):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        losses.append(f"{loss.item():.5f}")
    print(losses, model.weight.detach(), model.bias.detach())
    return opt


print(run(lambda p: torch.optim.SGD(p, lr=0.1)))
run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9))
run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01))
run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True))
run(lambda p: torch.optim.SGD(p, lr=0.01, maximize=True))
opt = run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.5))
state = opt.state_dict()
print(state["param_groups"], sorted(state["state"].keys()), state["state"][1])
model = nn.Linear(3, 1)
other = torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.1)
other.load_state_dict(state)
print(other.param_groups[0]["lr"], other.param_groups[0]["momentum"], len(other.state))
other.add_param_group({"params": [nn.Parameter(torch.ones(1))], "lr": 5.0})
print(len(other.param_groups), other.param_groups[1]["lr"], other.param_groups[1]["momentum"])
for f in [
    lambda: torch.optim.SGD(model.parameters(), lr=-1),
    lambda: torch.optim.SGD([], lr=1),
    lambda: torch.optim.SGD(torch.ones(1), lr=1),
    lambda: torch.optim.SGD([1], lr=1),
]:
    try:
        f()
    except (ValueError, TypeError) as e:
        print(e)
p = nn.Parameter(torch.tensor([1.0, 2.0]))
opt = torch.optim.SGD([p], lr=0.5)


def closure():
    opt.zero_grad()
    loss = (p**2).sum()
    loss.backward()
    return loss


print(opt.step(closure), p)
