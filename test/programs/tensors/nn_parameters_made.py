# Parameters that a step makes anew: a codebook of moving averages.
import torch
import torch.nn as nn

torch.manual_seed(0)


class Codebook(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.w = nn.Parameter(torch.randn(8, 4))
        self.register_buffer("n", torch.zeros(8))

    def forward(self, x):
        d = torch.cdist(x, self.emb.weight)
        enc = torch.zeros(x.shape[0], 8)
        enc.scatter_(1, d.argmin(1).unsqueeze(1), 1)
        q = enc @ self.emb.weight
        if self.training:
            self.n = self.n * 0.9 + 0.1 * enc.sum(0)
            self.w = nn.Parameter(self.w * 0.9 + 0.1 * enc.t() @ x)
            self.emb.weight = nn.Parameter(self.w / (self.n + 1e-2).unsqueeze(1))
        return x + (q - x).detach(), ((q.detach() - x) ** 2).mean()


enc, book, dec = nn.Linear(6, 4), Codebook(), nn.Linear(4, 6)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=1e-2)
for step in range(20):
    x = torch.randn(16, 6)
    q, l = book(enc(x))
    loss = (dec(q) - x).pow(2).mean() + 0.25 * l
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 4:
        print(step, f"{loss.item():.4f}", type(book.w).__name__, book.w.is_leaf, book.w.requires_grad, book.w.grad)
print([name for name, _ in book.named_parameters()], type(book.emb.weight).__name__)

# One that is used and gets a gradient in the step that makes it.
table = torch.randn(3, 2)
for step in range(12):
    p = nn.Parameter(table * 0.5)
    out = (p * torch.ones(3, 2)).pow(2).sum()
    out.backward()
    table = table - 0.1 * p.grad
    fixed = nn.Parameter(table + 1, requires_grad=False)
    table = table * 0.9 + fixed * 0.1
print([round(v, 4) for v in table.flatten().tolist()], fixed.requires_grad, type(p).__name__)

# It shares memory with what it is made of.
base = torch.zeros(3)
for step in range(12):
    base = base * 0.5 + 1
    view = nn.Parameter(base)
    base.add_(1)
    with torch.no_grad():
        view.mul_(2)
print(base.tolist(), view.tolist(), view.data_ptr() == base.data_ptr(), view is base)
