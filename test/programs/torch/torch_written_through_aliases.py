# Programs in the spirit of reports about results that are wrong in silence: aliases and writes in place.
import torch
import torch.nn as nn
import torch.nn.functional as F

CASES = []


def case(f):
    CASES.append(f)
    return f


def base(n=6):
    return torch.arange(float(n))


@case
def slice_then_squeeze():
    a = torch.tensor([1.0])[0:1]
    b = a.squeeze()
    a[0] = 0
    if a[0] < 1e5:
        pass
    a[0] = 2
    return b


@case
def log_then_log_():
    x = torch.tensor(3.0)
    y = torch.log(x)
    x.log_()
    return y, x


@case
def indexed_add_to_itself():
    x = torch.randint(0, 1, (1, 2)) - 10 + 10
    y = torch.ones(2, 3)
    y[x] += y[x]
    return y


@case
def duplicate_indices():
    y = torch.zeros(3)
    y[torch.tensor([0, 0, 1])] += 1
    z = torch.zeros(3).index_add_(0, torch.tensor([0, 0, 1]), torch.ones(3))
    w = torch.zeros(3).index_put_((torch.tensor([0, 0, 1]),), torch.ones(3), accumulate=True)
    return y, z, w


@case
def rows_exchange():
    x = base().reshape(2, 3)
    x[0], x[1] = x[1], x[0]
    y = base().reshape(2, 3)
    y[[0, 1]] = y[[1, 0]]
    return x, y


@case
def view_of_a_view_written():
    x = base(12)
    a = x.view(3, 4)
    b = a.t()
    c = b[1:3]
    c.mul_(10)
    x[0] = -1
    return a, b, c, x


@case
def chunks_written():
    x = base(8)
    p, q = x.chunk(2)
    with torch.no_grad():
        p.add_(q)
        q.sub_(p)
    return x


@case
def data_swapped():
    x = base(3)
    v = x[:2]
    x.data = torch.full((3,), 9.0)
    v.add_(1)
    return x, v


@case
def same_tensor_twice():
    def f(a, b):
        a.add_(1)
        return a + b

    x = base(3)
    return f(x, x), x


@case
def alias_in_a_list():
    x = base(3)
    things = [x, x.view(3), x.clone()]
    for t in things:
        t += 1
    return things


@case
def output_is_an_input():
    def f(x):
        x.mul_(2)
        return x

    x = base(3)
    y = f(x)
    y += 1
    return x, y is x


@case
def fill_diagonal_through_view():
    x = torch.zeros(3, 4)
    x.diagonal().fill_(1)
    x.diagonal(1)[:2] = 5
    x.t()[3] = 7
    return x


@case
def expand_then_write():
    x = torch.zeros(1, 3)
    y = x.expand(2, 3)
    try:
        y.add_(1)
    except RuntimeError as e:
        return str(e)[:50]
    return x


@case
def gradient_written_in_place():
    w = torch.ones(3, requires_grad=True)
    (w * base(3)).sum().backward()
    g = w.grad
    (w * 2).sum().backward()
    w.grad.mul_(10)
    kept = g.clone()
    w.grad = None
    (w * 3).sum().backward()
    return kept, g, w.grad


@case
def zero_grad_to_none():
    w = nn.Parameter(torch.ones(2))
    opt = torch.optim.SGD([w], lr=0.1, momentum=0.5)
    seen = []
    for s in range(3):
        opt.zero_grad(set_to_none=s % 2 == 0)
        if s != 1:
            (w * (s + 1)).sum().backward()
        opt.step()
        seen.append(w.detach().clone())
    return seen


@case
def masked_write_of_gradient():
    x = base(4).requires_grad_()
    y = x * 2
    y[y > 3] = 0
    y[0] = x[1] * 5
    y.sum().backward()
    return x.grad


@case
def detach_shares():
    x = base(3).requires_grad_()
    y = x.exp()
    z = y.detach()
    z.mul_(2)
    try:
        y.sum().backward()
    except RuntimeError as e:
        return "modified" if "modified by an inplace" in str(e) else str(e)
    return x.grad


@case
def reshape_copies_sometimes():
    x = base(6).reshape(2, 3)
    a = x.reshape(6)
    b = x.t().reshape(6)
    a[0] = 50
    b[1] = 60
    return x, a, b


@case
def flatten_of_one_row():
    x = base(3)
    y = x.flatten()
    z = x.reshape(1, 3).flatten()
    y[0] = 9
    z[1] = 8
    return x, y is x


@case
def contiguous_is_itself():
    x = base(6).reshape(2, 3)
    y = x.contiguous()
    z = x.t().contiguous()
    y[0, 0] = 5
    z[0, 1] = 6
    return x, z, y is x


@case
def to_is_itself():
    x = base(3)
    a, b, c = x.to(torch.float32), x.float(), x.to(torch.float64)
    a[0] = 1
    b[1] = 2
    c[2] = 100
    return x, a is x, b is x


@case
def split_and_cat_back():
    x = base(9).reshape(3, 3)
    parts = list(x.unbind(1))
    parts[1] = parts[1] * 0
    parts[0].add_(100)
    return torch.stack(parts, 1), x


@case
def slots_of_a_buffer():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("ring", torch.zeros(3))
            self.at = 0

        def forward(self, v):
            self.ring[self.at % 3] = v
            self.at += 1
            return self.ring.sum() + self.ring[self.at % 3]

    m = M()
    return [m(torch.tensor(float(i))) for i in range(7)], m.ring


@case
def where_with_nan_side():
    x = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)
    y = torch.where(x > 0, x.sqrt(), torch.zeros_like(x))
    y.sum().backward()
    return y, x.grad


@case
def clamp_writes_through_view():
    x = base(6) - 3
    x.view(2, 3)[0].clamp_(min=-1)
    x[::2].neg_()
    return x


@case
def swap_by_views():
    x = base(6)
    p, q = x[:3], x[3:]
    t = p.clone()
    p.copy_(q)
    q.copy_(t)
    return x


@case
def out_into_view():
    x = torch.zeros(2, 3)
    torch.add(base(3), 1, out=x[1])
    torch.mul(x[1], 2, out=x[0])
    return x


@case
def version_after_no_grad_write():
    w = base(3).requires_grad_()
    y = (w * w).sum()
    with torch.no_grad():
        w += 1
    try:
        y.backward()
    except RuntimeError as e:
        return "modified" if "modified by an inplace" in str(e) else str(e)
    return w.grad


@case
def iterating_rows_in_place():
    x = base(6).reshape(3, 2)
    for i, row in enumerate(x):
        row *= i
        row[0] -= 1
    return x


@case
def sort_out_and_index():
    x = torch.tensor([3.0, 1.0, 2.0])
    v, i = x.sort()
    x[i[0]] = 10
    v[0] = -1
    return x, v, i


for f in CASES:
    for n in range(6):
        r = f()
        print(f.__name__, r)
