"""MobileNet, the third version."""

from functools import partial

import torch
from torch import nn

from torchvision.models._api import builder, model, weights_enum
from torchvision.models._utils import init_convolutions, make_divisible, small_normal
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation


class InvertedResidualConfig:
    def __init__(
        self, input_channels, kernel, expanded_channels, out_channels, use_se, activation, stride, dilation,
        width_mult,
    ):
        self.input_channels = self.adjust_channels(input_channels, width_mult)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, width_mult)
        self.out_channels = self.adjust_channels(out_channels, width_mult)
        self.use_se = use_se
        self.use_hs = activation == "HS"
        self.stride = stride
        self.dilation = dilation

    @staticmethod
    def adjust_channels(channels, width_mult):
        return make_divisible(channels * width_mult, 8)


class InvertedResidual(nn.Module):
    def __init__(self, cnf, norm_layer, se_layer=partial(SqueezeExcitation, scale_activation=nn.Hardsigmoid)):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        activation = nn.Hardswish if cnf.use_hs else nn.ReLU
        step = partial(Conv2dNormActivation, norm_layer=norm_layer)
        wide, layers = cnf.expanded_channels, []
        if wide != cnf.input_channels:
            layers.append(step(cnf.input_channels, wide, kernel_size=1, activation_layer=activation))
        layers.append(
            step(
                wide, wide, kernel_size=cnf.kernel, stride=1 if cnf.dilation > 1 else cnf.stride,
                dilation=cnf.dilation, groups=wide, activation_layer=activation,
            )
        )
        if cnf.use_se:
            layers.append(se_layer(wide, make_divisible(wide // 4, 8)))
        layers.append(step(wide, cnf.out_channels, kernel_size=1, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.out_channels = cnf.out_channels

    def forward(self, input):
        result = self.block(input)
        if self.use_res_connect:
            result += input
        return result


class MobileNetV3(nn.Module):
    def __init__(
        self, inverted_residual_setting, last_channel, num_classes=1000, block=None, norm_layer=None, dropout=0.2
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        block = InvertedResidual if block is None else block
        norm_layer = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01) if norm_layer is None else norm_layer
        step = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=nn.Hardswish)
        layers = [step(3, inverted_residual_setting[0].input_channels, kernel_size=3, stride=2)]
        layers += [block(cnf, norm_layer) for cnf in inverted_residual_setting]
        last = inverted_residual_setting[-1].out_channels
        layers.append(step(last, 6 * last, kernel_size=1))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(6 * last, last_channel), nn.Hardswish(inplace=True), nn.Dropout(p=dropout, inplace=True),
            nn.Linear(last_channel, num_classes),
        )
        init_convolutions(self, small_normal)

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


# Input, kernel, expanded, output, whether it squeezes and excites, activation, stride.
_LARGE = (
    (16, 3, 16, 16, False, "RE", 1), (16, 3, 64, 24, False, "RE", 2), (24, 3, 72, 24, False, "RE", 1),
    (24, 5, 72, 40, True, "RE", 2), (40, 5, 120, 40, True, "RE", 1), (40, 5, 120, 40, True, "RE", 1),
    (40, 3, 240, 80, False, "HS", 2), (80, 3, 200, 80, False, "HS", 1), (80, 3, 184, 80, False, "HS", 1),
    (80, 3, 184, 80, False, "HS", 1), (80, 3, 480, 112, True, "HS", 1), (112, 3, 672, 112, True, "HS", 1),
    (112, 5, 672, 160, True, "HS", 2), (160, 5, 960, 160, True, "HS", 1), (160, 5, 960, 160, True, "HS", 1),
)
_SMALL = (
    (16, 3, 16, 16, True, "RE", 2), (16, 3, 72, 24, False, "RE", 2), (24, 3, 88, 24, False, "RE", 1),
    (24, 5, 96, 40, True, "HS", 2), (40, 5, 240, 40, True, "HS", 1), (40, 5, 240, 40, True, "HS", 1),
    (40, 5, 120, 48, True, "HS", 1), (48, 5, 144, 48, True, "HS", 1), (48, 5, 288, 96, True, "HS", 2),
    (96, 5, 576, 96, True, "HS", 1), (96, 5, 576, 96, True, "HS", 1),
)


def _mobilenet(rows, tail, last, weights, progress, width_mult=1.0, reduced_tail=False, dilated=False, **kwargs):
    divider, dilation = 2 if reduced_tail else 1, 2 if dilated else 1
    setting = []
    for i, (inp, kernel, wide, out, se, activation, stride) in enumerate(rows):
        in_tail = i >= tail
        setting.append(
            InvertedResidualConfig(
                inp // divider if i > tail else inp, kernel, wide // divider if i > tail else wide,
                out // divider if in_tail else out, se, activation, stride, dilation if in_tail else 1, width_mult,
            )
        )
    last = InvertedResidualConfig.adjust_channels(last // divider, width_mult)
    return model(weights, MobileNetV3, setting, last, progress=progress, **kwargs)


MobileNet_V3_Large_Weights = weights_enum("MobileNet_V3_Large_Weights", __name__)
MobileNet_V3_Small_Weights = weights_enum("MobileNet_V3_Small_Weights", __name__)


@builder(MobileNet_V3_Large_Weights)
def mobilenet_v3_large(weights, progress, **kwargs):
    return _mobilenet(_LARGE, 12, 1280, weights, progress, **kwargs)


@builder(MobileNet_V3_Small_Weights)
def mobilenet_v3_small(weights, progress, **kwargs):
    return _mobilenet(_SMALL, 8, 1024, weights, progress, **kwargs)
