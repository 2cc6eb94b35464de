"""PyTorch's random numbers for ports to JAX: the same seed gives the same weights and data."""

import math

import numpy as np


class Generator:
    """mt19937 as torch.manual_seed starts it."""

    def __init__(self, seed):
        self.bits = np.random.RandomState(seed)

    def words(self, count):
        return self.bits.randint(0, 2**32, count, dtype=np.uint32)

    def rand(self, *shape):
        """torch.rand: 24 bits each."""
        words = self.words(math.prod(shape)) & np.uint32(0xFFFFFF)
        return (words.astype(np.float32) * np.float32(2.0**-24)).reshape(shape)

    def randint(self, low, high, shape):
        """torch.randint."""
        words = self.words(math.prod(shape)).astype(np.uint64)
        return (words % np.uint64(high - low) + np.uint64(low)).astype(np.int32).reshape(shape)

    def linear(self, inputs, outputs):
        """The weight and bias of torch.nn.Linear."""
        bound = 1.0 / math.sqrt(inputs)
        return self.uniform(bound, outputs, inputs), self.uniform(bound, outputs)

    def randn(self, *shape):
        """torch.randn, of 16 elements at least: Box-Muller over blocks of 16."""
        count = math.prod(shape)

        def normal(uniform):
            u, v = np.float32(1.0) - uniform[..., :8], uniform[..., 8:]
            radius = np.sqrt(np.float32(-2.0) * np.log(u))
            angle = np.float32(2.0 * math.pi) * v
            return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)

        values = self.rand(count)
        whole = count // 16 * 16
        values[:whole] = normal(values[:whole].reshape(-1, 16)).reshape(-1)
        if whole < count:
            # The last 16 are drawn again.
            values[-16:] = normal(self.rand(16))
        return values.reshape(shape)

    def randperm(self, count):
        """torch.randperm."""
        order = np.arange(count)
        for i, word in enumerate(self.words(count - 1).tolist()):
            j = i + word % (count - i)
            order[i], order[j] = order[j], order[i]
        return order

    def uniform(self, bound, *shape):
        """Tensor.uniform_(-bound, bound)."""
        bound = np.float32(bound)
        return self.rand(*shape) * (bound - -bound) + -bound

    def conv(self, inputs, outputs, size):
        """The weight and bias of torch.nn.Conv2d."""
        bound = 1.0 / math.sqrt(inputs * size * size)
        return self.uniform(bound, outputs, inputs, size, size), self.uniform(bound, outputs)
