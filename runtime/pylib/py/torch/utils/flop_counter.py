"""FlopCounterMode: how many multiplications and additions matrix products and convolutions take, by module."""

import math

import torch
from torch.overrides import TorchFunctionMode

__all__ = ["FlopCounterMode"]

_SUFFIXES = ("", "K", "M", "B", "T")


def _product(a, b):
    """The kernel that a product of two tensors runs, and what it takes; vectors on the right are not counted."""
    if b.dim() < 2:
        return None, 0
    rows, columns = (a if a.dim() > 1 else a[None]).shape[-2:], b.shape[-1]
    if b.dim() == 2:
        return "mm", 2 * a.numel() * columns
    batch = math.prod(torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]))
    return "bmm", 2 * batch * rows[0] * rows[1] * columns


def _convolution(transposed):
    def flops(out, input, weight, *args, **kwargs):
        inner = input if transposed else out
        spatial, batch = math.prod(inner.shape[2 - (weight.dim() - input.dim()):]), input.shape[0] if input.dim() == weight.dim() else 1
        once = 2 * spatial * batch * math.prod(weight.shape)
        channels = out.shape[-weight.dim() + 1] if transposed else input.shape[-weight.dim() + 1]
        # The gradient of the weight counts all channels, whatever the groups.
        whole = 2 * spatial * batch * math.prod(weight.shape[2:]) * weight.shape[0] * channels
        return "convolution", once, [(input, "convolution_backward", once), (weight, "convolution_backward", whole)]

    return flops


def _linear(out, input, weight, bias=None):
    flops = 2 * input.numel() * weight.shape[0]
    added = bias is not None and (input.dim() <= 2 or input.is_contiguous())
    return "addmm" if added else "mm", flops, [(input, "mm", flops), (weight, "mm", flops)]


def _matmul(out, input, other, *args, **kwargs):
    kernel, flops = _product(input, other)
    return kernel, flops, [(input, kernel, flops), (other, kernel, flops)]


def _added(kernel, of):
    def flops(out, input, first, second, *args, **kwargs):
        count = _product(first, second)[1]
        return kernel, count, [(first, of, count), (second, of, count)]

    return flops


def _swapped(out, input, other):
    return _matmul(out, other, input)


