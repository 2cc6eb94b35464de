"""torch.autograd.functional: derivatives of functions of tensors."""

import torch

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


def _as_tuple(value, name, function):
    """A tensor or a tuple of them as a tuple, and whether it was one."""
    is_tuple = isinstance(value, tuple)
    values = value if is_tuple else (value,)
    for i, v in enumerate(values):
        if isinstance(v, torch.Tensor):
            continue
        if is_tuple:
            raise TypeError(
                f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but the value at index {i} "
                f"has type {type(v)}."
            )
        raise TypeError(
            f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but the given {name} has type "
            f"{type(v)}."
        )
    return values, is_tuple


def _fresh(inputs, create_graph):
    """Inputs that gradients are taken by, hung on the caller's where his graph goes on."""
    if create_graph:
        # Those of the caller that have no gradient get one here, and results a graph in any case.
        return tuple([(x if x.requires_grad else x.detach().requires_grad_()).view_as(x) for x in inputs])
    return tuple([x.detach().requires_grad_() for x in inputs])


def _checked_v(v, others, is_tuple, whose):
    """The vector of a product: as many tensors of the same sizes as it is multiplied with."""
    if v is None:
        if len(others) != 1 or others[0].nelement() != 1:
            what = {
                "input": "The vector v can only be None if the input to the user-provided function is a single Tensor with a "
                "single element.",
                "output": "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element.",
            }
            raise RuntimeError(what[whose])
        return None
    v, _ = _as_tuple(v, "v", whose)
    if len(v) != len(others):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(others)} but got {len(v)}.")
    for i, (a, b) in enumerate(zip(v, others)):
        if a.size() != b.size():
            prefix = f"Entry {i} in " if len(others) > 1 else ""
            raise RuntimeError(f"{prefix}v has invalid size: should be {b.size()} but got {a.size()}.")
    return v


def _grads(outputs, inputs, v, create_graph, strict=False, what="the outputs"):
    pairs = [(y, None if v is None else w) for y, w in zip(outputs, v if v is not None else outputs) if y.requires_grad]
    if not pairs:
        if strict:
            raise RuntimeError(
                "Output 0 of the user-provided function does not require gradients. The outputs must be computed in a "
                "differentiable manner from the input when running in strict mode."
            )
        return tuple([torch.zeros_like(x) for x in inputs])
    found = torch.autograd.grad(
        [y for y, _ in pairs], inputs, None if v is None else [w for _, w in pairs], create_graph=create_graph,
        retain_graph=True, allow_unused=True,
    )
    if strict and any([g is None for g in found]):
        at = [g is None for g in found].index(True)
        raise RuntimeError(f"The output of the user-provided function is independent of input {at}. This is not allowed in strict mode.")
    return tuple([torch.zeros_like(x) if g is None else g for g, x in zip(found, inputs)])


def _given_back(values, is_tuple, create_graph):
    if not create_graph:
        values = tuple([v.detach() for v in values])
    return values if is_tuple else values[0]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    with torch.enable_grad():
        inputs, is_tuple = _as_tuple(inputs, "inputs", "vjp")
        inputs = _fresh(inputs, create_graph)
        outputs, outputs_tuple = _as_tuple(func(*inputs), "outputs of the user-provided function", "vjp")
        v = _checked_v(v, outputs, outputs_tuple, "output")
        found = _grads(outputs, inputs, v, create_graph, strict)
    return _given_back(outputs, outputs_tuple, create_graph), _given_back(found, is_tuple, create_graph)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    with torch.enable_grad():
        inputs, is_tuple = _as_tuple(inputs, "inputs", "jvp")
        inputs = _fresh(inputs, create_graph)
        v = _checked_v(v, inputs, is_tuple, "input")
        outputs, outputs_tuple = _as_tuple(func(*inputs), "outputs of the user-provided function", "jvp")
        # The product with the transposed Jacobian is linear in this: its gradient is the product with the Jacobian.
        cotangents = tuple([torch.zeros_like(y).requires_grad_() for y in outputs])
        products = _grads(outputs, inputs, cotangents, True, strict)
        found = _grads(products, cotangents, v, create_graph)
    return _given_back(outputs, outputs_tuple, create_graph), _given_back(found, outputs_tuple, create_graph)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """Rows are computed one by one by reverse mode, whatever `vectorize` and `strategy` say: the numbers are the same."""
    if strategy not in ("reverse-mode", "forward-mode"):
        raise ValueError('Expected strategy to be either "forward-mode" or "reverse-mode".')
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedError(
            "torch.autograd.functional.jacobian: `create_graph=True` and `strategy=\"forward-mode\"` are not supported "
            "together (yet). Please either set `create_graph=False` or `strategy=\"reverse-mode\"`."
        )
    if strategy == "forward-mode" and not vectorize:
        raise NotImplementedError("Computing Jacobian using forward-AD or forward-over-reverse Hessian is only implemented for `vectorize=True`.")
    if vectorize and strict:
        raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together.")
    with torch.enable_grad():
        inputs, is_tuple = _as_tuple(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph)
        outputs, outputs_tuple = _as_tuple(func(*inputs), "outputs of the user-provided function", "jacobian")
        rows = []
        for y in outputs:
            flat = y.reshape(-1)
            found = [_grads([flat[j]], inputs, None, create_graph, strict) for j in range(flat.numel())]
            rows.append(tuple([
                torch.stack([row[k] for row in found]).reshape(y.size() + x.size())
                if found
                else x.new_zeros(y.size() + x.size())
                for k, x in enumerate(inputs)
            ]))
    rows = [_given_back(row, is_tuple, create_graph) for row in rows]
    return tuple(rows) if outputs_tuple else rows[0]


def _scalar(func, function):
    def checked(*inputs):
        value = func(*inputs)
        if not isinstance(value, torch.Tensor):
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if value.nelement() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
        return value.squeeze()

    return checked


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    inputs, is_tuple = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("reverse-mode", "forward-mode"):
        raise ValueError('Expected strategy to be either "forward-mode" or "reverse-mode".')
    single = _scalar(func, "hessian")

    def gradient(*inputs):
        found = jacobian(single, inputs, create_graph=True, strict=strict)
        return found

    found = jacobian(
        gradient, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize, strategy=outer_jacobian_strategy
    )
    return found if is_tuple else found[0][0]


def _second(function, func, inputs, v, create_graph, strict):
    """The value of a scalar function, and the product of its matrix of second derivatives with a vector."""
    with torch.enable_grad():
        inputs, is_tuple = _as_tuple(inputs, "inputs", function)
        inputs = _fresh(inputs, create_graph)
        v = _checked_v(v, inputs, is_tuple, "input")
        value = _scalar(func, function)(*inputs)
        gradient = _grads((value,), inputs, None, True, strict)
        found = _grads(gradient, inputs, v, create_graph, strict)
    return _given_back((value,), False, create_graph), _given_back(found, is_tuple, create_graph)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    return _second("vhp", func, inputs, v, create_graph, strict)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """As `vhp`: a matrix of second derivatives is symmetric."""
    return _second("hvp", func, inputs, v, create_graph, strict)
