"""Small names that strangers' scripts want of torch: ScriptModule, model_zoo, sizes by dimension, storages of bytes, streams in a chain, schedules."""
import collections
import os
import tempfile
import warnings

import torch
import torch.nn as nn
import torch.utils.model_zoo as model_zoo
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.utils import _ntuple, _pair, _reverse_repeat_tuple, _single, _triple, consume_prefix_in_state_dict_if_present
from torch.utils.checkpoint import get_device_states, set_device_states
from torch.utils.data import ChainDataset, DataLoader, IterableDataset

warnings.simplefilter("ignore")
torch.manual_seed(0)


class Gate(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    @torch.jit.script_method
    def forward(self, x):
        return torch.sigmoid(self.linear(x)) * x


gate = Gate()
total = torch.zeros(())
for i in range(20):
    total = total + gate(torch.ones(2) * i).sum().detach()
print(f"{total.item():.4f}", len(list(gate.parameters())), isinstance(gate, nn.Module), isinstance(gate, torch.jit.ScriptModule))
print(_pair(3), _single((1,)), _triple([1, 2, 3]), _ntuple(4)(0), _reverse_repeat_tuple((1, 2), 2))
state = collections.OrderedDict((f"module.{k}", v) for k, v in gate.state_dict().items())
consume_prefix_in_state_dict_if_present(state, "module.")
print(list(state))
print([isinstance(m, _BatchNorm) for m in (nn.BatchNorm1d(2), nn.BatchNorm2d(2), nn.InstanceNorm2d(2), nn.LayerNorm(2))])
bytes_ = torch.ByteTensor(torch.ByteStorage.from_buffer(b"\x01\x02\xff"))
print(bytes_, torch.FloatStorage.from_buffer(b"\0\0\x80?\0\0\0@", "little").tolist(), torch.ByteStorage.from_buffer(b"abcd", count=2, offset=1).tolist())
for wrong in (
    lambda: torch.FloatStorage.from_buffer(b"\0" * 5, "native"), lambda: torch.FloatStorage.from_buffer(b"\0" * 4),
    lambda: nn.parallel.data_parallel(gate, torch.ones(2)), lambda: torch.hub.load("nowhere", "m", source="other"),
):
    try:
        print(wrong())
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__)


class Count(IterableDataset):
    def __init__(self, start, stop):
        self.start, self.stop = start, stop

    def __iter__(self):
        return iter(range(self.start, self.stop))

    def __len__(self):
        return self.stop - self.start


both = Count(0, 3) + Count(10, 12)
print(type(both).__name__, len(both), list(both), [b.tolist() for b in DataLoader(ChainDataset([both, Count(7, 8)]), batch_size=4)])
print(get_device_states(torch.ones(1)), callable(set_device_states), torch.cuda._initialized)
schedule = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
print([schedule(step).name for step in range(11)])
print(model_zoo.load_url is torch.hub.load_state_dict_from_url, collections.ChainMap[str, int])

folder = tempfile.mkdtemp()
with open(os.path.join(folder, "hubconf.py"), "w") as f:
    f.write("import torch\n\ndef tiny(width=2):\n    return torch.nn.Linear(width, 1)\n\n_hidden = 3\n")
print(torch.hub.load(folder, "tiny", source="local", width=5))

gradients = []
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
handle = net[2].register_backward_hook(lambda module, grad_input, grad_output: gradients.append(grad_output[0].clone()))
for i in range(6):
    net(torch.ones(2, 3) * i).sum().backward()
handle.remove()
net(torch.ones(2, 3)).sum().backward()
print(len(gradients), gradients[0].tolist())
try:
    net[2].register_full_backward_hook(lambda *a: None)
except RuntimeError as error:
    print(error)


class Tagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.tags = {"a": 1, "b": 2}
        self.inner = nn.Identity()
        self.inner.tags = {"c": 3}


print(list(Tagged()._named_members(lambda m: m.tags.items() if hasattr(m, "tags") else [])))
