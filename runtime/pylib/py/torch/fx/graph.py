"""Graphs: nodes in the order in which they run, and the Python text that they are."""

import builtins
import contextlib
import keyword
import math
import operator
import re
import types

import torch
from torch.fx.node import Node, _get_qualified_name, _type_repr, map_arg

__all__ = ["PythonCode", "Graph"]

# How calls of functions of `operator` are written.
reflectable_magic_methods = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "floordiv": "{} // {}",
    "truediv": "{} / {}",
    "div": "{} / {}",
    "mod": "{} % {}",
    "pow": "{} ** {}",
    "lshift": "{} << {}",
    "rshift": "{} >> {}",
    "and_": "{} & {}",
    "or_": "{} | {}",
    "xor": "{} ^ {}",
    "getitem": "{}[{}]",
    "matmul": "{} @ {}",
}
magic_methods = {
    "eq": "{} == {}",
    "ne": "{} != {}",
    "lt": "{} < {}",
    "gt": "{} > {}",
    "le": "{} <= {}",
    "ge": "{} >= {}",
    "pos": "+{}",
    "neg": "-{}",
    "invert": "~{}",
    **reflectable_magic_methods,
}
inplace_methods = {
    "iadd": "{} += {}",
    "iand": "{} &= {}",
    "ifloordiv": "{} //= {}",
    "ilshift": "{} <<= {}",
    "imod": "{} %= {}",
    "imul": "{} *= {}",
    "imatmul": "{} @= {}",
    "ior": "{} |= {}",
    "ipow": "{} **= {}",
    "irshift": "{} >>= {}",
    "isub": "{} -= {}",
    "itruediv": "{} /= {}",
    "ixor": "{} ^= {}",
    "setitem": "{}[{}] = {}",
}
# Names that the text of graphs may use without an import, and what they stand for.
_custom_builtins = {
    "inf": math.inf,
    "nan": math.nan,
    "NoneType": type(None),
    "torch": torch,
    "device": torch.device,
}


class PythonCode:
    """Text, and the names that it uses."""

    def __init__(self, src, globals):
        self.src = src
        self.globals = globals


class _Namespace:
    """Names that are Python's and different from one another."""

    def __init__(self):
        self._obj_to_name = {}
        self._used_names = set()
        self._base_count = {}

    def create_name(self, candidate, obj):
        if obj is not None and id(obj) in self._obj_to_name:
            return self._obj_to_name[id(obj)][0]
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.match(r"(.*)_(\d+)$", candidate)
        if match is None:
            base, num = candidate, None
        else:
            base, num = match.group(1), int(match.group(2))
        num = num if num else self._base_count.get(base, 0)
        while candidate in self._used_names or self._is_illegal_name(candidate, obj):
            num += 1
            candidate = f"{base}_{num}"
        self._used_names.add(candidate)
        self._base_count[base] = num
        if obj is not None:
            # The object is kept, so that its id stays its own.
            self._obj_to_name[id(obj)] = (candidate, obj)
        return candidate

    def _is_illegal_name(self, name, obj):
        if keyword.iskeyword(name):
            return True
        if name in builtins.__dict__:
            return obj is not builtins.__dict__[name]
        if name in _custom_builtins:
            return obj is not _custom_builtins[name]
        return False


def _is_from_torch(obj):
    module = getattr(obj, "__module__", None)
    if module is not None:
        base = module.partition(".")[0]
        return base == "torch" and not module.startswith("torch._dynamo")
    name = getattr(obj, "__name__", None)
    return name is not None and any([getattr(m, name, None) is obj for m in (torch, torch.nn.functional)])


def _operation(function):
    """The name of a function of `operator`, or None."""
    name = getattr(function, "__name__", "")
    return name if getattr(operator, name, None) is function else None


