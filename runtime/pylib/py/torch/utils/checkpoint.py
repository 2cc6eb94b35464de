"""torch.utils.checkpoint: values are kept instead of computed twice; the results are the same."""


from _refused import refused


def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False, early_stop=True,
    **kwargs,
):
    if context_fn is not None:
        raise refused("torch.utils.checkpoint.checkpoint", "context_fn")
    kwargs.pop("preserve_rng_state", True)
    if use_reentrant and kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    children = functions if isinstance(functions, (list, tuple)) else functions.children()
    for child in children:
        input = child(input)
    return input
