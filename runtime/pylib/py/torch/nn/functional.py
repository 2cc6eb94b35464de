"""torch.nn.functional: mostly native; compositions that need no kernel of their own stand here."""

import functools
import math
import warnings

import torch
from torch._C._nn import *
from torch._C._nn import _resize
from torch.nn._windows import (
    affine_grid, alpha_dropout, channel_shuffle, ctc_loss, embedding_bag, feature_alpha_dropout, grid_sample,
    local_response_norm, lp_pool1d, lp_pool2d, lp_pool3d, rrelu,
)


def _legacy_reduction(size_average, reduce):
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    if size_average and reduce:
        return "mean"
    return "sum" if reduce else "none"


def _reduction(size_average, reduce, reduction):
    """What old arguments ask for, if one is given."""
    if size_average is None and reduce is None:
        return reduction
    return _legacy_reduction(size_average, reduce)


def _in_float32(loss):
    """A loss that autocast computes in float32."""

    @functools.wraps(loss)
    def wrapped(*args, **kwargs):
        if not torch._C._is_autocast_anywhere():
            return loss(*args, **kwargs)
        from torch import amp

        kind = next((t.device.type for t in (*args, *kwargs.values()) if isinstance(t, torch.Tensor)), "cpu")
        if not torch._C._is_autocast(kind):
            return loss(*args, **kwargs)
        args, kwargs = amp._cast(args, kind, torch.float32), amp._cast(kwargs, kind, torch.float32)
        with amp.autocast(kind, enabled=False):
            return loss(*args, **kwargs)

    return wrapped


_SCALAR_TYPES = {
    torch.bool: "Bool", torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int",
    torch.int64: "Long",
}


def _floats_only(kernel, x):
    """What PyTorch's kernel of this name has no form for."""
    if x.dtype in _SCALAR_TYPES:
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_SCALAR_TYPES[x.dtype]}\'')


def _reduced(values, reduction):
    if reduction == "mean":
        return values.mean()
    if reduction == "sum":
        return values.sum()
    if reduction == "none":
        return values
    raise ValueError(f"{reduction} is not a valid value for reduction")


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """A mask of attention as numbers to add: minus infinity where a bool one is True."""
    if mask is None:
        return None
    is_float = mask.is_floating_point()
    if mask.dtype != torch.bool and not is_float:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=2,
        )
    if is_float:
        return mask
    return torch.zeros_like(mask, dtype=target_type).masked_fill(mask, float("-inf"))


def relu_(input):
    return input.relu_()


def bilinear(input1, input2, weight, bias=None):
    if input1.dim() != input2.dim():
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}")
    for i in range(input1.dim() - 1):
        if input1.size(i) != input2.size(i):
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {i}: got {input1.size(i)} and {input2.size(i)}"
            )
    for i, x in enumerate((input1, input2), 1):
        if x.size(-1) != weight.size(i):
            raise RuntimeError(
                f"bilinear(): input{i} size does not match weight size: got {x.size(-1)} but expected {weight.size(i)}"
            )
    if bias is not None and bias.size(0) != weight.size(0):
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.size(0)} but expected {weight.size(0)}"
        )
    result = torch.einsum("...i,oij,...j->...o", input1, weight, input2)
    return result if bias is None else result + bias


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    if eps < 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps}")
    if dim is None or isinstance(dim, (tuple, list)):
        raise TypeError(f"cosine_similarity(): argument 'dim' (position 3) must be int, not {type(dim).__name__}")
    x1, x2 = torch.broadcast_tensors(x1, x2)
    n1 = torch.linalg.vector_norm(x1, 2, dim, keepdim=True).clone()
    n2 = torch.linalg.vector_norm(x2, 2, dim, keepdim=True).clone()
    # The limit changes values only: the gradient is that of the norm.
    with torch.no_grad():
        n1.clamp_min_(eps)
        n2.clamp_min_(eps)
    return ((x1 / n1) * (x2 / n2)).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    if p is None:
        raise TypeError("pairwise_distance(): argument 'p' (position 3) must be float, not NoneType")
    return torch._C._as_made_by(torch.linalg.vector_norm(x1 - x2 + eps, p, -1, keepdim), "NormBackward1")


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    gumbels = -torch.empty_like(logits).exponential_().log()
    gumbels = (logits + gumbels) / tau
    soft = softmax(gumbels, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    hot = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return hot - soft.detach() + soft


@_in_float32
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    reduction = _reduction(size_average, reduce, reduction)
    zeros = torch.zeros_like(input)
    # The margin is a number of the input's dtype.
    margin = torch.full((), margin, dtype=torch.float64).to(input.dtype)
    far = torch.where(target == 1, zeros, (margin - input).clamp_min(0))
    near = torch.where(target == -1, zeros, input)
    return _reduced(far + near, reduction)


@_in_float32
def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return _reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@_in_float32
def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction(size_average, reduce, reduction)
    eps = 1e-12
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    size1 = (input1 * input1).sum(dim) + eps
    size2 = (input2 * input2).sum(dim) + eps
    cos = product / (size1 * size2).sqrt()
    zeros = torch.zeros_like(cos)
    near = torch.where(target == 1, 1 - cos, zeros)
    far = torch.where(target == -1, (cos - margin).clamp_min(0), zeros)
    return _reduced(near + far, reduction)


@_in_float32
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    reduction = _reduction(size_average, reduce, reduction)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.size()[:-1] != var.size()[:-1] or var.size(-1) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


@_in_float32
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
    reduction="mean",
):
    reduction = _reduction(size_average, reduce, reduction)
    if log_input:
        loss = torch.exp(input) - target * input
    else:
        loss = input - target * torch.log(input + eps)
    if full:
        stirling = target * torch.log(target) - target + 0.5 * torch.log(2 * math.pi * target)
        loss = loss + torch.where(target > 1, stirling, torch.zeros_like(loss))
    return _reduced(loss, reduction)


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1,
    eps=1e-5,
):
    n, c = input.shape[0], input.shape[1]
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {input.shape}"
        )
    mean = None if running_mean is None else running_mean.repeat(n)
    var = None if running_var is None else running_var.repeat(n)
    # Each channel of each example is a channel of one large example.
    flat = input.reshape(1, n * c, *input.shape[2:])
    out = batch_norm(
        flat, mean, var, None if weight is None else weight.repeat(n), None if bias is None else bias.repeat(n),
        use_input_stats, momentum, eps,
    )
    if use_input_stats and running_mean is not None:
        with torch.no_grad():
            running_mean.copy_(mean.view(n, c).mean(0))
            running_var.copy_(var.view(n, c).mean(0))
    return out.view(input.shape)


