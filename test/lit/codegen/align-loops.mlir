// RUN: janus-opt %s --janus-align-loops | FileCheck %s

// What is carried comes first, in its order; what else is passed on comes after it.
// CHECK-LABEL: func.func @align
// CHECK:       %[[R:.*]]:3 = scf.while (%[[I:.*]] = %arg0, %[[X:.*]] = %arg1) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>, i64)
// CHECK:         %[[TWICE:.*]] = arith.addi %[[I]], %[[I]]
// CHECK:         scf.condition(%{{.*}}) %[[I]], %[[X]], %[[TWICE]]
// CHECK:       ^bb0(%[[J:.*]]: i64, %[[Y:.*]]: tensor<4xf32>, %[[K:.*]]: i64):
// CHECK:         %[[Z:.*]] = janus.tanh %[[Y]]
// CHECK:         scf.yield %[[K]], %[[Z]]
// CHECK:       return %[[R]]#2, %[[R]]#1
func.func @align(%n: i64, %x0: tensor<4xf32>) -> (i64, tensor<4xf32>) {
  %limit = arith.constant 100 : i64
  %r:2 = scf.while (%i = %n, %x = %x0) : (i64, tensor<4xf32>) -> (tensor<4xf32>, i64) {
    %twice = arith.addi %i, %i : i64
    %c = arith.cmpi slt, %i, %limit : i64
    scf.condition(%c) %x, %twice : tensor<4xf32>, i64
  } do {
  ^bb0(%x: tensor<4xf32>, %j: i64):
    %y = janus.tanh %x : tensor<4xf32>
    scf.yield %j, %y : i64, tensor<4xf32>
  }
  return %r#1, %r#0 : i64, tensor<4xf32>
}
