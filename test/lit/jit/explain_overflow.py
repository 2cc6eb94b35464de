# REQUIRES: janus-jit
# RUN: janus-jit explain --tier 1 %s | FileCheck %s

# An int that outgrows 64 bits goes on as a big int in tier 0.


def grow(n):
    x = 1
    for i in range(n):
        x = x * 3
    return x


for i in range(100):
    grow(30 if i < 90 else 60)

# CHECK: function grow
# CHECK: tier 1: entered
# CHECK: left {{[0-9]+}} times at line 10: an int does not fit into 64 bits
# CHECK: expected an int within 64 bits; found a larger int
