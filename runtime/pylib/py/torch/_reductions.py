"""Reductions and the like that are made of other functions: medians without NaN, histograms, differences, norms in bounds."""

import math

import torch
from torch._results import differentiated, flag, into, kind


def nanmedian(input, dim=None, keepdim=False, *, out=None):
    flag("nanmedian", keepdim=keepdim)
    if dim is None:
        flat = input.reshape(-1)
        if not flat.numel():
            return torch.full((), math.nan, dtype=input.dtype, device=input.device)
        # All that are equal to it share its gradient.
        known = ~torch.isnan(flat)
        value = torch.median(flat[known] if known.any() else flat)
        return torch._C._as_made_by(value, "NanmedianBackward0")
    values, indices = _nanmedian(input, dim, keepdim)
    values = torch._C._as_made_by(values, "NanmedianBackward1")
    if out is not None:
        values, indices = into("nanmedian", values, out[0], input), into("nanmedian", indices, out[1])
    return torch.return_types.nanmedian((values, indices))


def _nanmedian(input, dim, keepdim):
    if not input.dim():
        input.amax(dim)  # It raises where there is no such dimension.
        return input.clone(), torch.zeros((), dtype=torch.int64, device=input.device)
    order = torch.sort(input.detach(), dim, stable=True).indices
    count = (~torch.isnan(input)).sum(dim, keepdim=True)
    place = torch.clamp((count - 1) // 2, min=0)
    indices = torch.gather(order, dim, place)
    values = torch.gather(input, dim, indices)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def renorm(input, p, dim, maxnorm, *, out=None):
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError("renorm: expected a floating point or complex tensor")
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if input.dim() < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.dim()} dimensions")
    others = [d for d in range(input.dim()) if d != dim % input.dim()]
    norm = torch.linalg.vector_norm(input, p, others, keepdim=True)
    factor = torch.where(norm > maxnorm, maxnorm / (norm + 1e-7), torch.ones_like(norm))
    return into("renorm", torch._C._as_made_by(input * factor, "RenormBackward0"), out, input, same=True)


_REDUCES = {"prod": "prod", "mean": "mean", "amax": "amax", "amin": "amin"}


def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    flag("index_reduce", include_self=include_self)
    if reduce not in _REDUCES:
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    if index.dim() > 1:
        raise IndexError(
            f"index_reduce_(): Index is supposed to be a vector, but got dim: {index.dim()} with type: "
            f"{kind(index.dtype)} and size: {list(index.shape)}"
        )
    if index.dtype not in (torch.int32, torch.int64):
        raise RuntimeError(
            "index_reduce_(): Expected dtype int32/int64 for index but got: "
            f"{kind(index.dtype)}"
        )
    if input.dim() == 0:
        if not -1 <= dim <= 0:
            raise IndexError(f"Dimension out of range (expected to be in range of [-1, 0], but got {dim})")
        if source.dim():
            raise RuntimeError(
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [] "
                f"source.shape = {list(source.shape)}"
            )
        result = torch.scatter_reduce(
            input.reshape(1), 0, index.reshape(-1), source.reshape(-1), reduce, include_self=include_self
        ).reshape(())
        return into("index_reduce", result, out, input, source, same=True)
    shape = [1] * input.dim()
    shape[dim] = -1
    places = index.reshape(shape).expand(source.shape)
    result = torch.scatter_reduce(input, dim, places.to(torch.int64), source, reduce, include_self=include_self)
    return into("index_reduce", result, out, input, source, same=True)


def index_reduce_(t, dim, index, source, reduce, *, include_self=True):
    return t.copy_(index_reduce(t, dim, index, source, reduce, include_self=include_self))


def renorm_(t, p, dim, maxnorm):
    return t.copy_(renorm(t, p, dim, maxnorm))


