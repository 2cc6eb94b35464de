"""What scripts read from outside: each function here takes any bytes and raises an exception, or does not."""

import ast
import gzip
import io
import json
import os
import pickle
import re
import struct
import subprocess
import tarfile
import zipfile
import zlib

import numpy as np
import torch

called = []


def canary(*args):
    """What a file of weights must not be able to call."""
    called.append(args)


os.system = os.popen = os.remove = subprocess.run = subprocess.Popen = canary


def used(found):
    """Looks at what was read, as a script would."""
    if isinstance(found, torch.Tensor):
        if found.numel() < 1000:
            repr(found.detach().clone().tolist())
    elif isinstance(found, dict):
        for key in list(found)[:50]:
            used(found[key])
    elif isinstance(found, (list, tuple)) and len(found) < 50:
        for item in found:
            if item is not found:
                used(item)


def weights(data):
    used(torch.load(io.BytesIO(data)))


def checkpoint(data):
    # As the pickle of an archive, which the bytes of a whole archive seldom are.
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a/data.pkl", data)
        archive.writestr("a/data/0", bytes(24))
    used(torch.load(io.BytesIO(whole.getvalue())))


class Quiet(pickle.Unpickler):
    """Without names of other modules, which would be called, as a pickle may."""

    def find_class(self, module, name):
        if module in ("collections", "copyreg", "__main__"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(name)


def pickles(data):
    Quiet(io.BytesIO(data)).load()


def npy(data):
    file = io.BytesIO(data)
    found = np.load(file)
    for name in getattr(found, "files", ()):
        found[name]


def zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            repr(info)
            archive.read(info)


def packed(data):
    try:
        gzip.decompress(data)
    except Exception:
        zlib.decompress(data)


def tar(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                file.read()


def literal(data):
    repr(ast.literal_eval(data.decode("utf-8", "replace")))


def structs(data):
    form, _, values = data.partition(b"|")
    struct.unpack(form.decode("latin-1"), values)


def formats(data):
    text = data.decode("utf-8", "replace")
    # So many digits are made where they are asked for; more are refused.
    if re.search(r"(?<!\d)\d{7,10}(?!\d)", text):
        return
    for value in (5, -2.5, "x", 10 ** 30):
        for write in (text.format, lambda *v: text % v, lambda v: format(v, text)):
            try:
                write(value)
            except Exception:
                pass


def patterns(data):
    text, _, subject = data.decode("utf-8", "replace").partition("|")
    # A long text under a pattern of nested repetitions takes as long in CPython.
    found = re.search(text, subject[:20])
    repr(found)


READERS = {"json": lambda data: json.loads(data)}
READERS.update({f.__name__: f for f in (weights, checkpoint, pickles, npy, zip, packed, tar, literal, structs, formats,
                                        patterns)})


def check(name, data):
    try:
        READERS[name](data)
    except Exception:
        pass
    if called:
        return f"code was run: {called.pop()}"
