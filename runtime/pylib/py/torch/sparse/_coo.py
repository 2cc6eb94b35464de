"""Tensors that keep the places and the values of their elements other than zero (layout torch.sparse_coo)."""

import torch


def _flat(indices, shape):
    """The places as single numbers."""
    at = torch.zeros(indices.shape[1], dtype=torch.int64)
    for row, extent in zip(indices, shape):
        at = at * extent + row
    return at


class WithoutElements(torch.Tensor):
    """What tensors that keep places and values (`_held`) of a whole (`_size`) say of themselves."""

    def __init__(self, *args, **kwargs):
        pass

    @property
    def shape(self):
        return self._size

    def size(self, dim=None):
        return self._size if dim is None else self._size[dim]

    def dim(self):
        return len(self._size)

    ndimension = dim

    @property
    def ndim(self):
        return len(self._size)

    def numel(self):
        return self._size.numel()

    nelement = numel

    def __len__(self):
        return self._size[0]

    @property
    def dtype(self):
        return self._held.dtype

    @property
    def device(self):
        return self._held.device

    def is_floating_point(self):
        return self._held.is_floating_point()

    def is_complex(self):
        return self._held.is_complex()

    def element_size(self):
        return self._held.element_size()

    def is_contiguous(self, **kwargs):
        return False

    # There are no elements in a row to be seen.

    def tolist(self):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    data_ptr = tolist

    # Gradients are the values'.

    @property
    def requires_grad(self):
        return self._held.requires_grad

    def requires_grad_(self, requires_grad=True):
        self._held.requires_grad_(requires_grad)
        return self

    @property
    def grad(self):
        grad = self._held.grad
        return None if grad is None else self._with(grad)

    @property
    def grad_fn(self):
        return self._held.grad_fn

    @property
    def is_leaf(self):
        return self._held.is_leaf

    def detach(self):
        return self._with(self._held.detach())

    @property
    def data(self):
        return self.detach()

    def to(self, *args, **kwargs):
        return self._with(self._held.to(*args, **kwargs))

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def long(self):
        return self.to(torch.int64)

    def int(self):
        return self.to(torch.int32)

    def short(self):
        return self.to(torch.int16)

    def bool(self):
        return self.to(torch.bool)

    def half(self):
        return self.to(torch.float16)

    def cpu(self):
        return self

    def cuda(self, *args, **kwargs):
        return self._with(self._held.cuda(*args, **kwargs))

    def type_as(self, other):
        return self.to(other.dtype)


