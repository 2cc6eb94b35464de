"""autograd.Function: a user's own forward and backward."""

import functools

import torch
from torch._C import _pack_saved, _packs_saved, _record_function, _unpack_saved
from torch.autograd import grad_mode
from torch.autograd.grad_mode import unrecorded


class FunctionCtx:
    """What a function keeps between forward and backward."""

    def __init__(self, needs_input_grad):
        self.needs_input_grad = needs_input_grad
        self.saved_tensors = ()
        self._non_differentiable = ()
        self._materialize = True
        self._dirty = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        """What `jvp` of the function would read: tangents come of its `backward` here."""
        self._saved_for_forward = tensors

    def mark_non_differentiable(self, *tensors):
        self._non_differentiable = tensors

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


class _PackedCtx(FunctionCtx):
    """Of a function whose saved tensors went through the hooks of `saved_tensors_hooks`."""

    @property
    def saved_tensors(self):
        return tuple([None if t is None else _unpack_saved(t) for t in self._packed])


def _pack(ctx):
    saved = ctx.__dict__.pop("saved_tensors")
    ctx._packed = [None if t is None else _pack_saved(t) for t in saved]
    ctx.__class__ = _PackedCtx


def _transposed(cls, ctx, args):
    """The backward function of one that has a `jvp`: that is linear in the tangents, and this its transpose."""
    with torch.enable_grad():
        tangents = [torch.zeros_like(a).requires_grad_() if _moves(a) else None for a in args]
        moved = cls.jvp(ctx, *tangents)
    moved = moved if isinstance(moved, tuple) else (moved,)
    wanted = [t for t in tangents if t is not None]

    def backward(ctx, *grads):
        pairs = [(m, g) for m, g in zip(moved, grads) if m is not None and g is not None and m.requires_grad]
        if not pairs:
            return tuple([None] * len(args))
        found = iter(torch.autograd.grad(
            [m for m, _ in pairs], wanted, [g for _, g in pairs], retain_graph=True, create_graph=True, allow_unused=True,
        ))
        return tuple([None if t is None else next(found) for t in tangents])

    return backward


def _moves(a):
    return isinstance(a, torch.Tensor) and a.requires_grad and (a.is_floating_point() or a.is_complex())


class Function:
    # What `grad_fn` shows where the class's own name is not it.
    _grad_fn = None

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for "
            "your custom autograd.Function to use it with backward mode AD."
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @classmethod
    def apply(cls, *args):
        needs = tuple([isinstance(a, torch.Tensor) and a.requires_grad for a in args])
        ctx = FunctionCtx(needs)
        with unrecorded():
            if hasattr(cls, "setup_context"):
                result = cls.forward(*args)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        outputs = result if isinstance(result, tuple) else (result,)
        dirty = ctx._dirty
        for t in dirty:
            if not any([o is t for o in outputs]):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function."
                )
            if t.requires_grad and t.is_leaf and torch.is_grad_enabled():
                raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        if not any(needs):
            return result
        if not torch.is_grad_enabled():
            # An input that is handed through leaves what it is a leaf of.
            seen = [o.detach() if isinstance(o, torch.Tensor) and o.requires_grad else o for o in outputs]
            return tuple(seen) if isinstance(result, tuple) else seen[0]
        # An input handed through must not become its own gradient's source.
        outputs = [
            o.view_as(o)
            if isinstance(o, torch.Tensor) and any([o is a for a in args]) and not any([o is t for t in dirty])
            else o
            for o in outputs
        ]
        for t in dirty:
            if t._base is not None:
                raise NotImplementedError(
                    "torch.autograd.Function: ctx.mark_dirty of a view is not implemented in janus-jit yet"
                )
        # What was written to stands for the output from now on; a copy has its place on the way to the inputs.
        args = [a.clone() if any([a is t for t in dirty]) and a.requires_grad else a for a in args]
        differentiable = [
            o
            for o in outputs
            if isinstance(o, torch.Tensor)
            and (o.is_floating_point() or o.is_complex())
            and not any([o is n for n in ctx._non_differentiable])
        ]

        is_tensor = [isinstance(a, torch.Tensor) for a in args]
        # The closure must not hold the outputs, which hold the graph that holds the closure.
        kinds = [
            (tuple(o.shape), o.dtype, any([o is d for d in differentiable]))
            if isinstance(o, torch.Tensor)
            else None
            for o in outputs
        ]

        run = cls.backward
        if hasattr(cls, "vjp"):
            run = cls.vjp
        if grad_mode._carries_tangents and hasattr(cls, "jvp"):
            run = _transposed(cls, ctx, args)
        saved = ctx.saved_tensors
        if _packs_saved():
            _pack(ctx)
            saved = ()

        def backward(*grads):
            full = []
            position = 0
            for kind in kinds:
                g = None
                if kind is not None:
                    if kind[2]:
                        g = grads[position]
                        position += 1
                    if g is None and ctx._materialize:
                        g = torch.zeros(kind[0], dtype=kind[1])
                full.append(g)
            result = run(ctx, *full)
            if not isinstance(result, tuple):
                result = (result,)
            # Gradients of arguments that were not given are fine if there are none.
            while len(result) > len(is_tensor) and result[-1] is None:
                result = result[:-1]
            if len(result) != len(is_tensor):
                raise RuntimeError(
                    f"function {cls.__name__}Backward returned an incorrect number of gradients "
                    f"(expected {len(is_tensor)}, got {len(result)})"
                )
            return tuple([g for g, t in zip(result, is_tensor) if t])

        tensors = [a for a in args if isinstance(a, torch.Tensor)]
        # A function of the library's is called as PyTorch's own.
        made_by = cls._grad_fn or cls.__name__ + "Backward"
        _record_function(made_by, tensors, differentiable, backward, saved, ctx)
        if isinstance(result, tuple):
            return tuple(outputs)
        return outputs[0]


def _refuse_twice(*grads):
    raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(fn):
    @functools.wraps(fn)
    def wrapper(ctx, *args):
        with torch.no_grad():
            result = fn(ctx, *args)
        moving = [a for a in args if isinstance(a, torch.Tensor) and a.requires_grad]
        if not torch.is_grad_enabled() or not moving:
            return result
        made = list(result) if isinstance(result, tuple) else [result]
        # What a second backward pass would reach refuses it.
        made = [o.detach() if isinstance(o, torch.Tensor) else o for o in made]
        reached = [o for o in made if isinstance(o, torch.Tensor) and (o.is_floating_point() or o.is_complex())]
        _record_function("torch::autograd::Error", moving, reached, _refuse_twice, (), None)
        return tuple(made) if isinstance(result, tuple) else made[0]

    return wrapper
