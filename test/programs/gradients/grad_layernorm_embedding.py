# Embedding, LayerNorm, GELU, residuals and cross entropy with an ignored index.
import torch
from torch import nn

torch.manual_seed(11)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, 2 * d)
        self.act = nn.GELU()
        self.down = nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.down(self.act(self.up(self.norm(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(9, 6, padding_idx=0)
        self.blocks = nn.Sequential(*[Block(6) for _ in range(2)])
        self.head = nn.Linear(6, 9)

    def forward(self, ids):
        return self.head(self.blocks(self.emb(ids)))


model = Model()
opt = torch.optim.AdamW(model.parameters(), lr=0.02)
loss_fn = nn.CrossEntropyLoss(ignore_index=0)
ids = torch.randint(0, 9, (3, 7))
for i in range(12):
    logits = model(ids[:, :-1])
    loss = loss_fn(logits.reshape(-1, 9), ids[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 4 == 0:
        print(i, f"{loss.item():.5f}")
print(model.emb.weight[0].abs().sum().item(), f"{model.blocks[1].norm.weight.grad.norm().item():.5f}")
