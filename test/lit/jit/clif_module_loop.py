# REQUIRES: janus-jit
# RUN: janus-jit run --tier 1 --emit clif %s | FileCheck %s

# The loop takes over in the middle of its run; globals are in variables until it is left.

total = 0
for i in range(100000):
    total += i & 3
print(total)

# CHECK: ---- clif of <module>:7/1
# CHECK: function u0:0(i64) -> i64
# CHECK: load.i64 notrap aligned v0+56
# CHECK: band
# CHECK: sadd_overflow
# CHECK: 150000
