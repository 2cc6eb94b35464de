"""Modules of torch that scripts import by their own names: switches, profilers, parts of torch.nn."""
import torch
import torch.backends.cudnn as cudnn
import torch.backends.cuda
import torch.backends.mps
import torch.nn as nn
from torch.autograd import profiler
from torch.nn.modules.channelshuffle import ChannelShuffle
from torch.nn.modules.fold import Fold, Unfold
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.pixelshuffle import PixelShuffle, PixelUnshuffle
from torch.profiler import ProfilerActivity, record_function

cudnn.benchmark = True
cudnn.deterministic = True
print(torch.backends.cudnn.benchmark, cudnn.enabled)
with cudnn.flags(enabled=False, benchmark=False):
    print(cudnn.enabled, cudnn.benchmark)
print(cudnn.enabled, cudnn.benchmark, cudnn.deterministic)
with torch.backends.mkldnn.flags(enabled=False, allow_tf32=None):
    print(torch.backends.mkldnn.enabled)
torch.backends.cuda.matmul.allow_tf32 = True
print(torch.backends.cuda.matmul.allow_tf32, torch.backends.mps.is_available(), torch.backends.cuda.flash_sdp_enabled())

print(nn.MultiheadAttention(4, 2), isinstance(nn.MultiheadAttention(4, 2).out_proj, NonDynamicallyQuantizableLinear))
for kind in (ChannelShuffle, Fold, Unfold, PixelShuffle, PixelUnshuffle, NonDynamicallyQuantizableLinear):
    print(kind.__module__, getattr(nn, kind.__name__, None) is kind)

model = nn.Linear(3, 2)
torch.manual_seed(1)
with torch.no_grad():
    model.weight.fill_(0.5)
    model.bias.zero_()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@record_function("loss")
def loss_of(x):
    with record_function("forward"):
        y = model(x)
    return y.square().mean()


for step in range(20):
    with profiler.record_function("step"), profiler.profile(enabled=False):
        optimizer.zero_grad()
        loss = loss_of(torch.full((4, 3), 0.5))
        loss.backward()
        optimizer.step()
print(f"{loss.item():.6f}", ProfilerActivity.CPU.name)
