"""torch.onnx: nothing is exported yet."""


def is_in_onnx_export():
    return False


def export(model, args=(), f=None, **options):
    raise NotImplementedError("torch.onnx.export is not implemented in janus-jit yet")


def __getattr__(name):
    from torch import _C

    return _C._missing_name("torch.onnx", name)
