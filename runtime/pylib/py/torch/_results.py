"""What functions in Python share: where results go (`out=`), and functions of one number with a derivative."""

import torch


def kind(dtype):
    """A dtype's name in messages."""
    return torch.empty(0, dtype=dtype).type().rsplit(".", 1)[1].removesuffix("Tensor")


_C_NAMES = {
    torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16", torch.float32: "float", torch.float64: "double",
    torch.complex64: "c10::complex<float>", torch.complex128: "c10::complex<double>", torch.bool: "bool",
    torch.uint8: "unsigned char", torch.int8: "signed char", torch.int16: "short int", torch.int32: "int",
    torch.int64: "long int",
}


def _in_c(dtype):
    return _C_NAMES.get(dtype, str(dtype))


def flag(function, **given):
    """Refuses what is not a bool, as PyTorch does where it reads arguments."""
    for name, value in given.items():
        if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
            raise TypeError(f"{function}(): argument '{name}' must be bool, not {type(value).__name__}")


def number(function, **given):
    """Refuses what is no number: None, too, which stands for no default."""
    for name, value in given.items():
        if not isinstance(value, (int, float, complex, torch.Tensor)):
            raise TypeError(f"{function}(): argument '{name}' must be Number, not {type(value).__name__}")


def into(name, result, out, *inputs, same=False):
    """The result, written to `out` if there is one; `same`: whether that has to be of the result's dtype."""
    if out is None:
        return result
    if torch.is_grad_enabled() and any([isinstance(t, torch.Tensor) and t.requires_grad for t in (out, *inputs)]):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad."
        )
    if same and result.dtype != out.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {_in_c(result.dtype)}, but got {_in_c(out.dtype)} instead")
    if not torch.can_cast(result.dtype, out.dtype):
        kinds = [kind(t.dtype) for t in (result, out)]
        raise RuntimeError(f"result type {kinds[0]} can't be cast to the desired output type {kinds[1]}")
    if result.dtype == torch.bool:
        return torch.logical_or(result, result, out=out)
    return torch.mul(result, 1, out=out)


def all_into(name, results, outs, *inputs):
    """Several results, written to as many tensors if there are any."""
    if outs is None:
        return results
    return type(results)([into(name, r, o, *inputs) for r, o in zip(results, outs)])


def as_float(t):
    """Ints and bools as the default dtype."""
    return t if t.is_floating_point() else t.to(torch.get_default_dtype())


def in_double(function, *tensors):
    """What a function of float64 gives, in the dtype of the first tensor."""
    dtype = tensors[0].dtype
    return function(*[t.detach().to(torch.float64) for t in tensors]).to(dtype)


class Differentiated(torch.autograd.Function):
    """`value(*tensors)`, whose derivatives are `slopes`: a function of the tensors each, or what PyTorch says or raises
    that has none."""

    @staticmethod
    def forward(ctx, value, slopes, *tensors):
        ctx.slopes = slopes
        ctx.save_for_backward(*tensors)
        return value(*tensors)

    @staticmethod
    def backward(ctx, grad):
        tensors = ctx.saved_tensors
        grads = []
        for slope, t, needed in zip(ctx.slopes, tensors, ctx.needs_input_grad[2:]):
            if not needed:
                grads.append(None)
            elif isinstance(slope, str):
                raise NotImplementedError(slope)
            elif isinstance(slope, Exception):
                raise slope
            else:
                grads.append((grad * slope(*tensors)).sum_to_size(t.shape))
        return (None, None, *grads)


def differentiated(value, slopes, *tensors):
    if torch.is_grad_enabled() and any([t.requires_grad for t in tensors]):
        return Differentiated.apply(value, slopes, *tensors)
    return value(*tensors)
