//! Expressions over tensors of every dtype and of several shapes, to evaluate as PyTorch does.

use super::expressions::{Language, Rule};

/// `x` a tensor, `k` a number, `d` a dtype.
pub const LANGUAGE: Language = Language {
    rules: &[
        Rule {
            name: 'x',
            leaves: &["y", "A", "h", "j", "J", "u", "m", "M", "z", "zi", "none", "s8", "s16"],
            forms: &[
                "$x + $x", "$x - $x", "$x * $x", "$x / $x", "$x // $x", "$x % $x", "$x ** $x", "$x + $k", "$k - $x", "$x * $k", "$x / $k",
                "$k / $x", "$x // $k", "$k // $x", "$x % $k", "$x ** $k", "$k ** $x", "$x > $x", "$x <= $k", "$x == $x", "$x != $k", "$x & $x", "$x | $k",
                "$x ^ $x", "~$x", "-$x", "abs($x)", "$x << 2", "$x >> 1", "torch.add($x, $x, alpha=$k)", "torch.sub($x, $k, alpha=2)",
                "$x.sum()", "$x.sum(0)", "$x.sum(-1, keepdim=True)", "$x.sum(dtype=$d)", "$x.mean()", "$x.mean(-1)", "$x.mean(dtype=torch.float64)",
                "$x.prod()", "$x.prod(0)", "$x.max()", "$x.min(0).values", "$x.max(-1).indices", "$x.argmax(0)", "$x.argmin()", "$x.amax(-1)",
                "$x.any()", "$x.all(0)", "$x.cumsum(0)", "$x.cumprod(-1)", "$x.std()", "$x.var(0, unbiased=False)", "$x.norm()", "$x.count_nonzero()",
                "$x.logsumexp(0)", "$x.nansum()", "$x.median()", "$x.clamp(0, 1)", "$x.clamp(min=$k)", "$x.clamp(max=$x)", "$x.exp()", "$x.log()",
                "$x.sqrt()", "$x.rsqrt()", "$x.sin()", "$x.tanh()", "$x.sigmoid()", "$x.relu()", "$x.floor()", "$x.ceil()", "$x.round()", "$x.trunc()",
                "$x.frac()", "$x.sign()", "$x.reciprocal()", "$x.square()", "$x.erf()", "$x.log1p()", "$x.expm1()", "$x.atan2($x)", "$x.isnan()",
                "$x.isinf()", "$x.isfinite()", "$x.to($d)", "$x.to($x)", "$x.type_as($x)", "$x.int()", "$x.bool()",  "$x.float()",
                "$x.long()", "$x.double()",  "torch.where($x > 0, $x, $x)", "torch.where($x > 0, $x, $k)", "torch.where($x, $x, $x)",
                "torch.maximum($x, $x)", "torch.minimum($x, $x)", "torch.fmod($x, $x)", "torch.fmod($x, $k)", "torch.remainder($x, $x)",
                "torch.div($x, $x, rounding_mode='floor')", "torch.div($x, $k, rounding_mode='trunc')", "torch.pow($x, $k)", "torch.pow($k, $x)",
                "torch.bitwise_and($x, $x)", "torch.logical_and($x, $x)", "torch.logical_not($x)", "torch.logical_xor($x, $x)", "torch.isclose($x, $x)",
                "torch.eq($x, $k)", "torch.lerp($x, $x, 0.3)", "torch.addcmul($x, $x, $x, value=2)", "$x[0]", "$x[..., -1]", "$x[None]", "$x[:, 1:]",
                "$x[m]", "$x[M]", "$x[j % 2]", "$x[$x]", "$x[k]", "$x[-1:]", "$x[::2]", "$x.t()", "$x.reshape(-1)", "$x.view(-1)", "$x.unsqueeze(0)",
                "$x.squeeze()", "$x.flip(0)", "$x.expand(2, 3)", "$x.flatten()", "$x.repeat(2)", "$x.repeat(1, 2)", "$x.roll(1, 0)", "$x.transpose(0, -1)",
                "$x.sort(0).values", "$x.sort(-1, descending=True).indices", "$x.topk(1).values", "$x.unbind(0)[0]", "$x.chunk(2)[0]", "$x.split(1)[-1]",
                "torch.cat([$x, $x])", "torch.cat([$x, $x], -1)", "torch.stack([$x, $x])", "$x @ $x", "$x.matmul($x.t())", "torch.outer($x, $x)",
                "$x.dot($x)", "$x.mm($x)", "torch.einsum('i,i->', $x, $x)", "$x.clone().add_($x)", "$x.clone().mul_($k)", "$x.clone().div_($x)",
                "$x.clone().fill_($k)", "$x.clone().masked_fill_(m, $k)", "$x.clone().clamp_(0)", "$x.clone().copy_($x)", "$x.clone().pow_($k)",
                "$x.masked_fill($x > 0, $k)", "$x.index_select(0, j % 2)", "$x.gather(0, j % 2)", "$x.scatter(0, j % 2, $k)", "$x.scatter_add(0, j % 2, $x)",
                "$x.index_add(0, j % 2, $x)", "torch.take($x, j % 2)", "torch.full_like($x, $k)", "torch.zeros_like($x, dtype=$d)", "torch.ones_like($x)",
                "torch.tensor([$k, $k])", "torch.tensor($k)", "torch.tensor([$k, $k], dtype=$d)", "torch.full((2,), $k)", "torch.arange($k)",
                "torch.arange(0, 2, 0.5)", "torch.linspace(0, 1, 3)", "torch.zeros(2, 3, dtype=$d)", "torch.ones(3)", "torch.eye(3, dtype=$d)",
                "torch.nn.functional.softmax($x, -1)", "torch.nn.functional.relu($x)", "torch.log_softmax($x, 0)", "torch.nn.functional.one_hot($x)",
                "torch.tril($x)", "torch.diag($x)", "torch.nan_to_num($x)", "torch.unique($x)", "torch.cumsum($x, 0, dtype=$d)", "torch.sum($x, (0, 1))",
                "torch.dot($x, $x)", "torch.heaviside($x, $x)", "torch.bincount($x)", "torch.nonzero($x)", "torch.argsort($x)", "torch.result_type($x, $x)",
                "torch.promote_types($x.dtype, $d)", "torch.can_cast($x.dtype, $d)", "$x.is_floating_point()", "$x.item()", "$x.tolist()", "float($x)",
                "int($x)", "bool($x)", "len($x)", "$x.numel()", "$x.element_size()", "$x.equal($x)", "torch.allclose($x, $x)", "torch.finfo($x.dtype).max",
                "torch.iinfo($x.dtype).min", "set_item($x.clone(), $x)", "set_item($x.clone(), $k)", "$x.new_tensor([$k])", "$x.new_zeros(2)", "$x.stride()",
                "$x.gt($k)", "$x.rsub($k)", "$x.floor_divide($k)", "$x.true_divide($x)", "$x.hypot($x)", "$x.logical_or($x)", "$x.cummax(0).values",
                "$x.diff()", "$x.movedim(0, -1)", "$x.unfold(0, 2, 1)", "$x.tile((2,))", "$x.tril(-1)", "$x.trace()", "$x.nanmean()", "$x.aminmax().max",
            ],
        },
        Rule {
            name: 'k',
            leaves: &["2", "-1", "0.5", "k", "n", "True", "2.5", "0", "300", "-0.3", "float('inf')"],
            forms: &["$x.item()", "$k + 1", "-$k", "$x.sum().item()", "len($x)"],
        },
        Rule {
            name: 'd',
            leaves: &[
                "torch.float32", "torch.float64",   "torch.int64", "torch.int32", "torch.int16", "torch.int8",
                "torch.uint8", "torch.bool",
            ],
            forms: &["$x.dtype"],
        },
    ],
    prologue: "\
import torch

torch.manual_seed(0)


def number(v):
    return float(f'{v:.2g}') if isinstance(v, float) else v


def text(v):
    return [text(q) for q in v] if isinstance(v, list) else number(v)


def show(v):
    if isinstance(v, torch.Tensor):
        return str(v.dtype)[6:], tuple(v.shape), text(v.tolist())
    return text(v) if isinstance(v, list) else str(number(v))


def set_item(t, v):
    t[0] = v
    return t


",
    step: "    \
    A, h = torch.stack([y, y - 0.5]), torch.tensor([[0.5], [-1.5]], dtype=torch.float64)
    j, J, u = torch.tensor([k, n, 2]), torch.tensor([[1, -2, k], [n, 5, 6]], dtype=torch.int32), torch.tensor([k, 200, 9], dtype=torch.uint8)
    m, M, z, zi = y > 0, A > 0, y[0], torch.tensor(n)
    none = torch.zeros(0, 3)
    s8, s16 = torch.tensor([k, -100, 9], dtype=torch.int8), torch.tensor([k, -100, 900], dtype=torch.int16)
",
};
