"""MobileNet, the second version."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from torchvision.models._api import builder, model, weights_enum
from torchvision.models._utils import init_convolutions, make_divisible, small_normal
from torchvision.ops.misc import Conv2dNormActivation


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        self.stride = stride
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        hidden = int(round(inp * expand_ratio))
        self.use_res_connect = self.stride == 1 and inp == oup
        step = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=nn.ReLU6)
        layers = [] if expand_ratio == 1 else [step(inp, hidden, kernel_size=1)]
        layers += [
            step(hidden, hidden, stride=stride, groups=hidden),
            nn.Conv2d(hidden, oup, 1, 1, 0, bias=False),
            norm_layer(oup),
        ]
        self.conv = nn.Sequential(*layers)
        self.out_channels = oup

    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(
        self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None,
        norm_layer=None, dropout=0.2,
    ):
        super().__init__()
        block = InvertedResidual if block is None else block
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        if inverted_residual_setting is None:
            # Expansion, channels, repeats, stride.
            inverted_residual_setting = [
                [1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2],
                [6, 320, 1, 1],
            ]
        if len(inverted_residual_setting) == 0 or len(inverted_residual_setting[0]) != 4:
            raise ValueError(
                f"inverted_residual_setting should be non-empty or a 4-element list, got {inverted_residual_setting}"
            )
        width = make_divisible(32 * width_mult, round_nearest)
        self.last_channel = make_divisible(1280 * max(1.0, width_mult), round_nearest)
        step = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=nn.ReLU6)
        features = [step(3, width, stride=2)]
        for t, c, n, s in inverted_residual_setting:
            out = make_divisible(c * width_mult, round_nearest)
            for i in range(n):
                features.append(block(width, out, s if i == 0 else 1, expand_ratio=t, norm_layer=norm_layer))
                width = out
        features.append(step(width, self.last_channel, kernel_size=1))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(self.last_channel, num_classes))
        init_convolutions(self, small_normal)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))


MobileNet_V2_Weights = weights_enum("MobileNet_V2_Weights", __name__)


@builder(MobileNet_V2_Weights)
def mobilenet_v2(weights, progress, **kwargs):
    return model(weights, MobileNetV2, progress=progress, **kwargs)
