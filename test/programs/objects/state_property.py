# Properties, setters, class attributes, static and class methods.
import torch


class Layer:
    instances = 0
    gain = 1.0

    def __init__(self, n):
        self._w = torch.ones(n)
        Layer.instances += 1

    @property
    def weight(self):
        return self._w * self.gain

    @weight.setter
    def weight(self, value):
        self._w = value.clamp(-1, 1)

    @staticmethod
    def act(x):
        return x.tanh()

    @classmethod
    def grow(cls, by):
        cls.gain += by
        return cls

    def __call__(self, x):
        return self.act(x * self.weight)


layer = Layer(3)
out = []
for i in range(18):
    y = layer(torch.tensor([0.5, -0.5, i * 0.1]))
    layer.weight = layer.weight - 0.1 * y
    if i % 6 == 5:
        Layer.grow(0.25)
    out.append(y.sum().item())
print([f"{v:.4f}" for v in out[::4]], Layer.gain, Layer.instances, [f"{v:.3f}" for v in layer.weight.tolist()])
