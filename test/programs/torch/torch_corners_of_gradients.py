# Programs in the spirit of reports about results that are wrong in silence: numbers and gradients at corners.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CASES = []
nan, inf = float("nan"), float("inf")


def case(f):
    CASES.append(f)
    return f


def grad_of(f, *values, dtype=torch.float32):
    xs = [torch.tensor(v, dtype=dtype, requires_grad=True) for v in values]
    y = f(*xs)
    y.sum().backward()
    return [x.grad for x in xs]


@case
def gradient_of_norm_at_zero():
    return grad_of(lambda x: x.norm(), [0.0, 0.0]), grad_of(lambda x: x.norm(1), [0.0, -1.0]), grad_of(lambda x: x.norm(p=inf), [2.0, -2.0, 1.0])


@case
def gradient_of_sqrt_and_pow():
    return grad_of(torch.sqrt, [0.0, 4.0]), grad_of(lambda x: x ** 0.5, [0.0, 4.0]), grad_of(lambda x: x ** 0, [0.0, 2.0]), grad_of(lambda x: 0 ** x, [0.0, 2.0])


@case
def gradient_of_pow_both():
    return grad_of(torch.pow, [2.0, 0.0, 0.0], [3.0, 2.0, 0.0])


@case
def gradient_of_prod_with_zeros():
    return grad_of(torch.prod, [2.0, 0.0, 3.0]), grad_of(torch.prod, [0.0, 0.0, 3.0]), grad_of(lambda x: x.cumprod(0), [2.0, 0.0, 3.0])


@case
def gradient_of_std_of_one():
    return grad_of(lambda x: x.std(unbiased=False), [1.0, 1.0]), grad_of(lambda x: x.var(), [1.0, 3.0]), grad_of(lambda x: x.std(), [2.0, 2.0])


@case
def gradient_of_ties():
    return grad_of(torch.max, [1.0, 3.0, 3.0]), grad_of(lambda x: x.amax(0), [1.0, 3.0, 3.0]), grad_of(lambda x: x.max(0)[0], [1.0, 3.0, 3.0]), grad_of(torch.maximum, [1.0, 2.0], [1.0, 0.0])


@case
def gradient_of_max_of_nan():
    return grad_of(torch.max, [1.0, nan, 3.0]), grad_of(torch.min, [nan, nan]), grad_of(lambda x: -x.max(), [1.0, 2.0]), grad_of(lambda x: x.max() * inf, [1.0, 2.0])


@case
def gradient_of_abs_sign_round():
    return grad_of(torch.abs, [0.0, -0.0, nan]), grad_of(torch.sign, [0.0, 2.0]), grad_of(torch.round, [0.5]), grad_of(torch.frac, [1.5, -1.5])


@case
def gradient_of_clamp_at_ends():
    return grad_of(lambda x: x.clamp(0, 1), [0.0, 1.0, 0.5, nan]), grad_of(lambda x: F.relu(x), [0.0, -0.0, nan]), grad_of(F.relu6, [0.0, 6.0]), grad_of(lambda x: F.hardtanh(x), [-1.0, 1.0])


@case
def gradient_of_atan2_and_hypot():
    return grad_of(torch.atan2, [0.0, 1.0], [0.0, 0.0]), grad_of(torch.hypot, [0.0, 3.0], [0.0, 4.0])


@case
def gradient_through_where_and_division():
    return grad_of(lambda x: torch.where(x != 0, 1 / x, x), [0.0, 2.0]), grad_of(lambda x: (x / x).nan_to_num(), [0.0, 2.0])


@case
def gradient_of_logsumexp_of_minus_inf():
    return grad_of(lambda x: x.logsumexp(0), [-inf, -inf]), grad_of(lambda x: x.logsumexp(0), [-inf, 0.0]), grad_of(lambda x: x.softmax(0)[0], [-inf, 0.0]), grad_of(lambda x: F.log_softmax(x, 0)[1], [-inf, 0.0])


