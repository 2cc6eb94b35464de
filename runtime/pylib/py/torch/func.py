"""torch.func: gradients of functions, functions over batches, and modules as functions of their parameters."""

import torch
from torch._C import _leads_elsewhere
from torch._vmap import vmap
from torch.autograd.grad_mode import forward_mode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = [
    "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize",
    "stack_module_state", "vjp",
    "vmap",
]


def _owner(module, name):
    path, _, last = name.rpartition(".")
    return (module.get_submodule(path) if path else module), last


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    given = parameter_and_buffer_dicts
    if isinstance(given, (tuple, list)):
        merged = {}
        for part in given:
            for name, tensor in part.items():
                if name in merged:
                    raise ValueError(f"{[name]} appeared in multiple dictionaries; behavior of functional call is ambiguous")
                merged[name] = tensor
        given = merged
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    known = dict(module.named_parameters(remove_duplicate=False))
    known.update(dict(module.named_buffers(remove_duplicate=False)))
    if strict:
        missing = [name for name in known if name not in given]
        unexpected = [name for name in given if name not in known]
        if missing or unexpected:
            message = f"Error(s) in loading state_dict for {type(module).__name__}:"
            raise RuntimeError(f"{message} missing {missing}, unexpected {unexpected}")
    swapped = dict(given)
    if tie_weights:
        # What is one tensor under several names is replaced under all of them.
        for name, tensor in given.items():
            for other, same in known.items():
                if other not in swapped and name in known and same is known[name]:
                    swapped[other] = tensor
    places = []
    try:
        for name, tensor in swapped.items():
            owner, last = _owner(module, name)
            if last in owner._parameters:
                table = owner._parameters
            elif last in owner._buffers:
                table = owner._buffers
            else:
                continue
            places.append((table, last, table[last]))
            table[last] = tensor
        return module(*args, **({} if kwargs is None else kwargs))
    finally:
        for table, last, old in reversed(places):
            table[last] = old


def grad_and_value(func, argnums=0, has_aux=False):
    def wrapper(*args, **kwargs):
        single = isinstance(argnums, int)
        wanted = [argnums] if single else list(argnums)
        outer = torch.is_grad_enabled()
        with torch.enable_grad():
            args = list(args)
            inputs = []
            for i in wanted:
                made = _fresh(args[i], outer, inputs)
                args[i] = made
            with forward_mode(False):
                result = func(*args, **kwargs)
            value, aux = result if has_aux else (result, None)
            if not isinstance(value, torch.Tensor):
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(value)}"
                )
            if value.dim() != 0:
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {value.dim()} dims. "
                    "Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            nested = outer and _is_nested(inputs, [value])
            if value.requires_grad:
                grads = torch.autograd.grad(
                    value, inputs, create_graph=nested, allow_unused=True, materialize_grads=True
                )
            else:
                grads = [torch.zeros_like(x) for x in inputs]
        grads = list(grads)
        found = tuple([_like(args[i], grads) for i in wanted])
        found = found[0] if single else found
        if not nested:
            value, aux = value.detach(), _detached(aux)
        return (found, (value, aux)) if has_aux else (found, value)

    return wrapper


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapper


def _fresh(value, outer, inputs):
    """Its tensors as inputs of their own, gathered in order."""
    if isinstance(value, torch.Tensor):
        nested = outer and value.requires_grad
        made = value.view_as(value) if nested else value.detach().requires_grad_()
        inputs.append(made)
        return made
    if isinstance(value, dict):
        return type(value)([(k, _fresh(v, outer, inputs)) for k, v in value.items()])
    if isinstance(value, (list, tuple)):
        return type(value)([_fresh(v, outer, inputs) for v in value])
    return value


def _detached(value):
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, dict):
        return type(value)([(k, _detached(v)) for k, v in value.items()])
    if isinstance(value, (list, tuple)):
        return type(value)([_detached(v) for v in value])
    return value


def _like(value, grads):
    """The next gradients in the form of a value."""
    if isinstance(value, torch.Tensor):
        return grads.pop(0)
    if isinstance(value, dict):
        return type(value)([(k, _like(v, grads)) for k, v in value.items()])
    if isinstance(value, (list, tuple)):
        return type(value)([_like(v, grads) for v in value])
    return value


