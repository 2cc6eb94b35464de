// RUN: janus-opt %s --split-input-file --verify-diagnostics --janus-pack-entry | FileCheck %s

// CHECK-NOT: @region
// CHECK: llvm.mlir.global external constant @janus_entry_signature("f32[?,4] f64 i1 -> i64 i8[]\00")
// CHECK: llvm.func @janus_entry(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr)
// CHECK: llvm.getelementptr %[[IN]][0]
// CHECK: llvm.load {{.*}} -> !llvm.ptr
// CHECK: llvm.getelementptr %[[IN]][1]
// The region's ops stand here: nothing is called.
// CHECK: %[[OK:.*]] = arith.constant -1
// CHECK: memref.alloc
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[OUT]][0]
// CHECK: llvm.store %[[OK]], %[[FIRST]]
// CHECK: llvm.getelementptr %[[OUT]][1]
// CHECK: llvm.store
func.func @region(%x: memref<?x4xf32>, %y: f64, %p: i1) -> (i64, memref<i8>) {
  %ok = arith.constant -1 : i64
  %r = memref.alloc() : memref<i8>
  return %ok, %r : i64, memref<i8>
}

// -----

// expected-error @below {{type 'memref<4xf32, strided<[2]>>' at the boundary}}
func.func @region(%x: memref<4xf32, strided<[2]>>) -> i64 {
  %ok = arith.constant -1 : i64
  return %ok : i64
}
