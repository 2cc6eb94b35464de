"""nn.Module: the tree of parameters, buffers and submodules.

`__call__`, `__getattr__` and `__setattr__` run in every training step and are inlined into graphs:
they stay plain straight code. The walks over the tree build lists instead of being generators for
the same reason.
"""

import functools
import warnings
from collections import OrderedDict, namedtuple

import torch
from torch import Tensor
from torch._utils import _moved, _parse_to
from torch.nn.parameter import Buffer, Parameter
from torch.utils.hooks import RemovableHandle

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"


# Hooks of all modules, which go before those of a module itself.
_global_forward_pre_hooks = OrderedDict()
_global_forward_hooks = OrderedDict()
_global_forward_hooks_with_kwargs = OrderedDict()
_global_forward_hooks_always_called = OrderedDict()
_global_backward_pre_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
# What a call looks at: the number of each of these hooks.
_global_hooks = OrderedDict()


def _register_global(hooks, hook, *extra):
    handle = RemovableHandle(hooks, extra_dict=[_global_hooks, *extra])
    for known in (hooks, _global_hooks, *extra):
        known[handle.id] = True
    hooks[handle.id] = hook
    return handle


def register_module_forward_pre_hook(hook):
    return _register_global(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    extra = []
    if with_kwargs:
        extra.append(_global_forward_hooks_with_kwargs)
    if always_call:
        extra.append(_global_forward_hooks_always_called)
    return _register_global(_global_forward_hooks, hook, *extra)


def register_module_full_backward_pre_hook(hook):
    return _register_global(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    return _register_global(_global_backward_hooks, hook)


def _all_hooks(of_all, own):
    return [*of_all.items(), *own.items()]


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _addindent(text, spaces):
    lines = text.split("\n")
    if len(lines) == 1:
        return text
    first = lines.pop(0)
    pad = spaces * " "
    return first + "\n" + "\n".join([pad + line for line in lines])


class _BackwardWatch:
    """Calls a module's backward hooks: the gradients of its outputs first, of its inputs then.

    Identities around the module see the gradients on their way, as PyTorch's BackwardHook does.
    """

    def __init__(self, module):
        self.module = module
        self.grad_outputs = None

    def _identity(self, values, seen):
        from torch.autograd import Function

        class BackwardHookFunction(Function):
            @staticmethod
            def forward(ctx, *tensors):
                return tuple([t.view_as(t) for t in tensors])

            @staticmethod
            def backward(ctx, *grads):
                return seen(grads)

        BackwardHookFunction.__qualname__ = "BackwardHookFunction"
        where = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]
        if not torch.is_grad_enabled() or not any([values[i].requires_grad for i in where]):
            return values, False
        made = BackwardHookFunction.apply(*[values[i] for i in where])
        values = list(values)
        for i, t in zip(where, made):
            values[i] = t
        return tuple(values), True

    def _finish(self, grad_inputs):
        for _, hook in _all_hooks(_global_backward_hooks, self.module._backward_hooks):
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if not self.has_inputs:
                if any([grad is not None for grad in changed]):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None "
                        "or None for all gradients."
                    )
                continue
            if len(changed) != len(grad_inputs):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(changed)}, "
                    f"but expected {len(grad_inputs)}"
                )
            grad_inputs = changed
        self.grad_outputs = None
        return grad_inputs

    def inputs(self, args):
        self.count = len(args)
        places = [i for i, v in enumerate(args) if isinstance(v, torch.Tensor)]

        def seen(grads):
            full = [None] * len(args)
            for i, g in zip(places, grads):
                full[i] = g
            full = self._finish(tuple(full))
            return tuple([full[i] for i in places])

        args, self.has_inputs = self._identity(args, seen)
        return args

    def outputs(self, result):
        single = not isinstance(result, tuple)
        values = (result,) if single else result
        places = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]

        def seen(grads):
            full = [None] * len(values)
            for i, g in zip(places, grads):
                full[i] = g
            full = tuple(full)
            for _, hook in _all_hooks(_global_backward_pre_hooks, self.module._backward_pre_hooks):
                changed = hook(self.module, full)
                if changed is None:
                    continue
                changed = changed if isinstance(changed, tuple) else (changed,)
                if len(changed) != len(full):
                    raise RuntimeError(
                        f"Backward pre hook returned an invalid number of grad_output, got {len(changed)}, "
                        f"but expected {len(full)}"
                    )
                full = changed
            self.grad_outputs = full
            if not self.has_inputs:
                # No gradient goes on: the hooks are told at once.
                self._finish(tuple([None] * self.count))
            return tuple([full[i] for i in places])

        values, _ = self._identity(values, seen)
        return values[0] if single else values


