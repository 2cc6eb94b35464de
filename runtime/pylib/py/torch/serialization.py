"""`torch.save` and `torch.load`: PyTorch's own files, which either of the two can read.

A file is a zip archive: `data.pkl` is the object, in whose pickle storages are named by a number; `data/NUMBER` is the
memory of each. Files of PyTorch before 1.6 (pickles one behind the other, then the storages) are read, too.
"""

import io
import os
import pickle
from _refused import refused
from collections import Counter, OrderedDict

import torch
from torch import Tensor, _C, _utils, storage
from torch.nn.parameter import Buffer, Parameter

_MAGIC = 0x1950A86A20F9469CFC6C


class SourceChangeWarning(Warning):
    pass


# Writing


class _Pickler(pickle.Pickler):
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.storages = []
        self._known = {}
        import copyreg

        self.dispatch_table = {
            **copyreg.dispatch_table,
            Tensor: self._tensor,
            Parameter: lambda p: (_utils._rebuild_parameter, (p.data, p.requires_grad, OrderedDict())),
            Buffer: lambda b: self._tensor(b.detach()),
            torch.Size: lambda s: (torch.Size, (tuple(s),)),
            torch.layout: lambda l: (_get_layout, (str(l),)),
            torch.device: lambda d: (torch.device, (d.type,) if d.index is None else (d.type, d.index)),
        }

    def _tensor(self, t):
        if t.grad_fn is not None and t.requires_grad:
            t = t.detach().requires_grad_()
        if t.is_meta:
            parts = (t.dtype, tuple(t.shape), tuple(t.stride()), t.requires_grad)
            return (_utils._rebuild_meta_tensor_no_storage, parts)
        key = (_C._storage_id(t), t.dtype)
        untyped = t.dtype not in storage.BY_DTYPE
        if key not in self._known:
            kind = storage.UntypedStorage if untyped else storage.BY_DTYPE[t.dtype]
            memory = _C._memory(t)
            if untyped:
                memory = _C._tensor_of_bytes(_C._tensor_bytes(memory), torch.uint8)
            self._known[key] = kind(memory)
        parts = (self._known[key], t.storage_offset(), tuple(t.shape), tuple(t.stride()), t.requires_grad)
        if untyped:
            return (_utils._rebuild_tensor_v3, (*parts, OrderedDict(), t.dtype))
        return (_utils._rebuild_tensor_v2, (*parts, OrderedDict()))

    def persistent_id(self, obj):
        if not isinstance(obj, storage._Memory):
            return None
        if obj not in self.storages:
            self.storages.append(obj)
        device = obj.device
        location = device.type if device.index is None else f"{device.type}:{device.index}"
        kind = storage.BY_DTYPE[obj.dtype] if isinstance(obj, storage.TypedStorage) else type(obj)
        return ("storage", kind, str(self.storages.index(obj)), location, len(obj))


def save(obj, f, pickle_module=pickle, pickle_protocol=2, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):
    if pickle_module is not pickle:
        raise refused("torch.save", "pickle_module")
    name = "archive"
    path = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    if path is not None:
        name = os.path.splitext(os.path.basename(path))[0]
        parent = os.path.dirname(path)
        if parent and not os.path.isdir(parent):
            raise RuntimeError(f"Parent directory {parent} does not exist.")
    elif not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    if not _use_new_zipfile_serialization:
        whole = io.BytesIO()
        _save_old(obj, whole, pickle_protocol)
        _put(whole, f, path)
        return
    text = io.BytesIO()
    pickler = _Pickler(text, pickle_protocol)
    pickler.dump(obj)
    # Written as a whole, so that a failure leaves an older file as it was.
    whole = io.BytesIO()
    import zipfile

    with zipfile.ZipFile(whole, "w") as archive:

        def put(record, data):
            archive.writestr(zipfile.ZipInfo(f"{name}/{record}"), data)

        put("data.pkl", text.getvalue())
        put(".format_version", b"1")
        put("byteorder", b"little")
        for i, kept in enumerate(pickler.storages):
            put(f"data/{i}", _C._tensor_bytes(kept._memory))
        put("version", b"3\n")
    _put(whole, f, path)


def _put(whole, f, path):
    if path is None:
        f.write(whole.getvalue())
        return
    with open(path, "wb") as file:
        file.write(whole.getvalue())


class _OldPickler(_Pickler):
    def persistent_id(self, obj):
        found = super().persistent_id(obj)
        return None if found is None else (*found, None)


