// RUN: janus-opt %s --janus-expand-views | FileCheck %s

// CHECK-LABEL: func.func @two_unknown
// CHECK-SAME: %[[BUFFER:.*]]: memref<?xf32>, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK: %[[BASE:[^,]*]], %{{.*}} = memref.extract_strided_metadata %[[BUFFER]]
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %[[B]] : index
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 4], strides: [%[[ROW]], 4, 1]
func.func @two_unknown(%m: memref<?xf32>, %a: index, %b: index) -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [%a, %b, 4] : memref<?xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}

// One unknown extent is left to the expansion of strided metadata.
// CHECK-LABEL: func.func @one_unknown
// CHECK: memref.expand_shape
func.func @one_unknown(%m: memref<?xf32>, %a: index) -> memref<?x4xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%a, 4] : memref<?xf32> into memref<?x4xf32>
  return %0 : memref<?x4xf32>
}
