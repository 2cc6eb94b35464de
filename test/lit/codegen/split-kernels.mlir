// RUN: janus-opt %s --janus-outline-kernels=split=true --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// A long loop is a kernel of a piece, called in a split; a short one is not.
// CHECK-LABEL: func.func @lengths
// CHECK: %[[EXTENT:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: janus.split %[[EXTENT]], %{{.*}} {
// CHECK-NEXT: ^bb0(%[[FROM:.*]]: i64, %[[TO:.*]]: i64):
// CHECK-NEXT: func.call @janus_kernel_0(%[[FROM]], %[[TO]], {{.*}}) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT: janus.done
// CHECK: call @janus_kernel_1({{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT: return
// CHECK: func.func private @janus_kernel_0(%[[A:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK-DAG: %[[LO:.*]] = arith.index_cast %[[A]]
// CHECK-DAG: %[[HI:.*]] = arith.index_cast %[[B]]
// CHECK: %[[LENGTH:.*]] = arith.subi %[[HI]], %[[LO]]
// CHECK: memref.subview %{{.*}}[%[[LO]]] [%[[LENGTH]]] [1]
// CHECK: memref.subview %{{.*}}[%[[LO]]] [%[[LENGTH]]] [1]
// CHECK: linalg.generic
func.func @lengths(%a: memref<1000000xf32>, %b: memref<100xf32>) -> (memref<1000000xf32>, memref<100xf32>) {
  %x = memref.alloc() : memref<1000000xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<1000000xf32>) outs(%x : memref<1000000xf32>) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %p : f32
      linalg.yield %r : f32
  }
  %y = memref.alloc() : memref<100xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%b : memref<100xf32>) outs(%y : memref<100xf32>) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %p : f32
      linalg.yield %r : f32
  }
  return %x, %y : memref<1000000xf32>, memref<100xf32>
}

// -----

#in = affine_map<(i, j, k) -> (j, i)>
#out = affine_map<(i, j, k) -> (i, k)>

// What a sum adds up stays whole: the longest of the other dimensions is split. An index in the
// body counts from the whole's beginning, and the work is known when it runs.
// CHECK-LABEL: func.func @sum
// CHECK: %[[ROW:.*]] = arith.muli %c64_i64
// CHECK: %[[WORK:.*]] = arith.muli %[[ROW]]
// CHECK: janus.split %{{.*}}, %[[WORK]]
// CHECK: func.func private @janus_kernel_0(%[[A:[a-z0-9]+]]: i64,
// CHECK: %[[LO:.*]] = arith.index_cast %[[A]]
// CHECK: memref.subview %{{.*}}[0, %[[LO]]] [%{{.*}}, %{{.*}}] [1, 1]
// CHECK: memref.subview %{{.*}}[%[[LO]], 0] [%{{.*}}, 4] [1, 1]
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.addi %[[I]], %[[LO]]
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK-NOT: arith.addi %[[J]]
func.func @sum(%a: memref<?x?xi64>, %x: memref<?x4xi64>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a : memref<?x?xi64>) outs(%x : memref<?x4xi64>) {
    ^bb0(%p: i64, %q: i64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %m = arith.muli %i, %j : index
      %n = arith.index_cast %m : index to i64
      %r = arith.addi %p, %n : i64
      %s = arith.addi %r, %q : i64
      linalg.yield %s : i64
  }
  return
}
