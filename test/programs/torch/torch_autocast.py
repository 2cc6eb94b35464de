# torch.autocast on the CPU with PyTorch's lists, GradScaler, weights that are cast once, nested blocks.
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 16)
        self.ln = nn.LayerNorm(16)
        self.fc1 = nn.Linear(16, 32)
        self.fc2 = nn.Linear(32, 20)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = self.ln(self.emb(x).mean(1))
        h = self.drop(F.gelu(self.fc1(h)))
        return self.fc2(h)


def train(dtype):
    torch.manual_seed(1)
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)
    for i in range(12):
        x = torch.randint(0, 20, (8, 5))
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=dtype, enabled=dtype is not None):
            out = model(x)
            loss = F.cross_entropy(out, x[:, 0])
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        print(i, out.dtype, loss.dtype, f"{loss.item():.1f}", model.fc1.weight.grad.dtype, scaler.get_scale())
    return model


model = train(torch.bfloat16)
train(torch.float16)
half = model.to(torch.bfloat16)
optimizer = torch.optim.SGD(half.parameters(), lr=0.1, momentum=0.9)
for i in range(3):
    x = torch.randint(0, 20, (8, 5))
    loss = F.cross_entropy(half(x).float(), x[:, 0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.dtype, f"{loss.item():.1f}", half.fc1.weight.dtype, half.fc1.weight.grad.dtype)


def f32(*s):
    return torch.randn(*s)


def b16(*s):
    return torch.randn(*s).bfloat16()


rows = torch.randint(0, 3, (4,))
CASES = {
    "matmul": lambda g: g(4, 4) @ g(4, 4), "mv": lambda g: torch.mv(g(4, 4), g(4)), "bmm": lambda g: torch.bmm(g(2, 3, 4), g(2, 4, 3)),
    "einsum": lambda g: torch.einsum("ij,jk->ik", g(4, 4), g(4, 4)), "linear": lambda g: F.linear(g(2, 4), g(3, 4), g(3)),
    "conv2d": lambda g: F.conv2d(g(1, 2, 5, 5), g(3, 2, 3, 3)), "sdpa": lambda g: F.scaled_dot_product_attention(*(g(1, 2, 4, 8) for _ in range(3))),
    "prelu": lambda g: F.prelu(g(4, 4), torch.tensor([0.2])), "softmax": lambda g: F.softmax(g(4, 4), -1), "layer_norm": lambda g: F.layer_norm(g(4, 4), (4,)),
    "batch_norm": lambda g: F.batch_norm(g(4, 4), torch.zeros(4), torch.ones(4), training=True), "cross_entropy": lambda g: F.cross_entropy(g(4, 4), rows),
    "mse": lambda g: F.mse_loss(g(4, 4), g(4, 4)), "l1": lambda g: F.l1_loss(g(4, 4), g(4, 4)), "bce": lambda g: F.binary_cross_entropy_with_logits(g(4), g(4).sigmoid()),
    "cosine": lambda g: F.cosine_embedding_loss(g(4, 4), g(4, 4), torch.ones(4)), "prod": lambda g: g(4).prod(), "sum": lambda g: g(4).sum(),
    "norm": lambda g: g(4).norm(), "cdist": lambda g: torch.cdist(g(4, 4), g(4, 4)), "reflect": lambda g: F.pad(g(1, 2, 4, 4), (1, 1, 1, 1), mode="reflect"),
    "stack": lambda g: torch.stack([g(4), f32(4)]), "cat": lambda g: torch.cat([g(4), f32(4)]), "gelu": lambda g: F.gelu(g(4)), "inverse": lambda g: torch.inverse(g(4, 4)),
    "double": lambda g: g(4, 4).double() @ g(4, 4).double(), "rnn": lambda g: nn.RNNCell(4, 4)(g(4, 4)), "add": lambda g: g(4) + f32(4),
}
for name, f in CASES.items():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        print(name, f(f32).dtype, f(b16).dtype)

w = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.1]]))
x = torch.tensor([[0.3, 0.7]])
for cache in (True, False):
    w.grad = None
    with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=cache):
        ((x @ w) @ w @ w).sum().backward()
    print(w.grad)
with torch.autocast("cpu"):
    print(torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"), (w @ w).dtype)
    with torch.autocast("cpu", enabled=False):
        print((w @ w).dtype, torch.is_autocast_enabled("cpu"))
    print((w @ w).dtype)


@torch.autocast("cpu", dtype=torch.float16)
def product(a, b):
    return a @ b


print(product(torch.ones(2, 2), torch.ones(2, 2)), (w @ w).dtype)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
p = nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([p], lr=0.1)
for v in [1.0, float("inf"), 1.0, 1.0, 1.0]:
    optimizer.zero_grad()
    scaler.scale((p * v).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    print(p.data, scaler.get_scale(), scaler.state_dict())
try:
    scaler.step(optimizer)
    scaler.step(optimizer)
except RuntimeError as e:
    print(e)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autocast("cuda"):
        print((w @ w).dtype, torch.is_autocast_enabled())
    with torch.autocast("cpu", dtype=torch.float32):
        print((w @ w).dtype)
    torch.amp.GradScaler().scale(w)
print([str(c.message) for c in caught])
for wrong in (lambda: torch.autocast(3), lambda: torch.autocast("meta")):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
