# A dict's item is another tensor after a loop inside of a branch, which nothing else names by then: it is still there
# behind the branch, and so is the other side's.
import torch

torch.manual_seed(4)


class Box:
    pass


box = Box()


def step(x, i):
    a, d, table = x, x + 1, {'k': x * 2}
    box.t = d.contiguous()
    if x.sum() > -1:
        for k in range(1 + i % 3):
            table['k'] = a
            a = box.t
        a[0] = 0.25
        for k in range(3):
            pair = (a, d * 0.5)
    else:
        pair = (d, a)
    return a.sum() + d.sum(), (a, d, x, box.t, table['k'], pair[0], pair[1])


for i in range(30):
    x = torch.randn(3)
    s, known = step(x, i)
    same = [m for m, t in enumerate(known) for u in known[:m] if t is u]
    for t in known:
        t.add_(0.125)
    print(i, round(s.item(), 3), same, [round(t.sum().item(), 3) for t in known])