def _einsum(out, equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    if len(operands) < 2:
        return None, 0, []
    if not isinstance(equation, str):
        raise NotImplementedError("FLOPs of einsum() with lists of dimensions are not counted in janus-jit yet")
    inputs, _, result = equation.replace(" ", "").partition("->")
    labels = inputs.split(",")
    # An ellipsis stands for dimensions that are counted from the right.
    rest = [t.dim() - len(names) + 3 if "..." in names else 0 for names, t in zip(labels, operands)]
    numbered = [str(i) for i in range(max(rest))][::-1]
    labels = [names.replace("...", "".join(numbered[len(numbered) - n:])) for names, n in zip(labels, rest)]
    result = result.replace("...", "".join(numbered))
    extents = {label: n for names, t in zip(labels, operands) for label, n in zip(names, t.shape)}
    flops, seen = 0, set(labels[0])
    for i, names in enumerate(labels[1:], 2):
        seen |= set(names)
        flops += 2 * math.prod(extents[label] for label in seen)
        seen &= set("".join(labels[i:]) + result)
    return "bmm", flops, [(t, "bmm", flops) for t in operands]


def _attention(out, query, key, value, attn_mask=None, dropout_p=0.0, *args, **kwargs):
    # Without dropout PyTorch has a kernel of its own, which it does not count.
    flops = 2 * query.shape[:-1].numel() * key.shape[-2] * (query.shape[-1] + value.shape[-1]) if dropout_p > 0 else 0
    return "bmm" if flops else None, flops, [(t, "bmm", flops) for t in (query, key, value)]


_COUNTED = {
    "linear": _linear, "matmul": _matmul, "__matmul__": _matmul, "__rmatmul__": _swapped, "mm": _matmul, "bmm": _matmul,
    "addmm": _added("addmm", "mm"), "baddbmm": _added("baddbmm", "bmm"), "addmm_": _added("addmm", "mm"),
    "baddbmm_": _added("baddbmm", "bmm"), "einsum": _einsum,
    **{f"conv{n}d": _convolution(False) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": _convolution(True) for n in (1, 2, 3)},
    "scaled_dot_product_attention": _attention,
}


class _Operator(str):
    """The name of a kernel, as `torch.ops` has it."""

    def __repr__(self):
        return str(self)


class _Counting(TorchFunctionMode):
    def __init__(self, counter):
        self._counter = counter

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        count = _COUNTED.get(getattr(func, "__name__", ""))
        if count is not None:
            self._counter._count(out, *count(out, *args, **{k: v for k, v in kwargs.items() if k != "out"}))
        return out


class FlopCounterMode:
    """Counts while it is entered: `with FlopCounterMode() as counter: model(x)`."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        if custom_mapping:
            raise NotImplementedError("FlopCounterMode(custom_mapping=...) is not implemented in janus-jit yet")
        if mods is not None:
            import warnings
            warnings.warn("mods argument is not needed anymore, you can stop passing it", stacklevel=2)
        self.flop_counts = {}
        self.depth = depth
        self.display = display
        self._mode = None

    def get_total_flops(self):
        return sum(self.flop_counts.get("Global", {}).values())

    def get_flop_counts(self):
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def __enter__(self):
        from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
        self.flop_counts.clear()
        self.flop_counts["Global"] = {}
        self._names, self._running = {}, []
        self._hooks = [register_module_forward_pre_hook(self._begins), register_module_forward_hook(self._ends, always_call=True)]
        self._mode = _Counting(self)
        self._mode.__enter__()
        return self

    def __exit__(self, *exception):
        self._mode.__exit__(*exception)
        self._mode = None
        for hook in self._hooks:
            hook.remove()
        if self.display:
            print(self.get_table(self.depth))

    def _begins(self, module, input):
        if module not in self._names:
            self._name(module, type(module).__name__)
        self._running.append(self._names[module])

    def _name(self, module, name):
        self._names[module] = name
        for child, part in module.named_children():
            self._name(part, f"{name}.{child}")

    def _ends(self, module, input, output):
        self._running.pop()

    def _add(self, names, kernel, flops):
        key = _Operator("aten." + kernel)
        for name in names:
            counts = self.flop_counts.setdefault(name, {})
            counts[key] = counts.get(key, 0) + flops

    def _count(self, out, kernel, flops, sides):
        if kernel is None:
            return
        names = {"Global", *self._running}
        self._add(names, kernel, flops)
        out = out[0] if isinstance(out, (list, tuple)) else out
        sides = [(kernel, flops) for t, kernel, flops in sides if t.requires_grad]
        if not sides or not out.requires_grad:
            return

        def backward(grad):
            if self._mode is not None:
                for kernel, flops in sides:
                    self._add(names, kernel, flops)

        out.register_hook(backward)

    def get_table(self, depth=None):
        import tabulate
        tabulate.PRESERVE_WHITESPACE = True
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        power = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))

        def row(indent, label, flops):
            share = "0%" if total == 0 else f"{flops / total:.2%}"
            return [indent + label, f"{flops / 1000 ** power:.3f}{_SUFFIXES[power]}", share]

        def rows(name, level):
            counts, indent = self.flop_counts[name], " " * level
            own = [row(indent, name, sum(counts.values()))]
            return own + [row(indent, " - " + kernel, flops) for kernel, flops in counts.items()]

        table, is_whole = [], False
        for name in sorted(self.flop_counts):
            level = name.count(".") + 1
            if name == "Global" or depth is not None and level > depth:
                continue
            is_whole |= sum(self.flop_counts[name].values()) >= total
            table += rows(name, level - 1)
        if not is_whole:
            table = rows("Global", 0) + [[" " + first, *rest] for first, *rest in table]
        return tabulate.tabulate(
            table or [["Global", "0", "0%"]], headers=["Module", "FLOP", "% Total"], colalign=("left", "right", "right")
        )


def __getattr__(name):
    return torch._C._missing_name("torch.utils.flop_counter", name)
