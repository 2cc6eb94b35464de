"""torch.autograd.forward_ad: tensors that carry a tangent.

A level has a number e that is 0, and a dual tensor is x + e * tangent: its value is x, and its derivative by e the tangent. The
derivative of what was computed of it by e is found as `torch.func.jvp` finds it: the gradient of a gradient, which is linear in
the cotangent."""

import collections

import torch
from torch.autograd.grad_mode import forward_mode

_level = None
UnpackedDualTensor = collections.namedtuple("UnpackedDualTensor", ["primal", "tangent"])


class _Dual(torch.autograd.Function):
    _grad_fn = "MakeDualBackward"

    @staticmethod
    def forward(ctx, x, e, tangent):
        ctx.save_for_backward(tangent)
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        (tangent,) = ctx.saved_tensors
        moved = (grad * tangent.conj()).sum()
        moved = moved.real if moved.is_complex() else moved
        return grad, moved.to(torch.float64), grad if ctx.needs_input_grad[2] else None


class _Level:
    def __init__(self):
        self.number = 0
        self.e = torch.zeros((), dtype=torch.float64, requires_grad=True)
        self.was_recording = torch.is_grad_enabled()
        self.mode = forward_mode()


def enter_dual_level():
    global _level
    if _level is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _level = _Level()
    _level.mode.__enter__()
    # Tangents are recorded where gradients are not.
    torch._C._set_grad_enabled(True)
    return 0


def exit_dual_level(*, level=None):
    global _level
    if _level is None or level not in (None, 0):
        raise RuntimeError("Dual level must be a positive number.")
    torch._C._set_grad_enabled(_level.was_recording)
    _level.mode.__exit__(None, None, None)
    _level = None


def make_dual(tensor, tangent, *, level=None):
    if _level is None or level is not None and level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for t, name in ((tensor, "primal"), (tangent, "tangent")):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. "
            f"Tensor is of size {list(tensor.shape)} while the given forward gradient is of size {list(tangent.shape)}."
        )
    return _Dual.apply(tensor, _level.e, tangent.to(tensor.dtype))


def unpack_dual(tensor, *, level=None):
    if _level is None or level is not None and level < 0:
        return UnpackedDualTensor(tensor, None)
    if level is not None and level > 0:
        raise RuntimeError("Invalid level given to _fw_primal")
    e = _level.e
    if not tensor.requires_grad or tensor.is_leaf:
        return UnpackedDualTensor(tensor, None)
    cotangent = torch.zeros_like(tensor).requires_grad_()
    (moved,) = torch.autograd.grad(tensor, e, cotangent, create_graph=True, allow_unused=True)
    if moved is None:
        return UnpackedDualTensor(tensor, None)
    (tangent,) = torch.autograd.grad(moved, cotangent, create_graph=True, allow_unused=True, materialize_grads=True)
    # Whether nothing else than the level's number is at the beginning of the computation.
    if not torch._C._leads_elsewhere([tensor], [e]):
        return UnpackedDualTensor(tensor.detach(), tangent.detach())
    return UnpackedDualTensor(tensor, tangent)


class dual_level:
    """Within it there are dual tensors; at its end their tangents are gone."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, kind, value, traceback):
        exit_dual_level()