class _Progress:
    """How far a call has come."""

    def __init__(self, args, kwargs):
        self.args = args
        self.kwargs = kwargs
        self.result = None
        self.called = set()


class Module:
    dump_patches = False
    _version = 1
    training: bool
    call_super_init = False

    def __init__(self, *args, **kwargs):
        if kwargs and self.call_super_init is False:
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if args and self.call_super_init is False:
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        fields = self.__dict__
        fields["training"] = True
        fields["_parameters"] = {}
        fields["_buffers"] = {}
        fields["_non_persistent_buffers_set"] = set()
        fields["_backward_pre_hooks"] = OrderedDict()
        fields["_backward_hooks"] = OrderedDict()
        fields["_is_full_backward_hook"] = None
        fields["_forward_hooks"] = OrderedDict()
        fields["_forward_hooks_with_kwargs"] = OrderedDict()
        fields["_forward_hooks_always_called"] = OrderedDict()
        fields["_forward_pre_hooks"] = OrderedDict()
        fields["_forward_pre_hooks_with_kwargs"] = OrderedDict()
        fields["_state_dict_hooks"] = OrderedDict()
        fields["_state_dict_pre_hooks"] = OrderedDict()
        fields["_load_state_dict_pre_hooks"] = OrderedDict()
        fields["_load_state_dict_post_hooks"] = OrderedDict()
        fields["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    # Calls

    def __call__(self, *args, **kwargs):
        if (
            self._forward_pre_hooks
            or self._forward_hooks
            or self._backward_hooks
            or self._backward_pre_hooks
            or _global_hooks
        ):
            if self._forward_hooks_always_called or _global_forward_hooks_always_called:
                return self._call_always(args, kwargs)
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def _call_always(self, args, kwargs):
        """A call after which the hooks that are always called have been called, whatever was raised."""
        progress = _Progress(args, kwargs)
        try:
            return self._call_with_hooks(args, kwargs, progress)
        except Exception:
            for hook_id, hook in _all_hooks(_global_forward_hooks, self._forward_hooks):
                always = hook_id in self._forward_hooks_always_called or hook_id in _global_forward_hooks_always_called
                if not always or hook_id in progress.called:
                    continue
                try:
                    if hook_id in self._forward_hooks_with_kwargs or hook_id in _global_forward_hooks_with_kwargs:
                        changed = hook(self, progress.args, progress.kwargs, progress.result)
                    else:
                        changed = hook(self, progress.args, progress.result)
                    if changed is not None:
                        progress.result = changed
                except Exception as e:
                    warnings.warn(
                        "module forward hook with ``always_call=True`` raised an exception "
                        f"that was silenced as another error was raised in forward: {e}",
                        stacklevel=2,
                    )
            raise

    def _call_with_hooks(self, args, kwargs, progress=None):
        for hook_id, hook in _all_hooks(_global_forward_pre_hooks, self._forward_pre_hooks):
            if hook_id in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not (isinstance(changed, tuple) and len(changed) == 2):
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                            f"but got {changed}."
                        )
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    if not isinstance(changed, tuple):
                        changed = (changed,)
                    args = changed
            if progress is not None:
                progress.args, progress.kwargs = args, kwargs
        watched = bool(
            self._backward_hooks or self._backward_pre_hooks or _global_backward_hooks or _global_backward_pre_hooks
        )
        if watched:
            watch = _BackwardWatch(self)
            args = watch.inputs(args)
        result = self.forward(*args, **kwargs)
        for hook_id, hook in _all_hooks(_global_forward_hooks, self._forward_hooks):
            if progress is not None:
                progress.result = result
                progress.called.add(hook_id)
            if hook_id in self._forward_hooks_with_kwargs or hook_id in _global_forward_hooks_with_kwargs:
                changed = hook(self, args, kwargs, result)
            else:
                changed = hook(self, args, result)
            if changed is not None:
                result = changed
        if progress is not None:
            progress.result = result
        if watched:
            result = watch.outputs(result)
        return result

    # Attributes

    def __getattr__(self, name):
        fields = self.__dict__
        if "_parameters" in fields:
            found = fields["_parameters"]
            if name in found:
                return found[name]
        if "_buffers" in fields:
            found = fields["_buffers"]
            if name in found:
                return found[name]
        if "_modules" in fields:
            found = fields["_modules"]
            if name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        fields = self.__dict__
        params = fields.get("_parameters")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, fields["_parameters"])
            self.register_parameter(name, value)
            return
        if params is not None and name in params:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch.typename(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
            return
        modules = fields.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, modules)
            modules[name] = value
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch.typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            modules[name] = value
            return
        buffers = fields.get("_buffers")
        if isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
            return
        if buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{torch.typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            buffers[name] = value
            return
        object.__setattr__(self, name, value)

    def _forget(self, name, keep):
        """Removes `name` from every place an attribute can be in, except from `keep`."""
        fields = self.__dict__
        if name in fields:
            del fields[name]
        for place in (fields["_parameters"], fields["_buffers"], fields["_modules"]):
            if place is not keep and name in place:
                del place[name]
        fields["_non_persistent_buffers_set"].discard(name)

    def __delattr__(self, name):
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        elif name in self._modules:
            del self._modules[name]
        else:
            object.__delattr__(self, name)

    def __dir__(self):
        keys = (
            dir(type(self))
            + list(self.__dict__.keys())
            + list(self._parameters.keys())
            + list(self._modules.keys())
            + list(self._buffers.keys())
        )
        return sorted([key for key in keys if not key[0].isdigit()])

    def register_buffer(self, name, tensor, persistent=True):
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"buffer name should be a string. Got {torch.typename(name)}")
        if "." in name:
            raise KeyError('buffer name can\'t contain "."')
        if name == "":
            raise KeyError('buffer name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"parameter name should be a string. Got {torch.typename(name)}")
        if "." in name:
            raise KeyError('parameter name can\'t contain "."')
        if name == "":
            raise KeyError('parameter name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{torch.typename(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model "
                    f"parameters must be created explicitly. To express '{name}' "
                    "as a function of another Tensor, compute the value in "
                    "the forward() method."
                )
        self._parameters[name] = param

    def add_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {torch.typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = module

    def register_module(self, name, module):
        self.add_module(name, module)

    def get_submodule(self, target):
        if target == "":
            return self
        module = self
        for item in target.split("."):
            if not hasattr(module, item):
                raise AttributeError(module._get_name() + " has no attribute `" + item + "`")
            module = getattr(module, item)
            if not isinstance(module, Module):
                raise AttributeError("`" + item + "` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if not isinstance(module, Module):
            raise ValueError(f'"module" is not an nn.Module, found {type(module)}')
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(module._get_name() + " has no attribute `" + name + "`")
        param = getattr(module, name)
        if not isinstance(param, Parameter):
            raise AttributeError("`" + name + "` is not an nn.Parameter")
        return param

    def get_buffer(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(module._get_name() + " has no attribute `" + name + "`")
        buffer = getattr(module, name)
        if name not in module._buffers:
            raise AttributeError("`" + name + "` is not a buffer")
        return buffer

    # Walks

    def _list_modules(self, memo, prefix, out, remove_duplicate):
        if self not in memo:
            if remove_duplicate:
                memo.add(self)
            out.append((prefix, self))
            for name, module in self._modules.items():
                if module is not None:
                    module._list_modules(
                        memo, prefix + ("." if prefix else "") + name, out, remove_duplicate
                    )

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        if memo is None:
            memo = set()
        out = []
        self._list_modules(memo, prefix, out, remove_duplicate)
        return iter(out)

    def modules(self):
        return iter([module for _, module in self.named_modules()])

    def _list_members(self, which, prefix, recurse, remove_duplicate):
        modules = []
        if recurse:
            self._list_modules(set(), prefix, modules, remove_duplicate)
        else:
            modules.append((prefix, self))
        memo = set()
        out = []
        for path, module in modules:
            for name, value in getattr(module, which).items():
                if value is None or value in memo:
                    continue
                if remove_duplicate:
                    memo.add(value)
                out.append((path + ("." if path else "") + name, value))
        return out

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._list_members("_parameters", prefix, recurse, remove_duplicate))

    def parameters(self, recurse=True):
        return iter([p for _, p in self._list_members("_parameters", "", recurse, True)])

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        """What a function of a module gives, with names: for modules that list things of their own."""
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in get_members_fn(module):
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield path + ("." if path else "") + name, value

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._list_members("_buffers", prefix, recurse, remove_duplicate))

    def buffers(self, recurse=True):
        return iter([b for _, b in self._list_members("_buffers", "", recurse, True)])

    def named_children(self):
        memo = set()
        out = []
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                out.append((name, module))
        return iter(out)

    def children(self):
        return iter([module for _, module in self.named_children()])

    # Modes

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for p in self.parameters():
            if set_to_none:
                p.grad = None
            elif p.grad is not None:
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                p.grad.zero_()

    # Conversions

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for param in self._parameters.values():
            if param is None:
                continue
            with torch.no_grad():
                param.data = fn(param)
                if param.grad is not None:
                    param.grad.data = fn(param.grad)
        for key, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[key] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        # A copy has ended when the call returns.
        device, dtype, _, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )

        if device is None and dtype is None and memory_format is None:
            return self

        def convert(t):
            if device is not None:
                t = _moved(t, device)
            if dtype is not None and (t.is_floating_point() or t.is_complex()):
                t = t.to(dtype)
            if memory_format is not None and t.dim() in (4, 5):
                t = t.to(memory_format=memory_format)
            return t

        return self._apply(convert)

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def to_empty(self, *, device, recurse=True):
        torch._C._check_device(device)
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse)

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def xpu(self, device=None):
        torch._C._check_device("xpu")

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def share_memory(self):
        return self._apply(lambda t: t.share_memory_())

    def compile(self, *args, **kwargs):
        """Compilation happens by itself here; nothing to ask for."""

    # Hooks

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        handle = RemovableHandle(
            self._forward_pre_hooks, extra_dict=self._forward_pre_hooks_with_kwargs
        )
        self._forward_pre_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        handle = RemovableHandle(
            self._forward_hooks, extra_dict=[self._forward_hooks_with_kwargs, self._forward_hooks_always_called]
        )
        self._forward_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_backward_hook(self, hook):
        """As a full hook: what it is told of the inputs are the gradients of the module's inputs, where PyTorch's has those of
        whatever node of the graph came last."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
            )
        warnings.warn(
            "a hook of register_backward_hook is given the gradients of the module's inputs here, where PyTorch gives it those of the "
            "node that computed the output; register_full_backward_hook is the same in both",
            stacklevel=2,
        )
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        self._is_full_backward_hook = False
        return handle

    def register_full_backward_hook(self, hook, prepend=False):
        if self._is_full_backward_hook is False:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
            )
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        self._is_full_backward_hook = True
        return handle

    def register_full_backward_pre_hook(self, hook, prepend=False):
        handle = RemovableHandle(self._backward_pre_hooks)
        self._backward_pre_hooks[handle.id] = hook
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_state_dict_pre_hook(self, hook):
        handle = RemovableHandle(self._state_dict_pre_hooks)
        self._state_dict_pre_hooks[handle.id] = hook
        return handle

    def _register_state_dict_hook(self, hook):
        """One whose result takes the dict's place."""
        handle = RemovableHandle(self._state_dict_hooks)
        self._state_dict_hooks[handle.id] = hook
        return handle

    def register_state_dict_post_hook(self, hook):
        def checked(*args):
            if hook(*args) is not None:
                raise RuntimeError("state_dict post-hook must return None")

        return self._register_state_dict_hook(checked)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        handle = RemovableHandle(self._load_state_dict_pre_hooks)
        self._load_state_dict_pre_hooks[handle.id] = functools.partial(hook, self) if with_module else hook
        return handle

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, True)

    def register_load_state_dict_post_hook(self, hook):
        handle = RemovableHandle(self._load_state_dict_post_hooks)
        self._load_state_dict_post_hooks[handle.id] = hook
        return handle

    # State dicts

    def get_extra_state(self):
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called."
        )

    def set_extra_state(self, state):
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called."
        )

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, param in self._parameters.items():
            if param is not None:
                destination[prefix + name] = param if keep_vars else param.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if len(args) > 0:
            if destination is None:
                destination = args[0]
            if len(args) > 1 and prefix == "":
                prefix = args[1]
            if len(args) > 2 and keep_vars is False:
                keep_vars = args[2]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, local_metadata)
            if changed is not None:
                destination = changed
        return destination

    def _load_from_state_dict(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        for hook in list(self._load_state_dict_pre_hooks.values()):
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        local_state = {}
        for name, param in self._parameters.items():
            if param is not None:
                local_state[name] = param
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                local_state[name] = buffer
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, param in local_state.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            value = state_dict[key]
            if not isinstance(value, Tensor):
                error_msgs.append(
                    f'While copying the parameter named "{key}", '
                    "expected torch.Tensor or Tensor-like object from checkpoint but "
                    f"received {type(value)}"
                )
                continue
            if len(param.shape) == 0 and len(value.shape) == 1 and value.shape[0] == 1:
                value = value[0]
            if value.shape != param.shape:
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                    f"the shape in current model is {param.shape}."
                )
                continue
            if param.is_meta and not value.is_meta and not assign:
                warnings.warn(
                    f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
                    "which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their "
                    "corresponding key in the module instead of copying them in place?)"
                )
            with torch.no_grad():
                if assign:
                    if isinstance(param, Parameter) and not isinstance(value, Parameter):
                        value = Parameter(value, requires_grad=param.requires_grad)
                    setattr(self, name, value)
                else:
                    param.copy_(value)
        extra_key = prefix + _EXTRA_STATE_KEY_SUFFIX
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra_key in state_dict:
                self.set_extra_state(state_dict[extra_key])
            elif strict:
                missing_keys.append(extra_key)
        elif strict and extra_key in state_dict:
            unexpected_keys.append(extra_key)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra_key:
                    parts = key[len(prefix) :].split(".", 1)
                    if len(parts) > 1:
                        if parts[0] not in self._modules:
                            unexpected_keys.append(key)
                    elif parts[0] not in local_state:
                        unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not hasattr(state_dict, "items") or not hasattr(state_dict, "keys"):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing_keys = []
        unexpected_keys = []
        error_msgs = []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata

        def load(module, local_state_dict, prefix):
            local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                local_metadata["assign_to_params_buffers"] = assign
            module._load_from_state_dict(
                local_state_dict,
                prefix,
                local_metadata,
                True,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
            for name, child in module._modules.items():
                if child is not None:
                    child_prefix = prefix + name + "."
                    child_state_dict = {
                        k: v for k, v in local_state_dict.items() if k.startswith(child_prefix)
                    }
                    load(child, child_state_dict, child_prefix)
            incompatible = _IncompatibleKeys(missing_keys, unexpected_keys)
            for hook in module._load_state_dict_post_hooks.values():
                hook(module, incompatible)

        load(self, state_dict, "")
        if strict:
            if len(unexpected_keys) > 0:
                names = ", ".join([f'"{k}"' for k in unexpected_keys])
                error_msgs.insert(0, f"Unexpected key(s) in state_dict: {names}. ")
            if len(missing_keys) > 0:
                names = ", ".join([f'"{k}"' for k in missing_keys])
                error_msgs.insert(0, f"Missing key(s) in state_dict: {names}. ")
        if len(error_msgs) > 0:
            details = "\n\t".join(error_msgs)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{details}"
            )
        return _IncompatibleKeys(missing_keys, unexpected_keys)

    # Text

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra_lines = []
        extra = self.extra_repr()
        if extra:
            extra_lines = extra.split("\n")
        child_lines = []
        for key, module in self._modules.items():
            child_lines.append("(" + key + "): " + _addindent(repr(module), 2))
        lines = extra_lines + child_lines
        text = self._get_name() + "("
        if lines:
            if len(extra_lines) == 1 and not child_lines:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(lines) + "\n"
        return text + ")"
