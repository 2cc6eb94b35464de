"""Files of tensors that hold nothing but tensors; their headers are read and written by the crate of this name."""

import os

import _safetensors

__version__ = "0.8.0"
# The length of the header, which a file begins with.
_LENGTH = 8


class SafetensorError(Exception):
    __module__ = "safetensors._safetensors_rust"


def _asked(prefix, function, *args):
    try:
        return function(*args)
    except ValueError as e:
        text = str(e)
    raise SafetensorError(prefix + text)


def _read(prefix, size, read):
    """Metadata, the place of the data, and what is known of each tensor: `read(start, end)` gives a part of the file."""
    length = _asked(prefix, _safetensors.header_length, read(0, _LENGTH), size)
    start = _LENGTH + length
    metadata, tensors = _asked(prefix, _safetensors.read_header, read(_LENGTH, start), size - start)
    return metadata, start, tensors


def deserialize(bytes):
    """Names with shape, dtype and data of what the bytes of a file hold."""
    read = lambda start, end: bytes[start:end]
    _, place, tensors = _read("Error while deserializing: ", len(bytes), read)
    return [(name, {"shape": shape, "dtype": dtype, "data": bytearray(read(place + start, place + end))})
            for name, dtype, shape, start, end in tensors]


def _serialize(tensors, metadata):
    """Bytes of a file with `(name, dtype, shape, data)`s."""
    return _asked("Error while serializing: ", _safetensors.serialize, tensors, metadata)


def _write(tensors, filename, metadata):
    """The file is complete before it takes an older one's place."""
    data = _serialize(tensors, metadata)
    filename = os.fspath(filename)
    unfinished = f"{filename}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, filename)
    except BaseException:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        raise


def _of_address(name):
    def refused(*args, **kwargs):
        raise NotImplementedError(f"safetensors.{name} takes addresses of memory, which janus-jit does not read: "
                                  "save with safetensors.torch or safetensors.numpy")

    refused.__name__ = refused.__qualname__ = name
    return refused


serialize = _of_address("serialize")
serialize_file = _of_address("serialize_file")
TensorSpec = _of_address("TensorSpec")


class _Slice:
    """A tensor of a file of which parts are asked for."""

    def __init__(self, file, name, dtype, shape):
        self._file, self._name, self._dtype, self._shape = file, name, dtype, shape

    def get_shape(self):
        return list(self._shape)

    def get_dtype(self):
        return self._dtype

    def __getitem__(self, key):
        for dim, index in enumerate(key if isinstance(key, tuple) else (key,)):
            if type(index) is int and dim < len(self._shape):
                extent = self._shape[dim]
                if not -extent <= index < extent:
                    raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {extent}")
        return self._file.get_tensor(self._name)[key]


class safe_open:
    """A file of tensors, which are read when they are asked for."""

    def __init__(self, filename, framework, device="cpu", *, backend="mmap"):
        if framework not in ("pt", "torch", "pytorch", "np", "numpy"):
            known = framework in ("tf", "tensorflow", "jax", "flax", "mlx", "paddle")
            if known:
                raise NotImplementedError(f"safetensors: framework {framework!r} is not there in janus-jit")
            raise SafetensorError(f"framework {framework} is invalid")
        if backend not in ("mmap", "pread"):
            raise SafetensorError(f"backend {backend} is invalid")
        self._of_torch = framework not in ("np", "numpy")
        self._device = None
        if self._of_torch:
            self._device = _device(device)
        elif device != "cpu":
            raise SafetensorError(f"Device {device} is not supported for framework {framework}")
        filename = os.fspath(filename)
        try:
            self._file = open(filename, "rb")
        except FileNotFoundError:
            self._file = None
        if self._file is None:
            raise FileNotFoundError(f"No such file or directory: {filename}")
        try:
            size = os.fstat(self._file.fileno()).st_size
            self._metadata, self._start, tensors = _read("Error while deserializing header: ", size, self._part)
        except BaseException:
            self._file.close()
            raise
        self._tensors = {name: rest for name, *rest in tensors}

    def _part(self, start, end):
        self._file.seek(start)
        return self._file.read(end - start)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self._file.close()

    def keys(self):
        return sorted(self._tensors)

    def offset_keys(self):
        return list(self._tensors)

    def metadata(self):
        return self._metadata

    def _known(self, name):
        if name not in self._tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        if self._file.closed:
            raise SafetensorError("File is closed")
        return self._tensors[name]

    def get_tensor(self, name):
        dtype, shape, start, end = self._known(name)
        data = self._part(self._start + start, self._start + end)
        if self._of_torch:
            from safetensors.torch import _tensor

            return _tensor(dtype, shape, data).to(self._device)
        from safetensors.numpy import _array

        return _array(dtype, shape, data)

    def get_tensors(self):
        return {name: self.get_tensor(name) for name in self._tensors}

    def get_slice(self, name):
        dtype, shape, _, _ = self._known(name)
        return _Slice(self, name, dtype, shape)


def _device(device):
    import torch

    if isinstance(device, int) and not isinstance(device, bool):
        device = f"cuda:{device}"
    try:
        return torch.device(device)
    except RuntimeError:
        pass
    raise SafetensorError(f"device {device} is invalid")
