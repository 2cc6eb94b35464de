"""torch.utils.checkpoint: what a function computes is computed again in the backward pass instead of kept."""

import contextlib
import uuid
import warnings
import weakref
from collections import defaultdict

import torch
from _refused import refused
from torch import _C
from torch.autograd.graph import saved_tensors_hooks

_early_stop = None
_debug = None


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def _autocast_settings():
    return {
        "enabled": torch.is_autocast_enabled("cpu"),
        "dtype": torch.get_autocast_dtype("cpu"),
        "cache_enabled": torch.is_autocast_cache_enabled(),
    }


@contextlib.contextmanager
def _as_in_forward(state, autocast):
    """Random numbers and autocast as they were when the function ran first; those of now go on behind it."""
    now = torch.get_rng_state() if state is not None else None
    if state is not None:
        torch.set_rng_state(state)
    try:
        with torch.amp.autocast("cpu", **autocast):
            yield
    finally:
        if now is not None:
            torch.set_rng_state(now)


def detach_variable(inputs):
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    return tuple(
        [x.detach().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x for x in inputs]
    )


def check_backward_validity(inputs):
    if not any([x.requires_grad for x in inputs if isinstance(x, torch.Tensor)]):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.autocast = _autocast_settings()
        ctx.state = torch.get_rng_state() if preserve_rng_state else None
        ctx.others = [None if isinstance(a, torch.Tensor) else a for a in args]
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, torch.Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with torch.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if not _C._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible"
                " with .grad() or passing an `inputs` parameter to .backward()."
                " To resolve this error, you can either set use_reentrant=False,"
                " or call .backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.others)
        for i, tensor in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = tensor
        inputs = detach_variable(tuple(inputs))
        with _as_in_forward(ctx.state, ctx.autocast), torch.enable_grad():
            outputs = ctx.run_function(*inputs)
        if isinstance(outputs, torch.Tensor):
            outputs = (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads) if isinstance(o, torch.Tensor) and o.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *[x.grad if isinstance(x, torch.Tensor) else None for x in inputs])


class CheckpointError(RuntimeError):
    pass


class _Complete(Exception):
    """All that the backward pass asks for was computed again."""


_TIP = (
    "\nTip: To see a more detailed error message, either pass `debug=True` to\n"
    "`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\n"
    "with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\n"
    "enable checkpoint‑debug mode globally.\n"
)


def _described(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_CHECKS = {"default": _described, "none": lambda x: None}


class _Place:
    """Stands for a tensor that is not kept."""

    def __init__(self, index):
        self.index = index


class _Frame:
    """One call of a function: what would have been kept, and by the pass what was computed again."""

    def __init__(self, again, early_stop, describe):
        self.again = again
        self.early_stop = early_stop
        self.describe = describe
        self.places = []
        self.described = []
        self.is_complete = False
        self.ignores_count = False
        self.found = defaultdict(dict)
        self.counts = defaultdict(int)
        self.done = set()

    def pack(self, x):
        place = _Place(len(self.places))
        self.places.append(weakref.ref(place))
        self.described.append(self.describe(x))
        return place

    def unpack(self, place):
        number = _C._current_graph_task_id()
        if number == -1:
            number = uuid.uuid4().int
        if number not in self.done:
            self.compute(number)
        found = self.found[number]
        if place.index not in found:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was either "
                "never recomputed, or already unpacked once. If you are calling ctx.saved_tensors in "
                "backward, make sure to do so only once. Otherwise please open an issue with details on your use case."
            )
        return found.pop(place.index)

    def compute(self, number):
        try:
            with saved_tensors_hooks(lambda x: self.take(number, x), lambda x: x), torch.enable_grad():
                self.again()
        except _Complete:
            pass
        self.done.add(number)
        self.compare(number)

    def take(self, number, x):
        index = self.counts[number]
        self.counts[number] += 1
        if index >= len(self.places):
            if not self.is_complete:
                # A backward pass within the function.
                self.ignores_count = True
                return x
            raise CheckpointError(
                "torch.utils.checkpoint: trying to save more tensors during "
                f"recomputation than during the original forward pass.\n{_TIP}"
            )
        if self.places[index]() is not None:
            self.found[number][index] = x
        if self.early_stop and self.counts[number] == len(self.places):
            raise _Complete
        return x

    def compare(self, number):
        if self.ignores_count:
            return
        if len(self.places) != self.counts[number]:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved "
                "during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.places)}\n"
                f"Number of tensors saved during recomputation: {self.counts[number]}.\n{_TIP}"
            )
        others = ""
        for index, place in enumerate(self.places):
            if place() is None:
                continue
            before, now = self.described[index], self.describe(self.found[number][index])
            if before != now:
                others += (
                    f"tensor at position {index}:\nsaved metadata: {before}\nrecomputed metadata: {now}\n"
                )
        if others:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors "
                f"have different metadata than during the forward pass.\n{others}.\n{_TIP}"
            )


class set_checkpoint_early_stop:
    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        global _early_stop
        self.before, _early_stop = _early_stop, self.enable

    def __exit__(self, *args):
        global _early_stop
        _early_stop = self.before


class set_checkpoint_debug_enabled:
    def __init__(self, enabled):
        if enabled:
            raise refused("torch.utils.checkpoint.set_checkpoint_debug_enabled", "enabled")
        self.enabled = enabled

    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    early_stop=True,
    **kwargs,
):
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be "
            "passed explicitly. Starting in PyTorch 2.9, calling checkpoint "
            "without use_reentrant will raise an exception. use_reentrant=False is "
            "recommended, but if you need to preserve the current default "
            "behavior, you can pass use_reentrant=True. Refer to docs for more "
            "details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs and use_reentrant:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant:
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    if debug:
        raise refused("torch.utils.checkpoint.checkpoint", "debug")
    if determinism_check not in _CHECKS:
        raise ValueError(f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}")
    forward_context, recompute_context = context_fn()
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    autocast = _autocast_settings()
    state = torch.get_rng_state() if preserve else None

    def again():
        with _as_in_forward(state, autocast), recompute_context:
            function(*args, **kwargs)

    frame = _Frame(again, early_stop if _early_stop is None else _early_stop, _CHECKS[determinism_check])
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
    frame.is_complete = True
    return result


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
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant "
            "parameter should be passed explicitly. "
            "In version 2.9 we will raise an exception if use_reentrant "
            "is not passed. use_reentrant=False is "
            "recommended, but if you need to preserve the current default "
            "behavior, you can pass use_reentrant=True. Refer to docs for more "
            "details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, torch.nn.Sequential):
        functions = list(functions.children())

    def part(start, end):
        def forward(input):
            for j in range(start, end + 1):
                input = functions[j](input)
            return input

        return forward

    size = len(functions) // segments
    # The last segment keeps what it computes.
    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(part(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return part(end + 1, len(functions) - 1)(input)


def __getattr__(name):
    return _C._missing_name("torch.utils.checkpoint", name)
