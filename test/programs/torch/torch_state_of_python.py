# Programs in the spirit of reports about results that are wrong in silence: Python's state around tensors.
import collections
import contextlib
import functools
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

CASES = []


def case(f):
    CASES.append(f)
    return f


flag = 1.0
LOG = []


@case
def local_class_mutates_closure():
    state = {"n": 0, "l": []}

    class Helper:
        def touch(self, x):
            state["n"] += 1
            state["l"].append(x.sum().item())
            return x + state["n"]

    h = Helper()
    y = h.touch(torch.ones(2))
    return h.touch(y), state


@case
def global_read_after_call():
    global flag

    def bump():
        global flag
        flag = flag * 2

    x = torch.ones(2) * flag
    bump()
    y = x * flag
    flag = 1.0
    return x, y


@case
def default_argument_grows(acc=[]):
    acc.append(torch.tensor(float(len(acc))).add(1).item())
    return len(acc), acc[-1]


@case
def generator_is_lazy():
    x = torch.ones(3)

    def gen():
        for i in range(3):
            yield x[i] * (i + 1)

    g = gen()
    first = next(g)
    x[1] = 10
    return first, list(g)


@case
def exception_keeps_writes():
    x = torch.zeros(3)
    try:
        x[0] = 1
        x.view(2, 2)
        x[1] = 2
    except RuntimeError:
        x[2] = 3
    finally:
        x += 10
    return x


@case
def context_manager_order():
    log = []

    @contextlib.contextmanager
    def tell(n):
        log.append(("in", n))
        try:
            yield n * 2
        finally:
            log.append(("out", n))

    with tell(1) as a, tell(2) as b:
        y = torch.tensor(float(a + b))
    return y, log


@case
def closure_cell_changes():
    k = 1

    def f(x):
        return x * k

    a = f(torch.ones(1))
    k = 5
    return a, f(torch.ones(1))


@case
def late_binding_lambdas():
    fs = [lambda x: x * i for i in range(3)]
    gs = [lambda x, i=i: x * i for i in range(3)]
    x = torch.ones(1)
    return [f(x).item() for f in fs], [g(x).item() for g in gs]


@case
def dict_order_and_pop():
    d = {k: torch.tensor(float(i)) for i, k in enumerate("abc")}
    d["a"] = d.pop("a") + 10
    d.update(d=d["b"] * 2)
    return list(d), sum(d.values())


@case
def set_and_tensor_identity():
    a, b = torch.ones(1), torch.ones(1)
    s = {a, b, a}
    return len(s), a in s, torch.ones(1) in s, [a, b].index(a), {a: 1}[a]


@case
def bool_of_comparison_chain():
    x = torch.tensor(2.0)
    return 1 < x < 3, 1 < x < 2, not x, x and 5, x or 5, bool(x - 2)


@case
def int_division_of_negative():
    x = torch.tensor([-7, 7, -1])
    return x // 2, x % 3, -7 // 2, torch.div(x, 2, rounding_mode="trunc"), x.float() // 2, torch.fmod(x, 3), x >> 1


@case
def python_scalar_types():
    x = torch.tensor([1, 2])
    return (x * 2.5).dtype, (x * True).dtype, (x + 1j).dtype, (x.float() * 2).dtype, (x > 1).sum().dtype, (x / 2).dtype, (x ** -1.0)


@case
def random_choice_of_branch():
    random.seed(3)
    torch.manual_seed(3)
    out = []
    for i in range(6):
        if random.random() < 0.5:
            out.append(torch.rand(1).item())
        else:
            out.append(torch.randn(2).sum().item())
    return [round(v, 4) for v in out]


@case
def dropout_modes():
    torch.manual_seed(0)
    m = nn.Dropout(0.5)
    a = m(torch.ones(6))
    m.eval()
    b = m(torch.ones(6))
    m.train()
    return a, b, F.dropout(torch.ones(4), 0.3, training=False), m(torch.ones(6))


@case
def batch_norm_momentum_none():
    torch.manual_seed(0)
    m = nn.BatchNorm1d(2, momentum=None)
    for i in range(3):
        m(torch.randn(4, 2) + i)
    m.eval()
    m(torch.randn(4, 2))
    return m.running_mean, m.num_batches_tracked


