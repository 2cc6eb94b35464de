"""Whether and from where a module can be imported, and modules made of what says that."""

import os
import sys

from _imp import ModuleSpec, SourceFileLoader, find_spec as _find_spec, module_from_spec

MAGIC_NUMBER = b"\xa7\r\r\n"


def resolve_name(name, package):
    """The full name of one that may begin with dots."""
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError(f"no package specified for {name!r} (required for relative module names)")
    level = len(name) - len(name.lstrip("."))
    bits = package.rsplit(".", level - 1)
    if len(bits) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{bits[0]}.{name[level:]}" if name[level:] else bits[0]


def find_spec(name, package=None):
    full = resolve_name(name, package)
    module = sys.modules.get(full)
    if module is None:
        return None if full in sys.modules else _find_spec(full)
    spec = getattr(module, "__spec__", None)
    if spec is None:
        raise ValueError(f"{full}.__spec__ is None" if hasattr(module, "__spec__") else f"{full}.__spec__ is not set")
    return spec


def spec_from_loader(name, loader, *, origin=None, is_package=None):
    if origin is None:
        origin = getattr(loader, "_ORIGIN", None)
    if hasattr(loader, "get_filename"):
        spec = spec_from_file_location(name, loader=loader)
        if is_package is not None:
            spec.submodule_search_locations = [] if is_package else None
        return spec
    if is_package is None and hasattr(loader, "is_package"):
        try:
            is_package = loader.is_package(name)
        except ImportError:
            pass
    return ModuleSpec(name, loader, origin=origin, is_package=bool(is_package))


_unknown = object()


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=_unknown):
    if location is None:
        location = loader.get_filename(name) if hasattr(loader, "get_filename") else "<unknown>"
    else:
        location = os.path.abspath(os.fspath(location))
    if loader is None:
        if not location.endswith(".py"):
            return None
        loader = SourceFileLoader(name, location)
    spec = ModuleSpec(name, loader, origin=location)
    spec._set_fileattr = True
    if submodule_search_locations is _unknown:
        is_package = hasattr(loader, "is_package") and loader.is_package(name)
        submodule_search_locations = [os.path.dirname(location)] if is_package else None
    spec.submodule_search_locations = submodule_search_locations
    return spec


def cache_from_source(path, debug_override=None, *, optimization=None):
    if debug_override is not None:
        if optimization is not None:
            raise TypeError("debug_override or optimization must be set to None")
        optimization = "" if debug_override else 1
    head, tail = os.path.split(os.fspath(path))
    base = tail.rpartition(".")[0] or tail
    level = sys.flags.optimize if optimization is None else optimization
    suffix = f".opt-{level}" if level else ""
    return os.path.join(head, "__pycache__", f"{base}.{sys.implementation.cache_tag}{suffix}.pyc")



def source_from_cache(path):
    """The file that a file in `__pycache__` is of."""
    head, name = os.path.split(os.fspath(path))
    folder, pycache = os.path.split(head)
    if pycache != "__pycache__":
        raise ValueError(f"__pycache__ not bottom-level directory in {os.fspath(path)!r}")
    parts = name.split(".")
    if len(parts) not in (3, 4):
        raise ValueError(f"expected only 2 or 3 dots in {name!r}")
    if len(parts) == 4:
        level = parts[2]
        if not level.startswith("opt-"):
            raise ValueError("optimization portion of filename does not start with 'opt-'")
        if not level[len("opt-"):].isalnum():
            raise ValueError(f"optimization level {level!r} is not an alphanumeric value")
    return os.path.join(folder, parts[0] + ".py")


def decode_source(source_bytes):
    """A file's text by the encoding that it names, with one kind of line end."""
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(source_bytes).readline)
    return io.IncrementalNewlineDecoder(None, True).decode(source_bytes.decode(encoding))


def source_hash(source_bytes):
    """The hash by which a `.pyc` file knows its source: SipHash-1-3 keyed with the magic number."""
    ones = (1 << 64) - 1
    key = int.from_bytes(MAGIC_NUMBER, "little")
    a, b, c, d = key ^ 0x736F6D6570736575, 0x646F72616E646F6D, key ^ 0x6C7967656E657261, 0x7465646279746573

    def turn(word, bits):
        return (word << bits | word >> 64 - bits) & ones

    def mix(a, b, c, d):
        a, c = a + b & ones, c + d & ones
        b, d = turn(b, 13) ^ a, turn(d, 16) ^ c
        a = turn(a, 32)
        c, a = c + b & ones, a + d & ones
        b, d = turn(b, 17) ^ c, turn(d, 21) ^ a
        return a, b, turn(c, 32), d

    data = bytes(source_bytes)
    whole = len(data) // 8 * 8
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, whole, 8)]
    words.append(int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56)
    for word in words:
        a, b, c, d = mix(a, b, c, d ^ word)
        a ^= word
    c ^= 0xFF
    for _ in range(3):
        a, b, c, d = mix(a, b, c, d)
    return (a ^ b ^ c ^ d).to_bytes(8, "little")
