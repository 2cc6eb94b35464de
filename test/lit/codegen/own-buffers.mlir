// RUN: janus-opt %s --janus-own-buffers | FileCheck %s

// CHECK-LABEL: @shared
// CHECK-SAME: tensor<4xf32> {bufferization.writable = false}
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: linalg.fill
// CHECK: linalg.generic
func.func @shared(%x: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%f : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%f : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %b, %a : f32
      linalg.yield %s : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// A call says what it writes: arguments that are carried, which are the callee's to write.
// CHECK-LABEL: @calls
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[S:[^:]*]]: tensor<8xf32> {janus.carried = 1 : i64})
// CHECK: janus.apply @calls [-1, 1](%[[X]], %[[S]])
// CHECK: call @external(
func.func private @calls(%x: tensor<4xf32>, %s: tensor<8xf32> {janus.carried = 1 : i64}) -> (f64, tensor<8xf32>) {
  %r:2 = func.call @calls(%x, %s) : (tensor<4xf32>, tensor<8xf32>) -> (f64, tensor<8xf32>)
  %e = func.call @external(%r#0) : (f64) -> f64
  return %e, %r#1 : f64, tensor<8xf32>
}
func.func private @external(%x: f64) -> f64
