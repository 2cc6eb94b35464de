"""gradcheck and gradgradcheck of right and of wrong gradients; Adafactor and Muon; binomial numbers; timers; contexts of devices."""
import torch
import torch.nn.functional as F
from torch.autograd import gradcheck, gradgradcheck

torch.manual_seed(0)
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
w = torch.randn(2, 4, dtype=torch.float64, requires_grad=True)
print(gradcheck(F.linear, (x, w)), gradgradcheck(F.linear, (x, w)), gradcheck(lambda t: (t.sin(), t.exp().sum()), x), gradgradcheck(torch.tanh, [x]))


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x


print(gradcheck(Wrong.apply, (x,), raise_exception=False), gradcheck(torch.mul, (x, 2.0)), gradcheck(Wrong.apply, (x,), atol=100.0))
for call in (lambda: gradcheck(Wrong.apply, (x,)), lambda: gradcheck(torch.sin, (x.detach(),))):
    try:
        print(call())
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, str(e).split("\n")[0])
print(torch.autograd.gradcheck is gradcheck)


def train(make, steps=5):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8, bias=False), torch.nn.Tanh(), torch.nn.Linear(8, 2, bias=False))
    x, y = torch.randn(16, 4), torch.randn(16, 2)
    optimizer = make(model.parameters())
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return "%.4f" % loss.item(), sorted(optimizer.state_dict()["state"][0])


print(train(torch.optim.Adafactor), train(lambda p: torch.optim.Adafactor(p, lr=0.1, weight_decay=0.1, beta2_decay=-0.5, eps=(1e-8, 1e-2))))
losses = [train(lambda p: torch.optim.Muon(p, lr=lr, **more), 4)[0] for lr, more in ((0.0, {}), (0.02, {}), (0.05, {"adjust_lr_fn": "match_rms_adamw", "nesterov": False}))]
print([round(float(v), 2) for v in losses])
for call in (lambda: torch.optim.Muon([torch.nn.Parameter(torch.ones(3))]), lambda: torch.optim.Adafactor([torch.nn.Parameter(torch.ones(3))], d=0.5)):
    try:
        call()
    except ValueError as e:
        print(e)
torch.manual_seed(2)
print(torch.binomial(torch.tensor([3.0, 40.0, 100.0, 0.0, 7.0]), torch.tensor([0.5, 0.3, 0.9, 0.5, 1.0])), torch.binomial(torch.full((3, 1), 50.0), torch.tensor([0.1, 0.5])))
for call in (lambda: torch.binomial(torch.ones(2, dtype=torch.int64), torch.ones(2)), lambda: torch.binomial(torch.ones(2), torch.ones(2, dtype=torch.float64))):
    try:
        call()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
import torch.utils.benchmark as benchmark

t = benchmark.Timer("x + 1", globals={"x": 3}, label="sum").timeit(100)
print(type(t).__name__, t.number_per_run, len(t.times), t.median >= 0, t.label)
with torch.cuda.device(-1), torch.cuda.stream(None), torch.cuda.device_of(torch.ones(1)):
    print(torch.cuda.memory.memory_allocated(), torch.cuda.max_memory_cached(), torch.cuda.get_arch_list(), issubclass(torch.cuda.OutOfMemoryError, RuntimeError))
