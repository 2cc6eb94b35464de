# Instructions with the user's lines; a filter names a function, or a module and a function.
# RUN: janus-jit run --emit bytecode %s | FileCheck %s
# RUN: janus-jit run --emit bytecode --emit-filter bytecode.area %s | FileCheck %s --check-prefix=ONE

# CHECK: // ---- bytecode of {{.*}}bytecode.py
# CHECK-NEXT: code <module> ({{.*}}bytecode.py:1)
# CHECK: StoreName {{[0-9]+}} (area)
# CHECK: code area ({{.*}}bytecode.py:[[#LINE:]])
# CHECK-NEXT: [[#LINE+1]] 0 LoadFast 0 (w)
# CHECK-NEXT: 1 LoadFast 1 (h)
# CHECK-NEXT: 2 BinaryOp {{[0-9]+}} (*)
# CHECK-NEXT: 3 ReturnValue

# ONE-NOT: <module>
# ONE: // ---- bytecode of area
# ONE-NEXT: code area
# ONE-NOT: ---- bytecode


def area(w, h):
    return w * h


print(area(2, 3))
