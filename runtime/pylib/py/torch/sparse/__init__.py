"""torch.sparse: products, sums and shares of sparse tensors."""

import torch
from torch.sparse._coo import SparseTensor, _addmm, _mm, _sum, sparse_coo_tensor, to_sparse


def mm(mat1, mat2, reduce=None):
    if reduce is not None:
        raise NotImplementedError("torch.sparse.mm(): argument 'reduce' is not implemented in janus-jit yet")
    if _is_compressed(mat1) or _is_compressed(mat2):
        return torch.matmul(mat1, mat2)
    if not isinstance(mat1, SparseTensor) and not isinstance(mat2, SparseTensor):
        return torch.mm(mat1, mat2)
    return _mm(mat1, mat2)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    if _is_compressed(mat1) or _is_compressed(mat2):
        return torch.addmm(mat, mat1, mat2, beta=beta, alpha=alpha)
    return _addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def _is_compressed(x):
    return x.layout is not torch.strided and not isinstance(x, SparseTensor)


def sum(input, dim=None, dtype=None):
    return _sum(input, dim, dtype)


def _shares(input, dim, dtype, function):
    """A function along a dimension of the elements that are there alone."""
    if dtype is not None:
        input = input.to(dtype)
    input = input.coalesce()
    if input.dense_dim() or input.sparse_dim() != 2:
        raise NotImplementedError("torch.sparse.softmax of more than two dimensions is not implemented in janus-jit yet")
    row = input._places[1 - dim % 2]
    count = input.shape[1 - dim % 2]
    values = input._held
    highest = values.detach().new_full((count,), -float("inf")).scatter_reduce(0, row, values.detach(), "amax")
    shifted = values - highest[row]
    total = values.new_zeros(count).index_add(0, row, shifted.exp())
    return input._with(function(shifted, total[row]))


def softmax(input, dim, *, dtype=None):
    return _shares(input, dim, dtype, lambda x, total: x.exp() / total)


def log_softmax(input, dim, *, dtype=None):
    return _shares(input, dim, dtype, lambda x, total: x - total.log())


class _OldType(type):
    """The class of sparse tensors of one dtype, as it was called before there were dtypes."""

    def __call__(cls, *args):
        if len(args) == 1 and isinstance(args[0], torch.Size) or args and all([isinstance(a, int) for a in args]):
            size = args[0] if isinstance(args[0], torch.Size) else args
            return sparse_coo_tensor(size, dtype=cls._dtype).to(cls._dtype)
        return sparse_coo_tensor(*args, dtype=cls._dtype)

    def __instancecheck__(cls, instance):
        return isinstance(instance, SparseTensor) and instance.dtype == cls._dtype


def _old(name, dtype):
    return _OldType(name, (), {"_dtype": dtype, "__module__": "torch.sparse"})


FloatTensor, DoubleTensor, HalfTensor = _old("FloatTensor", torch.float32), _old("DoubleTensor", torch.float64), _old(
    "HalfTensor", torch.float16)
BFloat16Tensor, LongTensor, IntTensor = _old("BFloat16Tensor", torch.bfloat16), _old("LongTensor", torch.int64), _old(
    "IntTensor", torch.int32)
ShortTensor, CharTensor, ByteTensor = _old("ShortTensor", torch.int16), _old("CharTensor", torch.int8), _old(
    "ByteTensor", torch.uint8)


def __getattr__(name):
    return torch._C._missing_name("torch.sparse", name)
