// RUN: janus-opt %s --janus-autodiff --split-input-file | FileCheck %s
// RUN: janus-opt %s --janus-autodiff --janus-verify-stage=stage=structured --split-input-file -o /dev/null

// Contributions are added in the reverse order of the ops, operands from left to right; the
// first one is taken as it is.
// CHECK-LABEL: func.func @order(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
// CHECK:       %[[SUM:.*]] = janus.add %[[E:.*]], %[[M:.*]] : tensor<4xf32>
// CHECK:       %[[A:.*]] = janus.mul %arg1, %arg0
// CHECK:       %[[B:.*]] = janus.mul %arg1, %arg0
// CHECK:       %[[AB:.*]] = janus.add %[[A]], %[[B]]
// CHECK:       %[[C:.*]] = janus.mul %arg1, %[[E]]
// CHECK:       %[[ABC:.*]] = janus.add %[[AB]], %[[C]]
// CHECK:       return %[[SUM]], %[[ABC]]
func.func @order(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = janus.exp %x : tensor<4xf32>
  %m = janus.mul %x, %x : tensor<4xf32>
  %s = janus.add %e, %m : tensor<4xf32>
  %g = janus.gradient %s, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %s, %g : tensor<4xf32>, tensor<4xf32>
}

// -----

// A value that the loss does not depend on has a gradient of zeros.
// CHECK-LABEL: func.func @unused(%arg0: tensor<?xf32>, %arg1: tensor<f32>)
// CHECK: %[[N:.*]] = janus.dim %arg0, 0
// CHECK: %[[Z:.*]] = janus.full %{{.*}} sizes(%[[N]]) : f64 -> tensor<?xf32>
// CHECK: return %[[Z]], %arg1
func.func @unused(%x: tensor<?xf32>, %y: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %g:2 = janus.gradient %y, %y wrt(%x, %y) : tensor<f32>, (tensor<?xf32>, tensor<f32>)
  return %g#0, %g#1 : tensor<?xf32>, tensor<f32>
}

// -----

