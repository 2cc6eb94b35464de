# Tensors on an emulated device: where they are, the device's random stream, what may not be mixed, and a compiled region.
# RUN: janus-jit run --cache off --tier 0 --cuda emulate %s | FileCheck %s
# RUN: janus-jit run --cache off --compile sync --cuda emulate=2 %s | FileCheck %s
# RUN: janus-jit run --cache off --compile sync --cuda emulate --emit plan --emit-filter step %s | FileCheck %s --check-prefix=PLAN
# RUN: janus-jit run --cache off --tier 0 %s | FileCheck %s --check-prefix=NONE
# RUN: janus-jit run --cache off --tier 0 --cuda emulate %s room | FileCheck %s --check-prefix=ROOM
import sys

import torch

# NONE: no device
# NONE-NEXT: Torch not compiled with CUDA enabled
if not torch.cuda.is_available():
    print("no device")
    try:
        torch.zeros(1).cuda()
    except AssertionError as error:
        print(error)
    raise SystemExit

# CHECK: tensor([0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967], device='cuda:0')
torch.manual_seed(0)
print(torch.rand(6, device="cuda"))
# CHECK-NEXT: tensor([-0.9247, -0.4253, -2.6438,  0.1452, -0.1209, -0.5797], device='cuda:0')
torch.manual_seed(0)
print(torch.randn(6, device="cuda"))


def refused(call):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


x = torch.ones(2, 3, device="cuda")
# CHECK-NEXT: RuntimeError Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
refused(lambda: x + torch.ones(3))
# CHECK-NEXT: TypeError can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
refused(lambda: x.numpy())
# CHECK-NEXT: AcceleratorError CUDA error: invalid device ordinal
refused(lambda: x.to("cuda:7"))
# ROOM: OutOfMemoryError CUDA out of memory. Tried to allocate 4096.00 GiB. GPU 0 has a total capacity of 16.00 GiB
if "room" in sys.argv:
    refused(lambda: torch.empty(1 << 40, device="cuda"))
# CHECK-NEXT: RuntimeError Expected a 'cpu' device type for generator but found 'cuda'
refused(lambda: torch.rand(2, generator=torch.Generator("cuda")))


def step(x, w):
    return torch.relu(x @ w).sum(1)


# PLAN: w = global w: tensor float32[3, 4] on cuda:0
w = torch.full((3, 4), 0.5, device="cuda")
total = torch.zeros(2, device="cuda")
for i in range(20):
    total = total + step(x * i, w)
# CHECK-NEXT: tensor([1140., 1140.], device='cuda:0') cuda torch.cuda.FloatTensor
print(total, total.device.type, total.type())
