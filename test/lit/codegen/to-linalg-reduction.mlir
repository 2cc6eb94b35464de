// RUN: janus-opt %s --janus-to-linalg | FileCheck %s

// CHECK-DAG: #[[MKT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// The accumulator is f64, rounded once.
// CHECK-LABEL: @sum
// CHECK: linalg.fill {{.*}} -> tensor<?xf64>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK: arith.addf {{.*}} : f64
// CHECK: linalg.generic
// CHECK: arith.truncf
func.func @sum(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = janus.reduce_sum %x dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @max
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf uno
// CHECK: arith.select
func.func @max(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %0 = janus.reduce_max %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @argmax
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: linalg.index 1
// CHECK: return %[[R]]#1 : tensor<4xi64>
func.func @argmax(%x: tensor<4x8xi32>) -> tensor<4xi64> {
  %0 = janus.argmax %x dim 1 : tensor<4x8xi32> -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @cumsum
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<4x8xf32>, f64)
// CHECK: arith.truncf
// CHECK: tensor.insert
func.func @cumsum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = janus.cumsum %x dim 1 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Transposes are swallowed by the contraction's maps.
// CHECK-LABEL: @dot
// CHECK-SAME: (%[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<5x8xf32>)
// CHECK: linalg.contract indexing_maps = [#[[MKT]], #[[NK]], #[[MN]]]
// CHECK-SAME: ins(%[[A]], %[[B]]
func.func @dot(%a: tensor<8x4xf32>, %b: tensor<5x8xf32>) -> tensor<4x5xf32> {
  %0 = janus.permute %a dims [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = janus.permute %b dims [1, 0] : tensor<5x8xf32> -> tensor<8x5xf32>
  %2 = janus.dot %0, %1 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}
