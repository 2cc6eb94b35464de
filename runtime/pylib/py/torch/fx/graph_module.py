"""A module whose `forward` is a graph."""

import copy
import itertools
import linecache

import torch
from torch.fx.graph import Graph

__all__ = ["GraphModule", "reduce_graph_module"]

_numbers = itertools.count()


def _exec_with_source(src, globals_):
    """Runs generated text; tracebacks show its lines."""
    name = f"<eval_with_key>.{next(_numbers)}"
    linecache.cache[name] = (len(src), None, src.splitlines(True), name)
    exec(compile(src, name, "exec"), globals_)


def _place(root, path):
    """The module that holds an attribute, made where it is missing, and the attribute's name."""
    *prefix, field = path.split(".")
    for item in prefix:
        inner = getattr(root, item, None)
        if inner is None:
            inner = torch.nn.Module()
            setattr(root, item, inner)
        root = inner
    return root, field


def _copy_attr(source, to, path):
    *prefix, field = path.split(".")
    for item in prefix:
        source = getattr(source, item, None)
        if source is None:
            return
    if not hasattr(source, field):
        return
    _assign_attr(getattr(source, field), to, path)


def _assign_attr(value, to, path):
    module, field = _place(to, path)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        module.register_buffer(field, value)
    else:
        setattr(module, field, value)


def reduce_graph_module(body, import_block):
    """Makes a graph module of its pickle: its text is traced again."""
    forward = {}
    _exec_with_source(import_block, forward)
    root = torch.nn.Module()
    for name, value in body.items():
        if name not in ("_code", "_graph"):
            root.__dict__[name] = value
    kind = type("CodeOnlyModule", (torch.nn.Module,), {"forward": forward["forward"]})
    root.__class__ = kind
    from torch.fx._symbolic_trace import Tracer

    class KeepModules(Tracer):
        # All modules were leaves of the graph.
        def is_leaf_module(self, m, name):
            return True

    return GraphModule(root, KeepModules().trace(root), body.get("_graphmodule_cls_name", "GraphModule"))


class GraphModule(torch.nn.Module):
    def __new__(cls, *args, **kwargs):
        # Each has a class of its own, since `forward` is an attribute of the class.
        for base in cls.__mro__:
            base_name = base.__qualname__.rsplit(".", 1)[-1]
            if base_name != "GraphModuleImpl":
                break

        class GraphModuleImpl(base):
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        self.__class__.__name__ = class_name
        if isinstance(root, torch.nn.Module):
            if hasattr(root, "training"):
                self.training = root.training
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attr(root, self, node.target)
        elif isinstance(root, dict):
            targets = []
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    if node.target not in root:
                        raise RuntimeError(
                            f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                        )
                    targets.append(node.target)
            # What holds others comes before them.
            for target in sorted(targets, key=lambda t: t.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.graph = graph
        self.meta = {}

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def code(self):
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    def recompile(self):
        made = self._graph.python_code(root_module="self")
        self._code = made.src
        globals_ = dict(made.globals)
        _exec_with_source(made.src, globals_)
        type(self).forward = globals_["forward"]
        return made

    def add_submodule(self, target, m):
        *prefix, field = target.split(".")
        module = self
        for item in prefix:
            inner = getattr(module, item, None)
            if inner is None:
                inner = torch.nn.Module()
                setattr(module, item, inner)
            if not isinstance(inner, torch.nn.Module):
                return False
            module = inner
        module.add_module(field, m)
        return True

    def delete_submodule(self, target):
        *prefix, field = target.split(".")
        module = self
        for item in prefix:
            if not hasattr(module, item):
                return False
            module = getattr(module, item)
        if not isinstance(getattr(module, field, None), torch.nn.Module):
            return False
        delattr(module, field)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update([".".join(parts[: i + 1]) for i in range(len(parts))])
                if node.op == "call_module":
                    inner = self.get_submodule(node.target)
                    used.update([f"{node.target}.{name}" for name, _ in inner.named_modules() if name])
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    def print_readable(self, print_output=True, **options):
        if options:
            raise NotImplementedError("options of GraphModule.print_readable are not implemented in janus-jit yet")
        body = "\n".join(["    " + line if line else line for line in self._code.strip("\n").rstrip().split("\n")])
        output = f"class {type(self).__name__}(torch.nn.Module):\n{body}\n"
        if print_output:
            print(output)
        return output

    def __reduce__(self):
        state = self.__dict__.copy()
        state["_graphmodule_cls_name"] = type(self).__name__
        state.pop("_graph", None)
        return reduce_graph_module, (state, "import torch\nfrom math import inf, nan\nNoneType = type(None)\n" + self._code)

    def __deepcopy__(self, memo):
        fake = torch.nn.Module()
        for name, value in self.__dict__.items():
            if name not in ("_graph", "_code"):
                fake.__dict__[name] = copy.deepcopy(value, memo)
        made = GraphModule(fake, copy.deepcopy(self.graph))
        made.meta = dict(self.meta)
        for name, value in self.__dict__.items():
            if name not in made.__dict__ and name in fake.__dict__:
                made.__dict__[name] = fake.__dict__[name]
        return made

    def __copy__(self):
        return GraphModule(self, self.graph)

    def __str__(self):
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__str__(), self._code, hint])
