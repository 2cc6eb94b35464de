"""Limits of the dtypes."""

import torch

_FLOATS = {
    torch.float32: (32, 2.0**-23, 3.4028234663852886e38, 2.0**-126, 1e-6),
    torch.float64: (64, 2.0**-52, 1.7976931348623157e308, 2.0**-1022, 1e-15),
    torch.float16: (16, 2.0**-10, 65504.0, 2.0**-14, 1e-3),
    torch.bfloat16: (16, 2.0**-7, 3.3895313892515355e38, 2.0**-126, 1e-2),
    torch.float8_e4m3fn: (8, 2.0**-3, 448.0, 2.0**-6, 1.0),
    torch.float8_e5m2: (8, 2.0**-2, 57344.0, 2.0**-14, 1.0),
}
# The floats that a complex number is made of.
_PARTS = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}
_INTS = {
    torch.uint8: (8, 0, 255),
    torch.uint16: (16, 0, 2**16 - 1),
    torch.uint32: (32, 0, 2**32 - 1),
    torch.uint64: (64, 0, 2**64 - 1),
    torch.int8: (8, -128, 127),
    torch.int16: (16, -(2**15), 2**15 - 1),
    torch.int32: (32, -(2**31), 2**31 - 1),
    torch.int64: (64, -(2**63), 2**63 - 1),
}


class finfo:
    __module__ = "torch"

    def __init__(self, *dtype):
        (dtype,) = dtype or (torch.get_default_dtype(),)
        dtype = _PARTS.get(dtype, dtype)
        if dtype not in _FLOATS:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        self.bits, self.eps, self.max, self.tiny, self.resolution = _FLOATS[dtype]
        self.min = -self.max
        self.smallest_normal = self.tiny
        self.dtype = str(dtype)[6:]

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.tiny:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    __module__ = "torch"

    def __init__(self, dtype):
        if dtype not in _INTS:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
            )
        self.bits, self.min, self.max = _INTS[dtype]
        self.dtype = str(dtype)[6:]

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
