"""What transforms have in common, and those made of others."""

import math
import random

import torch


class Drawing(torch.nn.Module):
    """A transform that first draws what it does and then does it, so that several inputs can have the same."""

    def draw(self, img):
        """What is done to inputs like this one; None for nothing."""
        return ()

    def apply_to(self, img, drawn):
        """An input with that done to it."""
        raise NotImplementedError

    def forward(self, img):
        drawn = self.draw(img)
        return img if drawn is None else self.apply_to(img, drawn)


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img

    def __repr__(self):
        lines = [self.__class__.__name__ + "("] + [f"    {t}" for t in self.transforms]
        return "\n".join(lines) + "\n)"


class Lambda:
    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {repr(type(lambd).__name__)}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return self.__class__.__name__ + "()"


class _Several:
    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)):
            raise TypeError("Argument transforms should be a sequence")
        self.transforms = transforms

    def __repr__(self):
        lines = [self.__class__.__name__ + "("] + [f"    {t}" for t in self.transforms]
        return "\n".join(lines) + "\n)"


class RandomApply(torch.nn.Module):
    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, img):
        if self.p < torch.rand(1):
            return img
        for t in self.transforms:
            img = t(img)
        return img

    def __repr__(self):
        lines = [self.__class__.__name__ + "(", f"    p={self.p}"] + [f"    {t}" for t in self.transforms]
        return "\n".join(lines) + "\n)"


class RandomOrder(_Several):
    def __call__(self, img):
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        for i in order:
            img = self.transforms[i](img)
        return img


class RandomChoice(_Several):
    def __init__(self, transforms, p=None):
        super().__init__(transforms)
        if p is not None and not isinstance(p, (list, tuple)):
            raise TypeError("Argument p should be a sequence")
        self.p = p

    def __call__(self, *args):
        return random.choices(self.transforms, weights=self.p)[0](*args)

    def __repr__(self):
        return super().__repr__() + f"(p={self.p})"


def uniform(low, high):
    """A number between two."""
    return torch.empty(1).uniform_(low, high).item()


def logarithms(ratio):
    """Of two proportions, rounded once to what a tensor holds."""
    return torch.tensor([math.log(r) for r in ratio]).tolist()


def proportion(low, high):
    """A proportion between two whose logarithms are given."""
    return torch.tensor(math.exp(uniform(low, high))).item()


def size_of(size, error_msg="Please provide only two dimensions (h, w) for size."):
    """A height and a width, from one number or two."""
    if isinstance(size, int):
        return int(size), int(size)
    if len(size) == 1:
        return size[0], size[0]
    if len(size) != 2:
        raise ValueError(error_msg)
    return size


def angles(x, name, req_sizes=(2,)):
    """A range of angles, from one number or two."""
    if isinstance(x, (int, float)):
        if x < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        x = [-x, x]
    else:
        check_sequence(x, name, req_sizes)
    return [float(d) for d in x]


def check_sequence(x, name, req_sizes):
    message = req_sizes[0] if len(req_sizes) < 2 else " or ".join(str(s) for s in req_sizes)
    if not isinstance(x, (list, tuple)):
        raise TypeError(f"{name} should be a sequence of length {message}.")
    if len(x) not in req_sizes:
        raise ValueError(f"{name} should be a sequence of length {message}.")