def _is_nested(inputs, outputs):
    """Whether something outside differentiates what is differentiated here: it made the inputs, or the function takes others
    that have gradients."""
    if any([x.requires_grad and not x.is_leaf for x in inputs]):
        return True
    return _leads_elsewhere([y for y in outputs if isinstance(y, torch.Tensor)], inputs)


def _jacobian(name, func, argnums, has_aux, derivatives):
    """A function of the same arguments that gives the Jacobian; `derivatives(y, inputs, nested)` is an output's, by each of
    the inputs."""

    def wrapper(*args, **kwargs):
        single = isinstance(argnums, int)
        wanted = [argnums] if single else list(argnums)
        outer = torch.is_grad_enabled()
        with torch.enable_grad():
            args = list(args)
            inputs = []
            for i in wanted:
                args[i] = _fresh(args[i], outer, inputs)
            with forward_mode(name == "jacfwd"):
                result = func(*args, **kwargs)
            result, aux = result if has_aux else (result, None)
            outputs, spec = tree_flatten(result)
            nested = outer and _is_nested(inputs, outputs)
            by_output = []
            for y in outputs:
                if not isinstance(y, torch.Tensor):
                    raise RuntimeError(
                        f"{name}(f, ...)(*args): Expected f(*args) to return only tensors, got {type(y)}"
                    )
                row = derivatives(y, inputs, nested)
                found = tuple([_like(args[i], row) for i in wanted])
                by_output.append(found[0] if single else found)
        jacobian = tree_unflatten(by_output, spec)
        if not has_aux:
            return jacobian
        return jacobian, (aux if nested else _detached(aux))

    return wrapper


def _rows(y, inputs, nested):
    """An output's derivatives, the gradients of its elements one by one."""
    flat = y.reshape(-1)
    found = []
    for i in range(flat.numel()):
        if flat.requires_grad:
            row = torch.autograd.grad(
                flat[i], inputs, retain_graph=True, create_graph=nested, allow_unused=True, materialize_grads=True
            )
        else:
            row = [torch.zeros_like(x) for x in inputs]
        found.append(row)
    return [
        torch.stack([row[k] for row in found]).reshape(y.shape + x.shape) if found else x.new_zeros(y.shape + x.shape)
        for k, x in enumerate(inputs)
    ]


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
    """The Jacobian: of every tensor of the result by every tensor of the arguments. Rows are computed one by one, so
    `chunk_size`, which bounds how many are computed at a time, is one in effect."""
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian("jacrev", func, argnums, has_aux, _rows)


