// RUN: janus-opt %s --pass-pipeline="builtin.module(func.func(janus-sink-into-branches))" | FileCheck %s

// What one branch reads is computed there.
// CHECK-LABEL: func.func @constant
// CHECK:       scf.if
// CHECK:       linalg.fill
// CHECK:       else
func.func @constant(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %full = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %full : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What reads a tensor that is written over stays before the write.
// CHECK-LABEL: func.func @carried
// CHECK:       scf.for
// CHECK:       linalg.add
// CHECK:       bufferization.materialize_in_destination
// CHECK:       scf.if
func.func @carried(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %empty = tensor.empty() : tensor<4xf32>
    %sum = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>)
        outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %next = bufferization.materialize_in_destination %y in %a
        : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %s = scf.if %c -> tensor<4xf32> {
      scf.yield %sum : tensor<4xf32>
    } else {
      scf.yield %b : tensor<4xf32>
    }
    scf.yield %next, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
