"""Residual networks."""

from functools import partial

import torch
from torch import nn

from torchvision.models._api import builder, model, weights_enum


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return nn.Conv2d(
        in_planes, out_planes, kernel_size=3, stride=stride, padding=dilation, groups=groups, bias=False,
        dilation=dilation,
    )


def conv1x1(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(
        self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None
    ):
        super().__init__()
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = conv1x1(inplanes, width)
        self.bn1 = norm_layer(width)
        self.conv2 = conv3x3(width, width, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = conv1x1(width, planes * self.expansion)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(
        self, block, layers, num_classes=1000, zero_init_residual=False, groups=1, width_per_group=64,
        replace_stride_with_dilation=None, norm_layer=None,
    ):
        super().__init__()
        norm_layer = nn.BatchNorm2d if norm_layer is None else norm_layer
        self._norm_layer = norm_layer
        self.inplanes = 64
        self.dilation = 1
        dilated = replace_stride_with_dilation or [False, False, False]
        if len(dilated) != 3:
            raise ValueError(
                "replace_stride_with_dilation should be None "
                f"or a 3-element tuple, got {replace_stride_with_dilation}"
            )
        self.groups = groups
        self.base_width = width_per_group
        self.conv1 = nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = norm_layer(self.inplanes)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], stride=2, dilate=dilated[0])
        self.layer3 = self._make_layer(block, 256, layers[2], stride=2, dilate=dilated[1])
        self.layer4 = self._make_layer(block, 512, layers[3], stride=2, dilate=dilated[2])
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
        if zero_init_residual:
            for m in self.modules():
                if isinstance(m, Bottleneck) and m.bn3.weight is not None:
                    nn.init.constant_(m.bn3.weight, 0)
                elif isinstance(m, BasicBlock) and m.bn2.weight is not None:
                    nn.init.constant_(m.bn2.weight, 0)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm_layer, downsample, before = self._norm_layer, None, self.dilation
        if dilate:
            self.dilation *= stride
            stride = 1
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                conv1x1(self.inplanes, planes * block.expansion, stride), norm_layer(planes * block.expansion)
            )
        layers = [
            block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, before, norm_layer)
        ]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(
                block(
                    self.inplanes, planes, groups=self.groups, base_width=self.base_width, dilation=self.dilation,
                    norm_layer=norm_layer,
                )
            )
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


ResNet18_Weights = weights_enum("ResNet18_Weights", __name__)
ResNet34_Weights = weights_enum("ResNet34_Weights", __name__)
ResNet50_Weights = weights_enum("ResNet50_Weights", __name__)
ResNet101_Weights = weights_enum("ResNet101_Weights", __name__)
ResNet152_Weights = weights_enum("ResNet152_Weights", __name__)
ResNeXt50_32X4D_Weights = weights_enum("ResNeXt50_32X4D_Weights", __name__)
ResNeXt101_32X8D_Weights = weights_enum("ResNeXt101_32X8D_Weights", __name__)
ResNeXt101_64X4D_Weights = weights_enum("ResNeXt101_64X4D_Weights", __name__)
Wide_ResNet50_2_Weights = weights_enum("Wide_ResNet50_2_Weights", __name__)
Wide_ResNet101_2_Weights = weights_enum("Wide_ResNet101_2_Weights", __name__)


@builder(ResNet18_Weights)
def resnet18(weights, progress, **kwargs):
    return model(weights, ResNet, BasicBlock, [2, 2, 2, 2], progress=progress, **kwargs)


@builder(ResNet34_Weights)
def resnet34(weights, progress, **kwargs):
    return model(weights, ResNet, BasicBlock, [3, 4, 6, 3], progress=progress, **kwargs)


@builder(ResNet50_Weights)
def resnet50(weights, progress, **kwargs):
    return model(weights, ResNet, Bottleneck, [3, 4, 6, 3], progress=progress, **kwargs)


@builder(ResNet101_Weights)
def resnet101(weights, progress, **kwargs):
    return model(weights, ResNet, Bottleneck, [3, 4, 23, 3], progress=progress, **kwargs)


@builder(ResNet152_Weights)
def resnet152(weights, progress, **kwargs):
    return model(weights, ResNet, Bottleneck, [3, 8, 36, 3], progress=progress, **kwargs)


@builder(ResNeXt50_32X4D_Weights)
def resnext50_32x4d(weights, progress, **kwargs):
    net = partial(ResNet, groups=32, width_per_group=4)
    return model(weights, net, Bottleneck, [3, 4, 6, 3], progress=progress, **kwargs)


@builder(ResNeXt101_32X8D_Weights)
def resnext101_32x8d(weights, progress, **kwargs):
    net = partial(ResNet, groups=32, width_per_group=8)
    return model(weights, net, Bottleneck, [3, 4, 23, 3], progress=progress, **kwargs)


@builder(ResNeXt101_64X4D_Weights)
def resnext101_64x4d(weights, progress, **kwargs):
    net = partial(ResNet, groups=64, width_per_group=4)
    return model(weights, net, Bottleneck, [3, 4, 23, 3], progress=progress, **kwargs)


@builder(Wide_ResNet50_2_Weights)
def wide_resnet50_2(weights, progress, **kwargs):
    net = partial(ResNet, width_per_group=128)
    return model(weights, net, Bottleneck, [3, 4, 6, 3], progress=progress, **kwargs)


@builder(Wide_ResNet101_2_Weights)
def wide_resnet101_2(weights, progress, **kwargs):
    net = partial(ResNet, width_per_group=128)
    return model(weights, net, Bottleneck, [3, 4, 23, 3], progress=progress, **kwargs)