def _snake_case(s):
    """`MaxPool` is `max_pool`."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda m: "_" + m.group(0), s).lower()


def _format_target(base, target):
    """An attribute by its path; parts that are no names go through getattr."""
    result = base
    for part in target.split("."):
        result = f"{result}.{part}" if part.isidentifier() else f'getattr({result}, "{part}")'
    return result


class _node_list:
    def __init__(self, graph, direction="_next"):
        self.graph = graph
        self.direction = direction

    def __len__(self):
        return self.graph._len

    def __iter__(self):
        root = self.graph._root
        at = getattr(root, self.direction)
        while at is not root:
            if not at._erased:
                yield at
            at = getattr(at, self.direction)

    def __reversed__(self):
        return _node_list(self.graph, "_prev" if self.direction == "_next" else "_next")


class _InsertPoint:
    def __init__(self, graph, new_insert):
        self.graph = graph
        self.before = graph._insert
        graph._insert = new_insert

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        self.graph._insert = self.before


class Graph:
    def __init__(self, owning_module=None, tracer_cls=None):
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._len = 0
        self._namespace = _Namespace()
        self._owning_module = owning_module
        self._tracer_cls = tracer_cls

    @property
    def owning_module(self):
        return self._owning_module

    @owning_module.setter
    def owning_module(self, module):
        self._owning_module = module

    @property
    def nodes(self):
        return _node_list(self)

    def find_nodes(self, *, op, target=None, sort=True):
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    def output_node(self):
        return next(n for n in reversed(self.nodes) if n.op == "output")

    # Nodes

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        args = () if args is None else args
        kwargs = {} if kwargs is None else kwargs
        if not isinstance(args, tuple):
            raise AssertionError("args must be a tuple")
        if not isinstance(kwargs, dict):
            raise AssertionError("kwargs must be a dict")
        candidate = name if name is not None else self._target_to_str(target)
        name = self._namespace.create_name(candidate, None)
        node = Node(self, name, op, target, args, kwargs, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def process_inputs(self, *args):
        return args

    def process_outputs(self, out):
        return out

    def erase_node(self, to_erase):
        if len(to_erase.users) > 0:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._set((), {})

    def inserting_before(self, n=None):
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n=None):
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        return _InsertPoint(self, n.append)

    def placeholder(self, name, type_expr=None, default_value=Node):
        # A default may be None: what stands for none is a class that no default is.
        args = () if default_value is Node else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", args=(result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        args = map_arg(node.args, arg_transform)
        kwargs = map_arg(node.kwargs, arg_transform)
        result = self.create_node(node.op, node.target, args, dict(kwargs), node.name, node.type)
        result.meta = dict(node.meta)
        return result

    def graph_copy(self, g, val_map, return_output_node=False):
        """Copies the nodes of another graph; its result, whose node is left out."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        copy = Graph(tracer_cls=self._tracer_cls)
        memo = {} if memo is None else memo
        val_map = {}
        value = copy.graph_copy(self, val_map, return_output_node=True)
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Node) and value[1].op == "output":
            result, old = value
            made = copy.output(result, type_expr=getattr(old, "type", None))
            made.meta = dict(old.meta)
        return copy

    def _target_to_str(self, target):
        op = target if isinstance(target, str) else target.__name__
        if op.startswith("__") and op.endswith("__") and len(op) > 4:
            op = op[2:-2]
        return _snake_case(op)

    # Checks and passes

    def lint(self):
        seen = set()
        names = set()
        for node in self.nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this graph!")
            for used in node._input_nodes:
                if used.graph is not self:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' does not belong to this Graph, but was used as an argument! If "
                        "you are copying nodes from another graph, make sure to use ``arg_transform`` on node_copy() to "
                        f"remap values\n{self}"
                    )
                if used not in seen:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check that Nodes in "
                        f"the graph are topologically ordered\n{self}"
                    )
            seen.add(node)
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            names.add(node.name)
            if node.op in ("call_module", "get_attr") and self.owning_module is not None:
                at = self.owning_module
                for part in node.target.split("."):
                    if not hasattr(at, part):
                        raise RuntimeError(
                            f"Node {node} target {node.target} references nonexistent attribute {part} of {at}"
                        )
                    at = getattr(at, part)

    def eliminate_dead_code(self, is_impure_node=None):
        self.lint()
        changed = False
        for node in reversed(self.nodes):
            impure = node.is_impure() if is_impure_node is None else is_impure_node(node)
            if not impure and len(node.users) == 0:
                self.erase_node(node)
                changed = True
        return changed

    # Text

    def __str__(self):
        returned = [""]
        lines = [node.format_node([], returned) for node in self.nodes]
        return f"graph(){returned[0]}:" + "".join(["\n    " + line for line in lines])

    def print_tabular(self):
        try:
            from tabulate import tabulate
        except ImportError:
            print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on this machine. Run `pip install "
                "tabulate` to install the library."
            )
            raise
        rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def python_code(self, root_module, **options):
        if options:
            raise NotImplementedError("options of Graph.python_code are not implemented in janus-jit yet")
        return _python_code(self, root_module)


def _last_uses(graph):
    """What is used for the last time by each node."""
    last, by_user = set(), {}
    for node in reversed(graph.nodes):
        def note(n, node=node):
            if n not in last:
                last.add(n)
                by_user.setdefault(node, []).append(n)
            return n

        map_arg(node.args, note)
        map_arg(node.kwargs, note)
    return by_user


