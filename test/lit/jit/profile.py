# What tier 0 saw: kinds, and of tensors and containers what their kind does not say.
# RUN: janus-jit run --emit profile --emit-filter profile.step %s | FileCheck %s

# CHECK: // ---- profile of step
# CHECK-NEXT: profile step ({{.*}}profile.py:[[#LINE:]]) entries 4
# CHECK-NEXT: [[#LINE+1]] 0 LoadFast (x): types tensor f32[2, 4]
# CHECK-NEXT: 1 LoadFast (w): types tensor f32[4, 3]
# CHECK-NEXT: 2 BinaryOp: types tensor f32[2, 4]|tensor f32[4, 3]
# CHECK: LoadFast (options): types dict of 1
# CHECK: BinarySubscr: types dict of 1
# CHECK: [[#LINE+2]] {{[0-9]+}} LoadFast (flag): types bool
# CHECK-NEXT: PopJumpIfFalse: count 4 taken 3
# CHECK: LoadGlobal (log): types list of 0
# CHECK: LoadFast (pair): types tuple of 2
# CHECK: Call: count 4 callee Tensor.sum types tensor f32[]
import torch

log = []


def step(x, w, flag, options, pair):
    y = (x @ w) * options["scale"]
    if flag:
        log.append(pair[0])
    return y.sum()


for i in range(4):
    step(torch.ones(2, 4), torch.ones(4, 3), i == 0, {"scale": 2}, (i, i))
