"""Gradients of embeddings that keep only the rows that were asked for."""

import torch
from torch._C import _is_checkpoint_valid, _set_sparse_grad
from torch.sparse._coo import SparseTensor


def _add(leaf, index, rows):
    """Adds rows to the gradient of a leaf."""
    if not _is_checkpoint_valid():
        raise NotImplementedError(
            "torch.autograd.grad() of an embedding with sparse=True is not implemented in janus-jit yet: use backward()"
        )
    grad = SparseTensor(index.reshape(1, -1), rows, leaf.shape, False)
    old = leaf.grad
    if isinstance(old, SparseTensor):
        grad = SparseTensor(
            torch.cat([old._places, grad._places], 1), torch.cat([old._held, grad._held]), leaf.shape, False
        )
    elif old is not None:
        leaf.grad = old + grad
        return
    # The leaf itself knows only what a tensor is made of; the rest stays with it here.
    leaf._sparse_grad = grad
    _set_sparse_grad(leaf, grad)


def _checked(weight):
    if not weight.is_leaf:
        raise NotImplementedError(
            "an embedding with sparse=True of a weight that is no leaf is not implemented in janus-jit yet"
        )


class _Embedding(torch.autograd.Function):
    _grad_fn = "EmbeddingBackward0"

    @staticmethod
    def forward(ctx, rows, weight, index, padding_idx):
        ctx.leaf, ctx.padding_idx = weight, padding_idx
        ctx.save_for_backward(index)
        return rows.view_as(rows)

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        index, grad = index.reshape(-1).long(), grad.reshape(-1, grad.shape[-1])
        if ctx.padding_idx is not None:
            kept = index != ctx.padding_idx
            index, grad = index[kept], grad[kept]
        _add(ctx.leaf, index, grad)
        return None, None, None, None


def embedding(index, weight, padding_idx, *options):
    """As torch.nn.functional.embedding with sparse=True."""
    _checked(weight)
    with torch.no_grad():
        rows = torch.nn.functional.embedding(index, weight, padding_idx, *options)
    return _Embedding.apply(rows, weight, index, padding_idx)


class _Rows(torch.autograd.Function):
    """The rows of a weight that a bag takes."""

    _grad_fn = "EmbeddingBagBackward0"

    @staticmethod
    def forward(ctx, weight, index, padding_idx):
        ctx.leaf, ctx.padding_idx = weight, padding_idx
        ctx.save_for_backward(index)
        return weight[index]

    backward = staticmethod(lambda ctx, grad: _Embedding.backward(ctx, grad)[:3])


def rows(weight, index, padding_idx):
    _checked(weight)
    return _Rows.apply(weight, index, padding_idx)
