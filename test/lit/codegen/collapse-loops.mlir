// RUN: janus-opt %s --janus-collapse-loops | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: @contiguous
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-SAME: memref<?xf32>
func.func @contiguous(%a: memref<?x10xf32>, %b: memref<?x10xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<?x10xf32>) outs(%b : memref<?x10xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: @row
// CHECK: iterator_types = ["parallel", "parallel"]
func.func @row(%a: memref<10xf32>, %b: memref<?x10xf32>) {
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<10xf32>) outs(%b : memref<?x10xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: @strided
// CHECK: iterator_types = ["parallel", "parallel"]
func.func @strided(%a: memref<4x10xf32, strided<[20, 1]>>, %b: memref<4x10xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<4x10xf32, strided<[20, 1]>>) outs(%b : memref<4x10xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
  }
  return
}
