import torch
torch.manual_seed(7)
def first_over(xs, t):
    over = [x for x in xs if x.max() > t]
    if len(over) == 0:
        return None
    best = over[0]
    for x in over[1:]:
        if x.sum() > best.sum():
            best = x
    return best
for i in range(40):
    xs = [torch.randn(3) for _ in range(4)]
    b = first_over(xs, 0.5 + 0.1 * (i % 4))
    print(i, None if b is None else [round(v, 4) for v in b.tolist()])
