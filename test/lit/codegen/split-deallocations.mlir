// RUN: janus-opt %s --janus-split-deallocations | FileCheck %s

// Buffers that nothing else is a view of are freed alone.
// CHECK-LABEL: func.func @alone
// CHECK: bufferization.dealloc (%[[A:.*]] : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT: bufferization.dealloc (%[[B:.*]] : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT: bufferization.dealloc
// CHECK-NEXT: return
func.func @alone() {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %true)
  return
}

// What a select may yield, or what is kept, is not told apart here; nor is what is freed on a condition.
// CHECK-LABEL: func.func @together
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[Z:.*]] = memref.alloc
// CHECK: %[[W:.*]] = memref.alloc
// CHECK: bufferization.dealloc (%[[W]] : memref<4xf32>)
// CHECK: bufferization.dealloc (%[[X]], %[[Y]], %[[Z]] : {{.*}}) if ({{.*}}, {{.*}}, %[[C]]) retain
func.func @together(%c: i1) -> memref<4xf32> {
  %true = arith.constant true
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  %z = memref.alloc() : memref<4xf32>
  %w = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %x, %y : memref<4xf32>
  %0 = bufferization.dealloc (%x, %y, %z, %w : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
    if (%true, %true, %c, %true) retain (%s : memref<4xf32>)
  return %s : memref<4xf32>
}

// A call's results are the caller's, and no views of its operands.
// CHECK-LABEL: func.func @results
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]]:2 = call @make
// CHECK: bufferization.dealloc (%[[A]] : memref<4xf32>)
// CHECK: bufferization.dealloc (%{{.*}} : memref<f32>)
// CHECK: bufferization.dealloc (%{{.*}} : memref<f32>)
// CHECK: bufferization.dealloc{{$}}
func.func @results() {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %r:2 = call @make(%a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %b, %o, %s, %t = memref.extract_strided_metadata %r#0 : memref<4xf32> -> memref<f32>, index, index, index
  %c, %p, %u, %v = memref.extract_strided_metadata %r#1 : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%a, %b, %c : memref<4xf32>, memref<f32>, memref<f32>) if (%true, %true, %true)
  return
}
func.func private @make(%x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
