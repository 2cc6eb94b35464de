"""What the transforms of several inputs have in common."""

from enum import Enum

import torch
from PIL import Image as _pil
from torch.utils import _pytree

from torchvision import tv_tensors


def is_pure(x):
    return isinstance(x, torch.Tensor) and not isinstance(x, tv_tensors.TVTensor)


def is_picture(x):
    return isinstance(x, (_pil.Image, tv_tensors.Image))


class Transform(torch.nn.Module):
    """Draws parameters once, and does what they say to each picture."""

    def make_params(self, flat_inputs):
        return {}

    def transform(self, inpt, params):
        raise NotImplementedError

    def check_inputs(self, flat_inputs):
        """Raises for inputs that do not fit."""

    def chosen(self, flat_inputs):
        """Which inputs are transformed: pictures, or where there are none the first tensor."""
        pictures = any(is_picture(x) for x in flat_inputs)
        chosen, first = [], not pictures
        for x in flat_inputs:
            pure = is_pure(x)
            chosen.append(is_picture(x) or (pure and first))
            first = first and not pure
        return chosen

    def forward(self, *inputs):
        flat, spec = _pytree.tree_flatten(inputs if len(inputs) > 1 else inputs[0])
        self.check_inputs(flat)
        chosen = self.chosen(flat)
        params = self.make_params([x for x, c in zip(flat, chosen) if c])
        flat = [self.transform(x, params) if c else x for x, c in zip(flat, chosen)]
        return _pytree.tree_unflatten(flat, spec)

    def extra_repr(self):
        shown = []
        for name, value in self.__dict__.items():
            if name.startswith("_") or name == "training":
                continue
            if isinstance(value, (bool, int, float, str, tuple, list, Enum)):
                shown.append(f"{name}={value}")
        return ", ".join(shown)

    def __repr__(self):
        return f"{type(self).__name__}({self.extra_repr()})"


class OfFirst(Transform):
    """One of the first transforms, for several inputs."""

    def make_params(self, flat_inputs):
        return {"drawn": self.draw(flat_inputs[0]) if flat_inputs else None}

    def transform(self, inpt, params):
        if params["drawn"] is None:
            return inpt
        out = self.apply_to(inpt, params["drawn"])
        return tv_tensors.wrap(out, like=inpt) if isinstance(out, torch.Tensor) else out

    def forward(self, *inputs):
        return Transform.forward(self, *inputs)

    def __repr__(self):
        return Transform.__repr__(self)
