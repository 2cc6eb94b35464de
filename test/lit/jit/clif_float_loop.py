# REQUIRES: janus-jit
# RUN: janus-jit run --tier 1 --emit clif --emit-filter escape %s | FileCheck %s

# Floats stay in registers: the loop has neither calls nor stores, and checks only the int counter.


def escape(x0, y0, most):
    zr = zi = 0.0
    n = 0
    while n < most and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + x0, 2.0 * zr * zi + y0
        n += 1
    return n


for i in range(60):
    escape(0.1, 0.2, 9)

# CHECK-LABEL: ---- clif of escape/1
# CHECK: function u0:0(i64, i64, f64, f64, i64) -> i64, i64
# CHECK: [[LOOP:block[0-9]+]]({{.*}}: f64, {{.*}}: f64, {{.*}}: i64, {{.*}}: f64, {{.*}}: f64, {{.*}}: i64):
# CHECK-NOT: call
# CHECK: icmp slt
# CHECK: fmul.f64
# CHECK: fcmp le
# CHECK: fsub
# CHECK: sadd_overflow
# CHECK: jump [[LOOP]](
