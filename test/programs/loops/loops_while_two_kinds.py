import torch
box = {'last': None}
def step(x, y, i, flag, mode='x'):
    hs = [x]
    n = i
    if flag:
        mode = mode if isinstance(box['last'], torch.Tensor) else 'z'
    k0 = 0
    while k0 < i % 4:
        k0 += 1
        mode = mode if y.size(0) > 2 else 'z'
    else:
        n += 1
    return (x * 2).sum(), n, mode


for i in range(16):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    print(i, step(x, y, i, i % 3 == 0, 'xyx'[i % 3]))
