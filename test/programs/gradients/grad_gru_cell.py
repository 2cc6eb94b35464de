# nn.GRUCell and nn.LSTMCell called in a loop, with a state kept between calls.
import torch
from torch import nn

torch.manual_seed(13)
gru, lstm = nn.GRUCell(3, 4), nn.LSTMCell(4, 2)
opt = torch.optim.SGD([*gru.parameters(), *lstm.parameters()], lr=0.1)
h = torch.zeros(2, 4)
for step in range(12):
    h = h.detach()
    hc = None
    loss = 0
    for t in range(3):
        h = gru(torch.randn(2, 3), h)
        hc = lstm(h, hc)
        loss = loss + hc[0].pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 3:
        print(step, f"{loss.item():.6f}", f"{h.sum().item():.4f}")
