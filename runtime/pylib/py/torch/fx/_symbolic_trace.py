"""Tracing: a function runs once on values that note what is done with them."""

import builtins
import inspect
import math
import sys

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.proxy import ParameterProxy, Proxy, TracerBase
from torch.fx.node import map_aggregate

__all__ = ["ProxyableClassMeta", "PH", "PHBase", "PHWithMeta", "Tracer", "symbolic_trace", "wrap"]

# What `wrap` was told: namespaces and names in them.
_wrapped_fns_to_patch = []


class ProxyableClassMeta(type):
    """A metaclass: an object that is made of traced values is made by the graph."""

    def __call__(cls, *args, **kwargs):
        tracers = []
        map_aggregate((args, kwargs), lambda a: tracers.append(a.tracer) if isinstance(a, Proxy) else None)
        if tracers:
            return tracers[0].create_proxy("call_function", cls, args, kwargs)
        return super().__call__(*args, **kwargs)


class PHBase:
    def __repr__(self):
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        self.ph_key = ph_key


class _Patcher:
    """Attributes that are others until the end of the tracing."""

    def __init__(self):
        self.undo = []

    def attribute(self, owner, name, value):
        had = name in vars(owner)
        self.undo.append((setattr, delattr, owner, name, had, vars(owner).get(name)))
        setattr(owner, name, value)

    def item(self, namespace, name, value):
        had = name in namespace
        self.undo.append((dict.__setitem__, dict.__delitem__, namespace, name, had, namespace.get(name)))
        namespace[name] = value

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        for put, remove, owner, name, had, old in reversed(self.undo):
            if had:
                put(owner, name, old)
            else:
                remove(owner, name)


def _first_proxy(args, kwargs):
    found = []

    def look(a):
        if isinstance(a, Proxy) and not found:
            found.append(a)

    map_aggregate(args, look)
    map_aggregate(kwargs, look)
    return found[0] if found else None


def _recorded(function):
    """A function whose calls with traced values become nodes."""

    def recorded(*args, **kwargs):
        proxy = _first_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    recorded.__name__ = function.__name__
    recorded.__wrapped__ = function
    return recorded


