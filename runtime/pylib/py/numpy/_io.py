"""Arrays from and to bytes, text and files."""

from _refused import refused
import importlib
import io
import os
import struct
import sys
from collections.abc import Mapping
import torch
from torch import _C

from numpy._array import _as_tensor, _wrap, array, asarray, ndarray
from numpy._ops import _missing
from numpy._dtypes import OBJECT, BitOperators, ItemDType, Operators, UnsignedDType, as_dtype
from numpy._unsigned import of_bytes


def _of_bytes(data, dtype, count=-1, offset=0):
    kind = as_dtype(dtype)
    data = bytes(data)[offset:]
    if count >= 0:
        data = data[: count * kind.itemsize]
    if len(data) % kind.itemsize:
        raise ValueError("buffer size must be a multiple of element size")
    if isinstance(kind, UnsignedDType):
        return of_bytes(data, kind)
    return _wrap(_C._tensor_of_bytes(data, kind._torch))


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    if like is not None:
        raise refused("numpy.frombuffer", "like")
    return _of_bytes(buffer, dtype, count, offset)


def over_buffer(shape, dtype, buffer, offset, strides, order):
    """What `numpy.ndarray` shows of another array's memory, or of bytes."""
    if isinstance(buffer, ndarray):
        if not buffer._t.is_contiguous():
            raise ValueError("ndarray is not contiguous")
        flat = buffer._t.reshape(-1)
        flat = flat if flat.dtype is dtype._torch else flat.view(dtype._torch)
    elif isinstance(buffer, bytes):
        flat = frombuffer(buffer, dtype)._t
    else:
        raise _missing(f"ndarray over a {type(buffer).__name__}")
    shape = [shape] if isinstance(shape, int) else list(shape)
    size = flat.element_size()
    if strides is None:
        steps, step = [], 1
        for extent in shape if order == "F" else reversed(shape):
            steps.append(step)
            step *= extent
        steps = steps if order == "F" else steps[::-1]
    else:
        if any([s < 0 or s % size for s in strides]):
            raise _missing("ndarray over a buffer with strides that are no multiples of an element's size")
        steps = [s // size for s in strides]
    if offset % size:
        raise _missing("ndarray over a buffer with an offset that is no multiple of an element's size")
    last = offset // size + sum([(n - 1) * s for n, s in zip(shape, steps)])
    if 0 not in shape and last >= flat.numel():
        raise TypeError("buffer is too small for requested array")
    return flat.as_strided(shape, steps, flat.storage_offset() + offset // size)


def fromstring(string, dtype=float, count=-1, *, sep, like=None):
    if like is not None:
        raise refused("numpy.fromstring", "like")
    if sep == "":
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    parts = string.split() if sep == " " else [p for p in string.split(sep) if p.strip()]
    kind = as_dtype(dtype)
    values = [float(p) if kind.kind == "f" else int(p) for p in parts]
    return array(values if count < 0 else values[:count], dtype=dtype)


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
    if like is not None:
        raise refused("numpy.fromfile", "like")
    if hasattr(file, "read"):
        data = file.read()
    else:
        with open(file, "rb") as f:
            data = f.read()
    if sep:
        return fromstring(data.decode(), dtype, count, sep=sep)
    return _of_bytes(data, dtype, count, offset)


_MAGIC = b"\x93NUMPY"


def _npy(arr, allow_pickle=True):
    a = asarray(arr)
    header = f"{{'descr': {a.dtype.str!r}, 'fortran_order': False, 'shape': {a.shape!r}, }}"
    room = (len(_MAGIC) + 4 + len(header) + 1 + 63) // 64 * 64 - len(_MAGIC) - 4
    text = header.ljust(room - 1) + "\n"
    start = _MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    if a.dtype is not OBJECT:
        return start + a.tobytes()
    if not allow_pickle:
        raise ValueError("Object arrays cannot be saved when allow_pickle=False")
    import pickle

    return start + pickle.dumps(a, protocol=4)


def _named(file, ending):
    """A file by its name, to which the ending is added, or one that is open."""
    if hasattr(file, "write"):
        return file
    name = os.fspath(file)
    return name if name.endswith(ending) else name + ending


def save(file, arr, allow_pickle=True):
    file = _named(file, ".npy")
    if hasattr(file, "write"):
        file.write(_npy(arr, allow_pickle))
        return
    with open(file, "wb") as f:
        f.write(_npy(arr, allow_pickle))


def _savez(file, args, named, compression, allow_pickle):
    import zipfile

    arrays = dict(named)
    for i, a in enumerate(args):
        if f"arr_{i}" in arrays:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{i}")
        arrays[f"arr_{i}"] = a
    with zipfile.ZipFile(_named(file, ".npz"), "w", compression) as archive:
        for name, a in arrays.items():
            archive.writestr(f"{name}.npy", _npy(a, allow_pickle))


def savez(file, *args, allow_pickle=True, **kwds):
    import zipfile

    _savez(file, args, kwds, zipfile.ZIP_STORED, allow_pickle)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    import zipfile

    _savez(file, args, kwds, zipfile.ZIP_DEFLATED, allow_pickle)


class NpzFile(Mapping):
    """The arrays of an .npz file, each of which is read when it is asked for."""

    def __init__(self, data, allow_pickle=False):
        import zipfile

        self.allow_pickle = allow_pickle

        self.zip = zipfile.ZipFile(io.BytesIO(data))
        self.files = [n[: -len(".npy")] if n.endswith(".npy") else n for n in self.zip.namelist()]

    def __getitem__(self, key):
        name = key if key in self.zip.namelist() else f"{key}.npy"
        if name not in self.zip.namelist():
            raise KeyError(f"{key} is not a file in the archive")
        data = self.zip.read(name)
        return _of_npy(io.BytesIO(data), self.allow_pickle) if data[:6] == _MAGIC else data

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __contains__(self, key):
        return key in self.files or key in self.zip.namelist()

    def close(self):
        self.zip.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


# A longer header takes too long to read, or is no header.
_MOST_HEADER = 10000


def _part(file, count, what):
    data = file.read(count)
    if len(data) < count:
        raise ValueError(f"EOF: reading {what}, expected {count} bytes got {len(data)}")
    return data


def _header(file):
    """The dtype, the order and the shape of the array that follows in a file."""
    start = file.read(8)
    if not start:
        raise EOFError("No data left in file")
    if start[:6] != _MAGIC:
        raise ValueError("This file contains pickled (object) data, or is no .npy file, which janus-jit does not read.")
    if len(start) < 8:
        raise ValueError(f"EOF: reading magic string, expected 8 bytes got {len(start)}")
    version = (start[6], start[7])
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"we only support format version (1,0), (2,0), and (3,0), not {version}")
    form = "<H" if version == (1, 0) else "<I"
    length = struct.unpack(form, _part(file, struct.calcsize(form), "array header length"))[0]
    text = _part(file, length, "array header").decode("utf-8" if version == (3, 0) else "latin-1")
    if len(text) > _MOST_HEADER:
        raise ValueError(f"Header info length ({len(text)}) is large and may not be safe to load securely.")
    # Costs a third of what importing numpy does, and few scripts come here.
    import ast

    try:
        header = ast.literal_eval(text.strip())
    except SyntaxError:
        raise ValueError(f"Cannot parse header: {text!r}") from None
    if not isinstance(header, dict):
        raise ValueError(f"Header is not a dictionary: {header!r}")
    if header.keys() != {"descr", "fortran_order", "shape"}:
        raise ValueError(f"Header does not contain the correct keys: {list(header)!r}")
    descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
    if not isinstance(shape, tuple) or not all(isinstance(n, int) for n in shape):
        raise ValueError(f"shape is not valid: {shape!r}")
    if not isinstance(fortran, bool):
        raise ValueError(f"fortran_order is not a valid bool: {fortran!r}")
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    if isinstance(descr, list):
        raise _missing("a file of records")
    if not isinstance(descr, str):
        raise ValueError(f"descr is not a valid dtype descriptor: {descr!r}")
    return descr, fortran, shape


def _of_npy(file, allow_pickle=False):
    """The array that stands next in a file."""
    descr, fortran, shape = _header(file)
    try:
        kind = as_dtype(descr)
    except TypeError:
        raise ValueError(f"descr is not a valid dtype descriptor: {descr!r}") from None
    if kind is OBJECT:
        if not allow_pickle:
            raise ValueError("Object arrays cannot be loaded when allow_pickle=False")
        import pickle

        return pickle.load(file).reshape(shape)
    size = kind.itemsize
    for extent in shape:
        size *= extent
    # Never more than there is in the file, whatever its header says.
    data = file.read(min(size, sys.maxsize))
    if len(data) < size:
        raise ValueError(f"EOF: reading array data, expected {size} bytes got {len(data)}")
    if isinstance(kind, ItemDType):
        from numpy._items import of_bytes as of_items

        return of_items(data, kind).reshape(shape)
    return _of_bytes(data, descr).reshape(shape, order="F" if fortran else "C")


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII"):
    if not hasattr(file, "read"):
        with open(file, "rb") as f:
            if mmap_mode is not None and f.read(len(_MAGIC)) == _MAGIC:
                f.seek(0)
                descr, fortran, shape = _header(f)
                if as_dtype(descr) is OBJECT:
                    raise ValueError("Array can't be memory-mapped: Python objects in dtype.")
                if not fortran:
                    return memmap(file, as_dtype(descr), mmap_mode, f.tell(), shape)
            f.seek(0)
            return load(f, mmap_mode, allow_pickle, fix_imports, encoding)
    start = file.tell()
    magic = file.read(2)
    file.seek(start)
    return NpzFile(file.read(), allow_pickle) if magic == b"PK" else _of_npy(file, allow_pickle)


# Files that are unpacked while they are read, by the ends of their names.
_PACKED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".lzma": "lzma"}


