"""A small GPT on characters, with sampling.

    python benches/models/gpt.py [STEPS [SEED]]
"""

import math
import os
import sys
import time
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 8
SHOWN = 22


@dataclass
class Config:
    vocabulary: int
    block: int = 32
    layers: int = 3
    heads: int = 4
    width: int = 64
    dropout: float = 0.1


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=False)
        self.proj = nn.Linear(config.width, config.width, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("mask", torch.tril(torch.ones(config.block, config.block)).bool())

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(c, dim=2)
        q, k, v = [part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in (q, k, v)]
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(~self.mask[:t, :t], float("-inf"))
        y = self.dropout(F.softmax(scores, dim=-1)) @ v
        return self.proj(y.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln1 = nn.LayerNorm(config.width)
        self.attention = CausalSelfAttention(config)
        self.ln2 = nn.LayerNorm(config.width)
        self.mlp = nn.Sequential(
            nn.Linear(config.width, 4 * config.width),
            nn.GELU(),
            nn.Linear(4 * config.width, config.width),
            nn.Dropout(config.dropout),
        )

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.positions = nn.Embedding(config.block, config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.layers)])
        self.ln = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, tokens, targets=None):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.size(1)))
        x = self.dropout(x)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.ln(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss

    @torch.no_grad()
    def generate(self, tokens, count, temperature=0.8, top_k=10):
        for _ in range(count):
            logits, _ = self(tokens[:, -self.config.block :])
            logits = logits[:, -1] / temperature
            best, _ = torch.topk(logits, top_k)
            logits[logits < best[:, [-1]]] = float("-inf")
            drawn = torch.multinomial(F.softmax(logits, dim=-1), 1)
            tokens = torch.cat([tokens, drawn], dim=1)
        return tokens


def load_text():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data/text.txt")
    with open(path) as f:
        text = f.read()
    characters = sorted(set(text))
    index = {c: i for i, c in enumerate(characters)}
    return torch.tensor([index[c] for c in text]), characters


def get_batch(data, block):
    starts = torch.randint(len(data) - block - 1, (BATCH,))
    x = torch.stack([data[i : i + block] for i in starts])
    y = torch.stack([data[i + 1 : i + block + 1] for i in starts])
    return x, y


def make_optimizer(model):
    decayed = [p for p in model.parameters() if p.dim() >= 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=3e-3, betas=(0.9, 0.95))


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    data, characters = load_text()
    config = Config(vocabulary=len(characters))
    model = GPT(config)
    print(f"{sum(p.numel() for p in model.parameters())} parameters")
    optimizer = make_optimizer(model)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 10))
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        x, y = get_batch(data[:10500], config.block)
        _, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss.item():.6f}")
    seconds = time.perf_counter() - start
    model.eval()
    with torch.no_grad():
        held_out = [model(*get_batch(data[10500:], config.block))[1].item() for _ in range(5)]
    print(f"perplexity {math.exp(sum(held_out) / 5):.4f} after {steps} steps")
    sampled = model.generate(data[:8].unsqueeze(0), 60)
    print(repr("".join(characters[i] for i in sampled[0].tolist())))
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()
