"""VGG."""

import torch
from torch import nn

from torchvision.models._api import builder, model, weights_enum


class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(p=dropout),
            nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(p=dropout),
            nn.Linear(4096, num_classes),
        )
        if init_weights:
            for m in self.modules():
                if isinstance(m, nn.Conv2d):
                    nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                    if m.bias is not None:
                        nn.init.constant_(m.bias, 0)
                elif isinstance(m, nn.BatchNorm2d):
                    nn.init.constant_(m.weight, 1)
                    nn.init.constant_(m.bias, 0)
                elif isinstance(m, nn.Linear):
                    nn.init.normal_(m.weight, 0, 0.01)
                    nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def make_layers(cfg, batch_norm=False):
    layers, width = [], 3
    for v in cfg:
        if v == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2d(width, v, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(v))
        layers.append(nn.ReLU(inplace=True))
        width = v
    return nn.Sequential(*layers)


def _stages(*counts):
    out = []
    for width, count in zip((64, 128, 256, 512, 512), counts):
        out += [width] * count + ["M"]
    return out


cfgs = {
    "A": _stages(1, 1, 2, 2, 2),
    "B": _stages(2, 2, 2, 2, 2),
    "D": _stages(2, 2, 3, 3, 3),
    "E": _stages(2, 2, 4, 4, 4),
}


def _vgg(cfg, batch_norm, weights, progress, **kwargs):
    if weights is not None:
        kwargs["init_weights"] = False

    def make(**kwargs):
        return VGG(make_layers(cfgs[cfg], batch_norm=batch_norm), **kwargs)

    return model(weights, make, progress=progress, **kwargs)


VGG11_Weights = weights_enum("VGG11_Weights", __name__)
VGG11_BN_Weights = weights_enum("VGG11_BN_Weights", __name__)
VGG13_Weights = weights_enum("VGG13_Weights", __name__)
VGG13_BN_Weights = weights_enum("VGG13_BN_Weights", __name__)
VGG16_Weights = weights_enum("VGG16_Weights", __name__)
VGG16_BN_Weights = weights_enum("VGG16_BN_Weights", __name__)
VGG19_Weights = weights_enum("VGG19_Weights", __name__)
VGG19_BN_Weights = weights_enum("VGG19_BN_Weights", __name__)


@builder(VGG11_Weights)
def vgg11(weights, progress, **kwargs):
    return _vgg("A", False, weights, progress, **kwargs)


@builder(VGG11_BN_Weights)
def vgg11_bn(weights, progress, **kwargs):
    return _vgg("A", True, weights, progress, **kwargs)


@builder(VGG13_Weights)
def vgg13(weights, progress, **kwargs):
    return _vgg("B", False, weights, progress, **kwargs)


@builder(VGG13_BN_Weights)
def vgg13_bn(weights, progress, **kwargs):
    return _vgg("B", True, weights, progress, **kwargs)


@builder(VGG16_Weights)
def vgg16(weights, progress, **kwargs):
    return _vgg("D", False, weights, progress, **kwargs)


@builder(VGG16_BN_Weights)
def vgg16_bn(weights, progress, **kwargs):
    return _vgg("D", True, weights, progress, **kwargs)


@builder(VGG19_Weights)
def vgg19(weights, progress, **kwargs):
    return _vgg("E", False, weights, progress, **kwargs)


@builder(VGG19_BN_Weights)
def vgg19_bn(weights, progress, **kwargs):
    return _vgg("E", True, weights, progress, **kwargs)
