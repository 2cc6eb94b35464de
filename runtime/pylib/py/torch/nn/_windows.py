"""Functions on images and sequences that are made of others: grids, norms of neighbours, bags, CTC."""

import itertools

from _refused import refused
import torch
from torch._C import _nn
from torch._results import kind


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    dim = input.dim()
    if dim < 3:
        gap = " " * 26
        raise ValueError(f"Expected 3D or higher dimensionality{gap}input (got {dim} dimensions)")
    if input.numel() == 0:
        return input
    squares = input.mul(input)
    before, after = size // 2, (size - 1) // 2
    if dim == 3:
        padded = _nn.pad(squares.unsqueeze(1), (0, 0, before, after))
        sums = _nn.avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.size()
        padded = _nn.pad(squares.view(shape[0], 1, shape[1], shape[2], -1), (0, 0, 0, 0, before, after))
        sums = _nn.avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(shape)
    return input / sums.mul(alpha).add(k).pow(beta)


def _lp_root(mean, count, norm_type):
    return (torch.sign(mean) * torch.relu(torch.abs(mean))).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    width = kernel_size[0] if isinstance(kernel_size, (tuple, list)) else kernel_size
    mean = _nn.avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _lp_root(mean, width, norm_type)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    kw, kh = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size, kernel_size)
    mean = _nn.avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _lp_root(mean, kw * kh, norm_type)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * 3
    mean = _nn.avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _lp_root(mean, sizes[0] * sizes[1] * sizes[2], norm_type)