def _open(fname, mode, encoding):
    """A text file, unpacked if its name says that it is packed."""
    packed = _PACKED.get(os.path.splitext(os.fspath(fname))[1])
    opened = importlib.import_module(packed).open if packed else open
    return opened(fname, mode + "t", encoding="latin1" if encoding == "bytes" else encoding)


def _rows(fname, encoding=None):
    if isinstance(fname, (list, tuple)):
        return list(fname)
    if hasattr(fname, "read"):
        return fname.read().splitlines()
    with _open(fname, "r", encoding) as f:
        return f.read().splitlines()


def _converted(parts, columns, converters, kind, row):
    """A row's numbers, by the converters of its columns."""
    if callable(converters):
        return [converters(p) for p in parts]
    plain = str if isinstance(kind, ItemDType) else float if kind.kind == "f" else int
    found = []
    for column, part in zip(columns, parts):
        own = converters.get(column) if converters else None
        try:
            found.append(plain(part) if own is None else own(part))
        except ValueError:
            if own is not None:
                raise
            where = f"at row {row}, column {column + 1}."
            raise ValueError(f"could not convert string {part!r} to {kind.name} {where}") from None
    return found


def loadtxt(
    fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
    encoding=None, max_rows=None,
):
    kind = as_dtype(dtype)
    found = []
    marks = [comments] if isinstance(comments, (str, bytes)) else comments or []
    marks = [m.decode("latin1") if isinstance(m, bytes) else m for m in marks]
    for line in _rows(fname, encoding)[skiprows:]:
        line = line.decode("latin1") if isinstance(line, bytes) else line
        for mark in marks:
            line = line.split(mark)[0]
        if not line.strip():
            continue
        parts = line.split(delimiter)
        columns = range(len(parts))
        if isinstance(converters, dict):
            converters = {c + len(parts) if c < 0 else c: f for c, f in converters.items()}
        if usecols is not None:
            columns = [columns[i] for i in ([usecols] if isinstance(usecols, int) else usecols)]
            parts = [parts[i] for i in columns]
        if isinstance(kind, ItemDType):
            parts = [p if delimiter is None else p.strip() for p in parts]
        found.append(_converted(parts, columns, converters, kind, len(found)))
        if max_rows is not None and len(found) == max_rows:
            break
    a = array(found, dtype=kind) if isinstance(kind, ItemDType) else _wrap(torch.tensor(found, dtype=kind._torch))
    if ndmin < 2:
        a = a.squeeze() if ndmin == 0 or a.ndim > 1 and 1 in a.shape else a
    while a.ndim < ndmin:
        a = a.reshape([1, *a.shape])
    return a.T if unpack and a.ndim == 2 else a


