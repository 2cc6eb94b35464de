"""Modules that learn how many features come in from their first input."""

import torch
from torch.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from torch.nn.modules.conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from torch.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from torch.nn.modules.linear import Linear
from torch.nn.parameter import UninitializedParameter


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
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if self.in_features != 0:
            super().reset_parameters()

    def _materialize(self, input):
        self.in_features = input.shape[-1]
        self.weight.materialize((self.out_features, self.in_features))
        if self.bias is not None:
            self.bias.materialize((self.out_features,))
        self.reset_parameters()


class _LazyChannels(_Lazy):
    """A convolution that waits for its input's channels; which way it goes says the shape of its weight."""

    def _await_channels(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if self.in_channels != 0:
            super().reset_parameters()

    def _materialize(self, input):
        self.in_channels = input.shape[-self._dims - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyConv(_LazyChannels):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype
        )
        self._await_channels(out_channels, bias, device, dtype)

    def _weight_shape(self):
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)


class LazyConv1d(_LazyConv, Conv1d):
    _becomes = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    _becomes = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    _becomes = Conv3d


class _LazyConvTranspose(_LazyChannels):
    def __init__(
        self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
        padding_mode="zeros", device=None, dtype=None,
    ):
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype
        )
        self._await_channels(out_channels, bias, device, dtype)

    def _weight_shape(self):
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    _becomes = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    _becomes = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    _becomes = ConvTranspose3d


class _LazyNorm(_Lazy):
    def __init__(self, eps, momentum, affine, track_running_stats, device, dtype):
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype)
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if self.num_features != 0:
            super().reset_parameters()

    def _materialize(self, input):
        self.num_features = n = input.shape[self._channel_dim(input)]
        if self.affine:
            self.weight.materialize((n,))
            self.bias.materialize((n,))
        if self.track_running_stats:
            self.running_mean.data = torch.empty(n, dtype=self.running_mean.dtype, device=self.running_mean.device)
            self.running_var.data = torch.empty(n, dtype=self.running_var.dtype, device=self.running_var.device)
        self.reset_parameters()


class _LazyBatchNorm(_LazyNorm):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype)

    def _channel_dim(self, input):
        return 1


class LazyBatchNorm1d(_LazyBatchNorm, BatchNorm1d):
    _becomes = BatchNorm1d


class LazyBatchNorm2d(_LazyBatchNorm, BatchNorm2d):
    _becomes = BatchNorm2d


class LazyBatchNorm3d(_LazyBatchNorm, BatchNorm3d):
    _becomes = BatchNorm3d


class _LazyInstanceNorm(_LazyNorm):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype)

    def _channel_dim(self, input):
        return 0 if input.dim() == self._dims + 1 else 1


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    _becomes = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    _becomes = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    _becomes = InstanceNorm3d
