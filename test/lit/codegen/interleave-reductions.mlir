// RUN: janus-opt %s --janus-interleave-reductions | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Eight rows at a time, each with an accumulator of its own, then the rest.
// CHECK-LABEL: @rows
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[EIGHT:.*]] {
// CHECK-COUNT-8: memref.load
// CHECK: %[[SUMS:.*]]:8 = scf.for
// CHECK-COUNT-8: arith.addf
// CHECK: scf.yield
// CHECK: memref.store %[[SUMS]]#0
// CHECK: memref.store %[[SUMS]]#7
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: memref.store %[[SUM]]
func.func @rows(%x: memref<?x8xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<?x8xf64>) outs(%y : memref<?xf64>) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %b, %a : f64
      linalg.yield %s : f64
  }
  return
}

// All elements into one result: there is one order only.
// CHECK-LABEL: @all
// CHECK: memref.load %{{.*}}[] : memref<f64>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %{{.*}}[] : memref<f64>
func.func @all(%x: memref<4x8xf64>, %y: memref<f64>) {
  linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<4x8xf64>) outs(%y : memref<f64>) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %b, %a : f64
      linalg.yield %s : f64
  }
  return
}

// Results that lie side by side in memory vectorise as they are.
// CHECK-LABEL: @columns
// CHECK: linalg.generic
func.func @columns(%x: memref<4x8xf64>, %y: memref<8xf64>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<4x8xf64>) outs(%y : memref<8xf64>) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %b, %a : f64
      linalg.yield %s : f64
  }
  return
}
