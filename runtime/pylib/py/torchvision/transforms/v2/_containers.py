"""Transforms that are made of others."""

import torch

from torchvision.transforms.v2._transform import Transform


class Identity(Transform):
    def forward(self, *inputs):
        return inputs if len(inputs) > 1 else inputs[0]


class Lambda(Transform):
    def __init__(self, lambd, *types):
        super().__init__()
        self.lambd = lambd
        self.types = types or (object,)

    def chosen(self, flat_inputs):
        return [isinstance(x, self.types) for x in flat_inputs]

    def transform(self, inpt, params):
        return self.lambd(inpt)

    def extra_repr(self):
        name = getattr(self.lambd, "__name__", "")
        extras = [name] if name else []
        extras.append(f"types={[t.__name__ for t in self.types]}")
        return ", ".join(extras)


class _Several(Transform):
    def __init__(self, transforms):
        super().__init__()
        self.transforms = transforms

    def _run(self, transforms, inputs):
        for t in transforms:
            out = t(*inputs)
            inputs = out if len(inputs) > 1 else (out,)
        return inputs if len(inputs) > 1 else inputs[0]

    def __repr__(self):
        return f"{type(self).__name__}({self.extra_repr()})"


class Compose(_Several):
    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)):
            raise TypeError("Argument transforms should be a sequence of callables")
        if not transforms:
            raise ValueError("Pass at least one transform")
        super().__init__(transforms)

    def forward(self, *inputs):
        return self._run(self.transforms, inputs)

    def extra_repr(self):
        return "\n" + "\n".join(f"      {t}" for t in self.transforms) + "\n"


class RandomApply(_Several):
    def __init__(self, transforms, p=0.5):
        if not isinstance(transforms, (list, tuple, torch.nn.ModuleList)):
            raise TypeError("Argument transforms should be a sequence of callables or a `nn.ModuleList`")
        if not 0.0 <= p <= 1.0:
            raise ValueError("`p` should be a floating point value in the interval [0.0, 1.0].")
        super().__init__(transforms)
        self.p = p

    def forward(self, *inputs):
        if torch.rand(1) >= self.p:
            return inputs if len(inputs) > 1 else inputs[0]
        return self._run(self.transforms, inputs)

    def extra_repr(self):
        return "\n".join(f"    {t}" for t in self.transforms)


class RandomChoice(_Several):
    def __init__(self, transforms, p=None):
        if not isinstance(transforms, (list, tuple)):
            raise TypeError("Argument transforms should be a sequence of callables")
        super().__init__(transforms)
        p = [1] * len(transforms) if p is None else p
        if len(p) != len(transforms):
            raise ValueError(f"Length of p doesn't match the number of transforms: {len(p)} != {len(transforms)}")
        self.p = [x / sum(p) for x in p]

    def forward(self, *inputs):
        return self._run([self.transforms[int(torch.multinomial(torch.tensor(self.p), 1))]], inputs)

    def extra_repr(self):
        return f"transforms={self.transforms}, p={self.p}"


class RandomOrder(_Several):
    def forward(self, *inputs):
        order = torch.randperm(len(self.transforms)).tolist()
        return self._run([self.transforms[i] for i in order], inputs)
