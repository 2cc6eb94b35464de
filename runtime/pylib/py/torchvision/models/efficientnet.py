"""EfficientNet, both versions."""

import copy
import math
from functools import partial

import torch
from torch import nn

from torchvision.models._api import builder, model, weights_enum
from torchvision.models._utils import init_convolutions, make_divisible
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation, StochasticDepth


class _MBConvConfig:
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block):
        self.expand_ratio = expand_ratio
        self.kernel = kernel
        self.stride = stride
        self.input_channels = input_channels
        self.out_channels = out_channels
        self.num_layers = num_layers
        self.block = block

    @staticmethod
    def adjust_channels(channels, width_mult, min_value=None):
        return make_divisible(channels * width_mult, 8, min_value)


class MBConvConfig(_MBConvConfig):
    def __init__(
        self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, width_mult=1.0,
        depth_mult=1.0, block=None,
    ):
        super().__init__(
            expand_ratio, kernel, stride, self.adjust_channels(input_channels, width_mult),
            self.adjust_channels(out_channels, width_mult), int(math.ceil(num_layers * depth_mult)),
            MBConv if block is None else block,
        )


class FusedMBConvConfig(_MBConvConfig):
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block=None):
        super().__init__(
            expand_ratio, kernel, stride, input_channels, out_channels, num_layers,
            FusedMBConv if block is None else block,
        )


