"""ShuffleNet, the second version."""

import torch
from torch import nn
from torch.nn import functional as F

from torchvision.models._api import builder, model, weights_enum


def _pointwise(inp, oup):
    """A convolution of single pixels, its norm and ReLU."""
    return [nn.Conv2d(inp, oup, kernel_size=1, bias=False), nn.BatchNorm2d(oup), nn.ReLU(inplace=True)]


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        if not 1 <= stride <= 3:
            raise ValueError("illegal stride value")
        half = oup // 2
        if stride == 1 and inp != 2 * half:
            raise ValueError(
                f"Invalid combination of stride {stride}, inp {inp} and oup {oup} values. If stride == 1 then inp "
                "should be equal to oup // 2 << 1."
            )
        self.stride = stride
        first = []
        if stride > 1:
            first = [self.depthwise_conv(inp, inp, 3, stride, 1), nn.BatchNorm2d(inp), *_pointwise(inp, half)]
        self.branch1 = nn.Sequential(*first)
        self.branch2 = nn.Sequential(
            *_pointwise(inp if stride > 1 else half, half),
            self.depthwise_conv(half, half, 3, stride, 1),
            nn.BatchNorm2d(half),
            *_pointwise(half, half),
        )

    @staticmethod
    def depthwise_conv(i, o, kernel_size, stride=1, padding=0, bias=False):
        return nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x):
        # Half of the channels passes by where the image keeps its size.
        kept, changed = x.chunk(2, dim=1) if self.stride == 1 else (self.branch1(x), x)
        return F.channel_shuffle(torch.cat((kept, self.branch2(changed)), dim=1), 2)


class ShuffleNetV2(nn.Module):
    def __init__(
        self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=InvertedResidual
    ):
        super().__init__()
        if len(stages_repeats) != 3:
            raise ValueError("expected stages_repeats as list of 3 positive ints")
        if len(stages_out_channels) != 5:
            raise ValueError("expected stages_out_channels as list of 5 positive ints")
        self._stage_out_channels = stages_out_channels
        first, *middle, last = stages_out_channels
        self.conv1 = nn.Sequential(
            nn.Conv2d(3, first, kernel_size=3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(inplace=True),
        )
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        width = first
        for i, (repeats, out) in enumerate(zip(stages_repeats, middle)):
            blocks = [inverted_residual(width, out, 2)]
            blocks += [inverted_residual(out, out, 1) for _ in range(repeats - 1)]
            setattr(self, f"stage{i + 2}", nn.Sequential(*blocks))
            width = out
        self.conv5 = nn.Sequential(*_pointwise(width, last))
        self.fc = nn.Linear(last, num_classes)

    def forward(self, x):
        x = self.maxpool(self.conv1(x))
        x = self.stage4(self.stage3(self.stage2(x)))
        return self.fc(self.conv5(x).mean([2, 3]))


ShuffleNet_V2_X0_5_Weights = weights_enum("ShuffleNet_V2_X0_5_Weights", __name__)
ShuffleNet_V2_X1_0_Weights = weights_enum("ShuffleNet_V2_X1_0_Weights", __name__)
ShuffleNet_V2_X1_5_Weights = weights_enum("ShuffleNet_V2_X1_5_Weights", __name__)
ShuffleNet_V2_X2_0_Weights = weights_enum("ShuffleNet_V2_X2_0_Weights", __name__)


def _shufflenet(widths, weights, progress, **kwargs):
    return model(weights, ShuffleNetV2, [4, 8, 4], widths, progress=progress, **kwargs)


@builder(ShuffleNet_V2_X0_5_Weights)
def shufflenet_v2_x0_5(weights, progress, **kwargs):
    return _shufflenet([24, 48, 96, 192, 1024], weights, progress, **kwargs)


@builder(ShuffleNet_V2_X1_0_Weights)
def shufflenet_v2_x1_0(weights, progress, **kwargs):
    return _shufflenet([24, 116, 232, 464, 1024], weights, progress, **kwargs)


@builder(ShuffleNet_V2_X1_5_Weights)
def shufflenet_v2_x1_5(weights, progress, **kwargs):
    return _shufflenet([24, 176, 352, 704, 1024], weights, progress, **kwargs)


@builder(ShuffleNet_V2_X2_0_Weights)
def shufflenet_v2_x2_0(weights, progress, **kwargs):
    return _shufflenet([24, 244, 488, 976, 2048], weights, progress, **kwargs)
