# The dtype of every pair, as tensors with and without dimensions and beside Python's numbers.
import torch

DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
    torch.float64,
]
for a in DTYPES:
    print(a, *(str(torch.promote_types(a, b))[6:] for b in DTYPES))
for a in DTYPES:
    row = []
    for b in DTYPES:
        x, y, one = torch.ones(2, dtype=a), torch.ones(2, dtype=b), torch.ones((), dtype=b)
        kinds = [(x + y).dtype, (x + one).dtype, (one * x).dtype, torch.result_type(x, one), torch.where(x > 0, x, y).dtype]
        row.append("/".join(str(k)[6:] for k in kinds))
    print(a, *row)
for a in DTYPES:
    x = torch.full((2,), 3, dtype=a)
    print(a, (x + 1).dtype, (x * 1.5).dtype, (x / 2).dtype, (x**2).dtype, (True * x).dtype, torch.sqrt(x).dtype, x.sum().dtype)
    print([torch.can_cast(a, b) for b in DTYPES], a.itemsize, a.is_floating_point, a.is_signed)
for a in (torch.float16, torch.bfloat16):
    x = torch.tensor([0.1, 257.0, 3.0], dtype=a)
    big = torch.tensor([0.1, 257.0, 3.0], dtype=torch.float64)
    print(x + big, x + big.float(), x + torch.tensor([257, 513, 1]), x * torch.tensor(0.1), x == big, x < big.float())
    x += big
    print(x)
    try:
        torch.arange(3).add_(x)
    except RuntimeError as e:
        print(e)
