# float16 and bfloat16: storage, arithmetic with one rounding for each operation, printing, conversions, errors.
import io

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def show(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).split("\n")[0])


for d in (torch.bfloat16, torch.float16):
    x = torch.tensor([1.0, 2.5, -3.1, 0.1, 1e-5, 70000.0, float("inf")]).to(d)
    print(x, x.element_size(), x.itemsize, x.type(), x.is_floating_point(), d.itemsize, d.is_signed)
    print(x.tolist(), x[1].item(), repr(x[2]), torch.finfo(d), bool(x[0]), int(x[1]), float(x[3]))
    print(x + 1, x * 0.1, x / 3, x - x, x**2, -x, x.abs(), x > 0.1, x == 0.1)
    print(x.float(), x.double(), x[:4].int(), x[:4].long(), x.bool(), x[:4].half(), x.bfloat16())
    torch.manual_seed(3)
    a, b = torch.randn(4, 5, dtype=d), torch.randn(5, 3).to(d)
    print(a, a @ b, torch.mm(a, b).sum(), a.sum(0), a.mean(), a.mean(1), a.var(), a.std(0))
    print(a.max(), a.min(0), a.argmax(), a.sort()[0], a.norm(), a.cumsum(0), a.median(), a.topk(2))
    print(F.softmax(a, -1), F.log_softmax(a, 1), F.gelu(a), F.silu(a), F.relu(a), torch.sigmoid(a), torch.tanh(a))
    print(torch.exp(a), torch.log(a.abs()), torch.sqrt(a.abs()), a.floor(), a.round(), a.clamp(-0.3, 0.3))
    lin = nn.Linear(5, 3).to(d)
    out = lin(a).sum()
    out.backward()
    print(out, lin.weight.grad, lin.bias.grad, lin.weight.grad.dtype)
    ln, conv = nn.LayerNorm(5).to(d), nn.Conv2d(1, 2, 3).to(d)
    print(ln(a), conv(torch.randn(1, 1, 5, 5).to(d)))
    print(F.mse_loss(a, a * 0.5), F.embedding(torch.tensor([1, 0]), a), torch.where(a > 0, a, 0.0))
    print(torch.ones(2, dtype=d) + torch.ones(2), (torch.ones(2, dtype=d) + torch.tensor(1.0)).dtype)
    show("and", lambda: a & a)
    show("inv", lambda: torch.inverse(a[:3, :3]))
    show("det", lambda: torch.linalg.det(a[:3, :3]))
    show("numpy", lambda: a[0].numpy())
    print(a.view(torch.int16)[0], torch.arange(5, dtype=d), torch.linspace(0, 1, 7, dtype=d), torch.full((2,), 0.1, dtype=d))
    print(a.view(torch.int16).view(d).equal(a), torch.cat([a, a]).shape, torch.stack([a, a]).dtype, torch.eye(2, dtype=d))
    torch.manual_seed(0)
    print(F.dropout(a, 0.3), torch.bernoulli(a.sigmoid()), torch.multinomial(a.softmax(-1), 2))
    print(torch.rand(3, dtype=d), torch.randn(19, dtype=d), torch.empty(3, dtype=d).uniform_(-0.3, 0.7), torch.empty(3, dtype=d).exponential_())
    y = a.clone().requires_grad_()
    z = (y * 2).sigmoid()
    print(type(z.grad_fn).__name__, z)
    z.sum().backward()
    print((y.grad.float() * 100).round())
    buffer = io.BytesIO()
    torch.save({"a": a, "view": a.t()}, buffer)
    buffer.seek(0)
    back = torch.load(buffer)
    print(back["a"].equal(a), back["view"].stride(), back["view"].dtype)

torch.set_default_dtype(torch.bfloat16)
print(torch.zeros(2), torch.ones(2).dtype, torch.tensor([1.5]), nn.Linear(2, 2).weight.dtype, torch.float32)
torch.set_default_dtype(torch.float32)
print(torch.HalfTensor([1, 2]), torch.BFloat16Tensor([1, 2]), torch.half)

h = np.array([1, 2.5, 0.1, 3.5, 1e-3], dtype=np.float16)
print(h, repr(h), h.dtype, h * 2, h + np.float32(1), h + 1, h.sum(), np.float16(0.1), repr(np.float16(3.3)), np.finfo(np.float16).max)
print(torch.from_numpy(h), torch.tensor([0.1]).half().numpy().dtype, np.sqrt(np.array([1, 2], dtype=np.int8)), h.astype(np.float64))
