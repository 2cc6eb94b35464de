"""What several distributions share: parameters of one shape, probabilities and logits, triangles as vectors."""

import torch
from torch.nn import functional as F

euler_constant = 0.57721566490153286060


def broadcast_all(*values):
    """The parameters as tensors of one shape; numbers take the dtype of the first tensor."""
    if not all([isinstance(value, torch.Tensor) for value in values]):
        dtype = device = None
        for value in values:
            if isinstance(value, torch.Tensor):
                dtype, device = dtype or value.dtype, device or value.device
            elif not isinstance(value, (int, float)):
                raise ValueError(
                    "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                    "__torch_function__."
                )
        dtype = dtype or torch.get_default_dtype()
        values = [
            value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=dtype, device=device)
            for value in values
        ]
    return torch.broadcast_tensors(*values)


def _standard_normal(shape, dtype, device):
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value, dim):
    """The sum over the last `dim` dimensions."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    logits = torch.log(clamped)
    return logits - torch.log1p(-clamped) if is_binary else logits


class lazy_property:
    """An attribute that is computed when it is first asked for, and then stays."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__
        self.__name__ = wrapped.__name__

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.__name__, value)
        return value


def _lower(n, diag, device):
    rows = torch.arange(n, device=device)
    return rows < rows.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat, diag=0):
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower(n, diag, mat.device)]


def vec_to_tril_matrix(vec, diag=0):
    # A triangle down to diagonal `diag` has `rows * (rows + 1) / 2` elements beside the corner that it lacks or has more.
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as "
            "the lower triangular part of a square D x D matrix."
        )
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + (n, n))
    mat[..., _lower(n, diag, vec.device)] = vec
    return mat
