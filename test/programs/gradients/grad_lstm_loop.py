# An LSTM cell written out as a Python loop, trained on two lengths.
import torch
from torch import nn

torch.manual_seed(12)


class LSTM(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.h = h
        self.gates = nn.Linear(i + h, 4 * h)

    def forward(self, xs, state=None):
        h, c = state if state is not None else (torch.zeros(xs.shape[1], self.h), torch.zeros(xs.shape[1], self.h))
        outs = []
        for x in xs:
            i, f, g, o = self.gates(torch.cat([x, h], dim=1)).chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outs.append(h)
        return torch.stack(outs), (h, c)


net = LSTM(2, 5)
head = nn.Linear(5, 1)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=0.02)
for step in range(16):
    xs = torch.randn(4 if step < 8 else 6, 3, 2)
    out, (h, c) = net(xs)
    loss = ((head(out) - xs.sum(2, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 0:
        print(step, f"{loss.item():.5f}", tuple(out.shape))
print(f"{h.sum().item():.4f} {c.sum().item():.4f}")
