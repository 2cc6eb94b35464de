"""gradcheck: gradients against differences of the function itself."""

import torch


class GradcheckError(RuntimeError):
    """A gradient is not what differences say."""


def _tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [v for v in value if isinstance(v, torch.Tensor)] if isinstance(value, (tuple, list)) else []


def _floats(value):
    return [t for t in _tensors(value) if t.is_floating_point()]


def _numerical(func, inputs, x, outputs, eps):
    """For each output a row for each element of x: by how much it moves, for a step of that element to both sides."""
    flat = x.detach().reshape(-1)
    rows = [[] for _ in outputs]
    for i in range(flat.numel()):
        ends = []
        for step in (eps, -eps):
            moved = flat.clone()
            moved[i] += step
            with torch.no_grad():
                found = func(*[moved.reshape(x.shape) if v is x else v for v in inputs])
            ends.append([t.detach().clone() for t in _floats(found)])
        for j in range(len(outputs)):
            rows[j].append(((ends[0][j] - ends[1][j]) / (2 * eps)).reshape(-1))
    empty = [x.new_zeros((0, output.numel())) for output in outputs]
    return [torch.stack(r) if r else none for r, none in zip(rows, empty)]


def _gradient(output, x, incoming):
    if not output.requires_grad:
        return torch.zeros_like(x)
    (grad,) = torch.autograd.grad(output, x, incoming, retain_graph=True, allow_unused=True)
    return torch.zeros_like(x) if grad is None else grad


def _analytical(output, x, check_dtypes, k):
    columns = []
    for i in range(output.numel()):
        incoming = torch.zeros(output.numel(), dtype=output.dtype)
        incoming[i] = 1
        grad = _gradient(output, x, incoming.reshape(output.shape))
        if check_dtypes and grad.dtype != x.dtype:
            raise GradcheckError(f"grad has dtype {grad.dtype}, and input {k} {x.dtype}")
        columns.append(grad.reshape(-1))
    return torch.stack(columns, 1) if columns else x.new_zeros((x.numel(), 0))


def gradcheck(
    func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True,
    check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False,
    check_backward_ad=True, fast_mode=False, masked=None,
):
    """Whether gradients of `func` by its inputs are what differences say: each element of each Jacobian, in `fast_mode`, too."""
    for name, value in (
        ("check_batched_grad", check_batched_grad), ("check_batched_forward_grad", check_batched_forward_grad),
        ("check_forward_ad", check_forward_ad), ("masked", masked),
    ):
        if value:
            raise NotImplementedError(f"gradcheck(): argument '{name}' is not implemented in janus-jit yet")
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    wanted = [t for t in _tensors(inputs) if t.requires_grad]
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )
    if any([x.is_complex() for x in wanted]):
        raise NotImplementedError("gradcheck of complex inputs is not implemented in janus-jit yet")
    try:
        if check_backward_ad:
            outputs = _floats(func(*inputs))
            for k, x in enumerate(wanted):
                _check_input(func, inputs, outputs, k, x, eps, atol, rtol, nondet_tol, check_grad_dtypes)
            if check_undefined_grad:
                _check_undefined(func, inputs, wanted)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_input(func, inputs, outputs, k, x, eps, atol, rtol, nondet_tol, check_dtypes):
    for j, numerical in enumerate(_numerical(func, inputs, x, outputs, eps)):
        analytical = _analytical(outputs[j], x, check_dtypes, k)
        again = _analytical(outputs[j], x, check_dtypes, k)
        if not torch.allclose(analytical, again, rtol=0.0, atol=nondet_tol):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
                "different values, although analytical gradient matches numerical gradient."
            )
        numerical = numerical.to(analytical.dtype)
        if not torch.allclose(analytical, numerical, rtol, atol):
            raise GradcheckError(
                f"Jacobian mismatch for output {j} with respect to input {k},\n"
                f"numerical:{numerical}\nanalytical:{analytical}\n"
            )


def _check_undefined(func, inputs, wanted):
    """A backward to which nothing comes gives nothing, or zeros."""
    outputs = [t for t in _floats(func(*inputs)) if t.requires_grad]
    for output in outputs:
        for grad in torch.autograd.grad(output, wanted, torch.zeros_like(output), retain_graph=True, allow_unused=True):
            if grad is not None and not bool((grad == 0).all()):
                raise GradcheckError(
                    "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please "
                    "look at \"Notes about undefined output gradients\" in \"tools/autograd/derivatives.yaml\""
                )


def gradgradcheck(
    func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False,
    raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False,
    check_fwd_over_rev=False, check_rev_over_rev=True, fast_mode=False, masked=False,
):
    """The same of gradients of gradients."""
    for name, value in (
        ("gen_non_contig_grad_outputs", gen_non_contig_grad_outputs), ("check_fwd_over_rev", check_fwd_over_rev),
    ):
        if value:
            raise NotImplementedError(f"gradgradcheck(): argument '{name}' is not implemented in janus-jit yet")
    if not check_rev_over_rev:
        return True
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    if grad_outputs is None:
        outputs = [t for t in _floats(func(*inputs)) if t.requires_grad]
        incoming = [torch.randn_like(t).requires_grad_() for t in outputs]
    else:
        incoming = list(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else [grad_outputs]
    count = len(incoming)

    def slopes(*args):
        given, below = args[: len(args) - count], args[len(args) - count:]
        given = [t.requires_grad_() if isinstance(t, torch.Tensor) and w else t for t, w in zip(given, asked)]
        with torch.enable_grad():
            outputs = [t for t in _floats(func(*given)) if t.requires_grad]
            leaves = [t for t, w in zip(given, asked) if w]
            found = torch.autograd.grad(outputs, leaves, list(below), create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    asked = [isinstance(t, torch.Tensor) and t.requires_grad for t in inputs]
    return gradcheck(
        slopes, inputs + tuple(incoming), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad, fast_mode=fast_mode, masked=masked,
    )
