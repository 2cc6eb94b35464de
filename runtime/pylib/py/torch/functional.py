"""torch.functional: functions of torch by the name of the module that PyTorch has them in."""

from torch import (
    atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors, cartesian_prod, cdist,
    chain_matmul, einsum, lu, meshgrid, norm, split, stft, tensordot, unique, unique_consecutive, unravel_index,
)