# Differences


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    spacing = 1 if spacing is None else spacing
    dims = [dim] if isinstance(dim, int) else list(range(input.dim())) if dim is None else list(dim)
    many = isinstance(spacing, (tuple, list))
    if many:
        if len(spacing) != len(dims):
            raise RuntimeError(
                f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length {len(dims)}, but got a "
                f"list of length {len(spacing)}"
            )
        spaces = list(spacing)
    else:
        spaces = [spacing] * len(dims)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    for d in dims:
        if input.shape[d] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    if not (input.is_floating_point() or input.is_complex()):
        input = input.to(torch.get_default_dtype())
    return tuple([_slopes(input, space, d % input.dim(), edge_order) for space, d in zip(spaces, dims)])


def _slopes(t, space, d, edge_order):
    n = t.shape[d]
    part = lambda start, size: t.narrow(d, start, size)
    if isinstance(space, torch.Tensor) and space.dim():
        shape = [1] * t.dim()
        shape[d] = -1
        steps = (space[1:] - space[:-1]).reshape(shape)
        left, right = steps.narrow(d, 0, n - 2), steps.narrow(d, 1, n - 2)
        inner = (
            -right / (left * (left + right)) * part(0, n - 2) + (right - left) / (left * right) * part(1, n - 2)
            + left / (right * (left + right)) * part(2, n - 2)
        )
        ends = [steps.narrow(d, 0, 1), steps.narrow(d, n - 2, 1)]
        if edge_order == 2:
            nexts = [steps.narrow(d, 1, 1), steps.narrow(d, n - 3, 1)]
        else:
            nexts = ends
    else:
        inner = (part(2, n - 2) - part(0, n - 2)) / (2 * space)
        ends = nexts = [space, space]
    if edge_order == 1:
        first = (part(1, 1) - part(0, 1)) / ends[0]
        last = (part(n - 1, 1) - part(n - 2, 1)) / ends[1]
    else:
        first = _edge(part(0, 1), part(1, 1), part(2, 1), ends[0], nexts[0])
        last = -_edge(part(n - 1, 1), part(n - 2, 1), part(n - 3, 1), ends[1], nexts[1])
    return torch.cat([first, inner, last], d)


def _edge(a, b, c, h, k):
    """The slope at `a` of a parabola through three points, `h` and `k` apart."""
    return -(2 * h + k) / (h * (h + k)) * a + (h + k) / (h * k) * b - h / (k * (h + k)) * c


# Histograms


def _edges(x, bins, range, name):
    if range is None:
        low, high = (x.min().item(), x.max().item()) if x.numel() else (0.0, 0.0)
    else:
        low, high = range
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"{name}: dimension 0's range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(f"{name}: min should not exceed max, but got min {low:g} max {high:g} for dimension 0")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return torch.linspace(low, high, bins + 1, dtype=x.dtype, device=x.device)


def _places(x, edges):
    """The bin of each number, and which are in any."""
    at = torch.searchsorted(edges, x.contiguous(), right=True) - 1
    count = edges.numel() - 1
    at = torch.where(x == edges[-1], count - 1, at)
    inside = (at >= 0) & (at < count)
    return torch.clamp(at, 0, max(count - 1, 0)), inside


def histogram(input, bins=100, *, range=None, weight=None, density=False, out=None):
    flag("histogram", density=density)
    if not input.is_floating_point():
        raise NotImplementedError(f"\"histogramdd\" not implemented for '{kind(input.dtype)}'")
    x = input.reshape(-1)
    if isinstance(bins, torch.Tensor):
        if range is not None:
            raise TypeError("histogram() received an invalid combination of arguments")
        edges = bins.to(x.dtype) if bins.dtype == x.dtype else None
        if edges is None:
            raise RuntimeError("torch.histogramdd: input tensor and bins tensors should have the same dtype")
    else:
        if bins <= 0:
            raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
        edges = _edges(x, bins, range, "torch.histogram()")
    hist = _without_slope("histogram", _counted([x], [edges], weight, density, input.dtype), input)
    result = torch.return_types.histogram((hist, edges.clone() if isinstance(bins, torch.Tensor) else edges))
    if out is None:
        return result
    return torch.return_types.histogram([into("histogram", r, o) for r, o in zip(result, out)])


