# A condition that the guard decides, since one of its sides raises, is named by its own line.
# REQUIRES: janus-jit
# RUN: janus-jit explain --cache off %s | FileCheck %s
import torch


class Box:
    def __init__(self):
        self.t = torch.zeros(3)
        self.i = 0

    @property
    def risky(self):
        if self.i % 5 == 0:
            raise ValueError("bad %d" % self.i)
        return self.t + 1


box = Box()
bad = 0
for box.i in range(60):
    try:
        box.t = box.risky
    except ValueError as e:
        bad += 1
    finally:
        box.t = box.t * 0.9
print(box.t, bad)

# CHECK: left {{once|[0-9]+ times}} at line 14: a value that had been constant changed
# CHECK-NEXT: 14 | if self.i % 5 == 0:
# CHECK-NEXT: expected the condition of line 14: False; found True
