// RUN: janus-opt %s --pass-pipeline="builtin.module(func.func(janus-sum-parts))" | FileCheck %s

// What is added to a part in each iteration is added there.
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[I:.*]] = %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<?x4xf32>)
// CHECK-NEXT:    %[[OLD:.*]] = janus.slice %[[SUM]][%[[I]], 0] strides [1, 1] : tensor<?x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT:    %[[NOW:.*]] = janus.add %[[OLD]], %{{.*}} : tensor<1x4xf32>
// CHECK-NEXT:    %[[ALL:.*]] = janus.update_slice %[[SUM]], %[[NOW]][%[[I]], 0] strides [1, 1]
// CHECK-NEXT:    scf.yield %[[ALL]]
func.func @rows(%g: tensor<1x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %zeros = janus.full %zero sizes(%n) : f64 -> tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<1x4xf32> -> tensor<?x4xf32>
    %s = janus.add %sum, %p : tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// Two parts, one behind the other, of which one has an extent that is not known.
// CHECK-LABEL: func.func @two_parts
// CHECK:         janus.dim %arg0, 0
// CHECK:         %[[FIRST:.*]] = janus.update_slice %{{.*}}, %{{.*}}[%{{.*}}, 0]
// CHECK:         janus.slice %[[FIRST]][0, 0]
// CHECK:         %[[SECOND:.*]] = janus.update_slice %[[FIRST]], %{{.*}}[0, 0]
// CHECK:         scf.yield %[[SECOND]]
func.func @two_parts(%g: tensor<?x4xf32>, %h: tensor<1x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %zeros = janus.full %zero sizes(%n) : f64 -> tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
    %s = janus.add %p, %sum : tensor<?x4xf32>
    %q = janus.unslice %h[0, 0] sizes(%n) strides [1, 1] : tensor<1x4xf32> -> tensor<?x4xf32>
    %t = janus.add %s, %q : tensor<?x4xf32>
    scf.yield %t : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// What does not begin as zeros may have a -0.0, which zeros turn into 0.0.
// CHECK-LABEL: func.func @begins_otherwise
// CHECK:         janus.unslice
// CHECK-NOT:     janus.update_slice
// CHECK:         return
func.func @begins_otherwise(%g: tensor<1x4xf32>, %x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<1x4xf32> -> tensor<?x4xf32>
    %s = janus.add %sum, %p : tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// A sum with something else is not of parts alone.
// CHECK-LABEL: func.func @something_else
// CHECK-NOT:     janus.update_slice
// CHECK:         return
func.func @something_else(%g: tensor<1x4xf32>, %y: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %zeros = janus.full %zero sizes(%n) : f64 -> tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<1x4xf32> -> tensor<?x4xf32>
    %s = janus.add %sum, %p : tensor<?x4xf32>
    %t = janus.add %s, %y : tensor<?x4xf32>
    scf.yield %t : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// What begins as -0.0 gets the zeros that were around the parts behind the loop, but where all parts were one.
// CHECK-LABEL: func.func @begins_with_nothing
// CHECK:         %[[R:.*]]:3 = scf.for %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[LEAST:.*]] = %{{.*}}, %[[MOST:.*]] = %{{.*}})
// CHECK-NEXT:      %[[OLD:.*]] = janus.slice %[[SUM]]
// CHECK-NEXT:      %[[NOW:.*]] = janus.add %[[OLD]], %arg0
// CHECK-NEXT:      janus.update_slice %[[SUM]], %[[NOW]]
// CHECK-NEXT:      arith.minsi %[[LEAST]]
// CHECK-NEXT:      arith.maxsi %[[MOST]]
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %arg1
// CHECK:         %[[ADDED:.*]] = arith.select %[[SOME]]
// CHECK:         %[[AROUND:.*]] = janus.full %[[ADDED]]
// CHECK:         %[[SUM0:.*]] = janus.add %[[R]]#0, %[[AROUND]]
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[R]]#1, %[[R]]#2
// CHECK:         %[[RESULT:.*]] = janus.update_slice %[[SUM0]]
// CHECK:         return %[[RESULT]]
func.func @begins_with_nothing(%g: tensor<1x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -0.0 : f64
  %nothing = janus.full %none sizes(%n) : f64 -> tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %nothing) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<1x4xf32> -> tensor<?x4xf32>
    %s = janus.add %sum, %p : tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// Parts that may overlap.
// CHECK-LABEL: func.func @windows
// CHECK-NOT:     janus.update_slice
// CHECK:         return
func.func @windows(%g: tensor<2x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -0.0 : f64
  %nothing = janus.full %none sizes(%n) : f64 -> tensor<?x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %nothing) -> (tensor<?x4xf32>) {
    %p = janus.unslice %g[%i, 0] sizes(%n) strides [1, 1] : tensor<2x4xf32> -> tensor<?x4xf32>
    %s = janus.add %sum, %p : tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
