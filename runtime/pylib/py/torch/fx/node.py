"""A node of a graph: what is called with what."""

import builtins
import operator
import types

import torch
from torch.fx.immutable_collections import immutable_dict, immutable_list

__all__ = ["Node", "map_arg", "map_aggregate", "has_side_effect"]

# What the names of types stand for in scripts' annotations.
Target = object
Argument = object
BaseArgumentTypes = (
    str, int, float, bool, complex, torch.dtype, torch.Tensor, torch.device, torch.memory_format, torch.layout,
)
_OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")
_side_effects = {torch._assert}


def has_side_effect(fn):
    """A decorator: calls of the function are kept though nothing uses them."""
    _side_effects.add(fn)
    return fn


def map_aggregate(a, fn):
    """`fn` of every leaf of nested tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        items = [map_aggregate(item, fn) for item in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return immutable_list([map_aggregate(item, fn) for item in a])
    if isinstance(a, dict):
        return immutable_dict([(key, map_aggregate(item, fn)) for key, item in a.items()])
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


def map_arg(a, fn):
    """`fn` of every node among the arguments."""
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def _module_of(function):
    """The module that a function of torch is found in."""
    name = function.__name__
    module = getattr(function, "__module__", None)
    for guess in (torch, torch.nn.functional):
        if getattr(guess, name, None) is function and (module is None or module.startswith("torch._C") and guess is torch):
            return guess.__name__
    if module is None:
        raise RuntimeError(f"cannot find module for {function}")
    return module


def _get_qualified_name(func):
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    if getattr(torch.Tensor, name, None) is func:
        return f"torch.Tensor.{name}"
    module = _module_of(func)
    return f"{module}.{name}"


def _type_repr(obj):
    if isinstance(obj, type) and not isinstance(obj, types.GenericAlias):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{obj.__module__}.{obj.__qualname__}"
    if obj is ...:
        return "..."
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    return repr(obj)


def _format_arg(arg):
    if isinstance(arg, (list, tuple)):
        items = ", ".join([_format_arg(item) for item in arg])
        if isinstance(arg, list):
            return f"[{items}]"
        return f"({items},)" if len(arg) == 1 else f"({items})"
    if isinstance(arg, dict):
        items = ", ".join([f"{key}: {_format_arg(item)}" for key, item in arg.items()])
        return "{" + items + "}"
    return "%" + str(arg) if isinstance(arg, Node) else str(arg)


class Node:
    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        if op not in _OPS:
            raise AssertionError(f"op {op} not in legal ops")
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type {torch.typename(target)} but a Callable "
                    "is expected"
                )
        elif not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {torch.typename(target)} but a str is expected"
            )
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.type = return_type
        self.meta = {}
        # The nodes that use it, as the keys of a dict, in the order of their first use.
        self.users = {}
        self._input_nodes = {}
        self._prev = self._next = self
        self._erased = False
        self._args = self._kwargs = ()
        self._set(args, kwargs)

    def _set(self, args, kwargs):
        for old in self._input_nodes:
            old.users.pop(self, None)
        self._input_nodes = {}

        def note(node):
            self._input_nodes.setdefault(node)
            node.users.setdefault(self)
            return node

        self._args = map_arg(tuple(args), note)
        self._kwargs = map_arg(dict(kwargs), note)

    @property
    def next(self):
        return self._next

    @property
    def prev(self):
        return self._prev

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, args):
        self._set(args, self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs):
        self._set(self._args, kwargs)

    @property
    def all_input_nodes(self):
        return list(self._input_nodes)

    @property
    def stack_trace(self):
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    def update_arg(self, idx, arg):
        args = list(self._args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        if not 0 <= idx <= len(self._args):
            raise AssertionError("insert_args index must be between 0 and len(self.args)")
        self.args = self._args[:idx] + (arg,) + self._args[idx:]

    def update_kwarg(self, key, arg):
        self.kwargs = {**self._kwargs, key: arg}

    # Places

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x):
        """Puts a node in front of this one."""
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if self is x:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev = x, before
        x._next, self._prev = self, x

    def append(self, x):
        self._next.prepend(x)

    # Uses

    def replace_all_uses_with(self, replace_with, delete_user_cb=None, *, propagate_meta=False):
        if propagate_meta:
            for key, value in self.meta.items():
                replace_with.meta[key] = value
        changed = []
        for user in list(self.users):
            if delete_user_cb is not None and not delete_user_cb(user):
                continue
            changed.append(user)
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input, new_input):
        def swapped(node):
            return new_input if node is old_input else node

        self._set(map_arg(self._args, swapped), map_arg(self._kwargs, swapped))

    def is_impure(self, impure_random=True):
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            return self.target in _side_effects
        if self.op == "call_method":
            # Methods that end like this write into their object.
            return self.target.endswith("_") and not self.target.endswith("__")
        if self.op == "call_module":
            module = self.graph.owning_module and self.graph.owning_module.get_submodule(self.target)
            return getattr(module, "_is_impure", False)
        return False

    def _rename(self, candidate):
        if candidate != self.name:
            self.name = self.graph._namespace.create_name(candidate, None)

    # Text

    def __repr__(self):
        return self.name

    def _pretty_print_target(self, target):
        if isinstance(target, str):
            return target
        name = getattr(target, "__name__", None)
        if name is not None:
            if target.__module__ == "builtins":
                return f"builtins.{name}"
            if getattr(operator, name, None) is target:
                return f"operator.{name}"
        return _get_qualified_name(target)

    def format_node(self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False):
        if include_tensor_metadata:
            raise NotImplementedError("format_node: include_tensor_metadata is not implemented in janus-jit yet")
        kind = f"{_type_repr(self.type)} " if self.type else ""
        head = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}"
        if self.op == "placeholder":
            if placeholder_names:
                # As PyTorch: names are gathered where some are there.
                placeholder_names.append(self.target + (f": {_type_repr(self.type)}" if self.type else ""))
                return None
            default = f"(default={self.args[0]})" if self.args else ""
            return f"{head}[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"{head}[target={self._pretty_print_target(self.target)}]"
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = f" -> {_type_repr(self.type)}"
            return f"return {self.args[0]}"
        target = self._pretty_print_target(self.target)
        return f"{head}[target={target}](args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"
