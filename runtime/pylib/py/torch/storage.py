"""Storages by their dtype, as files name them: memory of one dimension, which tensors show parts of."""

import io
from collections.abc import Sequence

import torch
from torch import _C


class _Memory:
    """What storages of bytes and of elements have in common: a tensor of one dimension over all of the memory."""

    is_sparse = is_hpu = False
    # Constructors such as `torch.ByteTensor` know storages by it.
    _is_torch_storage = True

    def __init__(self, memory):
        self._memory = memory

    def __len__(self):
        return self._memory.numel()

    def size(self):
        return self._memory.numel()

    def element_size(self):
        return self._memory.element_size()

    def nbytes(self):
        return self._memory.numel() * self._memory.element_size()

    def data_ptr(self):
        return self._memory.data_ptr()

    @property
    def _cdata(self):
        return _C._storage_id(self._memory)

    @property
    def device(self):
        return self._memory.device

    @property
    def is_cuda(self):
        return self._memory.is_cuda

    def get_device(self):
        return self._memory.get_device()

    def is_pinned(self, device="cuda"):
        torch.device(device)
        return False

    def is_shared(self):
        return self._memory.is_shared()

    def share_memory_(self):
        self._memory.share_memory_()
        return self

    def tolist(self):
        return self._memory.tolist()

    def __iter__(self):
        return iter(self._memory.tolist())

    def __getitem__(self, index):
        found = self._memory[index]
        return type(self)(found) if isinstance(index, slice) else found.item()

    def __setitem__(self, index, value):
        self._memory[index] = value

    def fill_(self, value):
        self._memory.fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        self._memory.copy_(source._memory, non_blocking=not not non_blocking)
        return self

    def clone(self):
        return type(self)(self._memory.clone())

    def cpu(self):
        return self if not self.is_cuda else type(self)(self._memory.cpu())

    def cuda(self, device=None, non_blocking=False):
        there = self._memory.cuda(device)
        return self if there is self._memory else type(self)(there)

    def resize_(self, size):
        if size != self.size():
            raise NotImplementedError("storage.resize_ to another size is not implemented in janus-jit yet")
        return self

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        memo = memo.setdefault("torch", {})
        if self._cdata not in memo:
            memo[self._cdata] = self.clone()
        return memo[self._cdata]


class UntypedStorage(_Memory):
    """Memory as bytes, of which files say beside them what they are."""

    __module__ = "torch.storage"
    _dtype = torch.uint8

    def __init__(self, *args, device=None):
        if device is not None:
            _C._check_device(device)
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            memory = args[0]
        elif not args or isinstance(args[0], int):
            memory = torch.zeros(*args or (0,), dtype=torch.uint8)
        else:
            memory = torch.tensor(list(args[0]), dtype=torch.uint8)
        super().__init__(memory)

    def untyped(self):
        return self

    def __repr__(self):
        lines = "".join(f" {byte}\n" for byte in self.tolist())
        return f"{lines}[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"


_WAYS = """{} received an invalid combination of arguments. Expected one of:
 * {}
 * ({}int size{})
 * ({}Sequence data{})
 * (*, UntypedStorage wrap_storage{})"""
_WAYS_OF_ANY = _WAYS.format(
    "TypedStorage.__init__",
    "(*, torch.device device, torch.dtype dtype)",
    "",
    ", *, torch.device device, torch.dtype dtype",
    "",
    ", *, torch.device device, torch.dtype dtype",
    ", torch.dtype dtype",
)