class SparseTensor(WithoutElements):
    """Places in the first dimensions, a column each; values with the other dimensions."""

    @staticmethod
    def __new__(cls, indices, values, size, is_coalesced=False):
        # The tensor that this one is to the interpreter has no elements: all that is asked of it is answered here.
        new = torch.Tensor._make_subclass(cls, values.detach().new_empty(0))
        new._places, new._held, new._size, new._sorted = indices, values, torch.Size(size), is_coalesced
        return new

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        whole = getattr(func, "__name__", str(func))
        name = whole.strip("_")
        if whole in _AUGMENTED:
            return _written(_AUGMENTED[whole], args, kwargs or {})
        if whole.endswith("_") and not whole.startswith("_"):
            return _written(name, args, kwargs or {})
        known = _FUNCTIONS.get(name)
        if known is None:
            raise NotImplementedError(f"torch.{name} of a sparse tensor is not implemented in janus-jit yet")
        return known(*args, **(kwargs or {}))

    def sparse_dim(self):
        return self._places.shape[0]

    def dense_dim(self):
        return self._held.dim() - 1

    def _nnz(self):
        return self._places.shape[1]

    @property
    def layout(self):
        return torch.sparse_coo

    @property
    def is_sparse(self):
        return True

    def is_coalesced(self):
        return self._sorted

    def untyped_storage(self):
        raise NotImplementedError("Cannot access storage of SparseTensorImpl")

    def storage(self):
        raise NotImplementedError("Cannot access storage of SparseTensorImpl")

    def numpy(self, *, force=False):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __array__(self, dtype=None):
        return self.numpy()

    def type(self, dtype=None, non_blocking=False):
        if dtype is not None:
            return self.to(dtype)
        return self._held.type().replace("torch.", "torch.sparse.")

    def __reduce_ex__(self, protocol):
        parts = (self._places, self._held, self._size, self._sorted)
        return (torch._utils._rebuild_sparse_tensor, (torch.sparse_coo, parts))

    def __deepcopy__(self, memo):
        made = SparseTensor(self._places.clone(), self._held.detach().clone(), self._size, self._sorted)
        made.requires_grad_(self.requires_grad)
        memo[id(self)] = made
        return made

    def __copy__(self):
        return SparseTensor(self._places, self._held, self._size, self._sorted)

    def _indices(self):
        return self._places

    def _values(self):
        return self._held

    def _need_coalesced(self, what):
        if not self._sorted:
            raise RuntimeError(
                f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first"
            )

    def indices(self):
        self._need_coalesced("indices")
        return self._places

    def values(self):
        self._need_coalesced("values")
        return self._held

    def __repr__(self):
        tail = f"size={tuple(self._size)}, nnz={self._nnz()}"
        if self.dtype not in (torch.get_default_dtype(), torch.int64, torch.bool):
            tail += f", dtype={self.dtype}"
        tail += ", layout=torch.sparse_coo"
        if self._held.grad_fn is not None:
            tail += f", grad_fn=<{type(self._held.grad_fn).__name__}>"
        elif self.requires_grad:
            tail += ", requires_grad=True"
        values = repr(self._held.detach())
        own = f", dtype={self.dtype})"
        if values.endswith(own):
            # It stands behind the size.
            values = values[: -len(own)] + ")"
        gap = " " * 7
        indices = repr(self._places).replace("\n", "\n" + " " * 15)
        values = values.replace("\n", "\n" + " " * 14)
        return f"tensor(indices={indices},\n{gap}values={values},\n{gap}{tail})"

    # Others of the same places, or of other ones

    def _with(self, values):
        return SparseTensor(self._places, values, self._size, self._sorted)

    def clone(self, *, memory_format=None):
        return SparseTensor(self._places.clone(), self._held.clone(), self._size, self._sorted)

    def coalesce(self):
        """Sorted places, each of them once: values of one place are added up."""
        if self._sorted:
            return self
        n = self.sparse_dim()
        at = _flat(self._places, self._size[:n])
        places, where = torch.unique(at, return_inverse=True)
        values = self._held.new_zeros((places.numel(),) + tuple(self._held.shape[1:]))
        values = values.index_add(0, where, self._held)
        rows = []
        for extent in reversed(self._size[:n]):
            rows.append(places % extent)
            places = places // extent
        rows.reverse()
        indices = torch.stack(rows) if rows else self._places[:, :1]
        return SparseTensor(indices, values, self._size, True)

    def to_dense(self, dtype=None, *, masked_grad=None):
        if masked_grad:
            raise NotImplementedError("to_dense(): argument 'masked_grad' is not implemented in janus-jit yet")
        n = self.sparse_dim()
        head = torch.Size(self._size[:n])
        flat = self._held.new_zeros((head.numel(),) + tuple(self._held.shape[1:]))
        dense = flat.index_add(0, _flat(self._places, head), self._held).reshape(self._size)
        return dense if dtype is None else dense.to(dtype)

    def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
        if layout is not None and layout is not torch.sparse_coo:
            return self._compressed(layout, blocksize, dense_dim)
        if dense_dim not in (None, self.dense_dim()) or sparse_dim not in (None, self.sparse_dim()):
            raise RuntimeError("to_sparse: conversion from Sparse to Sparse for the given arguments is not supported")
        return self

    def to_sparse_coo(self):
        return self

    def _compressed(self, layout, blocksize=None, dense_dim=None):
        from torch.sparse import _compressed

        _compressed.no_dense_dim(dense_dim)
        return _compressed.to_layout(self, layout, blocksize)

    def to_sparse_csr(self, dense_dim=None):
        return self._compressed(torch.sparse_csr, None, dense_dim)

    def to_sparse_csc(self, dense_dim=None):
        return self._compressed(torch.sparse_csc, None, dense_dim)

    def to_sparse_bsr(self, blocksize, dense_dim=None):
        return self._compressed(torch.sparse_bsr, blocksize, dense_dim)

    def to_sparse_bsc(self, blocksize, dense_dim=None):
        return self._compressed(torch.sparse_bsc, blocksize, dense_dim)

    def transpose(self, dim0, dim1):
        n = self.sparse_dim()
        dim0, dim1 = dim0 % self.dim(), dim1 % self.dim()
        if dim0 >= n or dim1 >= n:
            raise NotImplementedError("transpose of a sparse tensor's dense dimensions is not implemented in janus-jit yet")
        order = torch.arange(n).tolist()
        order[dim0], order[dim1] = order[dim1], order[dim0]
        size = list(self._size)
        size[dim0], size[dim1] = size[dim1], size[dim0]
        return SparseTensor(self._places[order], self._held, size, dim0 == dim1 and self._sorted)

    def t(self):
        if self.dim() != 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
        return self.transpose(0, 1)

    @property
    def T(self):
        return self.t()

    @property
    def mT(self):
        return self.transpose(-2, -1)

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > self.dim():
            raise IndexError(f"too many indices for tensor of dimension {self.dim()}")
        found, dim = self, 0
        for at, part in enumerate(parts):
            if isinstance(part, slice) and part == slice(None) and len(parts) > 1:
                dim += 1
                continue
            whole = isinstance(part, torch.Tensor) and part.dim() == 0 and part.dtype in (torch.int64, torch.int32)
            if not whole and (isinstance(part, bool) or not isinstance(part, int)):
                raise NotImplementedError(
                    f"an index of type {type(part).__name__} of a sparse tensor is not implemented in janus-jit yet"
                )
            if not -found.shape[dim] <= part < found.shape[dim]:
                raise IndexError(
                    f"index {int(part)} is out of bounds for dimension {at} with size {found.shape[dim]}"
                )
            found = found.select(dim, int(part))
        return found

    def __iter__(self):
        for k in range(self._size[0]):
            yield self[k]

    def select(self, dim, index):
        dim, n = dim % self.dim(), self.sparse_dim()
        if not -self._size[dim] <= index < self._size[dim]:
            raise IndexError(
                f"select(): index {index} out of range for tensor of size {list(self._size)} at dimension {dim}"
            )
        if dim >= n:
            raise NotImplementedError("select of a sparse tensor's dense dimension is not implemented in janus-jit yet")
        index = index % self._size[dim]
        kept = self._places[dim] == index
        size = tuple(self._size[:dim]) + tuple(self._size[dim + 1:])
        if n == 1:
            return self._held[kept].sum(0)
        rows = [k for k in torch.arange(n).tolist() if k != dim]
        return SparseTensor(self._places[rows][:, kept], self._held[kept], size, self._sorted)

    def index_select(self, dim, index):
        dim = dim % self.dim()
        if dim >= self.sparse_dim():
            raise NotImplementedError("index_select of a dense dimension is not implemented in janus-jit yet")
        index = torch.as_tensor(index)
        for k in index.tolist():
            if not -self._size[dim] <= k < self._size[dim]:
                raise IndexError(
                    f"index_select(): index contains {k} that is out of range for tensor of size "
                    f"{list(self._size)} at dimension {dim}"
                )
        index = torch.where(index < 0, index + self._size[dim], index)
        hits = (self._places[dim].unsqueeze(0) == index.unsqueeze(1)).nonzero()
        places = self._places[:, hits[:, 1]].clone()
        places[dim] = hits[:, 0]
        size = list(self._size)
        size[dim] = index.numel()
        return SparseTensor(places, self._held[hits[:, 1]], size, False)

    # Arithmetic

    def mm(self, mat2):
        return _mm(self, mat2)

    def matmul(self, other):
        return _matmul(self, other)

    __matmul__ = matmul

    def __rmatmul__(self, other):
        return _matmul(other, self)

    def mv(self, vec):
        return _mm(self, vec.unsqueeze(1)).squeeze(1)

    def add(self, other, *, alpha=1):
        return _add(self, other, alpha=alpha)

    __add__ = add

    def __radd__(self, other):
        return _add(other, self)

    def sub(self, other, *, alpha=1):
        return _add(self, other, alpha=-alpha)

    __sub__ = sub

    def __rsub__(self, other):
        return _add(other, self, alpha=-1)

    def neg(self):
        return self._with(-self._held)

    __neg__ = neg

    def mul(self, other):
        return _mul(self, other)

    __mul__ = __rmul__ = mul

    def div(self, other):
        if isinstance(other, SparseTensor) or isinstance(other, torch.Tensor) and other.dim() > 0:
            raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor")
        return self._with(self._held / other)

    __truediv__ = div

    def pow(self, exponent):
        return self.coalesce()._with(self.coalesce()._held.pow(exponent))

    __pow__ = pow

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        if dim is not None:
            raise RuntimeError(
                "norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all dimensions of the input"
            )
        if keepdim:
            raise RuntimeError("norm_sparse currently does not support keepdim=True")
        return torch.norm(self.coalesce()._held, p, dtype=dtype)

    def sum(self, dim=None, dtype=None):
        return _sum(self, dim, dtype)

    def backward(self, *args, **kwargs):
        raise RuntimeError("grad can be implicitly created only for scalar outputs")

    def sparse_mask(self, mask):
        return torch.Tensor.sparse_mask(self.to_dense(), mask)


