"""What undoes pooling, and pooling in windows of random places."""

import torch
from torch._results import kind
from torch.nn.modules._sizes import ntuple


def _unpool_size(input, kernel_size, stride, padding, output_size):
    """The extents of the image: what pooling would have had, or the wanted ones, if these could be."""
    n = len(kernel_size)
    have = input.shape[-n:]
    usual = [(have[d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(n)]
    if output_size is None:
        return usual
    wanted = list(output_size)
    if len(wanted) == n + 2:
        wanted = wanted[2:]
    if len(wanted) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of '{len(wanted)}'"
        )
    for d in range(n):
        low, high = usual[d] - stride[d], usual[d] + stride[d]
        if not low < wanted[d] < high:
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {d} must be between {low} and {high})'
            )
    return wanted


def _as_images(t, n):
    """A shape as PyTorch's kernel sees it, for which a row is an image."""
    return list(t.shape) + [1] * (n == 1)


def _max_unpool(n, input, indices, kernel_size, stride, padding, output_size):
    kernel_size, padding = ntuple(kernel_size, n), ntuple(padding, n)
    stride = kernel_size if stride is None else ntuple(stride, n)
    size = _unpool_size(input, kernel_size, stride, padding, output_size)
    if indices.dtype != torch.int64:
        raise RuntimeError("elements in indices should be type int64 but got: " + kind(indices.dtype))
    if input.dim() not in (n + 1, n + 2):
        raise RuntimeError(f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but got a tensor with dim {input.dim()}")
    if indices.shape != input.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({_as_images(input, n)}) but got "
            f"indices tensor with shape: {_as_images(indices, n)}"
        )
    lead = tuple(input.shape[:-n])
    count = 1
    for extent in size:
        count *= extent
    if indices.numel() and bool(((indices < 0) | (indices >= count)).any()):
        bad = int(indices[(indices < 0) | (indices >= count)].flatten()[0])
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {'x'.join(map(str, size))}")
    flat = torch.zeros(lead + (count,), dtype=input.dtype, device=input.device)
    flat = flat.scatter(-1, indices.reshape(lead + (-1,)), input.reshape(lead + (-1,)))
    return torch._C._as_made_by(flat.reshape(lead + tuple(size)), f"MaxUnpool{max(n, 2)}DBackward0")


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)


def _starts(sample, extent, windows, kernel):
    """Where the windows begin, along one dimension, for each plane: Graham's pseudo random sequence."""
    if windows == 1:
        return torch.full(sample.shape + (1,), extent - kernel, dtype=torch.int64, device=sample.device)
    alpha = (extent - kernel) / (windows - 1)
    steps = torch.arange(windows - 1, dtype=sample.dtype, device=sample.device)
    alpha = torch.tensor(alpha, dtype=sample.dtype, device=sample.device)
    shift = (sample * alpha).to(torch.int64)
    starts = ((steps + sample.unsqueeze(-1)) * alpha).to(torch.int64) - shift.unsqueeze(-1)
    last = torch.full(sample.shape + (1,), extent - kernel, dtype=torch.int64, device=sample.device)
    return torch.cat([starts, last], -1)


def _fractional_max_pool(n, input, kernel_size, output_size, output_ratio, samples):
    name = f"fractional_max_pool{n}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    kernel = ntuple(kernel_size, n)
    if output_size is None:
        ratio = ntuple(output_ratio, n)
        output_size = [int(input.size(d - n) * ratio[d]) for d in range(n)]
    size = ntuple(output_size, n)
    single = input.dim() == n + 1
    x = input.unsqueeze(0) if single else input
    extents = x.shape[-n:]
    planes = tuple(x.shape[:2])
    if samples is None:
        samples = torch.rand(planes + (n,), dtype=input.dtype, device=input.device)
    for d in range(n):
        if size[d] + kernel[d] - 1 > extents[d]:
            raise RuntimeError(f"{name}(): pool size ({kernel[d]}) too large relative to input size ({extents[d]})")
    # Samples come for the last dimension first.
    order = range(n - 1, -1, -1) if n == 2 else range(n)
    starts = [None] * n
    for k, d in enumerate(order):
        starts[d] = _starts(samples[..., k], extents[d], size[d], kernel[d])
    at = torch.zeros(planes + (1,), dtype=torch.int64, device=input.device)
    for d in range(n):
        steps = torch.arange(kernel[d], device=input.device)
        rows = (starts[d].unsqueeze(-1) + steps).reshape(planes + (1,) * (2 * d) + (size[d], kernel[d]))
        at = at.reshape(planes + tuple(v for e in range(d) for v in (size[e], kernel[e])) + (1, 1)) * extents[d] + rows
    # Windows in front, the places in a window behind.
    shape = planes + tuple(size) + tuple(kernel)
    at = at.reshape(planes + tuple(v for e in range(n) for v in (size[e], kernel[e])))
    at = at.permute(0, 1, *range(2, 2 + 2 * n, 2), *range(3, 2 + 2 * n, 2)).reshape(shape)
    at = at.reshape(planes + tuple(size) + (-1,))
    flat = x.reshape(planes + (-1,))
    values = flat.gather(-1, at.reshape(planes + (-1,))).reshape(at.shape)
    found = values.max(-1)
    indices = at.gather(-1, found.indices.unsqueeze(-1)).squeeze(-1)
    values = found.values.squeeze(0) if single else found.values
    values = torch._C._as_made_by(values, f"FractionalMaxPool{n}DBackward0")
    return values, indices.squeeze(0) if single else indices


def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    return _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    return _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    found = _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    found = _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]