def _without_slope(name, value, input):
    """The value, of which no gradient comes."""
    error = RuntimeError(f"derivative for aten::{name} is not implemented")
    return differentiated(lambda x: value.detach(), [error], input)


def _counted(columns, edges, weight, density, dtype):
    if weight is not None and weight.shape != columns[0].shape and weight.numel() != columns[0].numel():
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its "
            f"innermost dimension, but got input with shape {list(columns[0].shape)} and weight with shape {list(weight.shape)}"
        )
    counts = [e.numel() - 1 for e in edges]
    total, inside = torch.zeros_like(columns[0], dtype=torch.int64), None
    for x, e, count in zip(columns, edges, counts):
        at, fits = _places(x, e)
        total = total * count + at
        inside = fits if inside is None else inside & fits
    device = columns[0].device
    weights = torch.ones(columns[0].shape, dtype=dtype, device=device) if weight is None else weight.reshape(-1).to(dtype)
    hist = torch.zeros(math.prod(counts), dtype=dtype, device=device)
    hist = hist.index_add(0, total, torch.where(inside, weights, 0.0)).reshape(counts)
    if density:
        hist = hist / hist.sum()
        for d, e in enumerate(edges):
            shape = [1] * len(edges)
            shape[d] = -1
            hist = hist / (e[1:] - e[:-1]).reshape(shape)
    return hist


def histogramdd(input, bins, *, range=None, weight=None, density=False):
    flag("histogramdd", density=density)
    if input.dim() < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions, but got "
                           f"{input.dim()}")
    x = input.reshape(-1, input.shape[-1])
    n = x.shape[-1]
    if isinstance(bins, int):
        bins = [bins] * n
    if len(bins) != n:
        raise RuntimeError(
            f"torch.histogramdd: expected {n} sequences of bin edges for a {n}-dimensional histogram but got {len(bins)}"
        )
    columns = [x[:, d] for d in torch.arange(n).tolist()]
    if all([isinstance(b, torch.Tensor) for b in bins]):
        edges = list(bins)
    else:
        bounds = [None] * n if range is None else [tuple(range[2 * d:2 * d + 2]) for d in torch.arange(n).tolist()]
        edges = [_edges(c, b, r, "torch.histogramdd()") for c, b, r in zip(columns, bins, bounds)]
    hist = _counted(columns, edges, weight, density, input.dtype)
    return torch.return_types.histogramdd((hist, tuple(edges)))


# Segments


class _Extremum(torch.autograd.Function):
    """The largest or smallest of each segment, whose gradient those that are equal to it share."""

    @staticmethod
    def forward(ctx, rows, ids, start, how):
        places = ids.reshape(-1, *[1] * (rows.dim() - 1)).expand(rows.shape)
        value = start.scatter_reduce(0, places, rows, how)
        ctx.save_for_backward(rows, ids, value)
        return value

    @staticmethod
    def backward(ctx, grad):
        rows, ids, value = ctx.saved_tensors
        reached = value[ids]
        equal = ((rows == reached) | torch.isnan(rows) & torch.isnan(reached)).to(grad.dtype)
        count = torch.zeros_like(value).index_add(0, ids, equal)
        return equal * grad[ids] / count.clamp(min=1)[ids], None, None, None


