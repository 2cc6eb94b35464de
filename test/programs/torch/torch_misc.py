import copy

import torch
import torch.nn as nn

print(torch.__version__.startswith("2.11"), torch.cuda.is_available(), torch.cuda.device_count())
print(torch.is_tensor(torch.ones(1)), torch.is_tensor(1), isinstance(torch.ones(1), torch.Tensor), torch.numel(torch.ones(2, 3)))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, 3).to(device)
print(device, x.device.type, x.to(device, torch.float64).dtype, x.cpu() is x, x.is_cuda)
torch.backends.cudnn.benchmark = True
model = torch.compile(nn.Linear(2, 2)) if False else nn.Linear(2, 2)
twin = copy.deepcopy(model)
twin.weight.data.zero_()
print(model.weight.abs().sum().item() > 0, twin.weight)
d = {torch.ones(1): 1}
t = torch.tensor([1.0, 2.0])
print(t.tolist(), torch.tensor(3).tolist(), torch.ones(2, 2).tolist(), t.item() if t.numel() == 1 else None)
print(hash(t) == hash(t), t in [t], t is t, t.clone() is t, id(t) == id(t))
p = nn.Parameter(t)
p.grad = torch.ones(2)
print(p.grad is p.grad, p.data is p.data, isinstance(p, nn.Parameter), isinstance(p * 2, nn.Parameter), p)
print(t.element_size(), t.nelement(), t.storage_offset(), torch.typename(t), t.is_floating_point())
print([a.item() for a in t], max(t), sum(t), sorted(t.tolist()), dict(a=t))
a, b = torch.tensor([[1, 2], [3, 4]])
print(a, b, *torch.ones(2))
if torch.tensor([1.0]):
    print("truthy")
print(not torch.tensor(0), torch.tensor(2) > 1 and "yes", bool(torch.tensor([[5]])))
print(range(torch.tensor(3)), [10, 20, 30][torch.tensor(1)], "ab" * torch.tensor(2))
for f in [
    lambda: bool(torch.ones(2)),
    lambda: torch.ones(2).item(),
    lambda: torch.ones(2) + "a",
    lambda: torch.foo,
    lambda: torch.ones(2).bar,
    lambda: len(torch.tensor(1)),
    lambda: [*torch.tensor(1)],
    lambda: torch.add(torch.ones(1), "x"),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:70])
