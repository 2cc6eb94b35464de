"""Tensors that keep the places of one dimension in compressed form (layouts torch.sparse_csr, csc, bsr and bsc)."""

import torch
from torch.sparse import _coo
from torch.sparse._coo import SparseTensor, WithoutElements

# By the layout: the names of the compressed and of the plain indices, and whether rows are compressed.
_NAMES = {
    torch.sparse_csr: ("crow_indices", "col_indices", True),
    torch.sparse_csc: ("ccol_indices", "row_indices", False),
    torch.sparse_bsr: ("crow_indices", "col_indices", True),
    torch.sparse_bsc: ("ccol_indices", "row_indices", False),
}
_BLOCKS = (torch.sparse_bsr, torch.sparse_bsc)


class CompressedTensor(WithoutElements):
    """A matrix: where each row (or column) begins among the values, the other index of each value, the values."""

    @staticmethod
    def __new__(cls, starts, places, values, size, layout):
        # The tensor that this one is to the interpreter has no elements: all that is asked of it is answered here.
        new = torch.Tensor._make_subclass(cls, values.detach().new_empty(0))
        new._starts, new._places, new._held, new._size, new._kind = starts, places, values, torch.Size(size), layout
        return new

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", str(func)).strip("_")
        known = _FUNCTIONS.get(name)
        if known is None:
            raise NotImplementedError(
                f"torch.{name} of a tensor of a compressed sparse layout is not implemented in janus-jit yet"
            )
        return known(*args, **(kwargs or {}))

    def sparse_dim(self):
        return 2

    def dense_dim(self):
        return 0

    def _nnz(self):
        return self._held.shape[0]

    @property
    def layout(self):
        return self._kind

    @property
    def is_sparse(self):
        return False

    @property
    def is_sparse_csr(self):
        return self._kind is torch.sparse_csr

    def numpy(self, *, force=False):
        raise TypeError(
            f"can't convert {_title(self._kind)} layout tensor to numpy. Use Tensor.to_dense() first."
        )

    def _indices_named(self, name, found):
        if name not in _NAMES[self._kind]:
            rows = "row" if name in ("crow_indices", "col_indices") else "column"
            raise RuntimeError(
                f"{name} expected sparse {rows} compressed tensor layout but got {_title(self._kind)}"
            )
        return found

    def crow_indices(self):
        return self._indices_named("crow_indices", self._starts)

    def col_indices(self):
        return self._indices_named("col_indices", self._places)

    def ccol_indices(self):
        return self._indices_named("ccol_indices", self._starts)

    def row_indices(self):
        return self._indices_named("row_indices", self._places)

    def values(self):
        return self._held

    def __repr__(self):
        names = _NAMES[self._kind]
        gap = " " * 7
        parts = []
        for name, indices in ((names[0], self._starts), (names[1], self._places)):
            text = repr(indices)
            if indices.dtype == torch.int64:
                text = text.replace(", dtype=torch.int64", "")
            parts.append(f"{name}={text}".replace("\n", "\n" + " " * (len(name) + 8)))
        values = repr(self._held.detach())
        own = f", dtype={self.dtype})"
        if values.endswith(own):
            values = values[: -len(own)] + ")"
        lines = values.split("\n")
        last = "values=" + "\n".join(lines[:1] + [" " * 14 + line if line else line for line in lines[1:]])
        suffixes = [f"size={tuple(self._size)}", f"nnz={self._nnz()}"]
        if self.dtype not in (torch.get_default_dtype(), torch.int64, torch.bool):
            suffixes.append(f"dtype={self.dtype}")
        suffixes.append(f"layout={self._kind}")
        if self._held.grad_fn is not None:
            suffixes.append(f"grad_fn=<{type(self._held.grad_fn).__name__}>")
        elif self.requires_grad:
            suffixes.append("requires_grad=True")
        whole = f"tensor({parts[0]},\n{gap}{parts[1]},\n{gap}{last}"
        width = len(whole) - whole.rfind("\n") + 1
        for suffix in suffixes:
            if width + len(suffix) + 2 > 80:
                whole += ",\n" + gap + suffix
                width = len(gap) + len(suffix)
            else:
                whole += ", " + suffix
                width += len(suffix) + 2
        return whole + ")"

    def _with(self, values):
        return CompressedTensor(self._starts, self._places, values, self._size, self._kind)

    def clone(self, *, memory_format=None):
        return CompressedTensor(self._starts.clone(), self._places.clone(), self._held.clone(), self._size, self._kind)

    def __reduce_ex__(self, protocol):
        parts = (self._starts, self._places, self._held, self._size)
        return (torch._utils._rebuild_sparse_tensor, (self._kind, parts))

    def __deepcopy__(self, memo):
        made = self.clone().detach().requires_grad_(self.requires_grad)
        memo[id(self)] = made
        return made

    def type(self, dtype=None, non_blocking=False):
        if dtype is not None:
            return self.to(dtype)
        return self._held.type()

    def _coordinates(self):
        """Row and column of each value, or of each block."""
        counts = self._starts[1:] - self._starts[:-1]
        outer = torch.repeat_interleave(torch.arange(len(counts)), counts)
        inner = self._places.long()
        return (outer, inner) if _NAMES[self._kind][2] else (inner, outer)

    def to_sparse_coo(self):
        rows, columns = self._coordinates()
        if self._kind in _BLOCKS:
            return _coo.to_sparse(self.to_dense())
        made = SparseTensor(torch.stack([rows, columns]), self._held, self._size, self._kind is torch.sparse_csr)
        return made if made._sorted else made.coalesce()

    def to_dense(self, dtype=None, *, masked_grad=None):
        if masked_grad:
            raise NotImplementedError("to_dense(): argument 'masked_grad' is not implemented in janus-jit yet")
        rows, columns = self._coordinates()
        if self._kind in _BLOCKS:
            height, width = self._held.shape[1:]
            grid = self._held.new_zeros((self._size[0] // height, self._size[1] // width, height, width))
            grid = grid.index_put((rows, columns), self._held)
            dense = grid.transpose(1, 2).reshape(self._size)
        else:
            dense = SparseTensor(torch.stack([rows, columns]), self._held, self._size).to_dense()
        return dense if dtype is None else dense.to(dtype)

    def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
        no_dense_dim(dense_dim)
        if sparse_dim not in (None, 2):
            raise RuntimeError(f"to_sparse: conversion from {_title(self._kind)} to Sparse with sparse_dim argument !=2 is not supported")
        return to_layout(self, torch.sparse_coo if layout is None else layout, blocksize)

    def to_sparse_csr(self, dense_dim=None):
        no_dense_dim(dense_dim)
        return to_layout(self, torch.sparse_csr)

    def to_sparse_csc(self, dense_dim=None):
        no_dense_dim(dense_dim)
        return to_layout(self, torch.sparse_csc)

    def to_sparse_bsr(self, blocksize, dense_dim=None):
        no_dense_dim(dense_dim)
        return to_layout(self, torch.sparse_bsr, blocksize)

    def to_sparse_bsc(self, blocksize, dense_dim=None):
        no_dense_dim(dense_dim)
        return to_layout(self, torch.sparse_bsc, blocksize)

    def transpose(self, dim0, dim1):
        if dim0 % 2 == dim1 % 2:
            return self
        other = {
            torch.sparse_csr: torch.sparse_csc, torch.sparse_csc: torch.sparse_csr,
            torch.sparse_bsr: torch.sparse_bsc, torch.sparse_bsc: torch.sparse_bsr,
        }[self._kind]
        held = self._held.transpose(1, 2) if self._kind in _BLOCKS else self._held
        return CompressedTensor(self._starts, self._places, held, (self._size[1], self._size[0]), other)

    def t(self):
        return self.transpose(0, 1)

    @property
    def T(self):
        return self.t()

    mT = T

    def select(self, dim, index):
        if not -self._size[dim] <= index < self._size[dim]:
            raise IndexError(
                f"select(): index {index} out of range for tensor of size {list(self._size)} at dimension {dim}"
            )
        return self.to_sparse_coo().select(dim, index)

    def __getitem__(self, index):
        return self.to_sparse_coo()[index]

    def matmul(self, other):
        return _matmul(self, other)

    mm = mv = __matmul__ = matmul

    def __rmatmul__(self, other):
        return _matmul(other, self)

    def add(self, other, *, alpha=1):
        return _add(self, other, alpha=alpha)

    __add__ = __radd__ = add

    def sub(self, other, *, alpha=1):
        return _add(self, other, alpha=-alpha)

    __sub__ = sub

    def mul(self, other):
        return _mul(self, other)

    __mul__ = __rmul__ = mul

    def div(self, other):
        return self._with(self._held / other)

    __truediv__ = div

    def neg(self):
        return self._with(-self._held)

    __neg__ = neg

    def abs(self):
        return self._with(self._held.abs())

    def sum(self, dim=None, keepdim=False, dtype=None):
        if dim is None:
            return self._held.sum(dtype=dtype)
        if not keepdim:
            raise RuntimeError(
                "reduction operations on CSR tensors with keepdim=False is unsupported"
            )
        return to_layout(self.to_dense().sum(dim, keepdim=True, dtype=dtype), self._kind)


def _title(layout):
    return {
        torch.sparse_csr: "SparseCsr", torch.sparse_csc: "SparseCsc", torch.sparse_bsr: "SparseBsr",
        torch.sparse_bsc: "SparseBsc",
    }[layout]


def _plain(x):
    """A compressed tensor by its coordinates; others as they are."""
    return x.to_sparse_coo() if isinstance(x, CompressedTensor) else x


def _again(x, like):
    return to_layout(x, like._kind) if isinstance(x, SparseTensor) else x


def _matmul(a, b):
    if isinstance(a, CompressedTensor) and isinstance(b, CompressedTensor):
        return to_layout(_coo._matmul(a.to_sparse_coo(), b.to_sparse_coo()), a._kind)
    return _coo._matmul(_plain(a), _plain(b))


def _addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return _coo._addmm(_plain(input), _plain(mat1), _plain(mat2), beta=beta, alpha=alpha)


def _add(a, b, *, alpha=1):
    like = a if isinstance(a, CompressedTensor) else b
    return _again(_coo._add(_plain(a), _plain(b), alpha=alpha), like)


def _mul(a, b):
    if not isinstance(a, CompressedTensor):
        a, b = b, a
    if not isinstance(b, torch.Tensor) or b.dim() == 0 and not isinstance(b, CompressedTensor):
        return a._with(a._held * b)
    return _again(_coo._mul(a.to_sparse_coo(), _plain(b)), a)


def _of_values(name):
    return lambda a: a._with(getattr(torch, name)(a._held))


def no_dense_dim(dense_dim):
    if dense_dim:
        raise NotImplementedError("a compressed sparse tensor with dense_dim is not implemented in janus-jit yet")


def to_layout(x, layout, blocksize=None):
    """Any tensor in another layout."""
    if isinstance(x, CompressedTensor):
        if x._kind is layout and layout not in _BLOCKS:
            return x
        x = x.to_sparse_coo()
    if layout is torch.sparse_coo:
        return x if isinstance(x, SparseTensor) else _coo.to_sparse(x)
    if layout is torch.strided:
        return x.to_dense()
    if layout not in _NAMES:
        raise RuntimeError(f"to_sparse: unknown layout {layout}")
    if x.dim() != 2:
        raise NotImplementedError(
            f"a tensor of {x.dim()} dimensions in layout {layout} is not implemented in janus-jit yet"
        )
    by_rows = _NAMES[layout][2]
    if layout in _BLOCKS:
        if blocksize is None:
            raise RuntimeError(f"to_sparse: {layout} needs a blocksize")
        dense = x.to_dense()
        height, width = blocksize
        if dense.shape[0] % height or dense.shape[1] % width:
            raise RuntimeError(
                f"tensor sparse size ({dense.shape[0]},{dense.shape[1]}) must be divisible by given blocksize ({height},{width})"
            )
        grid = dense.reshape(dense.shape[0] // height, height, dense.shape[1] // width, width).transpose(1, 2)
        used = (grid != 0).flatten(2).any(2)
        rows, columns = (used if by_rows else used.t()).nonzero().unbind(1)
        if not by_rows:
            rows, columns = columns, rows
        values = grid[rows, columns]
        count = used.shape[0 if by_rows else 1]
    else:
        if not isinstance(x, SparseTensor):
            x = _coo.to_sparse(x)
        x = x.coalesce()
        rows, columns = x._places
        values = x._held
        if not by_rows:
            order = torch.argsort(columns, stable=True)
            rows, columns, values = rows[order], columns[order], values[order]
        count = x.shape[0 if by_rows else 1]
    outer, inner = (rows, columns) if by_rows else (columns, rows)
    starts = torch.zeros(count + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(outer, minlength=count).cumsum(0) if len(outer) else 0
    return CompressedTensor(starts, inner.clone(), values, x.shape, layout)


def compressed_tensor(
    compressed_indices, plain_indices, values, size=None, *, dtype=None, layout=None, device=None, requires_grad=False,
    pin_memory=False, check_invariants=None,
):
    if layout not in _NAMES:
        raise RuntimeError("sparse_compressed_tensor expected sparse compressed tensor layout but got " + str(layout))
    first, second, by_rows = _NAMES[layout]
    if device is not None:
        torch.empty(0, device=device)
    starts, places = torch.as_tensor(compressed_indices), torch.as_tensor(plain_indices)
    values = torch.as_tensor(values) if dtype is None else torch.as_tensor(values, dtype=dtype)
    if starts.dim() != 1:
        raise NotImplementedError(f"batches of tensors in layout {layout} are not implemented in janus-jit yet")
    is_blocked = layout in _BLOCKS
    block = tuple(values.shape[1:]) if is_blocked else (1, 1)
    if size is None:
        outer = (len(starts) - 1) * block[0 if by_rows else 1]
        inner = (int(places.max()) + 1 if len(places) else 0) * block[1 if by_rows else 0]
        size = (outer, inner) if by_rows else (inner, outer)
    size = torch.Size(size)
    extent = size[0 if by_rows else 1] // block[0 if by_rows else 1]
    other = size[1 if by_rows else 0] // block[1 if by_rows else 0]
    if len(starts) != extent + 1:
        raise RuntimeError(
            f"{first}.shape[-1] must be equal to the number of {'rows' if by_rows else 'columns'} + 1 = {extent + 1}, "
            f"but got {len(starts)}"
        )
    if len(places) != values.shape[0]:
        raise RuntimeError(f"number of values and {second} must be equal, but got {values.shape[0]} and {len(places)}")
    if requires_grad:
        values = values.detach().requires_grad_()
    made = CompressedTensor(starts, places, values, size, layout)
    if check_invariants:
        _check(made, first, second, by_rows, other)
    return made


def _check(made, first, second, by_rows, other):
    starts, places = made._starts, made._places
    if int(starts[0]) != 0:
        raise RuntimeError(f"`{first}[..., 0] == 0` is not satisfied.")
    if int(starts[-1]) != len(places):
        raise RuntimeError(f"`{first}[..., -1] == nnz` is not satisfied.")
    steps = starts[1:] - starts[:-1]
    if len(steps) and (int(steps.min()) < 0 or int(steps.max()) > other):
        bound = "ncols" if by_rows else "nrows"
        raise RuntimeError(
            f"`0 <= {first}[..., 1:] - {first}[..., :-1] <= {bound}` is not satisfied."
        )
    if len(places) and (int(places.min()) < 0 or int(places.max()) >= other):
        if int(places.min()) < 0:
            raise RuntimeError(f"`0 <= {second}` is not satisfied.")
        raise RuntimeError(f"`{second} < {'ncols' if by_rows else 'nrows'}` is not satisfied.")

def _maker(layout, first, second):
    name = str(layout).replace("torch.", "") + "_tensor"

    def make(*args, **kwargs):
        for index, argument in enumerate((first, second)):
            if argument in kwargs:
                args = args[:index] + (kwargs.pop(argument),) + args[index:]
        return compressed_tensor(*args, layout=layout, **kwargs)

    make.__name__ = make.__qualname__ = name
    return make


sparse_csr_tensor, sparse_csc_tensor, sparse_bsr_tensor, sparse_bsc_tensor = [
    _maker(layout, names[0], names[1]) for layout, names in _NAMES.items()
]
sparse_compressed_tensor = compressed_tensor

_OF_VALUES = ("abs", "asin", "atan", "ceil", "erf", "expm1", "floor", "log1p", "neg", "relu", "round", "sign", "sin", "sinh",
              "sqrt", "tan", "tanh", "trunc")
_FUNCTIONS = {
    **{name: _of_values(name) for name in _OF_VALUES},
    "mm": _matmul, "spmm": _matmul, "matmul": _matmul, "mv": _matmul, "addmm": _addmm, "add": _add,
    "radd": lambda a, b: _add(b, a), "sub": lambda a, b, *, alpha=1: _add(a, b, alpha=-alpha), "mul": _mul,
    "multiply": _mul, "rmul": _mul, "rmatmul": lambda a, b: _matmul(b, a), "div": lambda a, b: a.div(b),
    "truediv": lambda a, b: a.div(b), "sum": lambda a, *args, **kwargs: a.sum(*args, **kwargs),
    "t": lambda a: a.t(), "transpose": lambda a, x, y: a.transpose(x, y), "clone": lambda a: a.clone(),
    "detach": lambda a: a.detach(), "select": lambda a, dim, index: a.select(dim, index),
    "is_floating_point": lambda a: a.is_floating_point(), "is_complex": lambda a: a.is_complex(),
    "numel": lambda a: a.numel(),
}