@case
def losses_at_ends():
    p = torch.tensor([0.0, 1.0, 0.5], requires_grad=True)
    l = F.binary_cross_entropy(p, torch.tensor([0.0, 1.0, 1.0]))
    l.backward()
    q = torch.tensor([100.0, -100.0], requires_grad=True)
    m = F.binary_cross_entropy_with_logits(q, torch.tensor([1.0, 1.0]))
    m.backward()
    return l, p.grad, m, q.grad, F.kl_div(torch.tensor([-1.0]), torch.tensor([0.0])), F.smooth_l1_loss(torch.tensor([1.0]), torch.tensor([0.0])), F.huber_loss(torch.tensor([3.0]), torch.tensor([0.0]), delta=1.0)


@case
def cross_entropy_corners():
    x = torch.tensor([[1.0, 2.0, 3.0], [0.0, -inf, 1.0]], requires_grad=True)
    l = F.cross_entropy(x, torch.tensor([2, -100]))
    l.backward()
    y = torch.zeros(2, 3, requires_grad=True)
    k = F.cross_entropy(y, torch.tensor([-100, -100]))
    return l, x.grad, k, F.cross_entropy(y, torch.tensor([0, 1]), label_smoothing=0.1, weight=torch.tensor([1.0, 2.0, 3.0])), F.nll_loss(y, torch.tensor([0, 1]), reduction="sum")


@case
def empty_reductions():
    e = torch.zeros(0)
    return e.sum(), e.prod(), e.mean(), torch.zeros(2, 0).sum(1), torch.zeros(0, 2).mean(0), e.all(), e.any(), torch.cat([e, torch.ones(1)]), F.mse_loss(e, e)


@case
def integers_at_their_ends():
    a = torch.tensor([127], dtype=torch.int8)
    b = torch.tensor([-128], dtype=torch.int8)
    c = torch.tensor([2 ** 62], dtype=torch.int64)
    return a + 1, b.abs(), -b, c * 4, torch.tensor([255], dtype=torch.uint8) + 1, a.sum(), torch.tensor([2 ** 24 + 1]).float().long(), b // -1, torch.tensor([200], dtype=torch.uint8).to(torch.int8)


@case
def casts_of_halves():
    return torch.tensor([0.5, 1.5, 2.5, -0.5]).round(), torch.tensor([2.9, -2.9]).long(), torch.tensor([1e-8]).half(), torch.tensor([70000.0]).half(), torch.tensor([1.0]).bool(), torch.tensor([nan]).bool(), torch.tensor([0.1]).bfloat16().float()


@case
def comparisons_of_nan():
    x = torch.tensor([nan, 1.0])
    return x == x, x != x, x.max(), x.argmax(), x.sort(), torch.equal(x, x), torch.allclose(x, x, equal_nan=True), x.nansum(), x.nan_to_num(7.0), torch.isin(x, x), x.unique()


@case
def signs_of_zero():
    z = torch.tensor([0.0, -0.0])
    return 1 / z, z.sqrt(), z.abs(), -z, z + 0.0, z * -1, z.round(), torch.copysign(torch.ones(2), z), z.sign(), torch.atan2(z, -torch.ones(2)), z == -z


@case
def remainders():
    a, b = torch.tensor([5.5, -5.5, 5.5, -5.5]), torch.tensor([3.0, 3.0, -3.0, -3.0])
    return a % b, torch.fmod(a, b), a // b, torch.div(a, b, rounding_mode="trunc"), torch.remainder(torch.tensor([5, -5]), -3), torch.tensor([1.0]) % 0, torch.tensor([inf]) % 2, torch.tensor([-1e-8]) % 1.0


