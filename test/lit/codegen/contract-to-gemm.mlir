// RUN: janus-opt %s --janus-contract-to-gemm --canonicalize | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The transposed operand is one with its strides exchanged; the fill is the
// library's business.
// CHECK-LABEL: @plain
// CHECK-DAG: %[[M:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[N:.*]] = arith.constant 5 : i64
// CHECK-DAG: %[[K:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[NEW:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NOT: linalg.fill
// CHECK: llvm.call @janus_rt_gemm_f32(%[[M]], %[[N]], %[[K]], %{{.*}}, %[[K]], %[[ONE]], %{{.*}}, %[[ONE]], %[[K]], %{{.*}}, %[[N]], %[[ONE]], %[[NEW]])
func.func @plain(%a: memref<4x8xf32>, %b: memref<5x8xf32>, %c: memref<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x5xf32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : memref<4x8xf32>, memref<5x8xf32>) outs(%c : memref<4x5xf32>)
  return
}

// What was there before is added to.
// CHECK-LABEL: @accumulate
// CHECK: %[[ADD:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @janus_rt_gemm_f64({{.*}}, %[[ADD]])
func.func @accumulate(%a: memref<?x8xf64>, %b: memref<8x5xf64>, %c: memref<?x5xf64>) {
  linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : memref<?x8xf64>, memref<8x5xf64>) outs(%c : memref<?x5xf64>)
  return
}

// CHECK-LABEL: @batch
// CHECK: scf.for
// CHECK: llvm.call @janus_rt_gemm_f32
func.func @batch(%a: memref<3x4x8xf32>, %b: memref<3x8x5xf32>, %c: memref<3x4x5xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
      affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<3x4x8xf32>, memref<3x8x5xf32>) outs(%c : memref<3x4x5xf32>)
  return
}

// Integers have no library.
// CHECK-LABEL: @integers
// CHECK: linalg.contract
func.func @integers(%a: memref<4x8xi64>, %b: memref<8x5xi64>, %c: memref<4x5xi64>) {
  linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : memref<4x8xi64>, memref<8x5xi64>) outs(%c : memref<4x5xi64>)
  return
}
