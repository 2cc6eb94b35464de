// RUN: janus-opt %s --janus-carry-in-place | FileCheck %s
// RUN: janus-opt %s --janus-linalg --janus-buffers | FileCheck %s --check-prefix=BUFFERS

// A state of fixed extents is written over; in the end there is one buffer, and none is made or
// copied in the loop.
// CHECK-LABEL: func.func @state
// CHECK:       scf.while
// CHECK:       ^bb0(%{{.*}}: i64, %[[X:.*]]: tensor<?x4xf32>):
// CHECK:         %[[Y:.*]] = janus.tanh
// CHECK:         %[[OVER:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[X]]
// CHECK:         scf.yield %{{.*}}, %[[OVER]]
// BUFFERS-LABEL: func.func @state
// BUFFERS:       scf.while
// BUFFERS-NOT:   memref.alloc
// BUFFERS-NOT:   memref.copy
// BUFFERS:       return
func.func @state(%n: i64, %x0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %zero, %x = %x0) : (i64, tensor<?x4xf32>) -> (i64, tensor<?x4xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %x : i64, tensor<?x4xf32>
  } do {
  ^bb0(%i: i64, %x: tensor<?x4xf32>):
    %y = janus.tanh %x : tensor<?x4xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %y : i64, tensor<?x4xf32>
  }
  return %r#1 : tensor<?x4xf32>
}

// A tensor that grows is another one each time.
// CHECK-LABEL: func.func @grows
// CHECK-NOT:   materialize_in_destination
// CHECK:       return
func.func @grows(%n: index, %x0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<?xf32>) {
    %y = janus.concat %x, %x0 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A choice between what is carried and something else is a branch that writes.
// CHECK-LABEL: func.func @largest
// CHECK:       scf.while
// CHECK-NOT:   arith.select
// CHECK:         scf.if
// CHECK:           scf.yield
// CHECK:         else
// CHECK:           bufferization.materialize_in_destination
// BUFFERS-LABEL: func.func @largest
// BUFFERS:       return
func.func @largest(%n: i64, %x0: tensor<f32>, %y: tensor<f32>, %c: i1) -> tensor<f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %zero, %x = %x0) : (i64, tensor<f32>) -> (i64, tensor<f32>) {
    %go = arith.cmpi slt, %i, %n : i64
    scf.condition(%go) %i, %x : i64, tensor<f32>
  } do {
  ^bb0(%i: i64, %x: tensor<f32>):
    %z = janus.tanh %y : tensor<f32>
    %best = arith.select %c, %x, %z : tensor<f32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %best : i64, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