def _save_old(obj, f, protocol):
    """The format before PyTorch 1.6: pickles one after the other, then the memories."""
    sizes = {"short": 2, "int": 4, "long": 4}
    system = {"protocol_version": 1001, "little_endian": True, "type_sizes": sizes}
    for head in (0x1950A86A20F9469CFC6C, 1001, system):
        pickle.dump(head, f, protocol=protocol)
    pickler = _OldPickler(f, protocol)
    pickler.dump(obj)
    keys = sorted([str(i) for i in range(len(pickler.storages))])
    pickle.dump(keys, f, protocol=protocol)
    for key in keys:
        kept = pickler.storages[int(key)]
        f.write(len(kept).to_bytes(8, "little"))
        f.write(_C._tensor_bytes(kept._memory))


# Reading

_safe = {}


def default_restore_location(storage, location):
    """The storage, where its location says."""
    kind = location.split(":")[0]
    if kind == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running "
            "on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to "
            "the CPU."
        )
    if kind == "cuda":
        count = torch.cuda.device_count()
        index = torch.device(location).index or 0
        if index >= count:
            raise RuntimeError(
                f"Attempting to deserialize object on CUDA device {index} but torch.cuda.device_count() is {count}. Please "
                "use torch.load with map_location to map your storages to an existing device."
            )
        return storage.cuda(index)
    if kind == "meta":
        return type(storage)(storage._memory.to("meta"))
    if kind != "cpu":
        raise RuntimeError(
            "don't know how to restore data location of " + torch.typename(storage) + " (tagged with " + location + ")"
        )
    return storage


def add_safe_globals(safe_globals):
    """Lets `weights_only=True` make objects of these classes, or call these functions."""
    for item in safe_globals:
        kept, name = item if isinstance(item, tuple) else (item, f"{item.__module__}.{item.__qualname__}")
        _safe[name] = kept


def get_safe_globals():
    return list(_safe.values())


def clear_safe_globals():
    _safe.clear()


class safe_globals:
    """`add_safe_globals` for the length of a `with`."""

    def __init__(self, safe_globals):
        self._given = safe_globals

    def __enter__(self):
        self._before = dict(_safe)
        add_safe_globals(self._given)

    def __exit__(self, *exception):
        _safe.clear()
        _safe.update(self._before)
        return False


_ALLOWED = {
    "collections.OrderedDict": OrderedDict, "collections.Counter": Counter, "builtins.set": set, "__builtin__.set": set,
    "builtins.bytearray": bytearray, "builtins.complex": complex, "torch.Size": torch.Size,
    "torch.device": torch.device, "torch.Tensor": Tensor, "torch.nn.parameter.Parameter": Parameter,
    "_codecs.encode": lambda text, encoding: text.encode(encoding),
}
for _name in ("_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3", "_rebuild_meta_tensor_no_storage", "_rebuild_parameter",
              "_rebuild_parameter_with_state", "_rebuild_sparse_tensor"):
    _ALLOWED[f"torch._utils.{_name}"] = getattr(_utils, _name)


def _get_layout(name):
    return getattr(torch, name.removeprefix("torch."))


_ALLOWED["torch.serialization._get_layout"] = _get_layout


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, storage_of, **kwargs):
        super().__init__(file, **kwargs)
        self._storage_of = storage_of

    def find_class(self, module, name):
        if module == "torch" and name.endswith("Storage") and hasattr(storage, name):
            return getattr(storage, name)
        if module == "torch.storage" and name == "UntypedStorage":
            return storage.UntypedStorage
        full = f"{module}.{name}"
        if full in _ALLOWED:
            return _ALLOWED[full]
        if module == "torch":
            found = getattr(torch, name, None)
            if isinstance(found, torch.dtype):
                return found
        return self._find_other(module, name, full)

    def _find_other(self, module, name, full):
        return super().find_class(module, name)

    def persistent_load(self, saved_id):
        if not isinstance(saved_id, tuple) or saved_id[:1] != ("storage",):
            raise pickle.UnpicklingError("unsupported persistent id encountered")
        return self._storage_of(*saved_id[1:])


# What a file of weights is made of: nothing that could make, call or change anything else.
_CODES = b"\x80c\x81Rbaesu(t\x85\x86\x87N\x89\x88)]}\x8fJKMGXUQhjqr\x8a"


_UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. "
    "Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code "
    "execution. Do it only if you got the file from a trusted source."
)
_DOCS = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
    "https://pytorch.org/docs/stable/generated/torch.load.html."
)


def _not_loaded(message):
    """PyTorch's error for what is no weight."""
    if "was not an allowed global" in message:
        text = (
            "Weights only load failed. This file can still be loaded, to do so you have two options, "
            "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
            f"\n\t(1) {_UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` please check "
            "the recommended steps in the following error message.\n\tWeightsUnpickler error: "
        )
    else:
        text = (
            f"Weights only load failed. {_UNSAFE}\nPlease file an issue with the following so that we can make "
            "`weights_only=True` compatible with your use case: WeightsUnpickler error: \n\n"
        )
    return pickle.UnpicklingError(text + message + _DOCS)


