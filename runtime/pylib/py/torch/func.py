"""torch.func: gradients of functions, and modules as functions of their parameters."""

import torch

__all__ = ["functional_call", "grad", "grad_and_value"]


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
            result = func(*args, **kwargs)
            value, aux = result if has_aux else (result, None)
            if not isinstance(value, torch.Tensor) or value.dim() != 0:
                raise RuntimeError("Expected f(*args) to return a scalar tensor")
            nested = outer and any([x.requires_grad and not x.is_leaf for x in inputs])
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


def __getattr__(name):
    return torch._C._missing_name("torch.func", name)
