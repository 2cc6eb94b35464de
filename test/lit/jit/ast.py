# The syntax tree has Python's names; a filter leaves the definitions that match.
# RUN: janus-jit run --emit ast %s | FileCheck %s
# RUN: janus-jit run --emit ast --emit-filter Point.length %s | FileCheck %s --check-prefix=ONE
# RUN: janus-jit run --emit ast --emit-filter nothing %s | FileCheck %s --check-prefix=NONE --allow-empty

# CHECK: // ---- ast of {{.*}}ast.py
# CHECK-NEXT: Module(
# CHECK: FunctionDef(
# CHECK-NEXT: name='area',
# CHECK: Return(
# CHECK-NEXT: value=BinOp(
# CHECK-NEXT: left=Name(id='w', ctx=Load()),
# CHECK-NEXT: op=Mult(),
# CHECK-NEXT: right=Name(id='h', ctx=Load()))
# CHECK: ClassDef(
# CHECK-NEXT: name='Point',
# CHECK: 6

# ONE-NOT: area
# ONE: // ---- ast of Point.length
# ONE-NEXT: FunctionDef(
# ONE-NEXT: name='length',
# ONE-NOT: ---- ast

# NONE-NOT: ast


def area(w, h):
    return w * h


class Point:
    def length(self):
        return 0


print(area(2, 3))
