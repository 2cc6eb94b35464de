"""Convolutions."""

import math

import torch
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules._sizes import ntuple
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class _ConvNd(Module):
    _dims = 0
    _transposed = False

    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
        padding_mode, device, dtype,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        n = self._dims
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = ntuple(kernel_size, n)
        self.stride = ntuple(stride, n)
        self.padding = padding if isinstance(padding, str) else ntuple(padding, n)
        self.dilation = ntuple(dilation, n)
        self.transposed = self._transposed
        self.output_padding = ntuple(output_padding, n)
        self.groups = groups
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(
                    f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
                )
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.padding_mode = padding_mode
        sides = []
        for i in reversed(range(n)):
            if padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                sides += [total // 2, total - total // 2]
            elif padding == "valid":
                sides += [0, 0]
            else:
                sides += [self.padding[i], self.padding[i]]
        self._reversed_padding_repeated_twice = sides
        if self.transposed:
            shape = (in_channels, out_channels // groups, *self.kernel_size)
        else:
            shape = (out_channels, in_channels // groups, *self.kernel_size)
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        s = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.kernel_size):
            s += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            s += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.kernel_size):
            s += f", output_padding={self.output_padding}"
        if self.groups != 1:
            s += f", groups={self.groups}"
        if self.bias is None:
            s += ", bias=False"
        if self.padding_mode != "zeros":
            s += f", padding_mode={self.padding_mode}"
        return s


class _Conv(_ConvNd):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", device=None, dtype=None,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, 0, groups, bias, padding_mode,
            device, dtype,
        )

    def forward(self, input):
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return self._conv(input, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)
        return self._conv(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv1d(_Conv):
    _dims = 1
    _conv = staticmethod(F.conv1d)


class Conv2d(_Conv):
    _dims = 2
    _conv = staticmethod(F.conv2d)


class Conv3d(_Conv):
    _dims = 3
    _conv = staticmethod(F.conv3d)


class _ConvTransposeNd(_ConvNd):
    _transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
        bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, groups, bias,
            padding_mode, device, dtype,
        )

    def forward(self, input, output_size=None):
        more = self.output_padding
        if output_size is not None:
            n = self._dims
            wanted = list(output_size)[-n:]
            have = input.shape[-n:]
            least = [
                (have[i] - 1) * self.stride[i] - 2 * self.padding[i] + self.dilation[i] * (self.kernel_size[i] - 1) + 1
                for i in range(n)
            ]
            most = [least[i] + self.stride[i] - 1 for i in range(n)]
            for i in range(n):
                if wanted[i] < least[i] or wanted[i] > most[i]:
                    raise ValueError(
                        f"requested an output size of {output_size}, but valid sizes range from {least} to {most} "
                        f"(for an input of {have})"
                    )
            more = [wanted[i] - least[i] for i in range(n)]
        return self._conv(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation
        )


class ConvTranspose1d(_ConvTransposeNd):
    _dims = 1
    _conv = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    _dims = 2
    _conv = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    _dims = 3
    _conv = staticmethod(F.conv_transpose3d)
