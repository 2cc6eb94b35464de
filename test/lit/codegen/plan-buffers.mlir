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

// What lives in an iteration is free in the next one; it does not take the place of what outlives
// the loop.
// CHECK-LABEL: @in_a_loop
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.view %[[ARENA]]
// CHECK-NOT: memref.dealloc
// CHECK: }
// CHECK: memref.dealloc %[[ARENA]]
func.func @in_a_loop(%s: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32xf32>
  linalg.fill ins(%s : f32) outs(%a : memref<32xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<32xf32>
    linalg.copy ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
    linalg.copy ins(%b : memref<32xf32>) outs(%a : memref<32xf32>)
    memref.dealloc %b : memref<32xf32>
  }
  memref.dealloc %a : memref<32xf32>
  return
}