def wrap(fn_or_name):
    """Calls of a function of the calling module are nodes, and not what the function does."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch.append((frame.f_globals, name))
    return fn_or_name


class Tracer(TracerBase):
    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        self._autowrap_modules = list(autowrap_modules)
        self._autowrap_functions = {id(f): f for f in autowrap_functions}
        for module in autowrap_modules:
            for name, value in vars(module).items():
                if not name.startswith("_") and callable(value):
                    self._autowrap_functions[id(value)] = value
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root_module_name = ""
        self.module_stack = {}
        self.node_name_to_scope = {}

    # What scripts override

    def is_leaf_module(self, m, module_qualified_name):
        module = m.__module__
        return (module.startswith("torch.nn") or module.startswith("torch.ao.nn")) and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        if self.submodule_paths:
            path = self.submodule_paths.get(mod)
            if path is None:
                raise NameError("module is not installed as a submodule")
            return path
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        path = self.path_of_module(m)
        if not self.is_leaf_module(m, path):
            return forward(*args, **kwargs)
        return self.create_proxy("call_module", path, args, kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        def of(named, factory=None):
            for name, tensor in named:
                if attr_val is tensor:
                    if name not in parameter_proxy_cache:
                        parameter_proxy_cache[name] = self.create_proxy(
                            "get_attr", name, (), {}, proxy_factory_fn=factory and factory(name)
                        )
                    return parameter_proxy_cache[name]
            return None

        if isinstance(attr_val, torch.nn.Parameter):
            factory = None
            if self.param_shapes_constant:
                factory = lambda name: lambda node: ParameterProxy(self, node, name, attr_val)
            found = of(self.root.named_parameters(), factory)
            if found is not None:
                return found
        elif self.proxy_buffer_attributes and isinstance(attr_val, torch.Tensor):
            found = of(self.root.named_buffers())
            if found is not None:
                return found
        return attr_val

    def create_arg(self, a):
        if isinstance(a, torch.nn.Parameter):
            for name, p in self.root.named_parameters():
                if a is p:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, torch.Tensor):
            for name, b in self.root.named_buffers():
                if a is b:
                    return self.create_node("get_attr", name, (), {})
            name = self.tensor_attrs.get(a)
            if name is None:
                i = 0
                while hasattr(self.root, f"_tensor_constant{i}"):
                    i += 1
                name = f"_tensor_constant{i}"
                self.tensor_attrs[a] = name
                setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        if isinstance(a, torch.nn.Module):
            return self.create_node("get_attr", self.path_of_module(a), (), {})
        if type(a).__class__ is ProxyableClassMeta or isinstance(type(a), ProxyableClassMeta):
            i = 0
            while hasattr(self.root, f"_{type(a).__name__}_constant_{i}"):
                i += 1
            name = f"_{type(a).__name__}_constant_{i}"
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """The traced values that a function is called with."""
        fn = inspect.unwrap(root_fn)
        code = fn.__code__
        total = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames)
        args = []
        skip = 0
        if is_module:
            if total == 0:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            skip = 1
            args.append(self.root)
        signature = inspect.signature(fn)
        annotations = getattr(fn, "__annotations__", {})
        given = concrete_args or {}
        counted = [0]
        flat = isinstance(given, tuple)
        if flat:
            if len(given) != total - skip:
                raise RuntimeError(f"Tracing expected {total - skip} arguments but got {len(given)} concrete arguments")
            given = {name: value for name, value in zip(names[skip:total], given)}

        def placeholder(name):
            kind = annotations.get(name.lstrip("*"))
            default = signature.parameters[name.lstrip("*")].default if not name.startswith("*") else inspect.Parameter.empty
            held = () if default is inspect.Parameter.empty else (default,)
            is_concrete = name in given and not isinstance(given[name], PHBase)
            if is_concrete:
                counted[0] += 1
            target = f"{name}_{counted[0]}" if is_concrete else name
            made = self.create_proxy("placeholder", target, held, {}, type_expr=kind)
            if is_concrete:
                value = given[name]
                if isinstance(value, (bool, int, float, str)) or value is None:
                    # The graph holds for this value alone, and says so.
                    message = f"{name} has been specialized to have value {value} but got another value"
                    if value is None:
                        self.create_proxy("call_function", _assert_is_none, (made, message), {})
                    else:
                        self.create_proxy("call_function", torch._assert, (made == value, message), {})
                    return value
                raise NotImplementedError(
                    f"concrete_args: a {type(value).__name__} is not implemented in janus-jit yet"
                )
            return made

        args += [placeholder(name) for name in names[skip:total]]
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            at = total
            if code.co_flags & inspect.CO_VARARGS:
                args.append(placeholder("*" + names[at]))
                at += 1
            if code.co_flags & inspect.CO_VARKEYWORDS:
                args.append(placeholder("**" + names[at]))
            # The values themselves are what the function gets under these names.
            fn = _with_all_positional(fn, total)
        elif code.co_kwonlyargcount:
            fn = _with_all_positional(fn, total)
        return fn, args

    def trace(self, root, concrete_args=None):
        for name in ("record_stack_traces", "check_mutable_operations", "trace_asserts"):
            if getattr(self, name):
                raise NotImplementedError(f"Tracer.{name} is not implemented in janus-jit yet")
        if isinstance(root, torch.nn.Module):
            self.root = root
            fn = getattr(type(root), self.traced_func_name)
            self.root_module_name = root._get_name()
            self.submodule_paths = {mod: name for name, mod in root.named_modules()}
            is_module = True
        else:
            self.root = torch.nn.Module()
            fn = root
            is_module = False
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {}
        for prefix, module in self.root.named_modules():
            for name, value in vars(module).items():
                if isinstance(value, torch.Tensor):
                    self.tensor_attrs[value] = f"{prefix}.{name}" if prefix else name
        fn, args = self.create_args_for_root(fn, is_module, concrete_args)
        parameters = {}
        of_module, called = torch.nn.Module.__getattr__, torch.nn.Module.__call__

        def module_getattr(mod, attr):
            return self.getattr(attr, of_module(mod, attr), parameters)

        def module_call(mod, *args, **kwargs):
            return self.call_module(mod, lambda *a, **k: called(mod, *a, **k), args, kwargs)

        with _Patcher() as patcher:
            patcher.attribute(torch.nn.Module, "__getattr__", module_getattr)
            patcher.attribute(torch.nn.Module, "__call__", module_call)
            for namespace, name in _wrapped_fns_to_patch:
                function = namespace.get(name, getattr(builtins, name, None))
                if function is not None and not hasattr(function, "__wrapped__"):
                    patcher.item(namespace, name, _recorded(function))
            self._autowrap(patcher, fn.__globals__)
            for module in self._autowrap_modules:
                self._autowrap(patcher, vars(module))
            result = fn(*args)
            output = self.create_arg(result)
        self.create_node(
            "output", "output", (output,), {}, type_expr=getattr(fn, "__annotations__", {}).get("return")
        )
        self.submodule_paths = None
        return self.graph

    def _autowrap(self, patcher, namespace):
        for name, value in list(namespace.items()):
            if not name.startswith("_") and callable(value) and id(value) in self._autowrap_functions:
                patcher.item(namespace, name, _recorded(value))


def _assert_is_none(value, message):
    assert value is None, message


def _with_all_positional(fn, total):
    """The function with its starred parameters as what they hold."""
    code = fn.__code__
    extra = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    flags = code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    code = code.replace(co_argcount=total + extra, co_kwonlyargcount=0, co_flags=flags)
    return type(fn)(code, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)


def symbolic_trace(root, concrete_args=None):
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
