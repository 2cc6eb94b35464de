# A transformer trains the same with and without checkpoints.

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Blk(nn.Module):

    def __init__(s, d):
        super().__init__()
        s.n = nn.LayerNorm(d)
        s.a = nn.MultiheadAttention(d, 2, batch_first=True, dropout=0.1)
        s.f = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))

    def forward(s, x, mask=None):
        h = s.n(x)
        x = x + s.a(h, h, h, need_weights=False, attn_mask=mask)[0]
        return x + s.f(x)

class T(nn.Module):

    def __init__(s, d, ck):
        super().__init__()
        s.e = nn.Embedding(11, d)
        s.b = nn.ModuleList([Blk(d) for _ in range(2)])
        s.h = nn.Linear(d, 11)
        s.ck = ck

    def forward(s, i):
        x = s.e(i)
        m = nn.Transformer.generate_square_subsequent_mask(i.shape[1])
        for b in s.b:
            if s.training and s.ck is not None:
                x = checkpoint(b, x, m, use_reentrant=s.ck)
            else:
                x = b(x, m)
        return s.h(x)
for ck in (None, False, True):
    torch.manual_seed(0)
    t = T(8, ck)
    o = torch.optim.AdamW(t.parameters(), 0.01)
    for i in range(3):
        torch.manual_seed(i)
        d = torch.randint(0, 11, (2, 6))
        l = nn.functional.cross_entropy(t(d)[:, :-1].reshape(-1, 11), d[:, 1:].reshape(-1))
        o.zero_grad()
        l.backward()
        o.step()
        print(ck, i, round(l.item(), 4))
    t.eval()
    print(round(t(d).sum().item(), 3))