def channel_shuffle(input, groups):
    if input.dim() < 3:
        raise RuntimeError(
            "channel_shuffle expects input with > 2 dims, but got input with sizes "
            f"{list(input.shape)}"
        )
    n, c = input.shape[0], input.shape[1]
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if c % groups != 0:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups."
        )
    split = input.reshape(n, groups, c // groups, *input.shape[2:])
    return torch._C._as_made_by(split.transpose(1, 2).reshape(input.shape), "ChannelShuffleBackward0")


def _functional():
    from torch.nn import functional

    return functional


# Random


def _check_p(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _alpha(input, noise, p):
    if not input.is_floating_point():
        raise RuntimeError(f"result type Float can't be cast to the desired output type {_functional()._SCALAR_TYPES[input.dtype]}")
    # The moments of SELU's outputs are kept.
    alpha = 1.7580993408473766
    a = 1.0 / ((alpha * alpha * p + 1) * (1 - p)) ** 0.5
    shift = noise.add(-1).mul(alpha * a).add(alpha * a * p)
    return input * noise.mul(a) + shift


def _alpha_dropout(input, p, training, inplace, empty_noise):
    _check_p(p)
    if p == 0 or not training or input.numel() == 0:
        return input
    if p == 1:
        result = input * torch.zeros((), dtype=input.dtype, device=input.device)
    else:
        result = _alpha(input, empty_noise().bernoulli_(1 - p), p)
    return input.copy_(result) if inplace else result


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    if not isinstance(training, bool):
        raise TypeError(f"alpha_dropout(): argument 'train' must be bool, not {type(training).__name__}")
    return _alpha_dropout(input, p, training, inplace, lambda: torch.empty_like(input))


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    shape = [n if i < 2 else 1 for i, n in enumerate(input.shape)]
    return _alpha_dropout(input, p, training, inplace, lambda: input.detach().new_empty(shape))


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if not isinstance(training, bool):
        raise TypeError(f"rrelu(): argument 'training' must be bool, not {type(training).__name__}")
    if not lower <= upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if training:
        _functional()._floats_only("rrelu_with_noise_out_cpu", input)
        negative = input <= 0
        slopes = torch.empty(int(negative.sum()), dtype=torch.float64, device=input.device).uniform_(lower, upper)
        noise = torch.ones_like(input).masked_scatter(negative, slopes.to(input.dtype))
        result = input * noise
    else:
        result = _nn.leaky_relu(input, (lower + upper) / 2)
    result = torch._C._as_made_by(result, "RreluWithNoiseBackward0")
    return input.copy_(result) if inplace else result


# Bags


def embedding_bag(
    input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
    sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None,
):
    if scale_grad_by_freq:
        raise NotImplementedError(
            "torch.nn.functional.embedding_bag with scale_grad_by_freq is not implemented in janus-jit yet"
        )
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None:
        if mode != "sum":
            raise NotImplementedError(
                "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
            )
        if per_sample_weights.shape != input.shape:
            raise ValueError(
                f"embedding_bag: If per_sample_weights ({list(per_sample_weights.shape)}) is not None, then it "
                f"must have the same shape as the input ({list(input.shape)})"
            )
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                f"length sequences. However, found offsets of type {type(offsets)}"
            )
        bags, length = input.shape
        numbers = torch.arange(bags, device=input.device).unsqueeze(1).expand(bags, length).reshape(-1)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
        if include_last_offset:
            offsets = offsets[:-1]
        bags = offsets.shape[0]
        places = torch.arange(input.shape[0], device=offsets.device).to(offsets.dtype)
        numbers = torch.searchsorted(offsets, places, right=True) - 1
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    count = weight.shape[0]
    for i, v in enumerate(input.tolist()):
        if not 0 <= v < count:
            raise RuntimeError(f"Index {i} of input takes value {v} which is not in the valid range [0, {count})")
    if max_norm is not None:
        with torch.no_grad():
            # It shortens the rows that are asked for, in place.
            _functional().embedding(input, weight, None, max_norm, norm_type)
    if sparse and mode == "max":
        raise RuntimeError("embedding_bag: mode='max' does not support sparse weights")
    if sparse and torch.is_grad_enabled() and weight.requires_grad:
        from torch.sparse import _gradients

        rows = _gradients.rows(weight, input, padding_idx)
    else:
        rows = weight[input]
    counted = torch.ones(input.shape[0], dtype=weight.dtype, device=weight.device)
    if padding_idx is not None:
        if padding_idx < 0:
            padding_idx += weight.shape[0]
        counted = (input != padding_idx).to(weight.dtype)
    result = torch.zeros(bags, weight.shape[1], dtype=weight.dtype, device=weight.device)
    if mode == "max":
        if padding_idx is not None:
            kept = (input != padding_idx).nonzero().squeeze(1)
            rows, numbers = rows[kept], numbers[kept]
        index = numbers.unsqueeze(1).expand(rows.shape)
        result = result.scatter_reduce(0, index, rows, "amax", include_self=False)
        return torch._C._as_made_by(result, "EmbeddingBagBackward0")
    if per_sample_weights is not None:
        counted = counted * per_sample_weights
    if padding_idx is not None or per_sample_weights is not None:
        rows = rows * counted.unsqueeze(1)
    result = result.index_add(0, numbers, rows)
    if mode == "mean":
        counts = torch.zeros(bags, dtype=weight.dtype, device=weight.device).index_add(0, numbers, counted)
        result = result / counts.clamp(min=1).unsqueeze(1)
    return torch._C._as_made_by(result, "EmbeddingBagBackward0")


# Grids


def _steps(n, align_corners, like):
    if n <= 1:
        return torch.zeros(n, dtype=like.dtype, device=like.device)
    line = torch.linspace(-1, 1, n, dtype=like.dtype, device=like.device)
    return line if align_corners else line * (n - 1) / n


def affine_grid(theta, size, align_corners=None):
    align_corners = bool(align_corners)
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) == 4:
        n, _, *spatial = size
        if theta.dim() != 3 or theta.shape[-2] != 2 or theta.shape[-1] != 3:
            raise ValueError(
                "Expected a batch of 2D affine matrices of shape Nx2x3 for size "
                f"{torch.Size(size)}. Got {theta.shape}."
            )
    elif len(size) == 5:
        n, _, *spatial = size
        if theta.dim() != 3 or theta.shape[-2] != 3 or theta.shape[-1] != 4:
            raise ValueError(
                "Expected a batch of 3D affine matrices of shape Nx3x4 for size "
                f"{torch.Size(size)}. Got {theta.shape}."
            )
    else:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {torch.Size(size)}."
        )
    lines = torch.meshgrid(*[_steps(k, align_corners, theta) for k in spatial], indexing="ij")
    # Coordinates are written from the last dimension to the first.
    base = torch.stack([*reversed(lines), torch.ones(spatial, dtype=theta.dtype, device=theta.device)], -1)
    flat = base.reshape(1, -1, len(spatial) + 1).expand(n, -1, -1)
    grid = flat.bmm(theta.transpose(1, 2)).view(n, *spatial, len(spatial))
    return torch._C._as_made_by(grid, "AffineGridGeneratorBackward0")


def _pixel(coordinate, size, align_corners):
    if align_corners:
        return (coordinate + 1) / 2 * (size - 1)
    return ((coordinate + 1) * size - 1) / 2


def _mirror(x, low, high):
    """Reflects at the borders `low / 2` and `high / 2`."""
    if low == high:
        return torch.zeros_like(x)
    start = low / 2
    span = (high - low) / 2
    distance = (x - start).abs()
    extra = torch.fmod(distance, span)
    flips = torch.floor(distance / span)
    return torch.where(flips % 2 == 0, extra + start, span - extra + start)


def _source(coordinate, size, padding_mode, align_corners):
    return _padded(_pixel(coordinate, size, align_corners), size, padding_mode, align_corners)


