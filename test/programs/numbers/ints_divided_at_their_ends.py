import torch
for d in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8):
    i = torch.iinfo(d)
    vals = [i.min, i.min + 1, i.max, i.max - 1, 0, 1, 7, 100] + ([-1, -7, -100] if i.min < 0 else [])
    for q in [1, 2, 3, 7, 100, i.max] + ([-2, -3, -7, i.min] if i.min < 0 else []):
        x = torch.tensor(vals, dtype=d)
        for k in range(10):
            r = [torch.fmod(x, q), torch.remainder(x, q), torch.div(x, q, rounding_mode="trunc"), torch.div(x, q, rounding_mode="floor"), x // q]
        print(d, q, [t.tolist() for t in r])
