"""torch.nn.utils.parametrize: tensors of modules that are functions of other tensors."""

import collections
import copy
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn import Module, ModuleDict, ModuleList, Parameter

__all__ = [
    "cached", "ParametrizationList", "register_parametrization", "is_parametrized", "remove_parametrizations",
    "type_before_parametrizations", "transfer_parametrizations_and_params",
]

_cache_enabled = 0
_cache = {}


@contextmanager
def cached():
    """Within, a parametrized tensor is computed once."""
    global _cache, _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache = {}


def _register_parameter_or_buffer(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


class ParametrizationList(ModuleList):
    """The functions whose composition makes a tensor, and the tensors that it is made of."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with torch.no_grad():
            new = original
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
                # Where there is none, it is the identity.
        if not isinstance(new, Tensor) and not isinstance(new, collections.abc.Sequence):
            raise ValueError(
                f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if original.dtype != new.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            with torch.no_grad():
                if isinstance(original, Parameter):
                    # The parameter stays the object that it is: optimizers know it.
                    original.data = new.detach()
                    new = original
            _register_parameter_or_buffer(self, "original", new)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                        f"{i} of the sequence with type {type(part).__name__}."
                    )
                if isinstance(original, Parameter):
                    part = Parameter(part, original.requires_grad)
                _register_parameter_or_buffer(self, f"original{i}", part)
        if not self.unsafe:
            made = self()
            if not isinstance(made, Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
            if made.dtype != dtype:
                raise ValueError(
                    "Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag is enabled.\n"
                    f"unparametrized dtype: {dtype}\nparametrized dtype: {made.dtype}"
                )
            if made.shape != shape:
                raise ValueError(
                    "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is enabled.\n"
                    f"unparametrized shape: {shape}\nparametrized shape: {made.shape}"
                )

    def right_inverse(self, value):
        """What is assigned to the parametrized tensor goes backwards through the functions, into the originals."""
        with torch.no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                if value.dtype != self.original.dtype:
                    raise ValueError(
                        "The tensor returned by `right_inverse` has dtype "
                        f"{value.dtype} while `original` has dtype {self.original.dtype}"
                    )
                self.original.data = value.detach()
                return
            if not isinstance(value, collections.abc.Sequence):
                raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value)}.")
            if len(value) != self.ntensors:
                raise ValueError(
                    f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of length "
                    f"{len(value)}."
                )
            for i, part in enumerate(value):
                getattr(self, f"original{i}").data = part.detach()

    def forward(self):
        if torch.jit.is_scripting():
            raise RuntimeError("Parametrization is not working with scripting.")
        if self.is_tensor:
            value = self[0](self.original)
        else:
            value = self[0](*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for module in list(self)[1:]:
            value = module(value)
        return value


def _inject_new_class(module):
    """The module gets a class of its own, whose properties the parametrized tensors are."""
    cls = module.__class__

    def getstate(self):
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
            "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    def deepcopy(self, memo):
        known = memo.get(id(self))
        if known is not None:
            return known
        replica = self.__new__(self.__class__)
        memo[id(self)] = replica
        replica.__dict__ = copy.deepcopy(self.__dict__, memo)
        return replica

    made = {"__getstate__": getstate}
    if not hasattr(cls, "__deepcopy__"):
        made["__deepcopy__"] = deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), made)


def _inject_property(module, tensor_name):
    def get_cached(self):
        key = (id(self), tensor_name)
        tensor = _cache.get(key)
        if tensor is None:
            tensor = self.parametrizations[tensor_name]()
            _cache[key] = tensor
        return tensor

    def get(self):
        if _cache_enabled:
            return get_cached(self)
        return self.parametrizations[tensor_name]()

    def set_original(self, value):
        self.parametrizations[tensor_name].right_inverse(value)

    setattr(module.__class__, tensor_name, property(get, set_original))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        entries = module.parametrizations[tensor_name]
        if not unsafe:
            value = getattr(module, tensor_name)
            with torch.no_grad():
                made = parametrization(value)
            if not isinstance(made, Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
            if made.dtype != value.dtype:
                raise ValueError(
                    "Registering a parametrization may not change the dtype of the tensor, unless the `unsafe` flag is enabled.\n"
                    f"module.{tensor_name}.dtype: {value.dtype}\nparametrization(module.{tensor_name}).dtype: {made.dtype}"
                )
            if made.shape != value.shape:
                raise ValueError(
                    "Registering a parametrization may not change the shape of the tensor, unless the `unsafe` flag is enabled.\n"
                    f"module.{tensor_name}.shape: {value.shape}\nparametrization(module.{tensor_name}).shape: {made.shape}"
                )
            if hasattr(parametrization, "right_inverse"):
                try:
                    with torch.no_grad():
                        back = parametrization.right_inverse(made)
                    if not isinstance(back, Tensor) or back.shape != value.shape:
                        raise ValueError("right_inverse must give a tensor of the shape of what was parametrized before.")
                except NotImplementedError:
                    pass
        entries.append(parametrization)
        entries.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        entries = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = entries
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, "parametrizations", None)
    if parametrizations is None or not isinstance(parametrizations, ModuleDict):
        return False
    if tensor_name is None:
        return len(parametrizations) > 0
    return tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    entries = module.parametrizations[tensor_name]
    if entries.is_tensor:
        original = entries.original
        if leave_parametrized:
            with torch.no_grad():
                value = getattr(module, tensor_name)
            original.data = value.detach()
    else:
        if not leave_parametrized:
            raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors.")
        with torch.no_grad():
            value = getattr(module, tensor_name)
        original = Parameter(value) if entries.original0.requires_grad else value
    delattr(module.__class__, tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = module.__class__.__bases__[0]
    return module


def type_before_parametrizations(module):
    return module.__class__.__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    if not is_parametrized(from_module):
        return to_module
    names = list(from_module.parametrizations) if tensor_name is None else [tensor_name]
    for name in names:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach().clone()))
        for function in from_module.parametrizations[name]:
            register_parametrization(to_module, name, copy.deepcopy(function))
        mine, theirs = to_module.parametrizations[name], from_module.parametrizations[name]
        for held in ("original",) if theirs.is_tensor else [f"original{i}" for i in range(theirs.ntensors)]:
            setattr(mine, held, getattr(theirs, held))
    return to_module
