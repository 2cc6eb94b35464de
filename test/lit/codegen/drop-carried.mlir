// RUN: janus-opt %s --janus-drop-carried | FileCheck %s

// CHECK-LABEL: func.func private @in_place
// CHECK-SAME: (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>) -> i64
// CHECK-NOT: memref.copy
// CHECK: return %{{.*}} : i64
func.func private @in_place(%x: memref<8xf32>, %s: memref<8xf32> {janus.carried = 1 : i64}) -> (i64, memref<8xf32>) {
  %c = arith.constant 1 : i64
  %r:2 = func.call @in_place(%x, %s) : (memref<8xf32>, memref<8xf32>) -> (i64, memref<8xf32>)
  return %r#0, %s : i64, memref<8xf32>
}

// CHECK-LABEL: func.func private @elsewhere
// CHECK-SAME: (%[[X:.*]]: memref<8xf32>, %[[S:.*]]: memref<8xf32>)
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[S]]
// CHECK: return{{$}}
func.func private @elsewhere(%x: memref<8xf32>, %s: memref<8xf32> {janus.carried = 0 : i64}) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return %a : memref<8xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK: %[[R:.*]] = call @in_place(%{{.*}}, %{{.*}}) : (memref<8xf32>, memref<8xf32>) -> i64
// CHECK: return %[[R]]
func.func @caller(%x: memref<8xf32>, %s: memref<8xf32>) -> i64 {
  %r:2 = call @in_place(%x, %s) : (memref<8xf32>, memref<8xf32>) -> (i64, memref<8xf32>)
  return %r#0 : i64
}
