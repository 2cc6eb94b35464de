// RUN: janus-opt %s --janus-lower-allocation | FileCheck %s

// CHECK: llvm.func @janus_rt_alloc(i64) -> (!llvm.ptr {llvm.noalias})
// CHECK-LABEL: @round
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[BYTES:.*]] = llvm.mul %{{.*}}, %[[N]] overflow<nsw> : i64
// CHECK: llvm.call @janus_rt_alloc(%[[BYTES]])
// CHECK: llvm.call @janus_rt_free(%{{.*}}, %{{.*}}) : (!llvm.ptr, i64)
// CHECK-NOT: memref.alloc
func.func @round(%n: index) {
  %a = memref.alloc(%n) : memref<?x4xf32>
  memref.dealloc %a : memref<?x4xf32>
  return
}
