// RUN: janus-opt %s --janus-to-linalg | FileCheck %s

// Indices are moved into range.
// CHECK-LABEL: @gather
// CHECK: linalg.generic
// CHECK: arith.index_cast
// CHECK: arith.minsi
// CHECK: %[[I:.*]] = arith.maxsi
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[I]]]
func.func @gather(%x: tensor<?x10xf32>, %i: tensor<?x1xi64>) -> tensor<?x1xf32> {
  %0 = janus.gather %x, %i dim 1 : (tensor<?x10xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// CHECK-LABEL: @take
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "parallel"
// CHECK: tensor.extract
func.func @take(%x: tensor<100x8xf32>, %i: tensor<?x5xi64>) -> tensor<?x5x8xf32> {
  %0 = janus.take %x, %i dim 0 : (tensor<100x8xf32>, tensor<?x5xi64>) -> tensor<?x5x8xf32>
  return %0 : tensor<?x5x8xf32>
}

// Additions are sequential.
// CHECK-LABEL: @scatter_add
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: tensor.insert
func.func @scatter_add(%x: tensor<4x10xf32>, %i: tensor<4x1xi64>, %g: tensor<4x1xf32>)
    -> tensor<4x10xf32> {
  %0 = janus.scatter_add %x, %i, %g dim 1
     : (tensor<4x10xf32>, tensor<4x1xi64>, tensor<4x1xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

// CHECK-LABEL: @take_add
// CHECK: scf.for
// CHECK: tensor.insert
func.func @take_add(%x: tensor<100x8xi64>, %i: tensor<5xi64>, %g: tensor<5x8xi64>)
    -> tensor<100x8xi64> {
  %0 = janus.take_add %x, %i, %g dim 0
     : (tensor<100x8xi64>, tensor<5xi64>, tensor<5x8xi64>) -> tensor<100x8xi64>
  return %0 : tensor<100x8xi64>
}
