// RUN: janus-opt %s --janus-autodiff --canonicalize --cse --split-input-file | FileCheck %s
// RUN: janus-opt %s --janus-autodiff --janus-verify-stage=stage=structured --split-input-file -o /dev/null

// The loop counts and saves the state that it starts an iteration with; what is computed of it is
// computed again. The reverse loop starts sums from -0.0 and knows whether there is one.
// CHECK-LABEL: func.func @power(%arg0: i64, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>)
// CHECK-DAG:   %[[NONE:.*]] = janus.constant dense<-0.000000e+00>
// CHECK:       %[[STACK:.*]] = tensor.empty(%{{.*}}) : tensor<?x4xf32>
// CHECK:       %[[LOOP:.*]]:4 = scf.while (%{{.*}}, %{{.*}} = %arg1, %{{.*}}, %{{.*}} = %[[STACK]])
// CHECK:       } do {
// CHECK:       ^bb0(%{{.*}}: i64, %[[X:.*]]: tensor<4xf32>, %[[K:.*]]: index, %[[S:.*]]: tensor<?x4xf32>):
// CHECK:         %[[ROW:.*]] = janus.reshape %[[X]]
// CHECK:         janus.update_slice %[[S]], %[[ROW]][%[[K]], 0] strides [1, 1]
// CHECK:       %[[BACK:.*]]:3 = scf.for %[[I:.*]] = %{{.*}} to %[[LOOP]]#2 {{.*}} iter_args(%[[G:.*]] = %arg3, %[[GW:.*]] = %[[NONE]], %{{.*}} = %false)
// CHECK:         %[[REST:.*]] = arith.subi %[[LOOP]]#2, %[[I]]
// CHECK:         %[[AT:.*]] = arith.subi %[[REST]], %{{.*}}
// CHECK:         %[[READ:.*]] = janus.slice %[[LOOP]]#3[%[[AT]], 0]
// CHECK:         %[[XK:.*]] = janus.reshape %[[READ]]
// CHECK-DAG:     %[[GX:.*]] = janus.mul %[[G]], %arg2
// CHECK-DAG:     %[[C:.*]] = janus.mul %[[G]], %[[XK]]
// CHECK:         %[[SUM:.*]] = janus.add %[[GW]], %[[C]]
// CHECK:         scf.yield %[[GX]], %[[SUM]], %true
// CHECK:       arith.select %[[BACK]]#2, %[[BACK]]#1, %{{.*}} : tensor<4xf32>
func.func @power(%n: i64, %x0: tensor<4xf32>, %w: tensor<4xf32>, %seed: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %zero, %x = %x0) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %x : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %x: tensor<4xf32>):
    %y = janus.mul %x, %w : tensor<4xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %y : i64, tensor<4xf32>
  }
  %g:2 = janus.gradient %r#1, %seed wrt(%x0, %w)
       : tensor<4xf32>, (tensor<4xf32>, tensor<4xf32>)
  return %g#0, %g#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A counter is computed from the iteration's number, and so is a slice that it selects: nothing is
// saved. How often the loop can run is known before it from its bounds.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:   tensor.empty
// CHECK:       %[[LOOP:.*]]:{{.*}} = scf.while
// CHECK-NOT:   update_slice
// CHECK:       scf.for
// CHECK:         %[[T:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:         %[[U:.*]] = arith.addi %[[T]], %{{.*}} : i64
// CHECK:         %[[AT:.*]] = arith.index_cast %[[U]]
// CHECK:         janus.slice %arg1[%[[AT]], 0]
func.func @rows(%n: i64, %x: tensor<?x4xf32>, %w: tensor<4xf32>, %a0: tensor<4xf32>,
                %seed: tensor<4xf32>) -> tensor<4xf32> {
  %start = arith.constant 3 : i64
  %two = arith.constant 2 : i64
  %r:2 = scf.while (%i = %start, %a = %a0) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %a : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %a: tensor<4xf32>):
    %t = arith.index_cast %i : i64 to index
    %s = janus.slice %x[%t, 0] strides [1, 1] : tensor<?x4xf32> -> tensor<1x4xf32>
    %row = janus.reshape %s : tensor<1x4xf32> -> tensor<4xf32>
    %m = janus.mul %row, %w : tensor<4xf32>
    %b = janus.add %a, %m : tensor<4xf32>
    %j = arith.addi %i, %two : i64
    scf.yield %j, %b : i64, tensor<4xf32>
  }
  %g = janus.gradient %r#1, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// How often a loop runs that ends by its data is counted by a loop that computes no more than that.
