"""Running results of a function that is associative."""

import torch
from torch.utils import _pytree


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """The results of `combine_fn` over all that comes up to each place along a dimension."""
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise ValueError(f"Dim must be an int, but got {type(dim)}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    leaves, spec = _pytree.tree_flatten(xs)
    if not leaves:
        raise ValueError("Expected at least 1 xs leaf")
    if any(not isinstance(leaf, torch.Tensor) for leaf in leaves):
        raise ValueError("xs leaves must be a Tensor")
    if combine_mode == "pointwise" and not all(leaf.is_cuda for leaf in leaves):
        raise ValueError("For combine_mode='pointwise', all input tensors need to be on CUDA or XPU")
    leaves = [leaf.movedim(dim, 0) for leaf in leaves]
    if reverse:
        leaves = [leaf.flip(0) for leaf in leaves]

    def combine(first, second):
        joined = combine_fn(*(_pytree.tree_unflatten([leaf.movedim(0, dim) for leaf in side], spec) for side in (first, second)))
        return [leaf.movedim(dim, 0) for leaf in _pytree.tree_flatten(joined)[0]]

    results = _scanned(combine, leaves)
    if reverse:
        results = [leaf.flip(0) for leaf in results]
    return _pytree.tree_unflatten([leaf.movedim(0, dim) for leaf in results], spec)


def _scanned(combine, leaves):
    """Pairs are combined and scanned, which gives every second result; the others follow from one step more."""
    n = leaves[0].shape[0]
    if n < 2:
        return leaves
    odd = _scanned(combine, combine([leaf[0:n - 1:2] for leaf in leaves], [leaf[1::2] for leaf in leaves]))
    even = [leaf[:1] for leaf in leaves]
    if n > 2:
        before = [leaf[:-1] if n % 2 == 0 else leaf for leaf in odd]
        even = [torch.cat(both) for both in zip(even, combine(before, [leaf[2::2] for leaf in leaves]))]
    places = torch.cat([torch.arange(0, n, 2), torch.arange(1, n, 2)]).argsort()
    return [torch.cat(both)[places] for both in zip(even, odd)]