def genfromtxt(
    fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, usecols=None, filling_values=None,
    names=None, max_rows=None, unpack=False, encoding=None, autostrip=False,
):
    if names is not None or dtype is None:
        raise _missing("genfromtxt with names, or with dtypes that are found")
    kind = as_dtype(dtype)
    missing = (float("nan") if kind.kind == "f" else -1) if filling_values is None else filling_values

    def number(text):
        if isinstance(kind, ItemDType):
            return text if delimiter is None and not autostrip else text.strip() if autostrip else text
        try:
            return float(text) if kind.kind == "f" else int(text)
        except ValueError:
            return missing

    lines = _rows(fname, encoding)[skip_header:]
    lines = [line.decode("latin1") if isinstance(line, bytes) else line for line in lines]
    lines = lines[: len(lines) - skip_footer]
    found = []
    for line in lines:
        line = line.split(comments)[0] if comments else line
        if line.strip():
            parts = line.split(delimiter)
            if usecols is not None:
                parts = [parts[i] for i in ([usecols] if isinstance(usecols, int) else usecols)]
            found.append([number(p) for p in parts])
    found = found if max_rows is None else found[:max_rows]
    a = array(found, dtype=kind) if isinstance(kind, ItemDType) else _wrap(torch.tensor(found, dtype=kind._torch))
    a = a.squeeze()
    return a.T if unpack and a.ndim == 2 else a


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
    a = asarray(X)
    rows = (a.reshape(-1, 1) if a.ndim < 2 else a).tolist()
    text = ""
    if header:
        text += comments + header.replace("\n", "\n" + comments) + newline
    for row in rows:
        text += (delimiter.join([fmt % v for v in row]) if fmt.count("%") == 1 else fmt % tuple(row)) + newline
    if footer:
        text += comments + footer.replace("\n", "\n" + comments) + newline
    if hasattr(fname, "write"):
        fname.write(text)
        return
    with _open(fname, "w", encoding or "latin1") as f:
        f.write(text)


