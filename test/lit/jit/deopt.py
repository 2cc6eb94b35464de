# A constant that changes is a missed guard. The second version assumes the new value, in case it was
# a change for good; after the second miss it is read at every entry.
# RUN: janus-jit run --cache off --compile sync --emit graph --emit-filter step %s | FileCheck %s
# RUN: janus-jit explain --cache off %s | FileCheck %s --check-prefix=WHY

# CHECK: // ---- graph of run:[[#LINE:]]/1
# CHECK-NOT: "scale"
# CHECK: // ---- graph of run:[[#LINE]]/2
# CHECK-NOT: "scale"
# CHECK: // ---- graph of run:[[#LINE]]/3
# CHECK: janus.get_attr %{{.*}} "scale" slot [[#]] : i64
# CHECK-NOT: ---- graph
# CHECK: tensor([

# WHY: deopt.py:[[#]]: loop run
# WHY-NEXT: [[#]] | for _ in range(30):
# WHY-NEXT: tier 2: entered 90 times (tier 0: {{[0-9]+}}, tier 1: 0, tier 2: {{[78][0-9]}}), compiled 3 times
# WHY: config.scale is 2
# WHY: left 2 times at line [[#]]: a value that had been constant changed
# WHY-NEXT: [[#]] | return (x * config.scale).sum()
# WHY-NEXT: expected config.scale: 3; found 5
# WHY-NEXT: the last time at entry {{[0-9]+}} of {{[0-9]+}}
# WHY-NEXT: hint:
import torch


class Config:
    scale = 0

    def __init__(self):
        self.scale = 2


def step(x, config):
    return (x * config.scale).sum()


config = Config()
total = torch.zeros(1)


def run():
    global total
    for _ in range(30):
        total = total + step(torch.ones(3), config)


run()
config.scale = 3
run()
config.scale = 5
run()
print(total)