@case
def interpolations():
    x = torch.arange(4.0).reshape(1, 1, 4)
    out = [F.interpolate(x, size=s, mode="linear", align_corners=c) for s in (1, 2, 7) for c in (False, True)]
    for size in (0, -1):
        try:
            F.interpolate(x, size=size)
        except RuntimeError as e:
            out.append(str(e))
    try:
        F.interpolate(torch.ones(1, 0, 2, 2), size=3)
    except RuntimeError as e:
        out.append(str(e))
    return out


@case
def pooling_corners():
    x = torch.tensor([[[-1.0, -2.0, nan, 3.0]]])
    return F.max_pool1d(x, 2), F.avg_pool1d(x, 2, padding=1), F.avg_pool1d(x, 2, padding=1, count_include_pad=False), F.max_pool1d(-x.abs(), 2, padding=1), F.max_pool1d(x, 3, 2, ceil_mode=True), F.adaptive_max_pool1d(x, 3), F.adaptive_avg_pool1d(x, 3)


@case
def embedding_corners():
    w = torch.arange(8.0).reshape(4, 2).requires_grad_()
    y = F.embedding(torch.tensor([0, 0, 3]), w, padding_idx=0)
    y.sum().backward()
    m = nn.Embedding(3, 2, max_norm=1.0)
    with torch.no_grad():
        m.weight.fill_(3.0)
    m(torch.tensor([1]))
    return w.grad, m.weight, F.embedding_bag(torch.tensor([0, 1, 1]), w, torch.tensor([0, 2]), mode="mean").detach()


@case
def attention_all_masked():
    q = torch.ones(1, 2, 3, requires_grad=True)
    mask = torch.tensor([[True, False], [False, False]])
    y = F.scaled_dot_product_attention(q, q, q, attn_mask=mask)
    y.sum().backward()
    return y.detach(), q.grad


@case
def second_gradients():
    x = torch.tensor([0.0, 1.0, -2.0], dtype=torch.float64, requires_grad=True)
    out = []
    for f in (torch.relu, torch.sigmoid, torch.tanh, F.gelu, F.silu, F.softplus, F.elu, torch.exp, torch.sin, lambda v: v ** 3):
        (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
        h = torch.autograd.grad(g.sum(), x, allow_unused=True)[0] if g.requires_grad else None
        out.append(None if h is None else [round(v, 6) for v in h.tolist()])
    return out


@case
def layer_norm_of_equal_numbers():
    x = torch.full((2, 3), 5.0, requires_grad=True)
    y = F.layer_norm(x, (3,))
    (y * torch.arange(6.0).reshape(2, 3)).sum().backward()
    return y, x.grad, F.normalize(torch.zeros(1, 2)), F.cosine_similarity(torch.zeros(2), torch.ones(2), dim=0)


@case
def conversions_of_numbers():
    return torch.tensor(True) + 1, torch.tensor(2) / 2, torch.tensor([1, 2]).mean(dtype=torch.float64), torch.full((2,), 3), torch.arange(0, 1, 0.3), torch.linspace(0, 1, 3), torch.arange(3, 0, -1), torch.tensor([1e400]), torch.tensor(2 ** 53 + 1).double(), torch.ones(1, dtype=torch.bool) * 2.0


@case
def bool_arithmetic():
    b = torch.tensor([True, False])
    out = [b + b, b * b, b.sum(), b.float().mean(), b | True, ~b, b ^ b, b.cumsum(0), b.int() - 1]
    for f in (lambda: b - b, lambda: -b, lambda: b.mean()):
        try:
            out.append(f())
        except RuntimeError as e:
            out.append(str(e)[:40])
    return out


@case
def matrix_corners():
    s = torch.zeros(2, 2)
    return torch.linalg.det(s), torch.zeros(2, 0) @ torch.zeros(0, 3), torch.linalg.pinv(s), torch.trace(torch.ones(2, 3)), torch.linalg.matrix_exp(s), s.det().sign()


for f in CASES:
    for n in range(6):
        r = f()
        print(f.__name__, r)
