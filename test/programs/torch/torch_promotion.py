import torch

i = torch.tensor([1, 2, 3])
i32 = torch.tensor([1, 2, 3], dtype=torch.int32)
u8 = torch.tensor([1, 2, 250], dtype=torch.uint8)
f = torch.tensor([0.5, 1.5, 2.5])
d = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64)
b = torch.tensor([True, False, True])
for name, t in [
    ("i+f", i + f), ("i+1.5", i + 1.5), ("i+True", i + True), ("i32+i", i32 + i),
    ("i32+1", i32 + 1), ("u8+1", u8 + 1), ("u8+u8", u8 + u8), ("f+d", f + d), ("f+1.5", f + 1.5),
    ("b+b", b + b), ("b+1", b + 1), ("b*1.5", b * 1.5), ("b*f", b * f), ("f+0d", f + d[0]),
    ("i+0d", i + d[0]), ("i/i", i / i), ("i32/2", i32 / 2), ("i//2", i // 2), ("i**2", i**2),
    ("i.float", i.float()), ("f.long", f.long()), ("f.int", f.int()), ("f.bool", f.bool()),
    ("b.float", b.float()), ("f.double", f.double()), ("i.to", i.to(torch.float64)),
    ("type_as", i.type_as(f)), ("sqrt", i.sqrt()), ("exp", b.exp()), ("sum b", b.sum()),
    ("sum i32", i32.sum()), ("mean f", f.mean()), ("cumsum u8", u8.cumsum(0)), ("prod", i32.prod()),
]:
    print(name, t.dtype, t)
print(torch.result_type(i, 1.0), torch.result_type(f, d), torch.result_type(i, f))
print(f.type(), i.type(), b.type(), d.type(), f.type(torch.LongTensor).dtype)
print(torch.float32, torch.float, torch.long, torch.int64, torch.bool, torch.float32.is_floating_point)
print(i.dtype == torch.int64, f.dtype is torch.float32, torch.double == torch.float64)
print(torch.finfo(torch.float32).eps, torch.finfo(torch.float64).max, torch.iinfo(torch.int8).min)
print(torch.get_default_dtype())
x = torch.ones(2)
x += 1
x *= torch.tensor([1, 2])
print(x, x.dtype)
try:
    i += 0.5
except RuntimeError as e:
    print(e)
try:
    i.mean()
except RuntimeError as e:
    print(e)
