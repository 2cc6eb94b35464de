// RUN: janus-opt %s --janus-outline-kernels --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// Equal loops are one kernel; scalars, extents and pointers are its arguments.
// CHECK-LABEL: func.func @twice
// CHECK: call @janus_kernel_0({{.*}}) : (!llvm.ptr, index, !llvm.ptr, index, f32)
// CHECK: call @janus_kernel_0
// CHECK: func.func private @janus_kernel_0(%{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: index, %{{.*}}: f32)
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK: linalg.generic
func.func @twice(%a: memref<?xf32>, %b: memref<?xf32>, %s: f32, %n: index) -> (memref<?xf32>, memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<?xf32>) outs(%x : memref<?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %s : f32
      linalg.yield %r : f32
  }
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%b : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %s : f32
      linalg.yield %r : f32
  }
  return %x, %y : memref<?xf32>, memref<?xf32>
}

// Two views of one buffer may overlap.
// CHECK: func.func private @janus_kernel_1(%{{[a-z0-9]*}}: !llvm.ptr, %{{[a-z0-9]*}}: !llvm.ptr)
func.func @overlap(%a: memref<16xf32>) {
  %x = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %y = memref.subview %a[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32, strided<[1], offset: 4>>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// What has no loop and computes little stays; a loop of few iterations does not.
// CHECK-LABEL: func.func @few
// CHECK: linalg.generic
// CHECK: call @janus_kernel_0
// CHECK-NEXT: return
func.func @few(%a: memref<1xf32>, %b: memref<1xf32>, %c: memref<2xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<1xf32>) outs(%b : memref<1xf32>) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %p : f32
      linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
    outs(%c : memref<2xf32>) {
    ^bb0(%q: f32):
      %r = arith.addf %q, %q : f32
      linalg.yield %r : f32
  }
  return
}
