"""torch.autograd."""

import collections
import warnings

import torch
from torch._C import _backward, _grad
from torch.autograd.function import Function
from torch.autograd.grad_mode import (
    enable_grad, inference_mode, no_grad, set_grad_enabled,
)


class VariableMeta(type):
    """Every tensor counts as a Variable; graphs ask for classes, not for objects."""

    def __instancecheck__(cls, other):
        return isinstance(other, torch.Tensor)

    def __subclasscheck__(cls, other):
        return issubclass(other, torch.Tensor)


class Variable(metaclass=VariableMeta):
    """Tensors and variables have been one thing since PyTorch 0.4: what is made is a tensor."""

    __module__ = "torch.autograd.variable"

    def __new__(cls, data=None, requires_grad=False, volatile=False):
        if volatile:
            warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2)
        if data is None:
            return torch.empty(0, requires_grad=requires_grad)
        return data.detach().requires_grad_(requires_grad)


def backward(
    tensors,
    grad_tensors=None,
    retain_graph=None,
    create_graph=False,
    grad_variables=None,
    inputs=None,
):
    tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
                "Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if grad_tensors is None:
        grad_tensors = [None] * len(tensors)
    elif isinstance(grad_tensors, torch.Tensor):
        grad_tensors = [grad_tensors]
    if retain_graph is None:
        retain_graph = create_graph
    if inputs is not None:
        inputs = [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    if len(tensors) != len(grad_tensors):
        raise RuntimeError(
            f"got {len(tensors)} tensors and {len(grad_tensors)} gradients"
        )
    _backward(tensors, list(grad_tensors), bool(retain_graph), create_graph, inputs)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    outputs = [outputs] if isinstance(outputs, (torch.Tensor, GradientEdge)) else list(outputs)
    inputs = [inputs] if isinstance(inputs, (torch.Tensor, GradientEdge)) else list(inputs)
    if grad_outputs is None:
        grad_outputs = [None] * len(outputs)
    elif isinstance(grad_outputs, torch.Tensor):
        grad_outputs = [grad_outputs]
    if retain_graph is None:
        retain_graph = create_graph
    if allow_unused is None:
        allow_unused = materialize_grads
    if any([not isinstance(x, torch.Tensor) for x in inputs + outputs]):
        inputs, outputs = [[_at_edge(x) for x in part] for part in (inputs, outputs)]
    if is_grads_batched:
        return _grad_of_each(outputs, list(grad_outputs), inputs, retain_graph, create_graph, allow_unused, materialize_grads)
    result = _grad(
        outputs, list(grad_outputs), inputs, bool(retain_graph), create_graph, allow_unused
    )
    if materialize_grads:
        result = tuple(
            [torch.zeros_like(x) if g is None else g for g, x in zip(result, inputs)]
        )
    return result


GradientEdge = collections.namedtuple(
    "GradientEdge", ["node", "output_nr", "ownership_token"], defaults=[None], module="torch.autograd.graph"
)


def _at_edge(x):
    if isinstance(x, GradientEdge):
        return torch._C._tensor_at(x.node, x.output_nr)
    if isinstance(x, torch.Tensor):
        return x
    raise TypeError(f"expected Tensor or GradientEdge, but got {type(x).__name__}")


def _grad_of_each(outputs, grads, inputs, retain_graph, create_graph, allow_unused, materialize_grads):
    """As `grad`, of each row of the gradients of the outputs."""
    for output, g in zip(outputs, grads):
        if g is not None and g.shape[1:] != output.shape:
            raise RuntimeError(
                f"If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
                f"The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
                f"mismatch was detected: grad_output[{outputs.index(output)}] has a shape of {g.shape} and "
                f"output[{outputs.index(output)}] has a shape of {output.shape}. If you only want some tensors in "
                f"`grad_output` to be considered batched, consider using vmap."
            )
    count = [len(g) for g in grads if g is not None][0]
    rows = []
    for i in range(count):
        keep = bool(retain_graph) or i + 1 < count
        row = [None if g is None else g[i] for g in grads]
        found = _grad(outputs, row, inputs, keep, create_graph, allow_unused)
        if materialize_grads:
            found = [torch.zeros_like(x) if g is None else g for g, x in zip(found, inputs)]
        rows.append(found)
    return tuple([None if column[0] is None else torch.stack(column) for column in zip(*rows)])


class set_detect_anomaly:
    """Whether a backward pass raises where an operation gives NaN; errors name the operation in any case."""

    def __init__(self, mode, check_nan=True):
        self.prev = torch._C._set_anomaly_mode(bool(mode and check_nan))

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        torch._C._set_anomaly_mode(self.prev)


class detect_anomaly:
    def __init__(self, check_nan=True):
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self):
        self.prev = torch._C._set_anomaly_mode(bool(self.check_nan))

    def __exit__(self, kind, value, traceback):
        torch._C._set_anomaly_mode(self.prev)


def __getattr__(name):
    if name == "_is_checkpoint_valid":
        return torch._C._is_checkpoint_valid
    if name in ("forward_ad", "functional", "graph", "profiler"):
        return torch._C._import_module("torch.autograd." + name)
    if name in ("gradcheck", "gradgradcheck"):
        module = torch._C._import_module("torch.autograd.gradcheck")
        # The function has the name of its module, and stands in its place.
        globals().update(gradcheck=module.gradcheck, gradgradcheck=module.gradgradcheck)
        return globals()[name]
    return torch._C._missing_name("torch.autograd", name)
