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
        bound = np.float32(1.0 / math.sqrt(inputs))
        scale = lambda x: x * (bound - -bound) + -bound
        return scale(self.rand(outputs, inputs)), scale(self.rand(outputs))