class TypedStorage(_Memory):
    """Memory as elements of a dtype: zeros, those of a sequence, or what bytes hold."""

    _dtype = None

    def __init__(self, *args, device=None, dtype=None, wrap_storage=None):
        if self._dtype is not None:
            ways = _WAYS.format(f"{_type(self)}.__new__", "no arguments", "", "", "", "", "")
            for name, given in (("device", device), ("dtype", dtype)):
                if given is not None:
                    raise RuntimeError(f"{ways}\nKeyword argument '{name}' cannot be specified")
            found = self._dtype
        else:
            ways = _WAYS_OF_ANY
            if wrap_storage is not None and dtype is None:
                raise RuntimeError(f"{ways}\nArgument 'dtype' must be specified")
            if wrap_storage is not None and not isinstance(dtype, torch.dtype):
                raise TypeError(f"{ways}\nArgument 'dtype' must be torch.dtype, not {_type(dtype)}")
            found = self.dtype = torch.get_default_dtype() if dtype is None else dtype
        if wrap_storage is not None:
            if args:
                raise RuntimeError(f"{ways}\nNo positional arguments should be given when using 'wrap_storage'")
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(f"{ways}\nArgument 'wrap_storage' must be UntypedStorage, but got {_type(wrap_storage)}")
            memory = wrap_storage._memory.view(found)
        elif len(args) > 1:
            raise RuntimeError(f"{ways}\nToo many positional arguments")
        elif args and isinstance(args[0], torch.Tensor):
            # From here alone: elements that there are.
            memory = args[0]
        elif args and isinstance(args[0], Sequence) and not isinstance(args[0], (str, bytes)):
            memory = torch.tensor(args[0], dtype=found, device=device).reshape(-1)
        elif not args or isinstance(args[0], int):
            memory = torch.zeros(*args or (0,), dtype=found, device=device)
        elif isinstance(args[0], (str, bytes)):
            raise TypeError(f"new(): invalid data type '{_type(args[0]).__name__}'")
        else:
            raise TypeError(f"{ways}\nArgument type not recognized: {_type(args[0])}")
        super().__init__(memory)

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not isinstance(index, int):
            raise RuntimeError(f"can't index a {_type(self)} with {_type(index)}")
        return super().__getitem__(index)

    def clone(self):
        return self._like(self._memory.clone())

    def cpu(self):
        return self if not self.is_cuda else self._like(self._memory.cpu())

    def _like(self, memory):
        return BY_DTYPE[memory.dtype](memory)

    def _to(self, dtype):
        return self if dtype == self.dtype else BY_DTYPE[dtype](self._memory.to(dtype))

    def pickle_storage_type(self):
        return BY_DTYPE[self.dtype].__name__

    def __reduce__(self):
        return (_load_from_bytes, (_bytes_of(self),))

    @classmethod
    def from_buffer(cls, buffer, byte_order=None, *, count=-1, offset=0):
        """A copy of what bytes hold."""
        if cls.dtype.itemsize > 1 and byte_order is None:
            raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
        if cls.dtype.itemsize > 1 and byte_order not in ("native", "little", "big"):
            raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
        if byte_order == "big" and cls.dtype.itemsize > 1:
            raise NotImplementedError("storage.from_buffer(byte_order='big') is not implemented in janus-jit yet")
        data = bytes(buffer)
        if not 0 <= offset < max(len(data), 1):
            raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(data)}) but got {offset}")
        size = cls.dtype.itemsize
        if count < 0:
            if (len(data) - offset) % size:
                raise ValueError(
                    f"buffer size ({len(data)}) must be a multiple of element size ({size})"
                )
            count = (len(data) - offset) // size
        if offset + count * size > len(data):
            raise ValueError(
                f"buffer has only {len(data) - offset} elements after offset {offset}, but specified a size of {count}"
            )
        found = cls.__new__(cls)
        _Memory.__init__(found, _C._tensor_of_bytes(data[offset : offset + count * size], cls.dtype))
        return found

    def untyped(self):
        return UntypedStorage(self._memory.view(torch.uint8))

    _untyped_storage = property(untyped)

    def type(self):
        return f"torch.{_type(self).__name__}"

    def __repr__(self):
        lines = "".join(f" {element}\n" for element in self.tolist())
        return f"{lines}[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}]"


_type = type
_Storage = TypedStorage


def untyped_storage(tensor):
    """All of a tensor's memory as bytes."""
    return UntypedStorage(_C._memory(tensor).view(torch.uint8))


def typed_storage(tensor):
    """All of a tensor's memory as elements."""
    return BY_DTYPE[tensor.dtype](_C._memory(tensor))


def _load_from_bytes(data):
    return torch.load(io.BytesIO(data), weights_only=False)


def _bytes_of(storage):
    file = io.BytesIO()
    torch.save(storage, file, _use_new_zipfile_serialization=False)
    return file.getvalue()


def _define(name, dtype):
    return type(name, (_Storage,), {"dtype": dtype, "_dtype": dtype, "__module__": "torch"})


def _conversion(name, dtype):
    def convert(self):
        return self._to(dtype)

    convert.__name__ = convert.__qualname__ = name
    setattr(TypedStorage, name, convert)


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
for _name, _dtype in {
    "double": torch.float64,
    "float": torch.float32,
    "half": torch.float16,
    "bfloat16": torch.bfloat16,
    "long": torch.int64,
    "int": torch.int32,
    "short": torch.int16,
    "char": torch.int8,
    "byte": torch.uint8,
    "bool": torch.bool,
    "complex_float": torch.complex64,
    "complex_double": torch.complex128,
}.items():
    _conversion(_name, _dtype)
