"""Storages by their dtype, as files name them: memory of one dimension, which tensors show parts of."""

import torch


class _Storage:
    def __init__(self, memory):
        self._memory = memory

    def __len__(self):
        return self._memory.numel()


def _define(name, dtype):
    return type(name, (_Storage,), {"dtype": dtype, "__module__": "torch"})


FloatStorage = _define("FloatStorage", torch.float32)
DoubleStorage = _define("DoubleStorage", torch.float64)
LongStorage = _define("LongStorage", torch.int64)
IntStorage = _define("IntStorage", torch.int32)
ShortStorage = _define("ShortStorage", torch.int16)
CharStorage = _define("CharStorage", torch.int8)
ByteStorage = _define("ByteStorage", torch.uint8)
BoolStorage = _define("BoolStorage", torch.bool)
# What tensors cannot have is refused when it is read.
HalfStorage = _define("HalfStorage", torch.float16)
BFloat16Storage = _define("BFloat16Storage", torch.bfloat16)
ComplexFloatStorage = _define("ComplexFloatStorage", torch.complex64)
ComplexDoubleStorage = _define("ComplexDoubleStorage", torch.complex128)

BY_DTYPE = {kind.dtype: kind for kind in _Storage.__subclasses__()}
