// RUN: janus-opt %s --janus-distinct-results | FileCheck %s

// CHECK-LABEL: @argument
// CHECK: %[[C:.*]] = memref.alloc(%{{.*}})
// CHECK: memref.copy %{{.*}}, %[[C]]
// CHECK: return %[[C]]
func.func @argument(%x: memref<?xf32>) -> memref<?xf32> {
  return %x : memref<?xf32>
}

// CHECK-LABEL: @twice
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[V:.*]] = memref.expand_shape %[[A]]
// CHECK: %[[C:.*]] = memref.alloc()
// CHECK: memref.copy %[[V]], %[[C]]
// CHECK: return %[[A]], %[[C]]
func.func @twice() -> (memref<4xf32>, memref<2x2xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  return %a, %v : memref<4xf32>, memref<2x2xf32>
}

// A view of all of a buffer is as good as the buffer.
// CHECK-LABEL: @view
// CHECK-NOT: memref.copy
func.func @view() -> memref<2x2xf32> {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  return %v : memref<2x2xf32>
}
