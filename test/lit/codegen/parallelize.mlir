// RUN: janus-opt %s --janus-parallelize --split-input-file | FileCheck %s
// RUN: janus-opt %s --janus-parallelize --janus-contract-to-gemm --split-input-file | FileCheck %s --check-prefix=GEMM

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#e = affine_map<(i, j) -> (i, j)>

// Two products of one left side: each with its zeros, and with what follows it alone. The sum of
// both comes after them.
// CHECK-LABEL: @two
// CHECK: %[[P:.*]] = memref.alloc
// CHECK: %[[Q:.*]] = memref.alloc
// CHECK: janus.concurrent %{{.*}} {
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[P]]
// CHECK-NEXT: linalg.contract {{.*}} outs(%[[P]]
// CHECK-NEXT: janus.done
// CHECK-NEXT: }, {
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[Q]]
// CHECK-NEXT: linalg.contract {{.*}} outs(%[[Q]]
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[SMALL:.*]] :
// CHECK-NEXT: memref.copy %[[SMALL]], %{{.*}}
// CHECK-NEXT: janus.done
// CHECK-NEXT: }
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]], %[[Q]]
// GEMM-LABEL: @two
// GEMM: janus.concurrent
// GEMM: llvm.call @janus_rt_gemm_f32
// GEMM-NEXT: janus.done
// GEMM: llvm.call @janus_rt_gemm_f32
// GEMM-NOT: linalg.fill {{.*}} memref<128x128xf32>
func.func @two(%x: memref<128x128xf32>, %v: memref<128x128xf32>, %w: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<128x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<128x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %v : memref<128x128xf32>, memref<128x128xf32>) outs(%p : memref<128x128xf32>)
  %q = memref.alloc() : memref<128x128xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<128x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : memref<128x128xf32>, memref<128x128xf32>) outs(%q : memref<128x128xf32>)
  %corner = memref.subview %q[0, 0] [4, 4] [1, 1] : memref<128x128xf32> to memref<4x4xf32, strided<[128, 1]>>
  linalg.fill ins(%zero : f32) outs(%corner : memref<4x4xf32, strided<[128, 1]>>)
  %small = memref.alloc() : memref<4x4xf32>
  memref.copy %corner, %small : memref<4x4xf32, strided<[128, 1]>> to memref<4x4xf32>
  linalg.generic {indexing_maps = [#e, #e, #e], iterator_types = ["parallel", "parallel"]} ins(%p, %q : memref<128x128xf32>, memref<128x128xf32>) outs(%p : memref<128x128xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  }
  memref.dealloc %p : memref<128x128xf32>
  memref.dealloc %q : memref<128x128xf32>
  memref.dealloc %small : memref<4x4xf32>
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// One product needs the other, or is small: nothing is gained.
// CHECK-LABEL: @chain
// CHECK-NOT: janus.concurrent
func.func @chain(%x: memref<128x128xf32>, %s: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<128x128xf32>
  %q = memref.alloc() : memref<128x128xf32>
  %r = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<128x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %x : memref<128x128xf32>, memref<128x128xf32>) outs(%p : memref<128x128xf32>)
  linalg.fill ins(%zero : f32) outs(%q : memref<128x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %p : memref<128x128xf32>, memref<128x128xf32>) outs(%q : memref<128x128xf32>)
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%s, %s : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Extents that are not known are multiplied at run time.
// CHECK-LABEL: @dynamic
// CHECK: memref.dim
// CHECK: arith.muli
// CHECK: arith.maxsi
// CHECK: %[[SAVED:.*]] = arith.subi
// CHECK: %[[GAIN:.*]] = arith.subi %[[SAVED]], %{{.*}} : i64
// CHECK: janus.concurrent %[[GAIN]]
func.func @dynamic(%x: memref<?x128xf32>, %v: memref<128x128xf32>, %w: memref<128x128xf32>, %p: memref<?x128xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %q = memref.alloc(%n) : memref<?x128xf32>
  %r = memref.alloc(%n) : memref<?x128xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<?x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %v : memref<?x128xf32>, memref<128x128xf32>) outs(%q : memref<?x128xf32>)
  linalg.fill ins(%zero : f32) outs(%r : memref<?x128xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : memref<?x128xf32>, memref<128x128xf32>) outs(%r : memref<?x128xf32>)
  return
}