def jacfwd(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    """The Jacobian, column by column, as `jvp` computes derivatives."""
    if randomness not in ("error", "same", "different"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacfwd: `chunk_size` should be greater than 0.")

    def derivatives(y, inputs, nested):
        along = _along(y, inputs)
        return [_columns(along, y, k, inputs, nested) for k in range(len(inputs))]

    return _jacobian("jacfwd", func, argnums, has_aux, derivatives)


def _along(y, inputs):
    """A cotangent of an output and the inputs' gradients, which are linear in it: their gradients by the cotangent, in a
    direction, are the output's derivative in that direction. None where the output is a constant."""
    if not y.requires_grad:
        return None
    cotangent = torch.zeros_like(y).requires_grad_()
    grads = torch.autograd.grad(y, inputs, cotangent, create_graph=True, allow_unused=True, materialize_grads=True)
    return cotangent, grads


def _derivative(along, y, tangents, nested):
    """The output's derivative in the direction of the inputs' tangents."""
    if along is None:
        return torch.zeros_like(y)
    cotangent, grads = along
    pairs = [(g, t) for g, t in zip(grads, tangents) if g.requires_grad and t is not None]
    if not pairs:
        return torch.zeros_like(y)
    (found,) = torch.autograd.grad(
        [g for g, _ in pairs], [cotangent], [t for _, t in pairs], retain_graph=True, create_graph=nested,
        allow_unused=True, materialize_grads=True,
    )
    return found


def _columns(along, y, k, inputs, nested):
    """The derivatives of an output by each element of an input."""
    x = inputs[k]
    columns = []
    for j in range(x.numel()):
        tangent = torch.zeros_like(x, requires_grad=False).reshape(-1)
        tangent[j] = 1
        tangents = [None] * len(inputs)
        tangents[k] = tangent.reshape(x.shape)
        columns.append(_derivative(along, y, tangents, nested))
    if not columns:
        return y.new_zeros(y.shape + x.shape)
    return torch.stack(columns, -1).reshape(y.shape + x.shape)


def hessian(func, argnums=0):
    return jacfwd(jacrev(func, argnums), argnums)


def vjp(func, *primals, has_aux=False):
    """The function's value, and a function that takes a cotangent to the arguments' ones."""
    outer = torch.is_grad_enabled()
    with torch.enable_grad():
        inputs = []
        args = [_fresh(p, outer, inputs) for p in primals]
        with forward_mode(False):
            result = func(*args)
        result, aux = result if has_aux else (result, None)
        outputs, spec = tree_flatten(result)
        nested = outer and _is_nested(inputs, outputs)

    def apply(cotangents, retain_graph=True, create_graph=None):
        given, given_spec = tree_flatten(cotangents)
        if given_spec != spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                f"cotangents: {given_spec}, primal output: {spec}"
            )
        deeper = nested or torch.is_grad_enabled() and any([c.requires_grad for c in given])
        pairs = [(y, c) for y, c in zip(outputs, given) if y.requires_grad]
        if pairs:
            grads = torch.autograd.grad(
                [y for y, _ in pairs], inputs, [c for _, c in pairs], retain_graph=True, create_graph=deeper,
                allow_unused=True, materialize_grads=True,
            )
        else:
            grads = [torch.zeros_like(x) for x in inputs]
        grads = list(grads)
        return tuple([_like(p, grads) for p in primals])

    value = result if nested else tree_map(_detached, result)
    return (value, apply, aux if nested else _detached(aux)) if has_aux else (value, apply)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The function's value, and its derivative in a direction: the gradient of its gradient, which is linear in the
    cotangent."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    flat_primals, primal_spec = tree_flatten(primals)
    flat_tangents, tangent_spec = tree_flatten(tangents)
    if primal_spec != tangent_spec:
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if "
            f"primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {primal_spec} and "
            f"tangents with structure {tangent_spec}"
        )
    outer = torch.is_grad_enabled()
    with torch.enable_grad():
        inputs = []
        args = [_fresh(p, outer, inputs) for p in primals]
        with forward_mode():
            result = func(*args)
        result, aux = result if has_aux else (result, None)
        outputs, spec = tree_flatten(result)
        nested = outer and (any([t.requires_grad for t in flat_tangents]) or _is_nested(inputs, outputs))
        if strict and any([not y.requires_grad for y in outputs]):
            raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the input.")
        derivatives = [_derivative(_along(y, inputs), y, flat_tangents, nested) for y in outputs]
    derivative = tree_unflatten(derivatives, spec)
    value = result if nested else tree_map(_detached, result)
    return (value, derivative, aux if nested else _detached(aux)) if has_aux else (value, derivative)


def functionalize(func, *, remove="mutations"):
    """What a function writes in place is no matter to the other transforms here, so that it stays as it is."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with "
            "their out-of-place equivalents.\n     remove='mutations_and_views': In addition to the above, all aliasing "
            "operators {view} will be replaced with their non-aliasing counterparts, {view}_copy.\n"
        )
    return func


def linearize(func, *primals):
    """The function's value, and its derivative at that place as a function of the direction."""
    flat_primals, primal_spec = tree_flatten(primals)
    value = tree_map(_detached, func(*primals))

    def along(*tangents):
        flat_tangents, tangent_spec = tree_flatten(tangents)
        if tangent_spec != primal_spec:
            raise RuntimeError(
                "Expected the tangents to have the same structure as the primals. Got tangents with structure "
                f"{tangent_spec} and primals with structure {primal_spec}"
            )
        for p, t in zip(flat_primals, flat_tangents):
            if p.shape != t.shape or p.dtype != t.dtype:
                raise ValueError("Expected tangents to have the shapes and dtypes of the primals")
        return jvp(func, primals, tangents)[1]

    return value, along


def stack_module_state(models):
    """The parameters and the buffers of modules of one kind, stacked by name."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all([m.training for m in models]) or all([not m.training for m in models])):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if not all([type(m) == type(models[0]) for m in models]):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(named, learn):
        tables = [dict(named(m)) for m in models]
        made = {}
        for name in tables[0]:
            parts = [table[name] for table in tables]
            whole = torch.stack([p.detach() for p in parts])
            made[name] = whole.requires_grad_(parts[0].requires_grad) if learn else whole
        return made

    return stacked(lambda m: m.named_parameters(), True), stacked(lambda m: m.named_buffers(), False)


def __getattr__(name):
    return torch._C._missing_name("torch.func", name)
