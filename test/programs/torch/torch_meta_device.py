# The device meta: extents, dtypes and steps without numbers; what needs numbers is refused.
import copy
import io
import pickle
import warnings

import torch
import torch.nn.functional as F
from torch import nn


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).split("\n")[0])


with torch.device("meta"):
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(2048, 10))
    large = nn.Linear(200000, 100000)
    others = nn.LSTM(8, 16, batch_first=True), nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), nn.Embedding(50, 8)
print([(name, str(p.device), tuple(p.shape), p.is_meta, p.is_cpu, p.is_cuda) for name, p in net.named_parameters()])
print(large.weight.numel() * 4, large.weight.nbytes)
x = torch.empty(2, 3, 32, 32, device="meta")
print(x, x.transpose(0, 3).stride(), x.type(), torch.zeros(2, dtype=torch.int64, device="meta"))
print(net(x), others[0](torch.zeros(2, 5, 8, device="meta"))[0].shape, others[1](torch.zeros(2, 5, 32, device="meta")).shape)
print(others[2](torch.zeros(2, 5, dtype=torch.long, device="meta")).shape)


def step():
    optimizer = torch.optim.Adam(net.parameters())
    loss = F.cross_entropy(net(x), torch.zeros(2, dtype=torch.int64, device="meta"))
    loss.backward()
    optimizer.step()
    return loss.shape, loss.device, net[0].weight.grad.shape, net[0].weight.grad.device


attempt("step", step)
made = {
    "arange": torch.arange(5, device="meta"), "full": torch.full((2,), 3.0, device="meta"), "tensor": torch.tensor([1, 2], device="meta"),
    "randint": torch.randint(0, 5, (3,), device="meta"), "perm": torch.randperm(5, device="meta"), "like": torch.ones_like(x),
    "new": x.new_zeros(3), "eye": torch.eye(3, device="meta"), "cat": torch.cat([x, x], 1), "mm": x @ x.mT, "sort": x.sort(-1)[1],
    "topk": x.topk(3)[0], "index": x[0, 1:, ::2], "compare": x > 0, "where": torch.where(x > 0, x, 0.0), "sum": x.sum((1, 2)),
    "argmax": x.argmax(1), "softmax": x.softmax(-1), "cumsum": x.cumsum(1), "bf": x.bfloat16(), "in place": x.mul_(2).add_(1),
    "view": x.view(2, -1)[:, ::2].T, "einsum": torch.einsum("bchw,bc->bhw", x, torch.empty(2, 3, device="meta")), "tril": torch.tril(x),
    "gather": x.gather(1, torch.zeros(2, 1, 32, 32, dtype=torch.long, device="meta")), "std": x.std(), "scalar": x + torch.tensor(1.0),
    "interpolate": F.interpolate(x, scale_factor=2), "norm": F.layer_norm(x, (32,)), "attention": F.scaled_dot_product_attention(x, x, x),
    "bernoulli": torch.bernoulli(x), "multinomial": torch.multinomial(x[0, 0], 4), "one_hot": F.pad(x, (1, 2)), "clone": x.clone(),
}
print({name: (tuple(t.shape), str(t.dtype), t.device.type) for name, t in made.items()})
torch.manual_seed(0)
nn.Linear(100, 100, device="meta")
torch.randn(50, device="meta")
print(torch.rand(1))
for name, f in {
    "item": lambda: x.sum().item(), "tolist": lambda: x.tolist(), "cpu": lambda: x.cpu(), "to": lambda: x.to("cpu"), "numpy": lambda: x.numpy(),
    "bool": lambda: bool(x.sum() > 0), "module": lambda: net.to("cpu"), "mixed": lambda: x + torch.ones(2, 3, 32, 32),
    "from": lambda: torch.ones(2).copy_(torch.ones(2, device="meta")), "onto": lambda: torch.ones(2, device="meta").copy_(torch.ones(2)),
    "generator": lambda: torch.Generator("meta"), "like": lambda: torch.ones_like(x, device="cpu").sum(),
}.items():
    attempt(name, f)
print({p.device.type for p in copy.deepcopy(net).parameters()}, {p.device.type for p in net.to_empty(device="cpu").parameters()})
source = nn.Linear(3, 2)
for assign in (True, False):
    target = nn.Linear(3, 2, device="meta")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        target.load_state_dict(source.state_dict(), assign=assign)
    print(target.weight.device, assign and torch.equal(target.weight, source.weight), [str(w.message)[:90] for w in caught])
file = io.BytesIO()
torch.save({"meta": target.state_dict(), "cpu": source.state_dict()}, file)
file.seek(0)
print({k: {n: (t.device.type, tuple(t.shape)) for n, t in v.items()} for k, v in torch.load(file).items()})
file.seek(0)
print({k: {n: t.device.type for n, t in v.items()} for k, v in torch.load(file, map_location="meta").items()})
print(nn.Linear(4, 4).to("meta").weight)
torch.set_default_device("meta")
print(torch.zeros(2).device, torch.get_default_device())
torch.set_default_device("cpu")


def scaled(t):
    for _ in range(20):
        t = t * 2 + 1
    return t


print({scaled(torch.empty(10, device="meta")).device.type for _ in range(150)}, scaled(torch.ones(2)).tolist())
for device in (torch.device("meta"), torch.device("cpu"), torch.device("cuda", 1)):
    print(copy.deepcopy(device) == device, copy.copy(device), pickle.loads(pickle.dumps(device)), device.__reduce__()[1])
