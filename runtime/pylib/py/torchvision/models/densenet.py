"""DenseNet."""

import re
from collections import OrderedDict

import torch
from _refused import refused
from torch import nn
from torch.nn import functional as F

from torchvision.models._api import builder, model, weights_enum


class _DenseLayer(nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        if memory_efficient:
            raise refused("torchvision.models.DenseNet", "memory_efficient")
        self.norm1 = nn.BatchNorm2d(num_input_features)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, bn_size * growth_rate, kernel_size=1, stride=1, bias=False)
        self.norm2 = nn.BatchNorm2d(bn_size * growth_rate)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, kernel_size=3, stride=1, padding=1, bias=False)
        self.drop_rate = float(drop_rate)
        self.memory_efficient = memory_efficient

    def forward(self, input):
        features = [input] if isinstance(input, torch.Tensor) else input
        narrow = self.conv1(self.relu1(self.norm1(torch.cat(features, 1))))
        new = self.conv2(self.relu2(self.norm2(narrow)))
        return F.dropout(new, p=self.drop_rate, training=self.training) if self.drop_rate > 0 else new


class _DenseBlock(nn.ModuleDict):
    def __init__(
        self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False
    ):
        super().__init__()
        for i in range(num_layers):
            width = num_input_features + i * growth_rate
            layer = _DenseLayer(width, growth_rate, bn_size, drop_rate, memory_efficient)
            self.add_module(f"denselayer{i + 1}", layer)

    def forward(self, init_features):
        features = [init_features]
        for layer in self.values():
            features.append(layer(features))
        return torch.cat(features, 1)


class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.norm = nn.BatchNorm2d(num_input_features)
        self.relu = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(num_input_features, num_output_features, kernel_size=1, stride=1, bias=False)
        self.pool = nn.AvgPool2d(kernel_size=2, stride=2)


class DenseNet(nn.Module):
    def __init__(
        self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0,
        num_classes=1000, memory_efficient=False,
    ):
        super().__init__()
        self.features = nn.Sequential(
            OrderedDict(
                [
                    ("conv0", nn.Conv2d(3, num_init_features, kernel_size=7, stride=2, padding=3, bias=False)),
                    ("norm0", nn.BatchNorm2d(num_init_features)),
                    ("relu0", nn.ReLU(inplace=True)),
                    ("pool0", nn.MaxPool2d(kernel_size=3, stride=2, padding=1)),
                ]
            )
        )
        width = num_init_features
        for i, count in enumerate(block_config):
            block = _DenseBlock(count, width, bn_size, growth_rate, drop_rate, memory_efficient)
            self.features.add_module(f"denseblock{i + 1}", block)
            width += count * growth_rate
            if i != len(block_config) - 1:
                self.features.add_module(f"transition{i + 1}", _Transition(width, width // 2))
                width //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(width))
        self.classifier = nn.Linear(width, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        out = F.relu(self.features(x), inplace=True)
        return self.classifier(torch.flatten(F.adaptive_avg_pool2d(out, (1, 1)), 1))


# In the files, a dot stands within the names of layers.
_OLD = re.compile(r"^(.*denselayer\d+\.(?:norm|relu|conv))\.((?:[12])\.(?:weight|bias|running_mean|running_var))$")


class _Files:
    """Weights whose names are brought up to date."""

    def __init__(self, weights):
        self._weights = weights

    def get_state_dict(self, **kwargs):
        state = self._weights.get_state_dict(**kwargs)
        return {(m.group(1) + m.group(2) if (m := _OLD.match(key)) else key): v for key, v in state.items()}


DenseNet121_Weights = weights_enum("DenseNet121_Weights", __name__)
DenseNet161_Weights = weights_enum("DenseNet161_Weights", __name__)
DenseNet169_Weights = weights_enum("DenseNet169_Weights", __name__)
DenseNet201_Weights = weights_enum("DenseNet201_Weights", __name__)


def _densenet(growth, blocks, first, weights, progress, **kwargs):
    files = None if weights is None else _Files(weights)
    return model(files, DenseNet, growth, blocks, first, progress=progress, **kwargs)


@builder(DenseNet121_Weights)
def densenet121(weights, progress, **kwargs):
    return _densenet(32, (6, 12, 24, 16), 64, weights, progress, **kwargs)


@builder(DenseNet161_Weights)
def densenet161(weights, progress, **kwargs):
    return _densenet(48, (6, 12, 36, 24), 96, weights, progress, **kwargs)


@builder(DenseNet169_Weights)
def densenet169(weights, progress, **kwargs):
    return _densenet(32, (6, 12, 32, 32), 64, weights, progress, **kwargs)


@builder(DenseNet201_Weights)
def densenet201(weights, progress, **kwargs):
    return _densenet(32, (6, 12, 48, 32), 64, weights, progress, **kwargs)