@case
def hooks_replace():
    m = nn.Linear(2, 2, bias=False)
    with torch.no_grad():
        m.weight.copy_(torch.eye(2))
    log = []
    h1 = m.register_forward_pre_hook(lambda m, a: (a[0] * 2,))
    h2 = m.register_forward_hook(lambda m, a, o: o + 1)
    h3 = m.register_full_backward_hook(lambda m, gi, go: log.append((gi[0] is None, go[0].sum().item())))
    x = torch.ones(1, 2, requires_grad=True)
    y = m(x)
    y.sum().backward()
    h1.remove()
    z = m(torch.ones(1, 2))
    h2.remove()
    h3.remove()
    return y, z, m(torch.ones(1, 2)), log, x.grad


@case
def tensor_hook_order():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    log = []
    y.register_hook(lambda g: log.append("a") or g * 2)
    y.register_hook(lambda g: log.append("b") or g + 1)
    h = x.register_hook(lambda g: log.append("leaf"))
    y.sum().backward()
    h.remove()
    (x * 2).sum().backward()
    return x.grad, log


@case
def custom_function_saves():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(x)
            ctx.k = k
            return x * x * k

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 * x * ctx.k, None

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    Square.apply(x, 3).sum().backward()
    return x.grad


@case
def namedtuple_and_dataclass():
    P = collections.namedtuple("P", "x y")
    p = P(torch.ones(1), torch.zeros(1))
    q = p._replace(y=p.x * 4)
    return q.x + q.y, p.y, q._fields, q == q, len(q)


@case
def lru_cache_of_tensor_function():
    calls = []

    @functools.lru_cache(None)
    def f(n):
        calls.append(n)
        return torch.full((2,), float(n))

    a = f(1)
    a += 1
    return f(1), f(2), calls


@case
def star_arguments():
    def f(*a, k=1, **kw):
        return sum(a) * k + sum(kw.values())

    x = torch.ones(1)
    return f(x, x, k=2, z=x * 5), f(*[x] * 3), f(**{"w": x})


@case
def loop_with_else():
    x = torch.tensor(1.0)
    for i in range(5):
        x = x * 2
        if x > 10:
            break
    else:
        x = x * 0
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    else:
        n += 100
    return x, n, i


@case
def accumulate_python_float():
    total = 0.0
    for i in range(10):
        total += torch.tensor(0.1 * i).item()
    return total


@case
def item_of_float32():
    x = torch.tensor(0.1)
    return x.item(), float(x), x.item() == 0.1, round(x.item(), 3), f"{x:.3f}", f"{x}", str(x.item())


@case
def string_keys_by_step():
    out = {}
    for i in range(3):
        out[f"step{i}"] = torch.tensor(i) * 2
    return {k: v.item() for k, v in out.items()}


@case
def scheduler_and_groups():
    p, q = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))
    opt = torch.optim.SGD([{"params": [p]}, {"params": [q], "lr": 0.01}], lr=0.1)
    s = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
    for i in range(5):
        opt.zero_grad()
        (p * 2 + q * 3).sum().backward()
        opt.step()
        s.step()
    return p.item(), q.item(), s.get_last_lr()


@case
def adam_amsgrad_and_decay():
    torch.manual_seed(0)
    w = nn.Parameter(torch.randn(3))
    opt = torch.optim.AdamW([w], lr=0.1, amsgrad=True, weight_decay=0.1)
    for i in range(4):
        opt.zero_grad()
        ((w - i) ** 2).sum().backward()
        nn.utils.clip_grad_norm_([w], 1.0)
        opt.step()
    return w


@case
def isinstance_and_type():
    p = nn.Parameter(torch.ones(1))
    t = p * 1
    return isinstance(p, nn.Parameter), isinstance(t, nn.Parameter), type(p.data).__name__, type(p.detach()).__name__, p.is_leaf, t.is_leaf


@case
def ties_and_topk():
    x = torch.tensor([1.0, 3.0, 3.0, 2.0, 3.0])
    return x.argmax(), x.max(0), x.topk(2), torch.sort(x, descending=True, stable=True), x.unique(return_counts=True), x.median(), x.mode()


for f in CASES:
    for n in range(6):
        r = f()
        print(f.__name__, r)