// The value passes a detach, the gradient does not; the op itself goes.
// CHECK-LABEL: func.func @detached
// CHECK-NOT: janus.detach
// CHECK: janus.mul %arg0, %arg0
// CHECK: %[[G:.*]] = janus.mul %arg1, %arg0
// CHECK-NEXT: return %[[G]]
func.func @detached(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %d = janus.detach %x : tensor<4xf32>
  %m = janus.mul %x, %d : tensor<4xf32>
  %g = janus.gradient %m, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// A value has the slope that is said beside it, and its own; the op itself goes.
// CHECK-LABEL: func.func @sloped
// CHECK-NOT: janus.with_slope
// CHECK: %[[V:.*]] = janus.abs %arg0
// CHECK: janus.mul %[[V]], %[[V]]
// CHECK: %[[D:.*]] = janus.add
// CHECK: %[[G:.*]] = janus.mul %[[D]], %arg1
// CHECK-NEXT: return %[[G]]
func.func @sloped(%x: tensor<4xf32>, %slope: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %d = janus.detach %x : tensor<4xf32>
  %v = janus.abs %d : tensor<4xf32>
  %s = janus.with_slope %v, %x, %slope : tensor<4xf32>
  %m = janus.mul %s, %s : tensor<4xf32>
  %g = janus.gradient %m, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// Every adjoint helper.
// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<?x4xf32>, %row: tensor<1x4xf32>, %n: index, %w: tensor<4x2xf32>,
                  %seed: tensor<f32>) -> (tensor<?x4xf32>, tensor<1x4xf32>, tensor<4x2xf32>) {
  // CHECK: %[[M:.*]] = janus.dim %arg0, 0
  %m = janus.dim %x, 0 : tensor<?x4xf32>
  %0 = janus.broadcast %row dims [0, 1] sizes(%m) : tensor<1x4xf32> -> tensor<?x4xf32>
  %1 = janus.add %x, %0 : tensor<?x4xf32>
  %2 = janus.slice %1[%n, 0] sizes(%m) strides [2, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  %3 = janus.concat %1, %2 dim 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = janus.dot %3, %w : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %5 = janus.permute %4 dims [1, 0] : tensor<?x2xf32> -> tensor<2x?xf32>
  %6 = janus.cast %5 : tensor<2x?xf32> -> tensor<2x?xf64>
  %7 = janus.cast %6 : tensor<2x?xf64> -> tensor<2x?xf32>
  %8 = janus.reduce_sum %7 dims [0] : tensor<2x?xf32> -> tensor<?xf32>
  %9 = janus.reduce_max %8 dims [0] : tensor<?xf32> -> tensor<f32>
  // reduce_max: evenly among ties.
  // CHECK:      %[[BACK:.*]] = janus.broadcast %{{.*}} dims []
  // CHECK-NEXT: %[[TIES:.*]] = janus.compare eq %{{.*}}, %[[BACK]]
  // CHECK-NEXT: %[[MASK:.*]] = janus.cast %[[TIES]]
  // CHECK-NEXT: %[[COUNT:.*]] = janus.reduce_sum %[[MASK]] dims [0]
  // CHECK-NEXT: %[[SHARE:.*]] = janus.div %arg4, %[[COUNT]]
  // reduce_sum
  // CHECK:      janus.broadcast %{{.*}} dims [1] sizes(%{{.*}}) : tensor<?xf32> -> tensor<2x?xf32>
  // cast, both ways
  // CHECK-NEXT: janus.cast %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf64>
  // CHECK-NEXT: janus.cast %{{.*}} : tensor<2x?xf64> -> tensor<2x?xf32>
  // permute
  // CHECK-NEXT: %[[G4:.*]] = janus.permute %{{.*}} dims [1, 0] : tensor<2x?xf32> -> tensor<?x2xf32>
  // dot
  // CHECK-NEXT: %[[WT:.*]] = janus.permute %arg3 dims [1, 0]
  // CHECK-NEXT: %[[G3:.*]] = janus.dot %[[G4]], %[[WT]]
  // CHECK-NEXT: %[[XT:.*]] = janus.permute %{{.*}} dims [1, 0]
  // CHECK-NEXT: %[[GW:.*]] = janus.dot %[[XT]], %[[G4]]
  // concat
  // CHECK:      %[[FIRST:.*]] = janus.slice %[[G3]][0, 0] sizes(%{{.*}}) strides [1, 1]
  // CHECK:      %[[SECOND:.*]] = janus.slice %[[G3]][%{{.*}}, 0] sizes(%{{.*}}) strides [1, 1]
  // slice
  // CHECK:      %[[WHOLE:.*]] = janus.unslice %[[SECOND]][%arg2, 0] sizes(%{{.*}}) strides [2, 1]
  // CHECK-NEXT: %[[G1:.*]] = janus.add %[[FIRST]], %[[WHOLE]]
  // broadcast
  // CHECK-NEXT: %[[ROW:.*]] = janus.reduce_sum %[[G1]] dims [0]
  // CHECK-NEXT: %[[GROW:.*]] = janus.reshape %[[ROW]] : tensor<4xf32> -> tensor<1x4xf32>
  // CHECK-NEXT: return %[[G1]], %[[GROW]], %[[GW]]
  %g:3 = janus.gradient %9, %seed wrt(%x, %row, %w)
       : tensor<f32>, (tensor<?x4xf32>, tensor<1x4xf32>, tensor<4x2xf32>)
  return %g#0, %g#1, %g#2 : tensor<?x4xf32>, tensor<1x4xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @indexing
// CHECK: janus.scatter_add %{{.*}}, %arg1, %{{.*}} dim 1
// CHECK: janus.take_add %{{.*}}, %arg2, %{{.*}} dim 0
func.func @indexing(%x: tensor<9x4xf32>, %i: tensor<3x1xi64>, %j: tensor<3xi64>,
                    %seed: tensor<3x1xf32>) -> tensor<9x4xf32> {
  %0 = janus.take %x, %j dim 0 : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %1 = janus.gather %0, %i dim 1 : (tensor<3x4xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  %g = janus.gradient %1, %seed wrt(%x) : tensor<3x1xf32>, (tensor<9x4xf32>)
  return %g : tensor<9x4xf32>
}

// -----

// The gradient of a gradient: d2(x^3) = 6x.
// CHECK-LABEL: func.func @second
// CHECK-NOT: janus.gradient
func.func @second(%x: tensor<f32>, %one: tensor<f32>) -> tensor<f32> {
  %0 = janus.mul %x, %x : tensor<f32>
  %1 = janus.mul %0, %x : tensor<f32>
  %g = janus.gradient %1, %one wrt(%x) : tensor<f32>, (tensor<f32>)
  %h = janus.gradient %g, %one wrt(%x) : tensor<f32>, (tensor<f32>)
  return %h : tensor<f32>
}

// -----

// The adjoint of a branch runs it again, and then backwards, from what was added up so far.
// CHECK-LABEL: func.func @branch(%arg0: i1, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>)
// CHECK:      scf.if %arg0
// CHECK:      %[[LATER:.*]] = janus.mul %arg2, %{{.*}} : tensor<4xf32>
// CHECK:      %[[MERGED:.*]] = janus.mul %arg2, %arg1
// CHECK:      %[[G:.*]] = scf.if %arg0 -> (tensor<4xf32>) {
// CHECK:        %[[Y:.*]] = janus.tanh %arg1
// CHECK:        %[[SQUARE:.*]] = janus.mul %[[Y]], %[[Y]]
// CHECK:        %[[D:.*]] = janus.mul %[[MERGED]], %{{.*}}
// CHECK:        %[[SUM:.*]] = janus.add %[[LATER]], %[[D]]
// CHECK:        scf.yield %[[SUM]]
// CHECK:      } else {
// CHECK:        %[[NEG:.*]] = janus.neg %[[MERGED]]
// CHECK:        %[[SUM2:.*]] = janus.add %[[LATER]], %[[NEG]]
// CHECK:        scf.yield %[[SUM2]]
// CHECK:      }
// CHECK:      return %[[G]]
func.func @branch(%p: i1, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %p -> tensor<4xf32> {
    %0 = janus.tanh %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = janus.neg %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  %z = janus.mul %x, %y : tensor<4xf32>
  %g = janus.gradient %z, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// Both sides pass on the gradient that arrives, as it is.
// CHECK-LABEL: func.func @passed_on(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: i1)
// CHECK:       return %arg1
func.func @passed_on(%x: tensor<4xf32>, %seed: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %c = janus.constant dense<2.0> : tensor<4xf32>
  %y = scf.if %p -> tensor<4xf32> {
    %a = janus.add %x, %c : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = janus.sub %x, %c : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// What was there before a part was written for the first time has no gradient of its own: the
// whole passes its gradient on as it is, and nothing is written into that.
// CHECK-LABEL: func.func @filled
// CHECK-NOT: janus.update_slice
// CHECK: %[[G0:.*]] = janus.slice %arg3[0] strides [1] : tensor<4xf32> -> tensor<2xf32>
// CHECK-NOT: janus.fill_slice
// CHECK: return
func.func @filled(%rows: tensor<4xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>, %seed: tensor<4xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = janus.fill_slice %rows, %a[0] strides [1] : tensor<4xf32>, tensor<2xf32>
  %1 = janus.fill_slice %0, %b[2] strides [1] : tensor<4xf32>, tensor<2xf32>
  %g:2 = janus.gradient %1, %seed wrt(%a, %b) : tensor<4xf32>, (tensor<2xf32>, tensor<2xf32>)
  return %g#0, %g#1 : tensor<2xf32>, tensor<2xf32>
}
