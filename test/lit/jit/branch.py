# A branch that the profile saw both ways is switch and merge, and scf.if once structured; the one that
# it saw one way only is an assert, and both ways after that failed.
# RUN: janus-jit run --cache off --compile sync --emit graph,graph-opt --emit-filter both %s | FileCheck %s --check-prefix=BOTH
# RUN: janus-jit run --cache off --compile sync --emit graph --emit-filter late %s | FileCheck %s --check-prefix=LATE

# BOTH: // ---- graph of
# BOTH: %[[C:.*]] = janus.item %{{.*}} : tensor<i1> -> i1
# BOTH: janus.switch %[[C]], %{{.*}} : tensor<4xf32>
# BOTH: %[[V:.*]], %{{.*}} = janus.merge %{{.*}}, %{{.*}} : tensor<4xf32>
# BOTH: janus.add %{{.*}}, %[[V]]
# BOTH: // ---- graph-opt of
# BOTH-NOT: janus.switch
# BOTH: scf.if %{{.*}} -> (tensor<4xf32>)

# LATE: // ---- graph of {{.*}}/1
# LATE-NOT: janus.merge
# LATE: janus.assert %{{.*}} id 0 "branch-direction"
# LATE: // ---- graph of {{.*}}/2
# LATE: janus.merge
# LATE-NOT: janus.assert
# LATE: tensor([
import torch


def both(x):
    if x.sum() > 6.0:
        y = x * 2
    else:
        y = x + 1
    return y


def late(x):
    if x.sum() > 30.0:
        return x - 1
    return x * 3


x = torch.ones(4)
total = torch.zeros(4)
for scale in [0.0, 1.0, 2.0] * 4:
    total = total + both(x * scale)
for scale in [1.0, 2.0, 3.0] * 4 + [9.0] * 8:
    total = total + late(x * scale)
print(total)
