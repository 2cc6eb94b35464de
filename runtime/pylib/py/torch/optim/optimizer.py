"""The base of all optimizers: parameter groups, state, state dicts.

`zero_grad` and every `step` are part of compiled training steps: plain loops over groups and
parameters, one parameter's update after the other, in PyTorch's order of operations.
"""

from collections import OrderedDict, defaultdict
from copy import deepcopy

import torch
from _refused import refused
from torch import Tensor
from torch.utils.hooks import RemovableHandle


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()


class Optimizer:
    # Whether complex parameters are refused.
    _of_real_numbers = False

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._optimizer_step_pre_hooks = OrderedDict()
        self._optimizer_step_post_hooks = OrderedDict()
        self._optimizer_state_dict_pre_hooks = OrderedDict()
        self._optimizer_state_dict_post_hooks = OrderedDict()
        self._optimizer_load_state_dict_pre_hooks = OrderedDict()
        self._optimizer_load_state_dict_post_hooks = OrderedDict()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be "
                "an iterable of Tensors or dicts, but got " + torch.typename(params)
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        param_groups = list(params)
        if len(param_groups) == 0:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(param_groups[0], dict):
            param_groups = [{"params": param_groups}]
        for group in param_groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        if param_group.get("capturable", self.defaults.get("capturable")):
            self.step = self._refuse_capturable
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but "
                "the ordering of tensors in sets will change between runs. Please use a list instead."
            )
        tensors = []
        names = []
        for param in params:
            if isinstance(param, tuple):
                names.append(param[0])
                param = param[1]
            if self._of_real_numbers and isinstance(param, Tensor) and param.is_complex():
                name = type(self).__name__
                raise NotImplementedError(f"{name} of complex parameters is not implemented in janus-jit yet")
            tensors.append(param)
        param_group["params"] = tensors
        if len(names) != 0:
            if len(names) != len(tensors):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are missing"
                )
            param_group["param_names"] = names
        for param in tensors:
            if not isinstance(param, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, "
                    "but one of the params is " + torch.typename(param)
                )
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, default)
        if param_group.get("differentiable"):
            raise refused(f"torch.optim.{type(self).__name__}", "differentiable")
        if param_group.get("fused") and param_group.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        known = set()
        for group in self.param_groups:
            known.update(group["params"])
        for param in tensors:
            if param in known:
                raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group.keys()):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                elif p.grad is not None:
                    if p.grad.grad_fn is not None:
                        p.grad.detach_()
                    else:
                        p.grad.requires_grad_(False)
                    p.grad.zero_()

    def step(self, closure=None):
        raise NotImplementedError

    # What is captured into a graph of a device; others say so in a step.
    _capturable = "params and state_steps"

    def _refuse_capturable(self, closure=None):
        raise AssertionError(
            f"If capturable=True, {self._capturable} must be on supported devices: "
            "['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']."
        )

    # Hooks replace `step` on the instance, so that an optimizer without hooks pays nothing.

    def _hook_step(self):
        if "step" in self.__dict__:
            return
        plain = self.step

        def step(*args, **kwargs):
            # Hooks see the arguments of the function, the optimizer among them.
            args = (self, *args)
            for hook in list(self._optimizer_step_pre_hooks.values()):
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not isinstance(changed, tuple) or len(changed) != 2:
                        raise RuntimeError(
                            f"{plain} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                        )
                    args, kwargs = changed
            result = plain(*args[1:], **kwargs)
            for hook in list(self._optimizer_step_post_hooks.values()):
                hook(self, args, kwargs)
            return result

        self.step = step

    def register_step_pre_hook(self, hook):
        self._hook_step()
        handle = RemovableHandle(self._optimizer_step_pre_hooks)
        self._optimizer_step_pre_hooks[handle.id] = hook
        return handle

    def register_step_post_hook(self, hook):
        self._hook_step()
        handle = RemovableHandle(self._optimizer_step_post_hooks)
        self._optimizer_step_post_hooks[handle.id] = hook
        return handle

    def _register(self, hooks, hook, prepend):
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return self._register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return self._register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return self._register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return self._register(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def state_dict(self):
        for hook in list(self._optimizer_state_dict_pre_hooks.values()):
            hook(self)
        index_of = {}
        groups = []
        for group in self.param_groups:
            packed = {k: v for k, v in group.items() if k != "params"}
            start = len(index_of)
            for i, p in enumerate(group["params"]):
                index_of[id(p)] = start + i
            packed["params"] = [index_of[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {}
        for key, value in self.state.items():
            state[index_of[id(key)] if isinstance(key, Tensor) else key] = value
        result = {"state": state, "param_groups": groups}
        for hook in list(self._optimizer_state_dict_post_hooks.values()):
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict):
        state_dict = state_dict.copy()
        for hook in list(self._optimizer_load_state_dict_pre_hooks.values()):
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups = self.param_groups
        saved_groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        param_of = {}
        for group, saved in zip(groups, saved_groups):
            if len(group["params"]) != len(saved["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group "
                    "that doesn't match the size of optimizer's group"
                )
            for key, param in zip(saved["params"], group["params"]):
                param_of[key] = param

        def cast(param, value, key):
            if isinstance(value, Tensor):
                if key != "step" and param.is_floating_point():
                    return value.to(dtype=param.dtype)
                return value
            if isinstance(value, dict):
                return {k: cast(param, v, k) for k, v in value.items()}
            if isinstance(value, (list, tuple)):
                return type(value)([cast(param, v, None) for v in value])
            return value

        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in param_of:
                param = param_of[key]
                state[param] = cast(param, value, None)
            else:
                state[key] = value
        for group, saved in zip(groups, saved_groups):
            saved["params"] = group["params"]
            if "param_names" in group and "param_names" not in saved:
                saved["param_names"] = group["param_names"]
        self.state = state
        self.param_groups = saved_groups
        for hook in list(self._optimizer_load_state_dict_post_hooks.values()):
            hook(self)
