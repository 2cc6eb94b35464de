"""Values while a function is traced: what is done with one becomes a node."""

import enum
import operator
import sys

import torch
from torch.fx.graph import magic_methods, reflectable_magic_methods
from torch.fx.node import BaseArgumentTypes, Node, map_aggregate

__all__ = ["TracerBase", "GraphAppendingTracer", "TraceError", "Proxy", "Attribute", "ParameterProxy"]


class TraceError(ValueError):
    pass


class TracerBase:
    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = "forward"

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        """A node, its arguments made such as a graph can hold, and the value that stands for it."""
        args = self.create_arg(tuple(args))
        kwargs = self.create_arg(dict(kwargs))
        node = self.create_node(kind, target, args, kwargs, name, type_expr)
        return self.proxy(node) if proxy_factory_fn is None else proxy_factory_fn(node)

    def create_arg(self, a):
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(item) for item in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(item) for item in a]
        if isinstance(a, dict):
            for key in a:
                if isinstance(key, (Node, Proxy)):
                    raise RuntimeError(f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {key}")
            return {key: self.create_arg(item) for key, item in a.items()}
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, range):
            return range(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, (Node, enum.Enum)) or isinstance(a, BaseArgumentTypes) or a is None or a is ...:
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        count = _unpacked(sys._getframe(2))
        if count is not None:
            return iter([obj[i] for i in range(count)])
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs "
            "function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control "
            "flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors"
        )

    def keys(self, obj):
        return Attribute(obj, "keys")()


def _unpacked(frame):
    """How many variables a frame is about to unpack a value into, if it is."""
    import _imp

    return _imp.unpacked_at(frame.f_code, frame.f_lasti)


class GraphAppendingTracer(TracerBase):
    """Nodes go to the end of a graph, or to where it inserts."""

    def __init__(self, graph):
        self.graph = graph
        self.module_stack = {}
        self.node_name_to_scope = {}


class Proxy:
    def __init__(self, node, tracer=None):
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, name):
        return Attribute(self, name)

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self,) + args, kwargs)

    def __iter__(self):
        return self.tracer.iter(self)

    def __abs__(self):
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self):
        return self.tracer.to_bool(self)

    def keys(self):
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError("'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call torch.fx.wrap('len') at module scope")

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args = args or ()
        kwargs = kwargs or {}
        tracers = {}

        def note(a):
            if isinstance(a, Proxy):
                tracers[id(a.tracer)] = a.tracer
            return a

        map_aggregate(args, note)
        map_aggregate(kwargs, note)
        if len(tracers) > 1:
            raise RuntimeError(
                f"Found multiple different tracers {list(tracers.values())} while trying to trace operations {orig_method}"
            )
        (tracer,) = tracers.values()
        if torch.overrides.is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        name = tracer.graph._target_to_str(orig_method.__name__)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


class Attribute(Proxy):
    """An attribute of a value: a node only if it is more than the name of a method that is called."""

    def __init__(self, root, attr):
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root,) + args, kwargs)


class ParameterProxy(Proxy):
    """A parameter, whose shape and kind are told as they are."""

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        self.param = param
        self._name = name

    def __repr__(self):
        return f"ParameterProxy({self._name})"

    @property
    def shape(self):
        return self.param.shape

    def size(self):
        return self.param.size()

    def dim(self):
        return self.param.dim()

    @property
    def ndim(self):
        return self.param.ndim

    def numel(self):
        return self.param.numel()


def _define(name, reflected):
    function = getattr(operator, name)

    def method(*args, **kwargs):
        if reflected:
            args = (args[1], args[0])
        return next(a for a in args if isinstance(a, Proxy)).tracer.create_proxy("call_function", function, args, kwargs)

    method.__name__ = f"__{'r' if reflected else ''}{name.strip('_')}__"
    setattr(Proxy, method.__name__, method)


# Augmented assignments are those of immutable values: `x += 1` is an addition.
for _name in magic_methods:
    if _name != "div":
        _define(_name, False)
for _name in reflectable_magic_methods:
    if _name not in ("div", "getitem"):
        _define(_name, True)
