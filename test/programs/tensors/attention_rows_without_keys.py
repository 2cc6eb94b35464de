# Attention whose rows may have no key at all: every way to mask, in training and in evaluation.
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.simplefilter("ignore")


def rounded(t):
    return [round(v, 2) + 0.0 if v == v else "nan" for v in t.detach().flatten().tolist()]


def shown(name, make):
    try:
        print(name, *make())
    except Exception as e:
        print(name, type(e).__name__, str(e)[:240])


mask = torch.tensor([[True, True, False], [False, False, False], [True, False, False]])
number = torch.zeros(3, 3).masked_fill(~mask, float("-inf"))
kinds = {
    "bool": dict(attn_mask=mask),
    "number": dict(attn_mask=number),
    "causal": dict(is_causal=True),
    "none": dict(attn_mask=torch.zeros(3, 3).bool()),
    "columns": dict(attn_mask=torch.tensor([True, True, False]).expand(3, 3)),
    "scale": dict(attn_mask=mask, scale=-1.0),
    "both": dict(attn_mask=mask, is_causal=True),
    "int": dict(attn_mask=torch.ones(3, 3, dtype=torch.long)),
    "double": dict(attn_mask=torch.ones(3, 3, dtype=torch.float64)),
    "groups": dict(attn_mask=mask, enable_gqa=True),
    "causal groups": dict(is_causal=True, enable_gqa=True),
}
torch.manual_seed(1)
q, k, v = torch.rand(1, 4, 3, 4), torch.rand(1, 2, 3, 4), torch.rand(1, 2, 3, 4)
for name, options in kinds.items():
    for spoilt in (False, True):
        for rank in (4, 3):

            def attend():
                for _ in range(12):
                    a = (q if options.get("enable_gqa") else q[:, :2]).clone()
                    a, b, c = [t.clone().requires_grad_(True) for t in (a, k, v)]
                    keys = b.clone()
                    if spoilt:
                        keys[..., 2, 0] = float("nan")
                    parts = (a, keys, c) if rank == 4 else (a[0], keys[0], c[0])
                    y = F.scaled_dot_product_attention(*parts, **options)
                    (y * torch.arange(1.0, 1 + y.numel()).view(y.shape)).sum().backward()
                return rounded(y)[:12], rounded(a.grad)[:8], rounded(b.grad)[:4], rounded(c.grad)[:4]

            shown(f"{name} {spoilt} {rank}", attend)
for bad in (
    lambda: F.scaled_dot_product_attention(q, q.double(), q),
    lambda: F.scaled_dot_product_attention(torch.rand(3), q, q),
    lambda: F.scaled_dot_product_attention(q, k, v),
    lambda: F.scaled_dot_product_attention(q, torch.rand(1, 3, 3, 4), torch.rand(1, 3, 3, 4), enable_gqa=True),
):
    shown("operands", bad)

padded = torch.tensor([[False, False, True], [True, True, True]])
causal = torch.triu(torch.ones(3, 3), 1).bool()
dead = torch.tensor([[True, True, True], [True, False, False], [False, False, True]])
masks = [
    dict(),
    dict(key_padding_mask=padded),
    dict(key_padding_mask=padded, attn_mask=causal),
    dict(attn_mask=dead.float()),
    dict(attn_mask=dead.repeat(4, 1, 1), average_attn_weights=False),
    dict(attn_mask=causal, is_causal=True),
    dict(is_causal=True),
    dict(attn_mask=torch.zeros(2, 3)),
    dict(attn_mask=torch.zeros(2, 3, 3)),
    dict(key_padding_mask=torch.zeros(3, 3).bool()),
    dict(key_padding_mask=torch.zeros(2, 3).long()),
]
for options in (dict(), dict(add_bias_kv=True), dict(add_zero_attn=True), dict(bias=False), dict(kdim=5, vdim=7)):
    for training in (True, False):
        torch.manual_seed(0)
        m = nn.MultiheadAttention(4, 2, batch_first=True, **options).train(training)
        print(options, list(m.state_dict()))
        x = torch.randn(2, 3, 4, requires_grad=True)
        keys, values = (torch.randn(2, 3, 5), torch.randn(2, 3, 7)) if "kdim" in options else (x, x)
        for i, given in enumerate(masks if training else masks[:7]):
            for weights in (True, False):

                def attend():
                    for _ in range(6):
                        x.grad = None
                        with torch.set_grad_enabled(training):
                            y, w = m(x, keys, values, need_weights=weights, **given)
                        if training:
                            y.nansum().backward()
                    w = None if w is None else (tuple(w.shape), rounded(w)[:3], rounded(w)[-3:])
                    return rounded(y)[:3], rounded(y)[-3:], w, None if x.grad is None else rounded(x.grad)[:2]

                shown(f"{i} {training} {weights}", attend)
