# Where elements lie: channels_last is real where it is asked for.
import copy
import torch
import torch.nn as nn


def attempt(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


last, last3d = torch.channels_last, torch.channels_last_3d
print(last, last3d, torch.contiguous_format, torch.preserve_format, torch.strided)
print(type(last), isinstance(last, torch.memory_format), type(torch.strided), copy.deepcopy(last) is last)

x = torch.arange(120.0).reshape(2, 3, 4, 5)
y = x.to(memory_format=last)
print(y.stride(), y.is_contiguous(), y.is_contiguous(memory_format=last), torch.equal(x, y))
attempt("contiguous", lambda: x.contiguous(memory_format=last).stride())
attempt("contiguous preserve", lambda: x.contiguous(memory_format=torch.preserve_format).stride())
attempt("clone", lambda: x.clone(memory_format=last).stride())
attempt("cast", lambda: x.to(torch.float64, memory_format=last).stride())
attempt("double", lambda: x.double(memory_format=last).stride())
attempt("cpu", lambda: x.cpu(memory_format=last).stride())
attempt("itself", lambda: (y.to(memory_format=last) is y, y.contiguous(memory_format=last) is y))
attempt("back", lambda: (y.to(memory_format=torch.contiguous_format).stride(), y.contiguous().stride()))
attempt("preserve", lambda: (y.to(memory_format=torch.preserve_format) is y, y.clone(memory_format=torch.preserve_format).stride()))
attempt("empty", lambda: torch.empty(2, 3, 4, 5, memory_format=last).stride())
attempt("empty 3d", lambda: torch.empty(2, 3, 4, 5, 6, memory_format=last3d).stride())
attempt("empty preserve", lambda: torch.empty(2, 3, 4, 5, memory_format=torch.preserve_format))
attempt("like", lambda: (torch.zeros_like(x, memory_format=last).stride(), torch.full_like(x, 3, memory_format=last).stride(),
                         torch.rand_like(x, memory_format=last).stride()))
attempt("rank", lambda: torch.empty(2, 3, 4, memory_format=last))
attempt("rank", lambda: torch.empty(2, 3, 4, 5, memory_format=last3d))
attempt("rank", lambda: x[0].to(memory_format=last))
attempt("rank", lambda: x[0].contiguous(memory_format=last))
attempt("rank", lambda: x[0].is_contiguous(memory_format=last))
attempt("view", lambda: y.view(-1))
attempt("reshape", lambda: y.reshape(-1)[:5].tolist())

z = x.clone().requires_grad_()
attempt("grad", lambda: [str(f(z).grad_fn).split(" ")[0] for f in (
    lambda t: t.to(memory_format=last), lambda t: t.contiguous(memory_format=last),
    lambda t: t.clone(memory_format=last), lambda t: t.double(memory_format=last))])
(z.to(memory_format=last) * y).sum().backward()
print(torch.equal(z.grad, x))

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(12, 2))
before = model(x).detach()
print(model.to(memory_format=last) is model)
weight = model[0].weight
print(weight.stride(), weight.is_contiguous(memory_format=last), weight.is_leaf, weight.requires_grad)
print(torch.allclose(model(y), before))
attempt("1d", lambda: nn.Conv1d(3, 2, 3).to(memory_format=last).weight.stride())
attempt("3d", lambda: nn.Conv3d(3, 2, 3).to(memory_format=last3d).weight.stride())
attempt("3d", lambda: nn.Conv3d(3, 2, 3).to(memory_format=last))
attempt("dtype", lambda: nn.Linear(3, 4).to(torch.float64, memory_format=last).weight.dtype)

# In hot code, with writes.
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(30):
    batch = (x / 100 + step).contiguous(memory_format=last)
    batch[:, 0] = step
    optimizer.zero_grad()
    loss = model(batch).pow(2).mean()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print(step, batch.stride(), batch.is_contiguous(memory_format=last), f"{loss.item():.4f}", weight.stride())