def _applied(name):
    """A function that leaves zeros as they are, of the elements that are there."""
    def function(a):
        a = a.coalesce()
        return a._with(getattr(torch, name)(a._held))

    return function


def _written(name, args, kwargs):
    """What a function gives, in place of its first argument."""
    target, rest = args[0], args[1:]
    if name not in _IN_PLACE:
        raise NotImplementedError(f"torch.{name}_ of a sparse tensor is not implemented in janus-jit yet")
    if not isinstance(target, SparseTensor):
        if name == "copy":
            raise RuntimeError(
                "copy_() between dense and sparse Tensors is not implemented! Found self type = "
                f"{target.type()} and src type = {rest[0].type()}"
            )
        result = _FUNCTIONS[name](target, *rest, **kwargs)
        return target.copy_(result.to_dense() if isinstance(result, SparseTensor) else result)
    if name in _OF_ELEMENTS and name != "neg" and not target._sorted:
        raise RuntimeError(f"{name}_ requires coalesced input")
    if name == "zero":
        made = SparseTensor(target._places[:, :0], target._held[:0], target._size, True)
    elif name == "copy":
        made = rest[0].clone()
        if not isinstance(made, SparseTensor):
            raise RuntimeError("copy_() between dense and sparse Tensors is not implemented!")
    else:
        made = _FUNCTIONS[name](target, *rest, **kwargs)
    target._places, target._held, target._size, target._sorted = made._places, made._held, made._size, made._sorted
    return target


