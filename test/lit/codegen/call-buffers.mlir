// RUN: janus-opt %s --janus-linalg --janus-buffers | FileCheck %s

// What a recursive function carries is added to in place, without a copy, and neither it nor what
// the function only reads is copied for a call.
// CHECK-LABEL: func.func private @adjoint
// CHECK-SAME: (%{{[^:]*}}: i1, %[[G:[^:]*]]: memref<64x64xf32>, %[[S:[^:]*]]: memref<64x64xf32>) {
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.if
// CHECK:   func.call @adjoint(%{{.*}}, %[[G]], %[[S]]) : (i1, memref<64x64xf32>, memref<64x64xf32>) -> ()
// CHECK: return{{$}}
func.func private @adjoint(%p: i1, %g: tensor<64x64xf32>, %s: tensor<64x64xf32> {janus.carried = 0 : i64})
    -> tensor<64x64xf32> {
  %false = arith.constant false
  %r = scf.if %p -> tensor<64x64xf32> {
    %a = janus.add %s, %g : tensor<64x64xf32>
    %c = func.call @adjoint(%false, %g, %a) : (i1, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b = janus.add %c, %g : tensor<64x64xf32>
    scf.yield %b : tensor<64x64xf32>
  } else {
    scf.yield %s : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// The caller's argument stays as it is.
// CHECK-LABEL: func.func @caller
// CHECK: %[[SUM:.*]] = memref.alloc
// CHECK: memref.copy %arg1, %[[SUM]]
// CHECK: call @adjoint(%{{.*}}, %arg0, %[[SUM]])
// CHECK: return %{{.*}}, %[[SUM]]
func.func @caller(%g: tensor<64x64xf32>, %s: tensor<64x64xf32>) -> (i64, tensor<64x64xf32>) {
  %ok = arith.constant -1 : i64
  %true = arith.constant true
  %r = call @adjoint(%true, %g, %s) : (i1, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %ok, %r : i64, tensor<64x64xf32>
}
