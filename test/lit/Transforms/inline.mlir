// RUN: janus-opt %s --janus-inline | FileCheck %s

// CHECK-LABEL: janus.graph @main(%arg0: f64, %arg1: i64)
// CHECK-NEXT: %[[A:.*]] = arith.addf %arg0, %arg0
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[B]], %[[B]]
// Each copy has its loop in a frame of its own.
// CHECK: janus.enter %{{.*}} frame "loop#[[K:[0-9]+]]"
// CHECK: janus.enter %{{.*}} frame "loop#
// CHECK-NOT: frame "loop#[[K]]"
// CHECK: janus.invoke @even
janus.graph @main(%x: f64, %n: i64) -> (f64, i64, i64, i64) {
  %a = janus.invoke @double(%x) : (f64) -> f64
  %b = arith.mulf %a, %a : f64
  %c = janus.invoke @double(%b) : (f64) -> f64
  %i = janus.invoke @loop(%n) : (i64) -> i64
  %j = janus.invoke @loop(%i) : (i64) -> i64
  %k = janus.invoke @even(%n) : (i64) -> i64
  janus.return %c, %i, %j, %k : f64, i64, i64, i64
}

// Inlined everywhere, and gone.
// CHECK-NOT: janus.graph @double
janus.graph @double(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  janus.return %0 : f64
}

// CHECK-NOT: janus.graph @loop
janus.graph @loop(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = janus.enter %n frame "loop" : i64
  %i, %w = janus.merge %e, %ni : i64
  %more = arith.cmpi sgt, %i, %zero : i64
  %cond = janus.loop_cond %more
  %b, %d = janus.switch %cond, %i : i64
  %ni = janus.next_iteration %less : i64
  %less = arith.subi %b, %one : i64
  %r = janus.exit %d : i64
  janus.return %r : i64
}

// Recursive through each other: they stay as they are.
// CHECK-LABEL: janus.graph @even
// CHECK: janus.invoke @odd
janus.graph @even(%n: i64) -> i64 {
  %r = janus.invoke @odd(%n) : (i64) -> i64
  janus.return %r : i64
}
// CHECK-LABEL: janus.graph @odd
// CHECK: janus.invoke @even
janus.graph @odd(%n: i64) -> i64 {
  %r = janus.invoke @even(%n) : (i64) -> i64
  janus.return %r : i64
}
