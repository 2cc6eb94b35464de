# Multi-head attention by hand with a causal mask, over moving lengths.
import math

import torch
from torch import nn

torch.manual_seed(20)


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (s.view(b, t, self.heads, -1).transpose(1, 2) for s in self.qkv(x).split(d, dim=2))
        att = q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)
        mask = torch.tril(torch.ones(t, t)) == 0
        att = att.masked_fill(mask, float("-inf")).softmax(-1)
        return self.proj((att @ v).transpose(1, 2).reshape(b, t, d))


net = Attention(8, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, t in enumerate([4, 4, 4, 4, 4, 6, 3, 4, 7, 5, 4, 4]):
    x = torch.randn(2, t, 8)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 3 == 0:
        print(t, f"{loss.item():.5f}")
