"""Tokens generated from the last few: masks and positions cut to what there is."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
BLOCK, VOCAB = 6, 9


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.register_buffer("mask", torch.tril(torch.ones(BLOCK, BLOCK))[None])

    def forward(self, x):
        t = x.size(1)
        q, k, v = self.qkv(x).chunk(3, -1)
        att = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        att = att.masked_fill(self.mask[:, :t, :t] == 0, float("-inf"))
        return x + self.out(F.softmax(att, -1) @ v)


class GPT(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCAB, d), nn.Embedding(BLOCK, d)
        self.blocks = nn.Sequential(Block(d), Block(d))
        self.head = nn.Linear(d, VOCAB)

    def forward(self, idx):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        return self.head(self.blocks(x))

    @torch.no_grad()
    def generate(self, idx, count, top=None):
        for _ in range(count):
            logits = self(idx[:, -BLOCK:])[:, -1]
            if top is not None:
                v, _ = torch.topk(logits, min(top, logits.size(-1)))
                logits[logits < v[:, [-1]]] = float("-inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, -1), 1)), 1)
        return idx


net = GPT()
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
for step in range(30):  # expect: tier 2, at most 8 entries in tier 0
    start = torch.randint(0, VOCAB, (4, 1))
    seq = (start + torch.arange(BLOCK + 1)) % VOCAB
    loss = F.cross_entropy(net(seq[:, :-1]).flatten(0, 1), seq[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 6 == 5:
        made = net.generate(seq[:2, : 1 + step % 3], 5 + step, top=3 if step % 2 else None)
        print(step, f"{loss.item():.3f}", made.shape, made[:, -6:].tolist())
