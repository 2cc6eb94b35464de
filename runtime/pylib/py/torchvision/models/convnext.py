"""ConvNeXt."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from torchvision.models._api import builder, model, weights_enum
from torchvision.ops.misc import Conv2dNormActivation, Permute, StochasticDepth


class LayerNorm2d(nn.LayerNorm):
    """Over the channels of each pixel."""

    def forward(self, x):
        last = F.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return last.permute(0, 3, 1, 2)


class CNBlock(nn.Module):
    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        norm_layer = partial(nn.LayerNorm, eps=1e-6) if norm_layer is None else norm_layer
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim),
            Permute([0, 2, 3, 1]),
            norm_layer(dim),
            nn.Linear(dim, 4 * dim),
            nn.GELU(),
            nn.Linear(4 * dim, dim),
            Permute([0, 3, 1, 2]),
        )
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def forward(self, input):
        result = self.stochastic_depth(self.layer_scale * self.block(input))
        result += input
        return result


class CNBlockConfig:
    def __init__(self, input_channels, out_channels, num_layers):
        self.input_channels = input_channels
        self.out_channels = out_channels
        self.num_layers = num_layers

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(input_channels={self.input_channels}, out_channels={self.out_channels}, "
            f"num_layers={self.num_layers})"
        )


class ConvNeXt(nn.Module):
    def __init__(
        self, block_setting, stochastic_depth_prob=0.0, layer_scale=1e-6, num_classes=1000, block=None,
        norm_layer=None, **kwargs,
    ):
        super().__init__()
        if not block_setting:
            raise ValueError("The block_setting should not be empty")
        if not (isinstance(block_setting, (list, tuple)) and all([isinstance(s, CNBlockConfig) for s in block_setting])):
            raise TypeError("The block_setting should be List[CNBlockConfig]")
        block = CNBlock if block is None else block
        norm_layer = partial(LayerNorm2d, eps=1e-6) if norm_layer is None else norm_layer
        layers = [
            Conv2dNormActivation(
                3, block_setting[0].input_channels, kernel_size=4, stride=4, padding=0, norm_layer=norm_layer,
                activation_layer=None, bias=True,
            )
        ]
        count, at = sum([setting.num_layers for setting in block_setting]), 0
        for setting in block_setting:
            width, stage = setting.input_channels, []
            for _ in range(setting.num_layers):
                # The deeper, the more often it is left out.
                stage.append(block(width, layer_scale, stochastic_depth_prob * at / (count - 1.0)))
                at += 1
            layers.append(nn.Sequential(*stage))
            if setting.out_channels is not None:
                smaller = nn.Conv2d(width, setting.out_channels, kernel_size=2, stride=2)
                layers.append(nn.Sequential(norm_layer(width), smaller))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        last = block_setting[-1]
        width = last.input_channels if last.out_channels is None else last.out_channels
        self.classifier = nn.Sequential(norm_layer(width), nn.Flatten(1), nn.Linear(width, num_classes))
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))


ConvNeXt_Tiny_Weights = weights_enum("ConvNeXt_Tiny_Weights", __name__)
ConvNeXt_Small_Weights = weights_enum("ConvNeXt_Small_Weights", __name__)
ConvNeXt_Base_Weights = weights_enum("ConvNeXt_Base_Weights", __name__)
ConvNeXt_Large_Weights = weights_enum("ConvNeXt_Large_Weights", __name__)


def _convnext(widths, depths, dropped, weights, progress, **kwargs):
    settings = [CNBlockConfig(a, b, n) for a, b, n in zip(widths, [*widths[1:], None], depths)]
    dropped = kwargs.pop("stochastic_depth_prob", dropped)
    return model(weights, ConvNeXt, settings, dropped, progress=progress, **kwargs)


@builder(ConvNeXt_Tiny_Weights)
def convnext_tiny(weights, progress, **kwargs):
    return _convnext((96, 192, 384, 768), (3, 3, 9, 3), 0.1, weights, progress, **kwargs)


@builder(ConvNeXt_Small_Weights)
def convnext_small(weights, progress, **kwargs):
    return _convnext((96, 192, 384, 768), (3, 3, 27, 3), 0.4, weights, progress, **kwargs)


@builder(ConvNeXt_Base_Weights)
def convnext_base(weights, progress, **kwargs):
    return _convnext((128, 256, 512, 1024), (3, 3, 27, 3), 0.5, weights, progress, **kwargs)


@builder(ConvNeXt_Large_Weights)
def convnext_large(weights, progress, **kwargs):
    return _convnext((192, 384, 768, 1536), (3, 3, 27, 3), 0.5, weights, progress, **kwargs)
