"""MNASNet."""

import warnings

from torch import nn

from torchvision.models._api import builder, model, weights_enum
from torchvision.models._utils import init_convolutions, make_divisible

_MOMENTUM = 1 - 0.9997


def _norm(width, momentum=_MOMENTUM):
    return nn.BatchNorm2d(width, momentum=momentum)


class _InvertedResidual(nn.Module):
    def __init__(self, in_ch, out_ch, kernel_size, stride, expansion_factor, bn_momentum=0.1):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        if kernel_size not in (3, 5):
            raise ValueError(f"kernel_size should be 3 or 5 instead of {kernel_size}")
        wide = in_ch * expansion_factor
        self.apply_residual = in_ch == out_ch and stride == 1
        depthwise = nn.Conv2d(wide, wide, kernel_size, stride, kernel_size // 2, groups=wide, bias=False)
        self.layers = nn.Sequential(
            nn.Conv2d(in_ch, wide, 1, bias=False),
            _norm(wide, bn_momentum),
            nn.ReLU(inplace=True),
            depthwise,
            _norm(wide, bn_momentum),
            nn.ReLU(inplace=True),
            nn.Conv2d(wide, out_ch, 1, bias=False),
            _norm(out_ch, bn_momentum),
        )

    def forward(self, input):
        out = self.layers(input)
        return out + input if self.apply_residual else out


def _stack(in_ch, out_ch, kernel_size, stride, exp_factor, repeats):
    if repeats < 1:
        raise ValueError(f"repeats should be >= 1, instead got {repeats}")
    blocks = []
    for i in range(repeats):
        width, step = (in_ch, stride) if i == 0 else (out_ch, 1)
        blocks.append(_InvertedResidual(width, out_ch, kernel_size, step, exp_factor, _MOMENTUM))
    return nn.Sequential(*blocks)


def _stem(first, second):
    return [
        nn.Conv2d(3, first, 3, padding=1, stride=2, bias=False),
        _norm(first),
        nn.ReLU(inplace=True),
        nn.Conv2d(first, first, 3, padding=1, groups=first, bias=False),
        _norm(first),
        nn.ReLU(inplace=True),
        nn.Conv2d(first, second, 1, bias=False),
        _norm(second),
    ]


def _depths(alpha):
    return [make_divisible(depth * alpha, 8) for depth in (32, 16, 24, 40, 80, 96, 192, 320)]


def _squashed(m):
    nn.init.kaiming_uniform_(m.weight, mode="fan_out", nonlinearity="sigmoid")
    nn.init.zeros_(m.bias)


class MNASNet(nn.Module):
    _version = 2

    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        if alpha <= 0.0:
            raise ValueError(f"alpha should be greater than 0.0 instead of {alpha}")
        self.alpha = alpha
        self.num_classes = num_classes
        depths = _depths(alpha)
        layers = _stem(depths[0], depths[1])
        # Kernel, stride, expansion, repeats.
        settings = ((3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1))
        for inp, out, setting in zip(depths[1:], depths[2:], settings):
            layers.append(_stack(inp, out, *setting))
        layers += [nn.Conv2d(depths[7], 1280, 1, bias=False), _norm(1280), nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(1280, num_classes))
        init_convolutions(self, _squashed)

    def forward(self, x):
        return self.classifier(self.layers(x).mean([2, 3]))

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *args):
        version = local_metadata.get("version", None)
        if version not in (1, 2):
            raise ValueError(f"version should be set to 1 or 2 instead of {version}")
        if version == 1 and self.alpha != 1.0:
            # The first version had a stem of one width.
            stem = _stem(32, 16) + [_stack(16, _depths(self.alpha)[2], 3, 2, 3, 3)]
            for i, layer in enumerate(stem):
                self.layers[i] = layer
            self._version = 1
            warnings.warn(
                "A new version of MNASNet model has been implemented. Your checkpoint was saved using the previous "
                "version. This checkpoint will load and work as before, but you may want to upgrade by training a "
                "newer model or transfer learning from an updated ImageNet checkpoint.",
                UserWarning,
            )
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *args)


MNASNet0_5_Weights = weights_enum("MNASNet0_5_Weights", __name__)
MNASNet0_75_Weights = weights_enum("MNASNet0_75_Weights", __name__)
MNASNet1_0_Weights = weights_enum("MNASNet1_0_Weights", __name__)
MNASNet1_3_Weights = weights_enum("MNASNet1_3_Weights", __name__)


@builder(MNASNet0_5_Weights)
def mnasnet0_5(weights, progress, **kwargs):
    return model(weights, MNASNet, 0.5, progress=progress, **kwargs)


@builder(MNASNet0_75_Weights)
def mnasnet0_75(weights, progress, **kwargs):
    return model(weights, MNASNet, 0.75, progress=progress, **kwargs)


@builder(MNASNet1_0_Weights)
def mnasnet1_0(weights, progress, **kwargs):
    return model(weights, MNASNet, 1.0, progress=progress, **kwargs)


@builder(MNASNet1_3_Weights)
def mnasnet1_3(weights, progress, **kwargs):
    return model(weights, MNASNet, 1.3, progress=progress, **kwargs)
