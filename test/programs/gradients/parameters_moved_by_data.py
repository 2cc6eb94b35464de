import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 5), nn.Linear(5, 3)
        self.w = nn.Parameter(torch.ones(5) * 0.5)
    def forward(self, x):
        return self.b(torch.tanh(self.a(x)) * self.w)
net = Net()
def changed(p):
    p.data.sub_(p.grad * 0.01)
    p.grad = None
net.w.register_post_accumulate_grad_hook(changed)
for i in range(30):
    net.zero_grad()
    y = net(torch.ones(2, 4) * 0.1 * i)
    loss = (y ** 2).mean()
    loss.backward(retain_graph=True)
    loss.backward()
    if i % 10 == 9:
        print(i, round(net.w.sum().item(), 4), round(net.a.weight.grad.sum().item(), 4))
