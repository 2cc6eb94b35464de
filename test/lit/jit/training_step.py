# Forward, loss, backward and optimizer are one region and one graph at every stage. The filter names
# a function that is inlined into the loop, so it finds the loop.
# RUN: rm -rf %t
# RUN: janus-jit run --cache off --compile sync --emit graph,graph-opt,linalg,llvm,asm --emit-filter train_step --emit-dir %t %s | FileCheck %s --check-prefix=OUT
# RUN: ls %t | FileCheck %s --check-prefix=FILES
# RUN: cat %t/000._module__76_1.graph | FileCheck %s --check-prefix=GRAPH
# RUN: cat %t/001._module__76_1.graph-opt | FileCheck %s --check-prefix=OPT
# RUN: cat %t/002._module__76_1.linalg | FileCheck %s --check-prefix=LINALG
# RUN: cat %t/003._module__76_1.llvm | FileCheck %s --check-prefix=LLVM
# RUN: cat %t/004._module__76_1.asm | FileCheck %s --check-prefix=ASM

# What the script prints stays apart.
# OUT-NOT: ----
# OUT: 0.

# FILES: 000._module__76_1.graph
# FILES-NEXT: 001._module__76_1.graph-opt
# FILES-NEXT: 002._module__76_1.linalg
# FILES-NEXT: 003._module__76_1.llvm
# FILES-NEXT: 004._module__76_1.asm
# FILES-NOT: {{.}}

# GRAPH: janus.graph @"<module>:loop"
# GRAPH: %[[P:.*]] = janus.get_item %{{.*}}["params"]
# GRAPH: %[[W:.*]] = janus.get_item %[[P]][0] slot {{[0-9]+}} : tensor<8x4xf32>
# GRAPH: janus.tanh
# GRAPH: %[[LOSS:.*]] = janus.div {{.*}} : tensor<f32>
# GRAPH: %[[G:.*]]:4 = janus.gradient %[[LOSS]], %{{.*}} wrt(%[[W]],
# GRAPH: %[[T:.*]] = janus.start
# GRAPH: janus.update %[[T]], {{.*}} slot 0 : tensor<8x4xf32>
# GRAPH: janus.set_grad {{.*}}, %[[G]]#0 slot 4
# GRAPH: janus.set_global {{.*}} "loss"

# OPT: func.func @"<module>:loop"
# OPT-NOT: janus.gradient
# OPT-NOT: janus.graph
# OPT: janus.dot
# OPT: return %c-1_i64,

# LINALG-NOT: janus.dot
# LINALG: linalg.contract
# LINALG: linalg.generic

# LLVM: @janus_entry_signature = {{.*}}constant
# LLVM: define void @janus_entry(

# ASM: janus_entry:
# ASM: ret
import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def train_step(net, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    return loss


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 2)
for _ in range(8):
    loss = train_step(net, optimizer, x, y)
print(f"{loss.item():.4f}")
