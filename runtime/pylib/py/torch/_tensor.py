"""What pickles of tensors refer to."""

from torch import _C
from torch.nn.parameter import Parameter


def _reduce(t):
    """A tensor as `copyreg` wants it: how it is made, and of what."""
    if t.is_meta:
        return (_rebuild_without_numbers, (t.dtype, tuple(t.shape), t.requires_grad, isinstance(t, Parameter)))
    parts = (_C._tensor_bytes(t), t.dtype, tuple(t.shape), t.requires_grad, isinstance(t, Parameter))
    return (_rebuild, parts if t.is_cpu else (*parts, str(t.device)))


def _rebuild(data, dtype, shape, requires_grad, is_parameter, device="cpu"):
    t = _C._tensor_of_bytes(data, dtype).reshape(shape).to(device)
    if is_parameter:
        return Parameter(t, requires_grad)
    return t.requires_grad_() if requires_grad else t


def _rebuild_without_numbers(dtype, shape, requires_grad, is_parameter):
    import torch

    t = torch.empty(shape, dtype=dtype, device="meta")
    return Parameter(t, requires_grad) if is_parameter else t.requires_grad_(requires_grad)


# Methods.


def _layout(t):
    import torch

    return torch.strided


def _is_pinned(t, device=None):
    return False


def _is_distributed(t):
    return False


def _to_dense(t, dtype=None, *, masked_grad=True):
    return t if dtype is None else t.to(dtype)


def _to_sparse(t, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    import torch
    from torch.sparse import _coo

    if dense_dim is not None:
        raise NotImplementedError("to_sparse(): argument 'dense_dim' is not implemented in janus-jit yet")
    if layout is not None and layout is not torch.sparse_coo:
        from torch.sparse import _compressed

        return _compressed.to_layout(t, layout, blocksize)
    return _coo.to_sparse(t, sparse_dim)


def _set(t, source=None, storage_offset=0, size=None, stride=None):
    """Lets a tensor show other memory: a tensor's, or that of a storage."""
    import torch

    if t.requires_grad and t.is_leaf and torch.is_grad_enabled():
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if source is None:
        t.data = t.detach().new_empty(0)
        return t
    if isinstance(source, torch.Tensor):
        if source.dtype != t.dtype:
            raise RuntimeError(
                f"Could not set tensor of type {source.type().split('.')[-1].removesuffix('Tensor').lower()} to a tensor of "
                f"type {t.type().split('.')[-1].removesuffix('Tensor').lower()}"
            )
        shown = source.detach()
    else:
        shown = source._memory if source._memory.dtype == t.dtype else source._memory.view(t.dtype)
    if size is not None:
        size = (size,) if isinstance(size, int) else tuple(size)
        if not stride:
            stride, step = [], 1
            for n in reversed(size):
                stride.insert(0, step)
                step *= max(n, 1)
        shown = shown.as_strided(size, tuple(stride), storage_offset)
    elif storage_offset:
        shown = shown[storage_offset:]
    t.data = shown
    return t


def _compressed_to(t, layout, blocksize, dense_dim):
    from torch.sparse import _compressed

    if dense_dim:
        raise NotImplementedError(f"to_sparse(): layout={layout} with dense_dim is not implemented in janus-jit yet")
    return _compressed.to_layout(t, layout, blocksize)


def _to_sparse_csr(t, dense_dim=None):
    import torch

    return _compressed_to(t, torch.sparse_csr, None, dense_dim)


def _to_sparse_csc(t, dense_dim=None):
    import torch

    return _compressed_to(t, torch.sparse_csc, None, dense_dim)


def _to_sparse_bsr(t, blocksize, dense_dim=None):
    import torch

    return _compressed_to(t, torch.sparse_bsr, blocksize, dense_dim)


def _to_sparse_bsc(t, blocksize, dense_dim=None):
    import torch

    return _compressed_to(t, torch.sparse_bsc, blocksize, dense_dim)


def _sparse_mask(t, mask):
    from torch.sparse import _coo

    if not isinstance(mask, _coo.SparseTensor):
        raise ValueError("sparse_mask(): expected mask to be sparse")
    return _coo.SparseTensor(mask._places, t[tuple(mask._places)], mask._size, mask._sorted)


def _is_all_true(t):
    return t.all()


def _split_with_sizes(t, split_sizes, dim=0):
    import torch

    return torch.split_with_sizes(t, split_sizes, dim)


def _in_place(name):
    """The method that writes what `torch`'s function gives into its tensor."""

    def method(t, *args, **kwargs):
        import torch
        from torch import _wanted

        return t.copy_(_wanted.found(_wanted.TORCH, name)(t, *args, **kwargs))

    return method


_igamma_ = _in_place("igamma")
_igammac_ = _in_place("igammac")
_mvlgamma_ = _in_place("mvlgamma")
_nextafter_ = _in_place("nextafter")
_i0_ = _in_place("i0")


def _polygamma_(t, n):
    from torch import _gammas

    return t.copy_(_gammas.polygamma(n, t))
