"""Padding."""

from torch.nn import functional as F
from torch.nn.modules._sizes import ntuple
from torch.nn.modules.module import Module


class _Pad(Module):
    _mode = "constant"
    _sides = 0

    def __init__(self, padding):
        super().__init__()
        self.padding = ntuple(padding, self._sides)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    _sides = 2


class ConstantPad2d(_ConstantPad):
    _sides = 4


class ConstantPad3d(_ConstantPad):
    _sides = 6


class ZeroPad1d(_Pad):
    _sides = 2


class ZeroPad2d(_Pad):
    _sides = 4


class ZeroPad3d(_Pad):
    _sides = 6


class ReflectionPad1d(_Pad):
    _sides, _mode = 2, "reflect"


class ReflectionPad2d(_Pad):
    _sides, _mode = 4, "reflect"


class ReflectionPad3d(_Pad):
    _sides, _mode = 6, "reflect"


class ReplicationPad1d(_Pad):
    _sides, _mode = 2, "replicate"


class ReplicationPad2d(_Pad):
    _sides, _mode = 4, "replicate"


class ReplicationPad3d(_Pad):
    _sides, _mode = 6, "replicate"


class CircularPad1d(_Pad):
    _sides, _mode = 2, "circular"


class CircularPad2d(_Pad):
    _sides, _mode = 4, "circular"


class CircularPad3d(_Pad):
    _sides, _mode = 6, "circular"
