"""Names for the kinds of dtypes: calling one gives the dtype, and `isinstance` tells whether a dtype is it."""

from numpy import dtype


class _Kind(type):
    def __call__(cls):
        return dtype(cls._dtype)

    def __instancecheck__(cls, obj):
        return type(obj) is dtype and obj == dtype(cls._dtype)


def _define(name, of):
    return _Kind(name, (), {"_dtype": of, "__module__": "numpy.dtypes"})


BoolDType = _define("BoolDType", "bool")
Int8DType, UInt8DType = ByteDType, UByteDType = _define("Int8DType", "int8"), _define("UInt8DType", "uint8")
Int16DType, UInt16DType = ShortDType, UShortDType = _define("Int16DType", "int16"), _define("UInt16DType", "uint16")
Int32DType, UInt32DType = IntDType, UIntDType = _define("Int32DType", "int32"), _define("UInt32DType", "uint32")
Int64DType, UInt64DType = LongDType, ULongDType = _define("Int64DType", "int64"), _define("UInt64DType", "uint64")
Float16DType, Float32DType = _define("Float16DType", "float16"), _define("Float32DType", "float32")
Float64DType = _define("Float64DType", "float64")


def __getattr__(name):
    if name in ("Complex64DType", "Complex128DType", "ObjectDType", "BytesDType", "StrDType", "VoidDType",
                "DateTime64DType", "TimeDelta64DType", "StringDType", "LongDoubleDType", "CLongDoubleDType"):
        raise AttributeError(f"numpy.dtypes.{name} is not implemented in janus-jit yet")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