def _padded(x, size, padding_mode, align_corners):
    if padding_mode == "reflection":
        x = _mirror(x, 0, 2 * (size - 1)) if align_corners else _mirror(x, -1, 2 * size - 1)
    if padding_mode != "zeros":
        # On the border the gradient is 0 already.
        x = torch.where((x > 0) & (x < size - 1), x, x.detach().clamp(0, size - 1))
    return x


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
            f"but got: '{padding_mode}'"
        )
    if not input.is_floating_point():
        name = str(input.dtype)[6:]
        raise NotImplementedError(f"torch.nn.functional.grid_sample() of {name} is not implemented")
    spatial = input.dim() - 2
    if spatial not in (2, 3) or grid.dim() != input.dim():
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != spatial:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {spatial} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    if grid.shape[0] != input.shape[0]:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if mode == "bicubic" and spatial != 2:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if input.dtype != grid.dtype:
        names = [kind(t.dtype) for t in (input, grid)]
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")
    result = _sampled(input, grid, mode, padding_mode, bool(align_corners))
    return torch._C._as_made_by(result, f"GridSampler{spatial}DBackward0")


def _sampled(input, grid, mode, padding_mode, align_corners):
    n, c, *extents = input.shape
    places = list(grid.shape[1:-1])
    flat = input.reshape(n, c, -1)
    # Coordinates are written from the last dimension to the first.
    sizes = extents[::-1]

    def at(*corner):
        """The elements at whole coordinates; beyond the borders there are zeros."""
        inside, place = None, None
        for i, size in reversed(list(zip(corner, sizes))):
            within = (i >= 0) & (i < size)
            inside = within if inside is None else inside & within
            # What is no number is nowhere.
            i = torch.where(within, i, torch.zeros_like(i))
            place = i if place is None else place * size + i
        values = flat.gather(2, place.long().reshape(n, 1, -1).expand(n, c, -1)).reshape(n, c, *places)
        return torch.where(inside.unsqueeze(1), values, torch.zeros_like(values))

    axes = grid.unbind(-1)
    if mode == "bicubic":
        return _cubic(at, axes, sizes, padding_mode, align_corners)
    axes = [_source(x, size, padding_mode, align_corners) for x, size in zip(axes, sizes)]
    if mode == "nearest":
        result = at(*[torch.round(x.detach()) for x in axes])
        if grid.requires_grad:
            # No coordinate changes what is chosen: its gradient is 0, and it has one.
            result = torch.where(torch.zeros((), dtype=torch.bool), grid.sum(), result)
        return result
    low = [torch.floor(x.detach()) for x in axes]
    high = [i + 1 for i in low]
    result = None
    for corner in itertools.product((False, True), repeat=len(axes)):
        corner = corner[::-1]
        weight = None
        for x, a, b, upper in zip(axes, low, high, corner):
            share = x - a if upper else b - x
            weight = share if weight is None else weight * share
        term = at(*[b if upper else a for a, b, upper in zip(low, high, corner)]) * weight.unsqueeze(1)
        result = term if result is None else result + term
    return result


def _cubic_shares(t):
    """What four neighbours count for, at a distance t behind the second."""
    steep = -0.75

    def far(x):
        return ((steep * x - 5 * steep) * x + 8 * steep) * x - 4 * steep

    def near(x):
        return ((steep + 2) * x - (steep + 3)) * x * x + 1

    return far(t + 1), near(t), near(1 - t), far(2 - t)


def _cubic(at, axes, sizes, padding_mode, align_corners):
    x, y = [_pixel(x, size, align_corners) for x, size in zip(axes, sizes)]
    first_x, first_y = torch.floor(x.detach()), torch.floor(y.detach())
    across, down = _cubic_shares(x - first_x), _cubic_shares(y - first_y)
    columns = [_padded(first_x + k, sizes[0], padding_mode, align_corners) for k in (-1, 0, 1, 2)]
    result = None
    for k, share in zip((-1, 0, 1, 2), down):
        row = _padded(first_y + k, sizes[1], padding_mode, align_corners)
        line = None
        for column, part in zip(columns, across):
            term = at(column, row) * part.unsqueeze(1)
            line = term if line is None else line + term
        result = line * share.unsqueeze(1) if result is None else result + line * share.unsqueeze(1)
    return result


# Alignments

# Small enough to be no path at all, large enough that sums of it stay finite.
_NEVER = -1e30