def _mm(a, b):
    """A product of matrices: each element of the sparse one adds a row of the other one, in their order."""
    if not isinstance(a, SparseTensor):
        return _mm(b.t(), a.t()).t()
    if a.dim() != 2 or b.dim() != 2:
        raise RuntimeError(f"addmm: 2D tensors expected, but got {a.dim()}D and {b.dim()}D")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}")
    if isinstance(b, SparseTensor):
        return to_sparse(_mm(a, b.to_dense()))
    if a.dtype != b.dtype:
        raise RuntimeError(f"addmm: expected 'mat1' and 'mat2' to have the same dtype, but got {a.dtype} and {b.dtype}")
    rows, columns = a._places
    terms = a._held.unsqueeze(1) * b.index_select(0, columns)
    return b.new_zeros((a.shape[0], b.shape[1])).index_add(0, rows, terms)


def _matmul(a, b):
    if b.dim() == 1:
        return _mm(a, b.unsqueeze(1)).squeeze(1)
    return _mm(a, b)


def _addmm(input, mat1, mat2, *, beta=1, alpha=1):
    product = _mm(mat1, mat2)
    if alpha != 1:
        product = product * alpha
    return product + (input if beta == 1 else input * beta)


def _add(a, b, *, alpha=1):
    if isinstance(a, SparseTensor) and isinstance(b, SparseTensor):
        if a.shape != b.shape:
            raise RuntimeError(f"add: expected sizes of 'self' and 'other' to match, but {list(a.shape)} != {list(b.shape)}")
        values = torch.cat([a._held, b._held if alpha == 1 else b._held * alpha])
        return SparseTensor(torch.cat([a._places, b._places], 1), values, a.shape, False).coalesce()
    if isinstance(a, SparseTensor):
        if not isinstance(b, torch.Tensor):
            raise TypeError("add(): argument 'other' must be Tensor, where the first one is sparse")
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    n = b.sparse_dim()
    if not isinstance(a, torch.Tensor) or a.shape != b.shape or a.dtype != b.dtype:
        return torch.add(a, b.to_dense(), alpha=alpha)
    # One value after the other, where several have one place.
    head = torch.Size(b._size[:n])
    flat = a.reshape((head.numel(),) + tuple(b._held.shape[1:]))
    values = b._held if alpha == 1 else b._held * alpha
    return flat.index_add(0, _flat(b._places, head), values).reshape(a.shape)


def _mul(a, b):
    if not isinstance(a, SparseTensor):
        a, b = b, a
    if isinstance(b, SparseTensor):
        if a.shape != b.shape:
            raise RuntimeError(
                f"mul: expected sizes of 'self' and 'other' to match, but {list(a.shape)} != {list(b.shape)}"
            )
        a, b = a.coalesce(), b.coalesce()
        n = a.sparse_dim()
        at, other = _flat(a._places, a._size[:n]), _flat(b._places, b._size[:n])
        kept = torch.isin(at, other)
        return SparseTensor(a._places[:, kept], a._held[kept] * b._held[torch.isin(other, at)], a._size, True)
    if isinstance(b, torch.Tensor) and b.dim() > 0:
        dense = b.expand(a._size)
        return a._with(a._held * dense[tuple(a._places)])
    return a._with(a._held * b)


