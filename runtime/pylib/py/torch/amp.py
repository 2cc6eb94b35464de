"""torch.amp: autocast and GradScaler. For a device that is not there they do nothing, as in PyTorch."""

import functools
import warnings
from enum import Enum

import torch
from torch import _C

_DEVICES = ("cpu", "cuda")
_DTYPES = (torch.bfloat16, torch.float16)


def is_autocast_available(device_type):
    return device_type in _DEVICES


def _device(device_type):
    if not is_autocast_available(device_type):
        raise RuntimeError("unsupported scalarType")
    return device_type


def _is_enabled(device_type="cuda"):
    return _C._is_autocast(_device(device_type))


def _set_enabled(device_type, enabled=None):
    if enabled is None:
        device_type, enabled = "cuda", device_type
    _C._set_autocast(_device(device_type), enabled)


def _get_dtype(device_type):
    return _C._autocast_dtype(_device(device_type))


def _set_dtype(device_type, dtype):
    _C._set_autocast_dtype(_device(device_type), dtype)


# What torch has of them.
_OF_TORCH = {
    "is_autocast_enabled": _is_enabled,
    "set_autocast_enabled": _set_enabled,
    "get_autocast_dtype": _get_dtype,
    "set_autocast_dtype": _set_dtype,
    "is_autocast_cpu_enabled": functools.partial(_is_enabled, "cpu"),
    "set_autocast_cpu_enabled": functools.partial(_set_enabled, "cpu"),
    "get_autocast_cpu_dtype": functools.partial(_get_dtype, "cpu"),
    "set_autocast_cpu_dtype": functools.partial(_set_dtype, "cpu"),
    "get_autocast_gpu_dtype": functools.partial(_get_dtype, "cuda"),
    "set_autocast_gpu_dtype": functools.partial(_set_dtype, "cuda"),
}


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        torch.device(device_type)
        self.device = device_type
        self.fast_dtype = _get_dtype(device_type) if dtype is None else dtype
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = torch.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda" and not torch.cuda.is_available():
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        elif enabled and self.fast_dtype not in _DTYPES:
            name = device_type.upper()
            warnings.warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{name} Autocast only supports dtypes of {', '.join(map(str, _DTYPES))} currently.",
                stacklevel=2,
            )
            enabled = False
        self._enabled = enabled

    def __enter__(self):
        self._before = (
            _is_enabled(self.device), _get_dtype(self.device), torch.is_autocast_cache_enabled(),
        )
        _set_enabled(self.device, self._enabled)
        _set_dtype(self.device, self.fast_dtype)
        torch.set_autocast_cache_enabled(self._cache_enabled)
        torch.autocast_increment_nesting()
        return self

    def __exit__(self, kind, value, traceback):
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        enabled, dtype, cache_enabled = self._before
        _set_enabled(self.device, enabled)
        _set_dtype(self.device, dtype)
        torch.set_autocast_cache_enabled(cache_enabled)
        return False

    def __call__(self, func):
        @functools.wraps(func)
        def decorate_autocast(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return decorate_autocast


def _cast(value, device_type, dtype):
    """What a value holds of floats of the device, doubles excepted, in another dtype."""
    if isinstance(value, torch.Tensor):
        own = value.is_floating_point() and value.device.type == device_type and value.dtype != torch.float64
        return value.to(dtype) if own else value
    if isinstance(value, dict):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, device_type, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args, **kwargs):
        args[0]._dtype = _get_dtype(device_type)
        args[0]._fwd_used_autocast = _is_enabled(device_type)
        if cast_inputs is None or not args[0]._fwd_used_autocast:
            return fwd(*args, **kwargs)
        args[0]._fwd_used_autocast = False
        with autocast(device_type=device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return decorate_fwd


def custom_bwd(bwd=None, *, device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args, **kwargs):
        with autocast(device_type=device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return decorate_bwd


class _Stage(Enum):
    READY = 0
    UNSCALED = 1
    STEPPED = 2


class _OfOptimizer:
    """What is known of an optimizer between two updates."""

    def __init__(self):
        self.stage = _Stage.READY
        self.found_inf = None


class GradScaler:
    def __init__(
        self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True,
    ):
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not torch.cuda.is_available():
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2
            )
            self._enabled = False
        elif enabled and device not in _DEVICES:
            raise NotImplementedError(f"torch.amp.GradScaler on device '{device}' is not implemented in janus-jit yet")
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._scale = init_scale, None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker, self._growth_tracker = 0, None
        self._optimizers = {}

    def _begun(self, name):
        if self._scale is None:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use scaler.scale(loss) "
                "or scaler.scale(outputs) earlier in the iteration."
            )

    def _begin(self):
        if self._scale is None:
            self._scale = torch.full((), self._init_scale, dtype=torch.float32, device=self._device)
            self._growth_tracker = torch.full((), self._init_growth_tracker, dtype=torch.int32, device=self._device)

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        self._begin()
        if isinstance(outputs, torch.Tensor):
            return outputs * self._scale
        if not hasattr(outputs, "__iter__"):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = [self.scale(t) for t in outputs]
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else iter(scaled)

    def _state(self, optimizer):
        return self._optimizers.setdefault(id(optimizer), _OfOptimizer())

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        self._begun("unscale_")
        state = self._state(optimizer)
        if state.stage is _Stage.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state.stage is _Stage.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._scale.double().reciprocal().float()
        found = torch.zeros((), dtype=torch.float32, device=self._device)
        with torch.no_grad():
            for group in optimizer.param_groups:
                for param in group["params"]:
                    if param.grad is None:
                        continue
                    if param.grad.dtype == torch.float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    if not torch.isfinite(param.grad).all():
                        found.fill_(1.0)
                    param.grad.mul_(inverse)
        state.found_inf = found
        state.stage = _Stage.UNSCALED

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._begun("step")
        state = self._state(optimizer)
        if state.stage is _Stage.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state.stage is _Stage.READY:
            self.unscale_(optimizer)
        result = None
        if not state.found_inf.item():
            result = optimizer.step(*args, **kwargs)
        state.stage = _Stage.STEPPED
        return result

    def update(self, new_scale=None):
        if not self._enabled:
            return
        self._begun("update")
        if isinstance(new_scale, float):
            self._scale.fill_(new_scale)
        elif new_scale is not None:
            if new_scale.numel() != 1 or new_scale.requires_grad:
                raise AssertionError(
                    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
                    "requires_grad=False."
                )
            self._scale.copy_(new_scale)
        else:
            found = [state.found_inf for state in self._optimizers.values() if state.found_inf is not None]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(f.item() for f in found))
        self._optimizers = {}

    def _adapt(self, found_inf):
        if found_inf:
            self._scale.mul_(self._backoff_factor)
            self._growth_tracker.fill_(0)
            return
        successful = self._growth_tracker.item() + 1
        if successful != self._growth_interval:
            self._growth_tracker.fill_(successful)
            return
        grown = self._scale * self._growth_factor
        if torch.isfinite(grown):
            self._scale.copy_(grown)
        self._growth_tracker.fill_(0)

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self):
        state = self.__dict__.copy()
        if self._enabled:
            if self._optimizers:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after "
                    "scaler.update()."
                )
            state["_init_scale"], state["_init_growth_tracker"] = self.get_scale(), self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state
