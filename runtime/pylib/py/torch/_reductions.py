"""Reductions and the like that are made of other functions: medians without NaN, histograms, differences, norms in bounds."""

import math

import torch
from torch._results import differentiated, into, kind


def nanmedian(input, dim=None, keepdim=False, *, out=None):
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
    return into("renorm", torch._C._as_made_by(input * factor, "RenormBackward0"), out, input)


_REDUCES = {"prod": "prod", "mean": "mean", "amax": "amax", "amin": "amin"}


def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    if reduce not in _REDUCES:
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    if index.dim() > 1:
        raise RuntimeError("index_reduce_(): Index is supposed to be a vector")
    if input.dim() == 0:
        result = torch.scatter_reduce(
            input.reshape(1), 0, index.reshape(-1), source.reshape(-1), reduce, include_self=include_self
        ).reshape(())
        return into("index_reduce", result, out, input, source)
    shape = [1] * input.dim()
    shape[dim] = -1
    places = index.reshape(shape).expand(source.shape)
    result = torch.scatter_reduce(input, dim, places.to(torch.int64), source, reduce, include_self=include_self)
    return into("index_reduce", result, out, input, source)


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