def _check_ctc_lengths(targets, steps, batch, input_lengths, target_lengths):
    """Lengths beyond what is there would read other samples' numbers."""
    by = "(while checking arguments for ctc_loss_allocate_outputs)"
    for n in input_lengths:
        if n < 0:
            raise RuntimeError(f"Expected input_lengths to have value at least 0, but got value {n} {by}")
        if n > steps:
            raise RuntimeError(f"Expected input_lengths to have value at most {steps}, but got value {n} {by}")
    for n in target_lengths:
        if n < 0:
            raise RuntimeError(f"Expected target_lengths to have value at least 0, but got value {n} {by}")
    expected = sum(target_lengths) if targets.dim() == 1 else batch
    if targets.shape[0] != expected:
        raise RuntimeError(
            f"Expected tensor to have size {expected} at dimension 0, but got size {targets.shape[0]} "
            f"for argument #2 'targets' {by}"
        )
    if targets.dim() == 2 and targets.shape[1] < max(target_lengths):
        raise RuntimeError(
            f"Expected tensor to have size at least {max(target_lengths)} at dimension 1, but got size "
            f"{targets.shape[1]} for argument #2 'targets' {by}"
        )


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    batched = log_probs.dim() == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
    steps, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")

    def lengths(values):
        return [int(v) for v in (values.reshape(-1).tolist() if isinstance(values, torch.Tensor) else values)]

    input_lengths, target_lengths = lengths(input_lengths), lengths(target_lengths)
    if len(input_lengths) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(target_lengths) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    _check_ctc_lengths(targets, steps, batch, input_lengths, target_lengths)
    longest = max(target_lengths)
    # Blanks around every label.
    labels, start = [], 0
    flat = targets.reshape(-1).tolist()
    for i, n in enumerate(target_lengths):
        if targets.dim() == 1:
            row = flat[start : start + n]
            start += n
        else:
            row = flat[i * targets.shape[1] : i * targets.shape[1] + n]
        spread = [blank]
        for label in row:
            spread += [label, blank]
        labels.append(spread + [blank] * (2 * longest + 1 - len(spread)))
    device = log_probs.device
    index = torch.tensor(labels, device=device)
    width = index.shape[1]
    # A label may follow another one directly if it differs.
    skips = torch.tensor(
        [[s >= 2 and row[s] != blank and row[s] != row[s - 2] for s in range(width)] for row in labels], device=device
    )
    scores = log_probs.gather(2, index.unsqueeze(0).expand(steps, batch, width))
    never = torch.full((batch, 2), _NEVER, dtype=log_probs.dtype, device=log_probs.device)
    first = torch.arange(width, device=device).unsqueeze(0) < 2
    alpha = torch.where(first, scores[0], torch.full_like(scores[0], _NEVER))
    ends = torch.tensor(input_lengths, device=device)
    for t in range(1, steps):
        padded = torch.cat([never, alpha], 1)
        one, two = padded[:, 1 : width + 1], padded[:, :width]
        two = torch.where(skips, two, torch.full_like(two, _NEVER))
        moved = torch.logsumexp(torch.stack([alpha, one, two]), 0) + scores[t]
        alpha = torch.where((t < ends).unsqueeze(1), moved, alpha)
    last = torch.tensor([2 * n for n in target_lengths], device=device).unsqueeze(1)
    final = alpha.gather(1, last)
    before = alpha.gather(1, (last - 1).clamp(min=0))
    before = torch.where(last > 0, before, torch.full_like(before, _NEVER))
    losses = -torch.logsumexp(torch.cat([final, before], 1), 1)
    # In no step at all there is room for no label.
    nothing = torch.where(last[:, 0] == 0, torch.zeros_like(losses), torch.full_like(losses, -_NEVER))
    losses = torch.where(ends == 0, nothing, losses)
    impossible = losses > -_NEVER / 2
    infinity = torch.full_like(losses, 0.0 if zero_infinity else float("inf"))
    losses = torch.where(impossible, infinity, losses)
    if log_probs.requires_grad:
        # PyTorch's gradient is that of the logits below a log_softmax, whose own gradient leaves it as it is:
        # the probabilities are added to it, by a sum that is 0.
        constant = log_probs.detach()
        own = (log_probs - constant) * constant.exp()
        within = torch.arange(steps, device=device).unsqueeze(1) < ends
        if zero_infinity:
            within = within & ~impossible
        else:
            # Where no way leads to the labels, PyTorch's gradients are no numbers; a root has none at 0 either.
            lost = impossible.unsqueeze(1)
            own = torch.where(lost, torch.where(lost, own, torch.ones_like(own)).square().sqrt(), own)
        losses = losses + torch.where(within.unsqueeze(2), own, torch.zeros_like(own)).sum((0, 2))
    if reduction == "mean":
        sizes = torch.tensor(target_lengths, dtype=losses.dtype, device=losses.device).clamp(min=1)
        return (losses / sizes).mean()
    if reduction == "sum":
        return losses.sum()
    return losses if batched else losses[0]
