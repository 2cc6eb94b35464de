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
