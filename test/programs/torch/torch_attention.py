import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
q = torch.randn(2, 4, 8)
mha = nn.MultiheadAttention(8, 2, batch_first=True)
out, w = mha(q, q, q)
print(out.shape, w.shape, out[0, 0], w[0])
mask = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
out, w = mha(q, q, q, attn_mask=mask)
print(w[1], out[1, 3])
print(F.scaled_dot_product_attention(q, q, q)[0, 0], F.scaled_dot_product_attention(q, q, q, is_causal=True)[0, :2])


class CausalSelfAttention(nn.Module):
    def __init__(self, n, heads):
        super().__init__()
        self.qkv = nn.Linear(n, 3 * n)
        self.proj = nn.Linear(n, n)
        self.heads = heads
        self.register_buffer("mask", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = self.qkv(x).split(c, dim=2)
        q = q.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).contiguous().view(b, t, c)
        return self.proj(y)


layer = CausalSelfAttention(8, 2)
y = layer(q)
y.pow(2).mean().backward()
print(y[0], layer.qkv.weight.grad.norm(), layer.proj.bias.grad)
