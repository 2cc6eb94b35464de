# A teacher that follows the student by an exponential average, in no_grad.
import copy

import torch
from torch import nn

torch.manual_seed(21)
student = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 3))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(student.parameters(), lr=0.1)


@torch.no_grad()
def follow(decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(decay).add_(s, alpha=1 - decay)


for i in range(20):
    x = torch.randn(6, 3)
    loss = nn.functional.mse_loss(student(x), teacher(x)) + student(x).pow(2).mean() * 0.1
    opt.zero_grad()
    loss.backward()
    opt.step()
    follow(0.9)
    if i % 6 == 0:
        print(i, f"{loss.item():.6f}")
print(f"{teacher[0].weight.sum().item():.5f} {student[0].weight.sum().item():.5f}", teacher[0].weight.grad)