// CHECK-LABEL: func.func @until(%arg0: tensor<f32>, %arg1: tensor<8xf32>
// CHECK:       %[[COUNT:.*]]:2 = scf.while (%{{.*}} = %arg0, %{{.*}} = %c0)
// CHECK-NOT:     janus.tanh
// CHECK:       %[[STACK:.*]] = tensor.empty(%[[COUNT]]#1) : tensor<?x8xf32>
// CHECK:       scf.while
// CHECK:         janus.tanh
// CHECK:       scf.for
func.func @until(%e0: tensor<f32>, %x0: tensor<8xf32>, %seed: tensor<8xf32>) -> tensor<8xf32> {
  %small = arith.constant 1.0e-3 : f64
  %half = janus.constant dense<0.5> : tensor<f32>
  %r:2 = scf.while (%e = %e0, %x = %x0) : (tensor<f32>, tensor<8xf32>)
      -> (tensor<f32>, tensor<8xf32>) {
    %v = janus.item %e : tensor<f32> -> f64
    %c = arith.cmpf ogt, %v, %small : f64
    scf.condition(%c) %e, %x : tensor<f32>, tensor<8xf32>
  } do {
  ^bb0(%e: tensor<f32>, %x: tensor<8xf32>):
    %f = janus.mul %e, %half : tensor<f32>
    %y = janus.tanh %x : tensor<8xf32>
    scf.yield %f, %y : tensor<f32>, tensor<8xf32>
  }
  %g = janus.gradient %r#1, %seed wrt(%x0) : tensor<8xf32>, (tensor<8xf32>)
  return %g : tensor<8xf32>
}

// -----

// An assert that ends a loop does not say how often it can run.
// CHECK-LABEL: func.func @asserts(%arg0: i64
// CHECK:       %[[N:.*]] = arith.maxsi %arg0
// CHECK:       %[[BOUND:.*]] = arith.index_cast %[[N]]
// CHECK:       tensor.empty(%[[BOUND]])
func.func @asserts(%n: i64, %x0: tensor<8xf32>, %seed: tensor<8xf32>) -> (i64, tensor<8xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %good = arith.constant -1 : i64
  %limit = arith.constant 100 : i64
  %r:3 = scf.while (%i = %zero, %x = %x0, %o = %good) : (i64, tensor<8xf32>, i64)
      -> (i64, tensor<8xf32>, i64) {
    %c = arith.cmpi slt, %i, %n : i64
    %ok = arith.cmpi eq, %o, %good : i64
    %both = arith.andi %c, %ok : i1
    scf.condition(%both) %i, %x, %o : i64, tensor<8xf32>, i64
  } do {
  ^bb0(%i: i64, %x: tensor<8xf32>, %o: i64):
    %y = janus.tanh %x : tensor<8xf32>
    %less = arith.cmpi slt, %i, %limit : i64
    %p = arith.select %less, %o, %one : i64
    %j = arith.addi %i, %one : i64
    scf.yield %j, %y, %p : i64, tensor<8xf32>, i64
  }
  %g = janus.gradient %r#1, %seed wrt(%x0) : tensor<8xf32>, (tensor<8xf32>)
  return %r#2, %g : i64, tensor<8xf32>
}

// -----

