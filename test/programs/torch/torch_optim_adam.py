import torch
import torch.nn as nn


def run(make):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    opt = make(model.parameters())
    losses = []
    for _ in range(6):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        losses.append(f"{loss.item():.5f}")
    print(losses, model[2].weight.detach())
    return opt


opt = run(lambda p: torch.optim.Adam(p, lr=0.01))
print(opt.state_dict()["state"][3]["step"], opt.state_dict()["state"][3]["exp_avg"])
run(lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1))
run(lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True))
run(lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1))
run(lambda p: torch.optim.RMSprop(p, lr=0.01))
run(lambda p: torch.optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True, weight_decay=0.01))
run(lambda p: torch.optim.Adagrad(p, lr=0.1, lr_decay=0.01))
run(lambda p: torch.optim.Adadelta(p, lr=1.0))
print(torch.optim.Adam([nn.Parameter(torch.ones(1))]))
