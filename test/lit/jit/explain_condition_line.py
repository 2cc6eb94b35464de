# A condition that the guard decides, since one of its sides raises, is named by its own line.
# REQUIRES: janus-jit
# RUN: janus-jit explain --cache off %s | FileCheck %s
import torch


def risky(x, i):
    if i % 5 == 0:
        raise ValueError("bad %d" % i)
    return x + 1


t = torch.zeros(3)
bad = 0
for i in range(60):
    try:
        t = risky(t, i)
    except ValueError as e:
        bad += 1
    finally:
        t = t * 0.9
print(t, bad)

# CHECK: left {{once|[0-9]+ times}} at line 8: a value that had been constant changed
# CHECK-NEXT: 8 | if i % 5 == 0:
# CHECK-NEXT: expected the condition of line 8: False; found True
