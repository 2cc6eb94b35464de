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

// Which buffer comes out of a branch is not known, nor is its size.
// CHECK-LABEL: @whole
// CHECK: llvm.call @janus_rt_free_whole(%{{.*}}) : (!llvm.ptr)
func.func @whole(%p: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<9xf32>
  %v = memref.subview %b[1] [4] [1] : memref<9xf32> to memref<4xf32, strided<[1], offset: 1>>
  %x = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %y = memref.cast %v : memref<4xf32, strided<[1], offset: 1>> to memref<4xf32, strided<[1], offset: ?>>
  %c = scf.if %p -> memref<4xf32, strided<[1], offset: ?>> {
    scf.yield %x : memref<4xf32, strided<[1], offset: ?>>
  } else {
    scf.yield %y : memref<4xf32, strided<[1], offset: ?>>
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %c
      : memref<4xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}
