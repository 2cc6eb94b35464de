"""Context managers that switch the recording of gradients."""

from torch._C import _set_grad_enabled, _set_inference_mode, is_grad_enabled

# `inspect.CO_GENERATOR`
_CO_GENERATOR = 0x20


def _steps(factory, generator):
    """A generator whose body runs in the mode; whoever asks for its items does not."""
    step, argument = generator.send, None
    while True:
        try:
            with factory():
                item = step(argument)
        except StopIteration as end:
            return end.value
        try:
            step, argument = generator.send, (yield item)
        except GeneratorExit:
            with factory():
                generator.close()
            raise
        except BaseException as error:
            step, argument = generator.throw, error


def _wrapped(factory, func):
    if getattr(getattr(func, "__code__", None), "co_flags", 0) & _CO_GENERATOR:

        def wrapper(*args, **kwargs):
            return (yield from _steps(factory, func(*args, **kwargs)))

    else:

        def wrapper(*args, **kwargs):
            with factory():
                return func(*args, **kwargs)

    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(wrapper, name, getattr(func, name, None))
    wrapper.__wrapped__ = func
    return wrapper


# Whether tangents are carried (`forward_ad`, `jvp`, `jacfwd`): they are derivatives of what is recorded, and `no_grad` stops
# gradients only.
_carries_tangents = False


class forward_mode:
    """Within it, tangents are carried, or gradients only again."""

    def __init__(self, on=True):
        self.on = on
        self.prev = False

    def __enter__(self):
        global _carries_tangents
        self.prev = _carries_tangents
        _carries_tangents = self.on

    def __exit__(self, kind, value, traceback):
        global _carries_tangents
        _carries_tangents = self.prev


class unrecorded:
    """Nothing is recorded within it, whatever is carried."""

    def __init__(self):
        self.prev = False

    def __enter__(self):
        self.prev = is_grad_enabled()
        _set_grad_enabled(False)

    def __exit__(self, kind, value, traceback):
        _set_grad_enabled(self.prev)


class no_grad:
    def __new__(cls, orig_func=None):
        # `@torch.no_grad` without parentheses.
        if orig_func is not None:
            return _wrapped(cls, orig_func)
        return object.__new__(cls)

    def __init__(self, orig_func=None):
        self.prev = False

    def __enter__(self):
        self.prev = is_grad_enabled()
        _set_grad_enabled(_carries_tangents)

    def __exit__(self, kind, value, traceback):
        _set_grad_enabled(self.prev)

    def __call__(self, func):
        return _wrapped(type(self), func)


class enable_grad:
    def __new__(cls, orig_func=None):
        if orig_func is not None:
            return _wrapped(cls, orig_func)
        return object.__new__(cls)

    def __init__(self, orig_func=None):
        self.prev = False

    def __enter__(self):
        self.prev = is_grad_enabled()
        _set_grad_enabled(True)

    def __exit__(self, kind, value, traceback):
        _set_grad_enabled(self.prev)

    def __call__(self, func):
        return _wrapped(type(self), func)


class set_grad_enabled:
    """Switches at once; as a context manager it switches back at the end."""

    def __init__(self, mode):
        # Such as NumPy has are bools, too.
        if not isinstance(mode, bool) and type(mode).__name__ not in ("bool", "bool_"):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type(mode).__name__}"
            )
        self.prev = is_grad_enabled()
        self.mode = mode
        _set_grad_enabled(bool(mode) or _carries_tangents)

    def __enter__(self):
        _set_grad_enabled(bool(self.mode) or _carries_tangents)

    def __exit__(self, kind, value, traceback):
        _set_grad_enabled(self.prev)

    def __call__(self, func):
        mode = self.mode
        _set_grad_enabled(self.prev)
        return _wrapped(lambda: set_grad_enabled(mode), func)


class inference_mode:
    def __new__(cls, mode=True):
        if not isinstance(mode, bool):
            return _wrapped(cls, mode)
        return object.__new__(cls)

    def __init__(self, mode=True):
        self.mode = mode
        self.prev = (True, False)

    def __enter__(self):
        self.prev = (is_grad_enabled(), _set_inference_mode(self.mode))
        if self.mode:
            _set_grad_enabled(False)

    def __exit__(self, kind, value, traceback):
        _set_inference_mode(self.prev[1])
        _set_grad_enabled(self.prev[0])

    def __call__(self, func):
        mode = self.mode
        return _wrapped(lambda: inference_mode(mode), func)