// Extents that stay the same are those from before the loop.
// CHECK-LABEL: func.func @dynamic(%arg0: i64, %arg1: tensor<?x4xf32>, %arg2: tensor<4x4xf32>
// CHECK:       %[[B:.*]] = janus.dim %arg1, 0
// CHECK:       tensor.empty(%{{.*}}, %[[B]]) : tensor<?x?x4xf32>
func.func @dynamic(%n: i64, %x0: tensor<?x4xf32>, %w: tensor<4x4xf32>, %seed: tensor<?x4xf32>)
    -> tensor<4x4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %zero, %x = %x0) : (i64, tensor<?x4xf32>) -> (i64, tensor<?x4xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %x : i64, tensor<?x4xf32>
  } do {
  ^bb0(%i: i64, %x: tensor<?x4xf32>):
    %d = janus.dot %x, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %m = janus.dim %d, 0 : tensor<?x4xf32>
    %y = janus.add %d, %x : tensor<?x4xf32>
    %z = janus.reshape %y sizes(%m) : tensor<?x4xf32> -> tensor<?x4xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %z : i64, tensor<?x4xf32>
  }
  %g = janus.gradient %r#1, %seed wrt(%w) : tensor<?x4xf32>, (tensor<4x4xf32>)
  return %g : tensor<4x4xf32>
}

// -----

// A gradient that is there on one side only leads on under the branch's condition.
// CHECK-LABEL: func.func @one_side(%arg0: i1
// CHECK:       %[[G:.*]] = scf.if %arg0
// CHECK:         janus.div
// CHECK:       } else {
// CHECK-NOT:     janus.div
// CHECK:       return %[[G]]
func.func @one_side(%p: i1, %x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %root = janus.sqrt %x : tensor<4xf32>
  %y = scf.if %p -> tensor<4xf32> {
    %0 = janus.mul %root, %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// A number that is not counted up is saved like a tensor, and so is a carried bool tensor.
// CHECK-LABEL: func.func @numbers
// CHECK-DAG:   tensor.empty(%{{.*}}) : tensor<?xi64>
// CHECK-DAG:   janus.full %{{.*}} sizes(%{{.*}}) : i64 -> tensor<?x4xi1>
// CHECK:       scf.while
// CHECK:       } do {
// CHECK-DAG:     janus.full %{{.*}} : i64 -> tensor<1xi64>
// CHECK-DAG:     janus.update_slice %{{.*}} : tensor<?xi64>, tensor<1xi64>
// CHECK-DAG:     janus.update_slice %{{.*}} : tensor<?x4xi1>, tensor<1x4xi1>
// CHECK:       scf.for
// CHECK:         janus.item %{{.*}} : tensor<1xi64> -> i64
func.func @numbers(%n: i64, %x: tensor<?x4xf32>, %m0: tensor<4xi1>, %w: tensor<4xf32>,
                   %a0: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %r:3 = scf.while (%i = %one, %a = %a0, %m = %m0) : (i64, tensor<4xf32>, tensor<4xi1>)
      -> (i64, tensor<4xf32>, tensor<4xi1>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %a, %m : i64, tensor<4xf32>, tensor<4xi1>
  } do {
  ^bb0(%i: i64, %a: tensor<4xf32>, %m: tensor<4xi1>):
    %t = arith.index_cast %i : i64 to index
    %s = janus.slice %x[%t, 0] strides [1, 1] : tensor<?x4xf32> -> tensor<1x4xf32>
    %row = janus.reshape %s : tensor<1x4xf32> -> tensor<4xf32>
    %p = janus.mul %row, %w : tensor<4xf32>
    %q = janus.select %m, %p, %a : tensor<4xf32>
    %b = janus.add %a, %q : tensor<4xf32>
    %f = janus.not %m : tensor<4xi1>
    %j = arith.muli %i, %two : i64
    scf.yield %j, %b, %f : i64, tensor<4xf32>, tensor<4xi1>
  }
  %g = janus.gradient %r#1, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
