"""What several models need."""

from torch import nn


def make_divisible(v, divisor, min_value=None):
    """The nearest multiple, and not below nine tenths of it."""
    new_v = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return new_v + divisor if new_v < 0.9 * v else new_v


_make_divisible = make_divisible


def init_convolutions(net, linear=None, mode="fan_out"):
    """Kaiming's for convolutions, ones for norms; `linear` for what is linear."""
    for m in net.modules():
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode=mode)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
            nn.init.ones_(m.weight)
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Linear) and linear is not None:
            linear(m)


def small_normal(m):
    nn.init.normal_(m.weight, 0, 0.01)
    nn.init.zeros_(m.bias)


class IntermediateLayerGetter(nn.ModuleDict):
    """The first children of a model up to the last one whose result is wanted."""

    def __init__(self, model, return_layers):
        if not set(return_layers).issubset([name for name, _ in model.named_children()]):
            raise ValueError("return_layers are not present in model")
        wanted = {str(k): str(v) for k, v in return_layers.items()}
        layers, left = {}, dict(wanted)
        for name, module in model.named_children():
            layers[name] = module
            left.pop(name, None)
            if not left:
                break
        super().__init__(layers)
        self.return_layers = wanted

    def forward(self, x):
        out = {}
        for name, module in self.items():
            x = module(x)
            if name in self.return_layers:
                out[self.return_layers[name]] = x
        return out
