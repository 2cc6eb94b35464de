"""Numbers that a dtype cannot hold, kernels that take no bools, and indices of tensors without dimensions."""
import torch
import torch.nn.functional as F

nan, inf = float("nan"), float("inf")


def tried(*what):
    *names, f = what
    try:
        r = f()
        print(*names, r.dtype, r.tolist() if r.numel() else tuple(r.shape))
    except Exception as e:
        print(*names, type(e).__name__, str(e)[:110])


def written(x, index, value):
    x = x.clone()
    x[index] = value
    return x


mask = torch.tensor([True, False])
for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64, torch.float32, torch.bool):
    x = torch.zeros(2, dtype=dtype)
    for v in (300, -1, -256, -1.5, 2**40, 1e39, nan, inf):
        tried(dtype, v, "full", lambda: torch.full((2,), v, dtype=dtype))
        tried(dtype, v, "tensor", lambda: torch.tensor([v], dtype=dtype))
        tried(dtype, v, "fill_", lambda: x.clone().fill_(v))
        tried(dtype, v, "masked_fill", lambda: x.masked_fill(mask, v))
        tried(dtype, v, "item", lambda: written(x, 0, v))
        tried(dtype, v, "items", lambda: written(x, mask, v))
        tried(dtype, v, "add", lambda: x.add(v) if dtype != torch.bool else x)
        if dtype != torch.bool:
            tried(dtype, v, "clamp", lambda: x.clamp(0, v))
            tried(dtype, v, "clamp low", lambda: x.clamp(min=v))
        tried(dtype, v, "where", lambda: torch.where(mask, x, v))
        tried(dtype, v, "pad", lambda: F.pad(x, (1, 0), value=v))
tried("copy_", lambda: torch.zeros(2).copy_(3.5))
tried("copy_", lambda: torch.zeros(2, dtype=torch.int64).copy_(True))

for name in ("round", "floor", "ceil", "trunc", "abs", "frac", "square", "argmax", "argmin", "median", "sign", "std"):
    tried(name, lambda: getattr(mask, name)())
tried("topk", lambda: mask.topk(1).values)
tried("kthvalue", lambda: mask.kthvalue(1).values)
tried("+", lambda: +mask)
tried("//", lambda: mask // mask)
tried("%", lambda: mask % mask)
tried("fmod", lambda: mask.fmod(mask))
tried("trunc", lambda: mask.div(mask, rounding_mode="trunc"))
tried("& of floats", lambda: torch.ones(2) & torch.ones(3))
tried("& of floats", lambda: torch.ones(2) & 1)

zero, one = torch.tensor(0), torch.tensor(1)
for number in (zero, one, torch.tensor(2.5)):
    tried("nonzero", number.item(), lambda: number.nonzero())
    tried("nonzero", number.item(), lambda: number.nonzero(as_tuple=True)[0])
    tried("where", number.item(), lambda: torch.where(number > 0)[0])
    for index in (0, -1, slice(1, None), mask, (0, 0), [0]):
        tried("index", index, lambda: number[index])
        tried("write", index, lambda: written(number, index, 1))
tried("write", lambda: written(torch.zeros(3), 0, torch.ones(3)))
tried("write", lambda: written(torch.zeros(3), slice(0, 2), torch.ones(3)))
tried("write", lambda: written(mask, 0, mask))


def step(v, k):
    """Numbers that move, in a hot function."""
    a = torch.zeros(3, dtype=torch.uint8)
    a[k % 3] = v
    b = torch.full((2,), v, dtype=torch.int64)
    c = torch.ones(3).masked_fill(torch.tensor([True, False, True]), v)
    d = torch.ones(3).clamp(0, v)
    return (a.sum() + b.sum()).item(), (c.sum() + d.sum()).item()


for i in range(40):
    v = i * 9 if i % 2 else i * 4.5 - 20
    v = {20: nan, 25: inf, 30: 1e39, 35: 1e19}.get(i, v)
    try:
        print(i, step(v, i))
    except RuntimeError as e:
        print(i, e)
