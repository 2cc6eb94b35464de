"""A model as a graph of TensorFlow's format: its modules and functions, as `torch.fx` finds them, with the shapes of their results."""

import torch
from torch.utils.tensorboard._records import text, varint


def _shape(size):
    return b"".join([text(2, varint(1, n)) for n in size])


def _attribute(key, value):
    return text(5, text(1, key) + text(2, value))


def _node(name, op, inputs, told, shape):
    found = text(1, name) + text(2, op) + b"".join([text(3, i) for i in inputs])
    if told:
        found += _attribute("attr", text(2, told))
    if shape is not None:
        found += _attribute("_output_shapes", text(1, text(7, _shape(shape))))
    return text(1, found)


def _name(node, model, modules):
    """Where it stands: a module below those that contain it, what it does by itself below the model."""
    if node.op != "call_module":
        return f"{type(model).__name__}/{node.name}"
    path = [type(model).__name__]
    parts = node.target.split(".")
    for i, part in enumerate(parts):
        path.append(f"{type(modules['.'.join(parts[: i + 1])]).__name__}[{part}]")
    return "/".join(path)


def _op(node, modules):
    if node.op == "placeholder":
        return "IO Node"
    if node.op == "call_module":
        return type(modules[node.target]).__name__
    return getattr(node.target, "__name__", str(node.target))


def of_model(model, inputs):
    """The message of the graph. The model is run once, as in evaluation."""
    from torch.fx import symbolic_trace
    from torch.fx.passes.shape_prop import ShapeProp

    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    training = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        traced = symbolic_trace(model)
        with torch.no_grad():
            ShapeProp(traced).propagate(*inputs)
    finally:
        for module, was in training:
            module.training = was
    modules = dict(model.named_modules())
    names, found = {}, b""
    for node in traced.graph.nodes:
        name = _name(node, model, modules)
        if node.op == "placeholder":
            name = f"input/{node.name}"
        elif node.op == "output":
            name = f"output/{node.name}"
        # A module that is called again is a node of its own.
        taken = set(names.values())
        names[node] = name if name not in taken else f"{name}_{node.name}"
        told = "" if node.op != "call_module" else modules[node.target].extra_repr()
        given = node.meta.get("tensor_meta")
        shape = getattr(given, "shape", None)
        op = "IO Node" if node.op == "output" else _op(node, modules)
        found += _node(names[node], op, [names[i] for i in node.all_input_nodes], told, shape)
    return found + text(4, varint(1, 22))
