"""Where pickles of arrays look."""


def __getattr__(name):
    from torch import _C

    if name == "multiarray":
        return _C._import_module("numpy._core.multiarray")
    return _C._missing_name("numpy._core", name)
