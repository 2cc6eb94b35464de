"""torch.vmap: a function of one sample on a batch of them.

The function runs once for each sample, on views of the arguments, and its results are stacked. So whatever a function may do it
may do here, and a compiled region runs the samples as a loop.
"""

import functools

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten


def _version_of(t):
    """How often a tensor was written to; of those of inference mode nobody counts."""
    return 0 if t.is_inference() else t._version


def _spread(dims, tree, what):
    """One dim, or None, for each leaf of a tree; `dims` is one for all, or a tree that ends earlier."""
    if dims is None or isinstance(dims, int):
        leaves, _ = tree_flatten(tree)
        return [dims] * len(leaves)
    if isinstance(tree, dict) and isinstance(dims, dict) and list(tree) == list(dims):
        parts = list(zip(dims.values(), tree.values()))
    elif isinstance(tree, (list, tuple)) and isinstance(dims, (list, tuple)) and len(tree) == len(dims):
        parts = list(zip(dims, tree))
    else:
        raise ValueError(what)
    return [d for dim, part in parts for d in _spread(dim, part, what)]


def _described(func):
    return getattr(func, "__name__", None) or repr(func)


def _samples(func, in_dims, args):
    """The leaves of the arguments, their form, where each is split, and into how many samples."""
    name = _described(func)
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) tuple "
            f"matching the structure of inputs, got: {type(in_dims)}."
        )
    if len(args) == 0:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
            "function with no inputs. The latter is unsupported."
        )
    leaves, spec = tree_flatten(args)
    what = (
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of `inputs`. in_dims "
        f"has structure {tree_flatten(in_dims)[1]} but inputs has structure {spec}."
    )
    dims = _spread(in_dims, args, what)
    sizes = []
    for i, (leaf, dim) in enumerate(zip(leaves, dims)):
        if dim is None:
            continue
        at = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input"
        if not isinstance(dim, int):
            raise ValueError(f"{at} but in_dim must be either an integer dimension or None.")
        if not isinstance(leaf, torch.Tensor):
            raise ValueError(
                f"{at} but the input is of type {type(leaf)}. We cannot vmap over non-Tensor arguments, please use None as "
                "the respective in_dim"
            )
        if dim < -leaf.dim() or dim >= leaf.dim():
            raise ValueError(
                f"{at.removesuffix('an input')}some input, but that input is a Tensor of dimensionality {leaf.dim()} so expected in_dim to satisfy "
                f"-{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
        dims[i] = dim % leaf.dim()
        sizes.append(leaf.size(dim))
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any([size != sizes[0] for size in sizes]):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return leaves, spec, dims, sizes[0]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func` over a dimension of its arguments. Random numbers: `same` draws the same ones for each sample, `different` goes on
    drawing sample by sample, where PyTorch draws a whole batch at once: other numbers of the same distribution.
    `chunk_size` bounds how many samples are computed at a time, which is one in any case."""
    if randomness not in ("error", "same", "different"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, spec, dims, count = _samples(func, in_dims, args)
        if count == 0:
            raise RuntimeError("vmap of a batch without samples is not implemented in janus-jit yet")
        before = torch.get_rng_state() if randomness != "different" else None
        parts = [None if dim is None else leaf.unbind(dim) for leaf, dim in zip(leaves, dims)]
        whole_leaves = [leaf for leaf, part in zip(leaves, parts) if part is None and isinstance(leaf, torch.Tensor)]
        results = []
        spec_of_results = None
        for i in range(count):
            if randomness == "same" and i > 0:
                torch.set_rng_state(before)
            sample = [leaf if part is None else part[i] for leaf, part in zip(leaves, parts)]
            versions = [_version_of(leaf) for leaf in whole_leaves]
            result = func(*tree_unflatten(sample, spec), **kwargs)
            if versions != [_version_of(leaf) for leaf in whole_leaves]:
                raise RuntimeError(
                    f"vmap({_described(func)}, ...): an argument that is no batch, with None as its in_dim, was changed in "
                    "place, which every sample would do again"
                )
            found, spec_of_results = tree_flatten(result)
            for value in found:
                if not isinstance(value, torch.Tensor):
                    raise ValueError(
                        f"vmap({_described(func)}, ...): `{_described(func)}` must only return Tensors, got type "
                        f"{type(value)}. Did you mean to set out_dims= to None for output?"
                    )
            results.append(found)
            if randomness == "error" and i == 0 and not torch.equal(before, torch.get_rng_state()):
                torch.set_rng_state(before)
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
        whole = tree_unflatten(results[0], spec_of_results)
        what = (
            f"vmap({_described(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            "`outputs`."
        )
        places = _spread(out_dims, whole, what)
        stacked = [
            results[0][k] if dim is None else torch.stack([found[k] for found in results], dim)
            for k, dim in enumerate(places)
        ]
        return tree_unflatten(stacked, spec_of_results)

    return wrapped
