# Sums and products in a dtype of ints of what gradients are taken of: refused, for the tape holds no ints.
import torch

x = torch.tensor([1.5, 2.5, 3.0])
for name in ("sum", "prod", "cumsum", "cumprod"):
    for dtype in (torch.int32, torch.int64, torch.bool, torch.float64):
        if name.startswith("cum") and dtype == torch.bool:
            continue
        for needs in (False, True, False, True):
            for _ in range(4):
                y = x.clone().requires_grad_(needs)
                try:
                    r = getattr(y, name)(0, dtype=dtype)
                    text = r.dtype, r.tolist(), r.requires_grad
                except RuntimeError as e:
                    text = (str(e),)
            print(name, dtype, needs, *text)
with torch.no_grad():
    print(x.requires_grad_().sum(dtype=torch.int32))
print((x > 2).sum(dtype=torch.int32))
