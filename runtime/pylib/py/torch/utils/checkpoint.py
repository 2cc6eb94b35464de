"""torch.utils.checkpoint: values are kept instead of computed twice; the results are the same."""

import torch
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


def get_device_states(*args):
    """The states of the random numbers of the devices that tensors lie on: there are none besides the CPU's."""
    for arg in args:
        if isinstance(arg, torch.Tensor) and arg.is_cuda:
            raise refused("torch.utils.checkpoint.get_device_states", "args")
    return [], []


def set_device_states(devices, states, *, device_type=None):
    if device_type is not None:
        torch.device(device_type)
    if devices or states:
        raise RuntimeError("there are no random numbers of a device to restore")


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    children = functions if isinstance(functions, (list, tuple)) else functions.children()
    for child in children:
        input = child(input)
    return input
