"""torch.nn.utils.parametrizations: weights with a direction and a length, of a bounded norm, or with
orthogonal rows or columns."""

import torch
import torch.nn.functional as F
from torch.nn import Module
from torch.nn.utils import parametrize
from torch.nn.utils.weight_norm import _norm_except

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def _norm(self, v):
        return _norm_except(v, None if self.dim == -1 else self.dim)

    def forward(self, weight_g, weight_v):
        weight = weight_v * (weight_g / self._norm(weight_v))
        return torch._C._as_made_by(weight, "WeightNormInterfaceBackward0")

    def right_inverse(self, weight):
        return self._norm(weight), weight


def weight_norm(module, name="weight", dim=0):
    made = _WeightNorm(dim)
    parametrize.register_parametrization(module, name, made, unsafe=True)

    def take_old_names(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        # Checkpoints of torch.nn.utils.weight_norm name the two parts otherwise.
        old = (f"{prefix}{name}_g", f"{prefix}{name}_v")
        if all([key in state_dict for key in old]):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(take_old_names)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            height, width = matrix.size()
            u = matrix.new_empty(height).normal_(0, 1)
            v = matrix.new_empty(width).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=self.eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=self.eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.flatten(1)

    @torch.no_grad()
    def _power_method(self, matrix, n_power_iterations):
        for _ in range(n_power_iterations):
            self._u = F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps)
            self._v = F.normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps)

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u = self._u.clone()
        v = self._v.clone()
        sigma = torch.vdot(u, torch.mv(matrix, v))
        return weight / sigma

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        transposed = (torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d, torch.nn.ConvTranspose3d)
        dim = 1 if isinstance(module, transposed) else 0
    parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module


def __getattr__(name):
    return torch._C._missing_name("torch.nn.utils.parametrizations", name)


_MAPS = ("matrix_exp", "cayley", "householder")


def _is_orthogonal(q):
    """Whether columns are, but for a few roundings."""
    k = q.shape[-1]
    eye = torch.eye(k, dtype=q.dtype, device=q.device)
    return torch.allclose(q.mH @ q, eye, atol=10.0 * k * torch.finfo(q.dtype).eps)


def _with_orthogonal_columns(a):
    """The first factor of a decomposition whose other one has a positive diagonal."""
    packed, tau = torch.geqrf(a)
    return torch.linalg.householder_product(packed, tau) * packed.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


class _Orthogonal(Module):
    """A matrix with orthonormal columns, or rows where these are fewer. What is learned are the entries below the
    diagonal; with a `base` they say how far it is turned away from that."""

    def __init__(self, weight, orthogonal_map, use_trivialization):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def _turned(self, x):
        n, k = x.shape[-2:]
        if self.orthogonal_map == "householder":
            below = x.tril(-1)
            tau = 2.0 / (1.0 + (below * below).sum(-2))
            return torch.linalg.householder_product(below, tau) * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        below = x.tril()
        if n != k:
            below = torch.cat([below, below.new_zeros(*below.shape[:-2], n, n - k)], -1)
        skew = below - below.mH
        if self.orthogonal_map == "matrix_exp":
            q = torch.matrix_exp(skew)
        else:
            eye = torch.eye(n, dtype=skew.dtype, device=skew.device)
            q = torch.linalg.solve(eye - 0.5 * skew, eye + 0.5 * skew)
        return q[..., :k]

    def forward(self, x):
        wide = x.shape[-2] < x.shape[-1]
        q = self._turned(x.mT if wide else x)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    @torch.no_grad()
    def right_inverse(self, weight):
        if weight.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {weight.shape}."
            )
        wide = weight.shape[-2] < weight.shape[-1]
        q = weight.mT if wide else weight
        n, k = q.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            packed, tau = torch.geqrf(q)
            signs = packed.diagonal(dim1=-2, dim2=-1).sign()
            signs = torch.where(tau == 0.0, -signs, signs)
            made = packed.clone()
            made.diagonal(dim1=-2, dim2=-1).copy_(signs)
            return made.mT if wide else made
        if n == k:
            base = q.clone() if _is_orthogonal(q) else _with_orthogonal_columns(q)
        else:
            # The columns that it lacks of a square one are any.
            more = torch.randn(*q.shape[:-2], n, n - k, dtype=q.dtype, device=q.device)
            base = _with_orthogonal_columns(torch.cat([q, more], -1))
        self.base = base
        # With this nothing is turned.
        start = torch.zeros_like(q)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start.mT if wide else start


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _MAPS:
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module