_RESIZING = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "nearest-exact")


def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
    antialias=False,
):
    n = input.dim() - 2
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | "
                "bicubic | trilinear"
            )
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    dims = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}.get(mode)
    if not 1 <= n <= 3 or mode not in _RESIZING or (mode == "bicubic" and n != 2):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | area | nearest-exact (got {mode})"
        )
    factors = []
    if size is not None:
        if recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        given = size
        size = list(size) if isinstance(size, (tuple, list)) else [size] * n
        if isinstance(given, (tuple, list)) and not all([hasattr(x, "__index__") for x in size]):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got "
                f"size with types {[type(x) for x in size]}"
            )
    elif scale_factor is not None:
        factors = list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * n
        if len(factors) != n:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. Please provide "
                "input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
            )
        size = [math.floor(float(input.shape[i + 2]) * factors[i]) for i in range(n)]
    else:
        raise ValueError("either size or scale_factor should be defined")
    if len(size) != n:
        raise ValueError(
            f"Input and output must have the same number of spatial dimensions, but got input with spatial "
            f"dimensions of {list(input.shape[2:])} and output size of {given}. Please provide input tensor in "
            "(N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
        )
    if recompute_scale_factor:
        factors = []
    if input.dtype == torch.uint8 and input.dim() == 4 and mode in ("bilinear", "bicubic"):
        from torch.nn import _antialias

        return _antialias.resized_bytes(input, size, factors, mode, bool(align_corners), antialias)
    if antialias:
        from torch.nn import _antialias

        return _antialias.resized(input, size, factors, mode, bool(align_corners))
    if mode == "area":
        pool = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[n - 1]
        return pool(input, size)
    if dims is not None and dims != n:
        raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {dims + 2}D input")
    return _resize(input, size, factors, mode, bool(align_corners))


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def _shuffle_operand(name, input, factor, what):
    if input.dim() < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {input.dim()} dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {what}, but got {factor}")


