// RUN: janus-opt %s --janus-plan-buffers | FileCheck %s

// The third buffer takes the place of the first one.
// CHECK-LABEL: @three
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK: %[[A:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[A]]]
// CHECK: %[[B:.*]] = arith.constant 128 : index
// CHECK: memref.view %[[ARENA]][%[[B]]]
// CHECK: %[[C:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[C]]]
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NEXT: return
func.func @three(%s: f32) {
  %a = memref.alloc() : memref<32xf32>
  linalg.fill ins(%s : f32) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  linalg.copy ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  memref.dealloc %a : memref<32xf32>
  %c = memref.alloc() : memref<32xf32>
  linalg.copy ins(%b : memref<32xf32>) outs(%c : memref<32xf32>)
  memref.dealloc %b : memref<32xf32>
  memref.dealloc %c : memref<32xf32>
  return
}