def _python_code(graph, root_module):
    # Nodes are named in a namespace of the text's own, where names of globals are told apart from them.
    namespace = _Namespace()
    names = {}
    for node in graph.nodes:
        names[node] = namespace.create_name(node.name, node)
    globals_ = {}
    free_vars, body, wrapped = [], [], {}
    returned = [""]

    def add_global(hint, obj):
        if _is_from_torch(obj) and obj != torch.device:
            return _get_qualified_name(obj)
        hint = hint.replace(".", "_")
        name = namespace.create_name(hint, obj)
        if name in globals_ and globals_[name] is not obj:
            raise AssertionError("Name already assigned to different object")
        globals_[name] = obj
        return name

    for name, value in _custom_builtins.items():
        add_custom = namespace.create_name(name, value)
        globals_[add_custom] = value

    def type_text(obj):
        name = _type_repr(obj)
        origin = getattr(obj, "__origin__", None)
        if isinstance(obj, type) or origin is None:
            if obj.__class__ is str:
                return repr(obj)
            return name if name.partition(".")[0] == "torch" or getattr(builtins, name, None) is obj else add_global(name, obj)
        return add_global(name.partition("[")[0], obj)

    def text(arg):
        if isinstance(arg, Node):
            return names[arg]
        if isinstance(arg, tuple):
            if hasattr(arg, "_fields"):
                return f"{add_global(_type_repr(type(arg)), type(arg))}({', '.join([text(a) for a in arg])})"
            return f"({', '.join([text(a) for a in arg])}{',' if len(arg) == 1 else ''})"
        if isinstance(arg, list):
            return f"[{', '.join([text(a) for a in arg])}]"
        if isinstance(arg, dict):
            return "{" + ", ".join([f"{k!r}: {text(v)}" for k, v in arg.items()]) + "}"
        if isinstance(arg, slice):
            return f"slice({text(arg.start)}, {text(arg.stop)}, {text(arg.step)})"
        if isinstance(arg, torch.device):
            return f"{add_global('device', torch.device)}(type={arg.type!r}" + (f", index={arg.index})" if arg.index is not None else ")")
        if isinstance(arg, torch.Tensor) or hasattr(type(arg), "_value_repr_"):
            return add_global("_tensor_constant", arg)
        if isinstance(arg, types.FunctionType) or isinstance(arg, type):
            return add_global(_get_qualified_name(arg), arg)
        return repr(arg)

    def arguments(args, kwargs):
        parts = [text(a) for a in args]
        parts += [f"{k} = {text(v)}" for k, v in kwargs.items()]
        return ", ".join(parts)

    def emit(node):
        kind = "" if node.type is None else f" : {type_text(node.type)}"
        name = names[node]
        if node.op == "placeholder":
            default = f" = {text(node.args[0])}" if node.args else ""
            free_vars.append(f"{node.target}{kind}{default}")
            raw = node.target.replace("*", "")
            if raw != name:
                body.append(f"{name} = {raw}\n")
        elif node.op == "call_method":
            called = _format_target(text(node.args[0]), node.target)
            body.append(f"{name}{kind} = {called}({arguments(node.args[1:], node.kwargs)})")
        elif node.op == "call_function":
            target = node.target
            operation = _operation(target)
            if operation in magic_methods:
                written = magic_methods[operation].format(*[text(a) for a in node.args])
                body.append(f"{name}{kind} = {written}")
                return
            if operation in inplace_methods:
                written = inplace_methods[operation].format(*[text(a) for a in node.args])
                body.append(f"{written};  {name}{kind} = {text(node.args[0])}")
                return
            called = add_global(_get_qualified_name(target), target)
            is_plain = called == "getattr" and len(node.args) == 2 and isinstance(node.args[1], str)
            if is_plain and node.args[1].isidentifier():
                body.append(f"{name}{kind} = {_format_target(text(node.args[0]), node.args[1])}")
                return
            body.append(f"{name}{kind} = {called}({arguments(node.args, node.kwargs)})")
            if node.meta.get("is_wrapped", False):
                wrapped.setdefault(called)
        elif node.op == "call_module":
            called = _format_target(root_module, node.target)
            body.append(f"{name}{kind} = {called}({arguments(node.args, node.kwargs)})")
        elif node.op == "get_attr":
            body.append(f"{name}{kind} = {_format_target(root_module, node.target)}")
        else:
            if node.type is not None:
                returned[0] = f" -> {type_text(node.type)}"
            body.append(f"return {text(node.args[0])}")

    last_uses = _last_uses(graph)
    for node in graph.nodes:
        emit(node)
        if node.op == "placeholder":
            continue
        unused = [] if node.op == "output" else list(last_uses.get(node, []))
        if node.op != "output" and len(node.users) == 0:
            unused.append(node)
        if unused:
            body.append(f";  {' = '.join([names[n] for n in unused] + ['None'])}\n")
        else:
            body.append("\n")
    if not body:
        body.append("pass\n")
    wraps = ""
    if wrapped:
        wrap = add_global("wrap", torch.fx.wrap)
        wraps = "\n".join([f'{wrap}("{name}")' for name in wrapped])
    comma = ", " if free_vars else ""
    head = f"def forward({root_module}{comma}{', '.join(free_vars)}){returned[0]}:"
    lines = "".join(body).lstrip("\n")
    lines = "\n".join(["    " + line for line in lines.split("\n")])
    return PythonCode(f"\n{wraps}\n\n{head}\n{lines}", globals_)