class _WeightsUnpickler(_Unpickler):
    """Calls and changes only what the list of allowed names has, since the file is not to be trusted."""

    _loaders = {bytes([code]): pickle.Unpickler._loaders[bytes([code])] for code in _CODES}

    def _unknown(self, key):
        raise _not_loaded(f"Unsupported operand {key[0]}")

    def _find_other(self, module, name, full):
        if full in _safe:
            return _safe[full]
        full = full.removeprefix("__builtin__.")
        raise _not_loaded(
            f"Unsupported global: GLOBAL {full} was not an allowed global by default. Please use "
            f"`torch.serialization.add_safe_globals([{full}])` or the `torch.serialization.safe_globals([{full}])` "
            "context manager to allowlist this global if you trust this class/function."
        )

    @staticmethod
    def _is_allowed(item):
        return any(item is known for table in (_ALLOWED, _safe) for known in table.values())

    def _reduce(self):
        func = self.stack[-2] if len(self.stack) > 1 else None
        if not self._is_allowed(func):
            raise _not_loaded(
                f"Trying to call reduce for unrecognized function {func}"
            )
        super()._reduce()

    def _new(self, cls, args, kwargs):
        if not self._is_allowed(cls):
            raise _not_loaded(
                "Can only create new object for nn.Parameter or classes allowlisted via "
                f"`add_safe_globals` but got {cls}"
            )
        super()._new(cls, args, kwargs)

    def _build(self):
        kind = type(self.stack[-2]) if len(self.stack) > 1 else None
        if not self._is_allowed(kind):
            raise _not_loaded(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                f"`add_safe_globals`, but got {kind}"
            )
        super()._build()


def _unpickler(weights_only):
    return _WeightsUnpickler if weights_only else _Unpickler


def _restored(made, location, map_location):
    """A storage that was read, where it was or where `map_location` puts it."""
    if map_location is None:
        return default_restore_location(made, location)
    if isinstance(map_location, dict):
        return default_restore_location(made, str(map_location.get(location, location)))
    if isinstance(map_location, (str, torch.device)):
        _C._check_device(map_location)
        return default_restore_location(made, str(map_location))
    found = map_location(made, location)
    return default_restore_location(made, location) if found is None else found


def _of_zip(data, map_location, weights_only, kwargs):
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        inside = [name for name in names if name.endswith("data.pkl")]
        if not inside:
            raise RuntimeError("PytorchStreamReader failed locating file data.pkl: file not found")
        root = inside[0][: -len("data.pkl")]
        if f"{root}byteorder" in names and archive.read(f"{root}byteorder") != b"little":
            raise NotImplementedError("files of another byte order are not implemented in janus-jit yet")
        known = {}

        def storage_of(kind, key, location, numel):
            if key not in known:
                memory = _C._tensor_of_bytes(archive.read(f"{root}data/{key}"), kind._dtype)
                if memory.numel() < numel:
                    raise RuntimeError(f"PytorchStreamReader failed: storage {key} has {memory.numel()} of {numel} elements")
                known[key] = _restored(kind(memory), location, map_location)
            return known[key]

        text = io.BytesIO(archive.read(f"{root}data.pkl"))
        return _unpickler(weights_only)(text, storage_of, **kwargs).load()


def _of_pickles(data, map_location, weights_only, kwargs):
    file = io.BytesIO(data)
    known = {}

    def storage_of(kind, key, location, numel, view=None):
        if key not in known:
            # Its bytes follow in the same file.
            if not 0 <= numel * kind._dtype.itemsize <= len(data):
                raise RuntimeError(f"unexpected EOF, expected {numel} more elements. The file might be corrupted.")
            made = kind(torch.zeros(numel, dtype=kind._dtype, device="cpu"))
            known[key] = _restored(made, location, map_location)
        return known[key]

    def part():
        return _unpickler(weights_only)(file, storage_of, **kwargs).load()

    if part() != _MAGIC:
        raise RuntimeError("Invalid magic number; corrupt file?")
    part()
    part()
    found = part()
    for key in part():
        # The number of elements comes first.
        memory = known[key]._memory
        file.read(8)
        memory.copy_(_C._tensor_of_bytes(file.read(memory.numel() * memory.element_size()), memory.dtype))
    return found


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **kwargs):
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            data = file.read()
    elif hasattr(f, "read"):
        data = f.read()
    else:
        raise AttributeError(f"'{type(f).__name__}' object has no attribute 'read'")
    weights_only = pickle_module is None if weights_only is None else weights_only
    if data[:4] != b"PK\x03\x04":
        return _of_pickles(data, map_location, weights_only, kwargs)
    import zipfile

    try:
        return _of_zip(data, map_location, weights_only, kwargs)
    except zipfile.BadZipFile as error:
        raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {error}") from None