class MBConv(nn.Module):
    def __init__(self, cnf, stochastic_depth_prob, norm_layer, se_layer=SqueezeExcitation):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        step = partial(Conv2dNormActivation, norm_layer=norm_layer)
        wide, layers = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio), []
        if wide != cnf.input_channels:
            layers.append(step(cnf.input_channels, wide, kernel_size=1, activation_layer=nn.SiLU))
        layers.append(
            step(wide, wide, kernel_size=cnf.kernel, stride=cnf.stride, groups=wide, activation_layer=nn.SiLU)
        )
        layers.append(se_layer(wide, max(1, cnf.input_channels // 4), activation=partial(nn.SiLU, inplace=True)))
        layers.append(step(wide, cnf.out_channels, kernel_size=1, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = cnf.out_channels

    def forward(self, input):
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


class FusedMBConv(nn.Module):
    def __init__(self, cnf, stochastic_depth_prob, norm_layer):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        step = partial(Conv2dNormActivation, norm_layer=norm_layer)
        wide = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        first = partial(
            step, cnf.input_channels, kernel_size=cnf.kernel, stride=cnf.stride, activation_layer=nn.SiLU
        )
        if wide != cnf.input_channels:
            layers = [first(wide), step(wide, cnf.out_channels, kernel_size=1, activation_layer=None)]
        else:
            layers = [first(cnf.out_channels)]
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = cnf.out_channels

    def forward(self, input):
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


def _uniform(m):
    bound = 1.0 / math.sqrt(m.out_features)
    nn.init.uniform_(m.weight, -bound, bound)
    nn.init.zeros_(m.bias)


class EfficientNet(nn.Module):
    def __init__(
        self, inverted_residual_setting, dropout, stochastic_depth_prob=0.2, num_classes=1000, norm_layer=None,
        last_channel=None,
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        step = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=nn.SiLU)
        layers = [step(3, inverted_residual_setting[0].input_channels, kernel_size=3, stride=2)]
        total, number = sum(cnf.num_layers for cnf in inverted_residual_setting), 0
        for cnf in inverted_residual_setting:
            stage = []
            for _ in range(cnf.num_layers):
                block = copy.copy(cnf)
                if stage:
                    block.input_channels, block.stride = block.out_channels, 1
                stage.append(block.block(block, stochastic_depth_prob * float(number) / total, norm_layer))
                number += 1
            layers.append(nn.Sequential(*stage))
        last = inverted_residual_setting[-1].out_channels
        wide = last_channel if last_channel is not None else 4 * last
        layers.append(step(last, wide, kernel_size=1))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(wide, num_classes))
        init_convolutions(self, _uniform)

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


_FIRST = (
    (1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3),
    (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1),
)
# Those with `True` are fused.
_SECOND = {
    "s": (
        (True, 1, 3, 1, 24, 24, 2), (True, 4, 3, 2, 24, 48, 4), (True, 4, 3, 2, 48, 64, 4),
        (False, 4, 3, 2, 64, 128, 6), (False, 6, 3, 1, 128, 160, 9), (False, 6, 3, 2, 160, 256, 15),
    ),
    "m": (
        (True, 1, 3, 1, 24, 24, 3), (True, 4, 3, 2, 24, 48, 5), (True, 4, 3, 2, 48, 80, 5),
        (False, 4, 3, 2, 80, 160, 7), (False, 6, 3, 1, 160, 176, 14), (False, 6, 3, 2, 176, 304, 18),
        (False, 6, 3, 1, 304, 512, 5),
    ),
    "l": (
        (True, 1, 3, 1, 32, 32, 4), (True, 4, 3, 2, 32, 64, 7), (True, 4, 3, 2, 64, 96, 7),
        (False, 4, 3, 2, 96, 192, 10), (False, 6, 3, 1, 192, 224, 19), (False, 6, 3, 2, 224, 384, 25),
        (False, 6, 3, 1, 384, 640, 7),
    ),
}


def _first(width, depth, dropout, weights, progress, norm_layer=None, **kwargs):
    setting = [MBConvConfig(*row, width_mult=width, depth_mult=depth) for row in _FIRST]
    dropout = kwargs.pop("dropout", dropout)
    return model(
        weights, EfficientNet, setting, dropout, progress=progress, norm_layer=norm_layer, **kwargs
    )


def _second(size, dropout, weights, progress, **kwargs):
    setting = [
        FusedMBConvConfig(*row) if fused else MBConvConfig(*row) for fused, *row in _SECOND[size]
    ]
    kwargs.setdefault("norm_layer", partial(nn.BatchNorm2d, eps=1e-03))
    dropout = kwargs.pop("dropout", dropout)
    return model(weights, EfficientNet, setting, dropout, progress=progress, last_channel=1280, **kwargs)


EfficientNet_B0_Weights = weights_enum("EfficientNet_B0_Weights", __name__)
EfficientNet_B1_Weights = weights_enum("EfficientNet_B1_Weights", __name__)
EfficientNet_B2_Weights = weights_enum("EfficientNet_B2_Weights", __name__)
EfficientNet_B3_Weights = weights_enum("EfficientNet_B3_Weights", __name__)
EfficientNet_B4_Weights = weights_enum("EfficientNet_B4_Weights", __name__)
EfficientNet_B5_Weights = weights_enum("EfficientNet_B5_Weights", __name__)
EfficientNet_B6_Weights = weights_enum("EfficientNet_B6_Weights", __name__)
EfficientNet_B7_Weights = weights_enum("EfficientNet_B7_Weights", __name__)
EfficientNet_V2_S_Weights = weights_enum("EfficientNet_V2_S_Weights", __name__)
EfficientNet_V2_M_Weights = weights_enum("EfficientNet_V2_M_Weights", __name__)
EfficientNet_V2_L_Weights = weights_enum("EfficientNet_V2_L_Weights", __name__)


@builder(EfficientNet_B0_Weights)
def efficientnet_b0(weights, progress, **kwargs):
    return _first(1.0, 1.0, 0.2, weights, progress, **kwargs)


@builder(EfficientNet_B1_Weights)
def efficientnet_b1(weights, progress, **kwargs):
    return _first(1.0, 1.1, 0.2, weights, progress, **kwargs)


@builder(EfficientNet_B2_Weights)
def efficientnet_b2(weights, progress, **kwargs):
    return _first(1.1, 1.2, 0.3, weights, progress, **kwargs)


@builder(EfficientNet_B3_Weights)
def efficientnet_b3(weights, progress, **kwargs):
    return _first(1.2, 1.4, 0.3, weights, progress, **kwargs)


@builder(EfficientNet_B4_Weights)
def efficientnet_b4(weights, progress, **kwargs):
    return _first(1.4, 1.8, 0.4, weights, progress, **kwargs)


_FIFTH_ON = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)


@builder(EfficientNet_B5_Weights)
def efficientnet_b5(weights, progress, **kwargs):
    return _first(1.6, 2.2, 0.4, weights, progress, norm_layer=_FIFTH_ON, **kwargs)


@builder(EfficientNet_B6_Weights)
def efficientnet_b6(weights, progress, **kwargs):
    return _first(1.8, 2.6, 0.5, weights, progress, norm_layer=_FIFTH_ON, **kwargs)


@builder(EfficientNet_B7_Weights)
def efficientnet_b7(weights, progress, **kwargs):
    return _first(2.0, 3.1, 0.5, weights, progress, norm_layer=_FIFTH_ON, **kwargs)


@builder(EfficientNet_V2_S_Weights)
def efficientnet_v2_s(weights, progress, **kwargs):
    return _second("s", 0.2, weights, progress, **kwargs)


@builder(EfficientNet_V2_M_Weights)
def efficientnet_v2_m(weights, progress, **kwargs):
    return _second("m", 0.3, weights, progress, **kwargs)


@builder(EfficientNet_V2_L_Weights)
def efficientnet_v2_l(weights, progress, **kwargs):
    return _second("l", 0.4, weights, progress, **kwargs)
