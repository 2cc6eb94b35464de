"""Modules that learn how many features come in from their first input."""

import torch
from torch.nn.modules.conv import Conv1d, Conv2d, Conv3d
from torch.nn.modules.linear import Linear
from torch.nn.parameter import Parameter


class _Lazy:
    def __call__(self, *args, **kwargs):
        first = args[0] if args else next(iter(kwargs.values()))
        with torch.no_grad():
            self._materialize(first)
        self.__class__ = self._becomes
        return self(*args, **kwargs)

    def has_uninitialized_params(self):
        return True


class LazyLinear(_Lazy, Linear):
    _becomes = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False, device, dtype)
        self.weight = Parameter(torch.empty(0, device=device, dtype=dtype))
        self.out_features = out_features
        if bias:
            self.bias = Parameter(torch.empty(0, device=device, dtype=dtype))

    def reset_parameters(self):
        if self.in_features != 0:
            super().reset_parameters()

    def _materialize(self, input):
        self.in_features = input.shape[-1]
        self.weight.data = torch.empty((self.out_features, self.in_features), dtype=self.weight.dtype)
        if self.bias is not None:
            self.bias.data = torch.empty(self.out_features, dtype=self.weight.dtype)
        self.reset_parameters()


class _LazyConv(_Lazy):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype
        )
        self.weight = Parameter(torch.empty(0, device=device, dtype=dtype))
        self.out_channels = out_channels
        if bias:
            self.bias = Parameter(torch.empty(0, device=device, dtype=dtype))

    def reset_parameters(self):
        if self.in_channels != 0:
            super().reset_parameters()

    def _materialize(self, input):
        self.in_channels = input.shape[-self._dims - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        shape = (self.out_channels, self.in_channels // self.groups, *self.kernel_size)
        self.weight.data = torch.empty(shape, dtype=self.weight.dtype)
        if self.bias is not None:
            self.bias.data = torch.empty(self.out_channels, dtype=self.weight.dtype)
        self.reset_parameters()


class LazyConv1d(_LazyConv, Conv1d):
    _becomes = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    _becomes = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    _becomes = Conv3d