class memmap(BitOperators, Operators):
    """An array in a file, of which slices are read when they are asked for, and written when they are set."""

    def __init__(self, filename, dtype="uint8", mode="r+", offset=0, shape=None, order="C"):
        if order != "C":
            raise _missing("memmap(order='F')")
        if mode not in ("r", "c", "r+", "w+"):
            raise ValueError(f"mode must be one of ['r', 'c', 'r+', 'w+'] (got {mode!r})")
        self.filename, self.dtype, self.mode, self.offset = os.fspath(filename), as_dtype(dtype), mode, offset
        # What mode 'c' writes into, which is not the file.
        self._own = None
        size = self.dtype.itemsize
        if mode == "w+":
            if shape is None:
                raise ValueError("shape must be given if mode == 'w+'")
            self.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)
            with open(self.filename, "wb") as f:
                f.truncate(offset + self.size * size)
            return
        length = os.path.getsize(self.filename) - offset
        if shape is None:
            if length % size:
                raise ValueError("Size of available data is not a multiple of the data-type size.")
            shape = length // size
        self.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)
        if self.size * size > length:
            raise ValueError("mmap length is greater than file size")

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        n = 1
        for extent in self.shape:
            n *= extent
        return n

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return "memmap" + repr(self[:])[len("array") :]

    def __str__(self):
        return str(self[:])

    def __format__(self, spec):
        return format(self[:], spec)

    def _with(self, name, other, reflected=False):
        return self[:]._with(name, other[:] if isinstance(other, memmap) else other, reflected)

    def __eq__(self, other):
        return self._with("equal", other)

    def __ne__(self, other):
        return self._with("not_equal", other)

    __hash__ = None

    def __contains__(self, x):
        return x in self[:]

    def __getattr__(self, name):
        """What an array has, of the whole file."""
        if name[:1] == "_":
            raise AttributeError(name)
        return getattr(self[:], name)

    def _rows(self, first, count):
        """So many items of the first dimension, in one array."""
        if self._own is not None:
            return self._own[first : first + count]
        row = self.size // max(self.shape[0], 1)
        size = self.dtype.itemsize * row
        with open(self.filename, "rb") as f:
            f.seek(self.offset + first * size)
            return _of_bytes(f.read(count * size), self.dtype).reshape((count, *self.shape[1:]))

    def _bounds(self, key):
        first, stop, step = key.indices(self.shape[0])
        if step != 1:
            raise _missing("a step in a slice of a memmap")
        return first, max(stop - first, 0)

    def __getitem__(self, key):
        if isinstance(key, tuple) and key and isinstance(key[0], (int, slice)):
            return self[key[0]][key[1:]] if not isinstance(key[0], slice) else self[key[0]][(slice(None), *key[1:])]
        if isinstance(key, slice) and key.step in (None, 1):
            return self._rows(*self._bounds(key))
        if isinstance(key, int):
            n = self.shape[0]
            if not -n <= key < n:
                raise IndexError(f"index {key} is out of bounds for axis 0 with size {n}")
            return self._rows(int(key) % n, 1)[0]
        return self._rows(0, self.shape[0])[key]

    def __setitem__(self, key, value):
        if self.mode == "r":
            raise ValueError("assignment destination is read-only")
        front, *rest = key if isinstance(key, tuple) and key else (key,)
        if self.mode == "c":
            self._own = self[:] if self._own is None else self._own
            self._own[key] = value
            return
        if isinstance(front, slice) and front.step in (None, 1):
            first, count = self._bounds(front)
            part = self._rows(first, count)
            part[(slice(None), *rest)] = value
        elif isinstance(front, int):
            n = self.shape[0]
            if not -n <= front < n:
                raise IndexError(f"index {front} is out of bounds for axis 0 with size {n}")
            first = int(front) % n
            part = self._rows(first, 1)
            part[(0, *rest)] = value
        else:
            first, part = 0, self[:]
            part[key] = value
        with open(self.filename, "r+b") as f:
            f.seek(self.offset + first * (self.nbytes // max(self.shape[0], 1)))
            f.write(part.tobytes())

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __array__(self, dtype=None, copy=None):
        if copy is not None:
            raise refused("numpy.memmap.__array__", "copy")
        return self[:] if dtype is None else self[:].astype(dtype)

    def flush(self):
        """What is set is written at once."""

    def astype(self, dtype):
        return self[:].astype(dtype)

    def tolist(self):
        return self[:].tolist()