_SEGMENT_STARTS = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -math.inf, "amax": -math.inf, "min": math.inf, "amin": math.inf}


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    if reduce not in _SEGMENT_STARTS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    if not data.is_floating_point():
        raise NotImplementedError(f"\"_segment_reduce_cpu\" not implemented for '{kind(data.dtype)}'")
    given = "lengths" if offsets is None else "offsets"
    bounds = lengths if offsets is None else offsets
    axis = axis + data.dim() if axis < 0 else axis
    if axis != bounds.dim() - 1:
        raise RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of {given} but got {axis}.")
    if bounds.dtype not in (torch.int32, torch.int64):
        raise NotImplementedError(f"\"_segment_reduce_{given}_cpu_kernel1\" not implemented for '{kind(bounds.dtype)}'")
    counts = (bounds if offsets is None else bounds.diff(dim=-1)).to(torch.int64)
    extent, segments = data.shape[axis], counts.shape[-1]
    if offsets is None and not unsafe:
        if (counts < 0).any():
            raise RuntimeError("lengths contains negative value!")
        if (counts.sum(-1) != extent).any():
            raise RuntimeError("segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) "
                               "when !unsafe.")
    return torch._C._as_made_by(_segments(data, reduce, counts, axis, initial), "SegmentReduceBackward0")


def _segments(data, reduce, counts, axis, initial):
    outer, rest = data.shape[:axis], data.shape[axis + 1:]
    extent, segments = data.shape[axis], counts.shape[-1]
    flat = counts.reshape(-1, segments)
    # Of each element the segment; those behind the last one are in none.
    places = torch.arange(extent, device=data.device)
    ends = flat.cumsum(-1)
    segment = torch.searchsorted(ends, places.expand(flat.shape[0], extent).contiguous(), right=True)
    within = segment < segments
    first = torch.arange(flat.shape[0], device=data.device).unsqueeze(-1) * segments
    ids = (segment + first)[within]
    rows = data.reshape(-1, *rest)[within.reshape(-1)]
    start = _SEGMENT_STARTS[reduce] if initial is None else initial
    shape = (flat.shape[0] * segments, *rest)
    start = torch.full(shape, start, dtype=data.dtype, device=data.device)
    if reduce in ("sum", "mean"):
        result = start.index_add(0, ids, rows)
        if reduce == "mean":
            count = flat.reshape(-1, *[1] * len(rest)).to(data.dtype)
            empty = torch.where(count > 0, 1.0, math.nan if initial is None else 1.0)
            result = result * empty / count.clamp(min=1)
    elif reduce == "prod":
        result = start.scatter_reduce(0, ids.reshape(-1, *[1] * len(rest)).expand(rows.shape), rows, "prod")
    else:
        how = {"max": "amax", "min": "amin"}.get(reduce, reduce)
        result = _Extremum.apply(rows, ids, start, how)
    return result.reshape(*outer, segments, *rest)


# Normalizations as they are called from below


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    n = len(normalized_shape)
    dims = tuple(d - n for d in torch.arange(n).tolist())
    mean = input.mean(dims, keepdim=True)
    rstd = torch.rsqrt((input - mean).square().mean(dims, keepdim=True) + eps)
    return torch.nn.functional.layer_norm(input, normalized_shape, weight, bias, eps), mean.detach(), rstd.detach()


def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    result = torch.nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    if not training:
        nothing = torch.empty(0, dtype=input.dtype, device=input.device)
        return result, nothing, nothing.clone()
    dims = [0, *[d + 2 for d in torch.arange(input.dim() - 2).tolist()]]
    mean = input.detach().mean(dims, keepdim=True)
    rstd = torch.rsqrt((input.detach() - mean).square().mean(dims) + eps)
    return result, mean.reshape(-1), rstd


def _native_batch_norm_legit(input, weight, bias, running_mean, running_var, training, momentum, eps):
    return native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    product = grad_output * output
    return (product - output * product.sum(dim, keepdim=True)).to(input_dtype)


_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


def grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners):
    return torch.nn.functional.grid_sample(
        input, grid, _MODES[interpolation_mode], _PADDINGS[padding_mode], align_corners
    )


def grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
    return grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)


grid_sampler = grid_sampler_2d