def _sum(a, dim=None, dtype=None):
    if dim is None:
        return a._held.sum(dtype=dtype)
    n = a.sparse_dim()
    dims = sorted({d % a.dim() for d in (dim if isinstance(dim, (tuple, list)) else (dim,))})
    values = a._held if dtype is None else a._held.to(dtype)
    behind = [d - n + 1 for d in dims if d >= n]
    if behind:
        values = values.sum(behind)
    kept = [d for d in torch.arange(n).tolist() if d not in dims]
    size = [a._size[d] for d in torch.arange(a.dim()).tolist() if d not in dims]
    if not kept:
        return values.sum(0)
    return SparseTensor(a._places[kept], values, size, a._sorted and len(kept) == n).coalesce()


def to_sparse(dense, sparse_dim=None):
    """The elements other than zero."""
    n = dense.dim() if sparse_dim is None else sparse_dim
    flags = dense.detach() != 0
    if n < dense.dim():
        flags = flags.flatten(n).any(-1)
    places = flags.nonzero().t()
    return SparseTensor(places, dense[tuple(places)], dense.shape, True)


def sparse_coo_tensor(
    indices, values=None, size=None, *, dtype=None, device=None, requires_grad=False, check_invariants=None,
    is_coalesced=None,
):
    if values is None:
        size, indices, values = indices, torch.zeros((len(indices), 0), dtype=torch.int64), torch.empty(0)
    if device is not None:
        torch.empty(0, device=device)
    indices = torch.as_tensor(indices, dtype=torch.int64)
    values = torch.as_tensor(values) if dtype is None else torch.as_tensor(values, dtype=dtype)
    if indices.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if values.dim() == 0 or values.shape[0] != indices.shape[1]:
        raise RuntimeError(
            f"number of dimensions must be sparse_dim ({indices.shape[0]}) + dense_dim ({values.dim() - 1}), but got "
            f"{indices.shape[1]} indices and values of size {list(values.shape)}"
        )
    if size is None:
        head = (indices.max(1).values + 1).tolist() if indices.shape[1] else [0] * indices.shape[0]
        size = head + list(values.shape[1:])
    size = torch.Size(size)
    if len(size) != indices.shape[0] + values.dim() - 1:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = "
            f"{indices.shape[0]}, dense_dim = {values.dim() - 1}"
        )
    for d in torch.arange(indices.shape[0]).tolist() if check_invariants and indices.shape[1] else []:
        low, high = int(indices[d].min()), int(indices[d].max())
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {d}")
        if high >= size[d]:
            raise RuntimeError(f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {high}")
    if requires_grad:
        values = values.detach().requires_grad_()
    return SparseTensor(indices, values, size, bool(is_coalesced) or indices.shape[1] < 2)


_OF_ELEMENTS = (
    "abs", "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac", "log1p", "neg",
    "rad2deg", "relu", "round", "sgn", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)
_AUGMENTED = {"__iadd__": "add", "__isub__": "sub", "__imul__": "mul", "__itruediv__": "div"}
_IN_PLACE = ("add", "copy", "div", "mul", "sub", "zero", *_OF_ELEMENTS)
_FUNCTIONS = {
    **{name: _applied(name) for name in _OF_ELEMENTS},
    "mm": _mm, "spmm": _mm, "matmul": _matmul, "mv": lambda a, b: _matmul(a, b), "addmm": _addmm, "add": _add,
    "radd": lambda a, b: _add(b, a) if not isinstance(b, SparseTensor) else _add(a, b),
    "sub": lambda a, b, *, alpha=1: _add(a, b, alpha=-alpha), "mul": _mul, "multiply": _mul, "rmul": _mul,
    "div": lambda a, b: a.div(b), "truediv": lambda a, b: a.div(b), "neg": lambda a: a.neg(), "sum": _sum, "t": lambda a: a.t(),
    "transpose": lambda a, x, y: a.transpose(x, y), "clone": lambda a: a.clone(), "detach": lambda a: a.detach(),
    "norm": lambda a, *args, **kwargs: a.norm(*args, **kwargs), "pow": lambda a, n: a.pow(n),
    "index_select": lambda a, dim, index: a.index_select(dim, index), "rmatmul": lambda a, b: _matmul(b, a),
    "is_floating_point": lambda a: a.is_floating_point(), "is_complex": lambda a: a.is_complex(), "numel": lambda a: a.numel(),
}