def pixel_shuffle(input, upscale_factor):
    _shuffle_operand("pixel_shuffle", input, upscale_factor, "upscale_factor")
    r = upscale_factor
    *lead, c, h, w = input.shape
    if c % (r * r) != 0:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but input.size(-3)={c} is not divisible by {r * r}"
        )
    k = len(lead)
    x = input.reshape(*lead, c // (r * r), r, r, h, w)
    x = x.permute(*range(k), k, k + 3, k + 1, k + 4, k + 2)
    return torch._C._as_made_by(x.reshape(*lead, c // (r * r), h * r, w * r), "PixelShuffleBackward0")


def pixel_unshuffle(input, downscale_factor):
    _shuffle_operand("pixel_unshuffle", input, downscale_factor, "downscale_factor")
    if input.numel() == 0:
        # PyTorch gives what has no elements back in its own shape.
        return torch._C._as_made_by(input.clone(), "PixelUnshuffleBackward0")
    r = downscale_factor
    *lead, c, h, w = input.shape
    for side, place, extent in (("height", -2, h), ("width", -1, w)):
        if extent % r != 0:
            raise RuntimeError(
                f"pixel_unshuffle expects {side} to be divisible by downscale_factor, but input.size({place})="
                f"{extent} is not divisible by {r}"
            )
    k = len(lead)
    x = input.reshape(*lead, c, h // r, r, w // r, r)
    x = x.permute(*range(k), k, k + 2, k + 4, k + 1, k + 3)
    return torch._C._as_made_by(x.reshape(*lead, c * r * r, h // r, w // r), "PixelUnshuffleBackward0")


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = pairwise_distance if distance_function is None else distance_function
    near = distance(anchor, positive)
    far = distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduced(torch.clamp_min(margin + near - far, 0), reduction)


@_in_float32
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _reduction(size_average, reduce, reduction)
    if input.dtype in _SCALAR_TYPES:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {_SCALAR_TYPES[input.dtype]}")
    loss = torch.log1p(torch.exp(input * -target))
    if loss.shape != input.shape:
        # The target is broadcast to the input, never the input to the target.
        raise RuntimeError(
            f"output with shape {list(input.shape)} doesn't match the broadcast shape {list(loss.shape)}"
        )
    return torch._C._as_made_by(_reduced(loss, reduction).to(input.dtype), "SoftMarginLossBackward0")


def _above_zero(x):
    return torch.where(x > 0, x, torch.zeros_like(x))


@_in_float32
def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction(size_average, reduce, reduction)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    _floats_only("multi_margin_loss_cpu_kernel", input)
    if target.dtype != torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {_SCALAR_TYPES.get(target.dtype, 'Float')}")
    rows = input if input.dim() == 2 else input.unsqueeze(0)
    index = target.reshape(-1, 1)
    if rows.shape[0] != index.shape[0]:
        raise RuntimeError(
            f"inconsistent target size, expected [{rows.shape[0]}] but got {list(target.shape)}"
        )
    over = _above_zero(margin - rows.gather(1, index) + rows)
    if p == 2:
        over = over * over
    if weight is not None:
        over = over * weight[index]
    own = torch.arange(rows.shape[1], device=index.device).unsqueeze(0) == index
    losses = torch.where(own, torch.zeros_like(over), over).sum(1) / rows.shape[1]
    loss = _reduced(losses if input.dim() == 2 else losses[0], reduction)
    return torch._C._as_made_by(loss, "MultiMarginLossBackward0")


@_in_float32
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _reduction(size_average, reduce, reduction)
    if input.shape != target.shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}"
        )
    rows = input.reshape(-1, input.shape[-1])
    labels = target.reshape(rows.shape)
    # Labels end at the first -1.
    valid = (labels >= 0).long().cumprod(1)
    labels = labels.clamp(min=0)
    is_label = torch.zeros_like(labels).scatter_add(1, labels, valid) > 0
    over = _above_zero(1 - (rows.gather(1, labels).unsqueeze(2) - rows.unsqueeze(1)))
    counts = valid.bool().unsqueeze(2) & ~is_label.unsqueeze(1)
    losses = torch.where(counts, over, torch.zeros_like(over)).sum((1, 2)) / rows.shape[1]
    loss = _reduced(losses if input.dim() == 2 else losses[0], reduction)
    return torch._C._as_made_by(loss, "MultilabelMarginLossBackward0")


@_in_float32
def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction(size_average, reduce, reduction)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return _reduced(losses.sum(-1) / input.shape[-1], reduction)


def pdist(input, p=2.0):
    if p is None:
        raise TypeError("pdist(): argument 'p' (position 2) must be float, not NoneType")
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    n = input.shape[0]
    rows, columns = torch.triu_indices(n, n, 1)
    return torch._C._as_made_by(torch.linalg.vector_norm(input[rows] - input[columns], p, -1), "PdistBackward0")


def threshold_(input, threshold, value):
    return torch._C._nn.threshold(input, threshold, value, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    return hardtanh(input, min_val, max_val, True)


def elu_(input, alpha=1.0):
    return elu(input, alpha, True)


def leaky_relu_(input, negative_slope=0.01):
    return leaky_relu(input, negative_slope, True)


def selu_(input):
    return selu(input, True)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    return rrelu(input, lower, upper, training, True)


def celu_(input, alpha=1.0):
    return celu(input, alpha, True)


def upsample_nearest(input, size=None, scale_factor=None):
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return adaptive_max_pool1d(input, output_size, True)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    return adaptive_max_pool2d(input, output_size, True)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    return adaptive_max_pool3d(input, output_size, True)


def conv_tbc(input, weight, bias, pad=0):
    """A convolution whose image has time, batch and channels, in this order."""
    return conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad).permute(2, 0, 1)


_UNPOOLS = (
    "max_unpool1d", "max_unpool2d", "max_unpool3d", "fractional_max_pool2d", "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d", "fractional_max_pool3d_with_indices",
)


def __getattr__(name):
    if name == "multi_head_attention_forward":
        from torch.nn import _attention

        return _attention.multi_head_attention_forward
    if name in _UNPOOLS:
        from torch.nn import _unpool

        return getattr(_unpool, name)
    return torch._C._missing_name("torch.nn.functional", name)
