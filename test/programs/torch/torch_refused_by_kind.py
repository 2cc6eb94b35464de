"""What PyTorch refuses is refused: out= of other dtypes, numbers for tensors, dtypes that kernels lack, None, ints for
bools, lists that are no lists, missing arguments."""
import torch
import torch.nn.functional as F

x = torch.tensor([[1.5, -2.0], [0.5, 3.0]])
n = torch.tensor([[1, 2], [3, 4]])
t = torch.tensor([[True, False], [True, True]])
d = torch.zeros(2, 2, dtype=torch.float64)
calls = [
    lambda: torch.abs(x, out=d), lambda: torch.floor(n, out=d), lambda: torch.neg(x, out=d), lambda: torch.sign(n, out=d),
    lambda: torch.mm(x, x, out=d), lambda: torch.inverse(x, out=d), lambda: torch.amax(n, 0, out=torch.zeros(2)),
    lambda: torch.all(x, 0, out=torch.zeros(2)), lambda: torch.signbit(x, out=d), lambda: torch.where(t, x, x, out=d),
    lambda: torch.exp(x, out=d).dtype, lambda: torch.add(x, x, out=d).dtype,
    lambda: x.atan2(10), lambda: torch.maximum(x, 1.0), lambda: x.logical_and(True), lambda: torch.addcmul(x, 1.0, x),
    lambda: torch.add(2, x).shape, lambda: torch.pow(2, x).shape, lambda: torch.fmax(x, 2),
    lambda: torch.logaddexp(n, n), lambda: F.hardshrink(n), lambda: F.leaky_relu(n), lambda: F.huber_loss(n, n),
    lambda: F.relu(t), lambda: torch.relu(n).dtype, lambda: torch.logcumsumexp(n, 0), lambda: torch.cdist(n, n),
    lambda: torch.cov(t), lambda: F.unfold(n[None, None], 1), lambda: F.mse_loss(n, n), lambda: F.mse_loss(n, x).dtype,
    lambda: F.celu(x, None), lambda: torch.argmax(x, 0, 1), lambda: x.requires_grad_(1), lambda: F.glu(x, None),
    lambda: torch.flip(x, 0), lambda: x.flip(0).shape, lambda: x.flip(dims=0), lambda: torch.ones(size=2),
    lambda: torch.ones(2).shape, lambda: torch.permute(x, 1, 0), lambda: x.permute(1, 0).shape, lambda: torch.tile(x, 2),
    lambda: x.flip(), lambda: F.max_pool1d(x), lambda: torch.block_diag(tensors=[x]), lambda: torch.range(3),
    lambda: torch.take(x, n.int()), lambda: x.scatter(0, n.to(torch.uint8), x),
    lambda: torch.tensor(1.0).select(0, 0), lambda: torch.tensor(1.0).tensor_split(2), lambda: torch.tensor(1.0).narrow(0, 0, 1),
    lambda: x.sum(torch.tensor(0.0)), lambda: x.sum(torch.tensor(0)).shape, lambda: x.cumsum(torch.tensor(True)),
]


def told(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__


for k, f in enumerate(calls):
    print(k, told(f))


def hot(k):
    try:
        torch.maximum(x, k)
    except TypeError:
        return "TypeError"


print([hot(1.0) for _ in range(30)][-1])

with torch.autograd.set_detect_anomaly(True):
    z = torch.zeros(2, requires_grad=True)
    for _ in range(20):
        try:
            (torch.sqrt(z) * 0).sum().backward()
        except RuntimeError as e:
            message = str(e)
    print(message)
(torch.sqrt(z) * 0).sum().backward()
print(z.grad)
p = torch.ones(1, requires_grad=True)
p.grad = torch.ones(1)
print(told(torch.optim.Adam([p], capturable=True).step), told(torch.optim.Adam([p]).step))
