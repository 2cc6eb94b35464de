// RUN: janus-opt %s --janus-autodiff --split-input-file | FileCheck %s
// RUN: janus-opt %s --janus-autodiff --janus-verify-stage=stage=structured --split-input-file -o /dev/null

// Two calls in a branch: the branch leaves a record of what its adjoint reads, which is the record of
// the function as well; sums go through the calls, the last one first; a weight is passed on.
func.func @tree(%n: i64, %x: tensor<4xf32>, %w: tensor<4xf32>, %seed: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @f(%n, %x, %w) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%n: i64, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = arith.cmpi sgt, %n, %zero : i64
  %v = scf.if %p -> tensor<4xf32> {
    %a = arith.subi %n, %one : i64
    %l = func.call @f(%a, %x, %w) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r = func.call @f(%a, %l, %w) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %m = janus.mul %r, %w : tensor<4xf32>
    %e = janus.exp %m : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %v : tensor<4xf32>
}
// What @f calls itself with makes its second argument one that gradients go to.
// CHECK-LABEL: func.func @tree
// CHECK: %[[Y:.*]]:2 = call @f.saving(%arg0, %arg1, %arg2)
// CHECK: %[[G:.*]]:4 = call @f.adjoint(%[[Y]]#1, %arg0, %arg1, %arg2, %arg3, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: scf.if %[[G]]#3
// CHECK-NEXT: scf.yield %[[G]]#2

// CHECK-LABEL: func.func private @f.saving(
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK:   %[[L:.*]]:2 = func.call @f.saving(
// CHECK:   %[[R:.*]]:2 = func.call @f.saving(
// CHECK:   %[[M:.*]] = janus.mul %[[R]]#0, %arg2
// CHECK:   %[[E:.*]] = janus.exp %[[M]]
// CHECK:   %[[WORDS:.*]] = tensor.from_elements %[[L]]#1, %[[R]]#1
// CHECK:   %[[KEPT:.*]] = janus.keep %[[WORDS]], %[[L]]#0, %[[R]]#0, %[[E]]
// CHECK:   %[[PLACE:.*]] = tensor.extract %[[KEPT]]
// CHECK:   scf.yield %[[E]], %[[PLACE]]
// CHECK: } else {
// CHECK:   %[[NONE:.*]] = arith.constant 0 : i64
// CHECK:   scf.yield %arg1, %[[NONE]]
// CHECK: return %[[IF]]#0, %[[IF]]#1

// CHECK-LABEL: func.func private @f.adjoint(
// CHECK-SAME: %[[RECORD:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[X:[^:]*]]: tensor<4xf32>, %[[W:[^:]*]]: tensor<4xf32>, %[[SEED:[^:]*]]: tensor<4xf32>,
// CHECK-SAME: %[[DX:[^:]*]]: tensor<4xf32> {janus.carried = 0 : i64}, %[[HASX:[^:]*]]: i1, %[[DW:[^:]*]]: tensor<4xf32> {janus.carried = 2 : i64}, %[[HASW:[^:]*]]: i1)
// CHECK: scf.if
// CHECK:   %[[AT:.*]] = tensor.from_elements %[[RECORD]]
// CHECK:   janus.recall %[[AT]][0] : tensor<2xi64>
// CHECK:   %[[L:.*]] = janus.recall %[[AT]][1] : tensor<4xf32>
// CHECK:   %[[R:.*]] = janus.recall %[[AT]][2] : tensor<4xf32>
// CHECK:   %[[E:.*]] = janus.recall %[[AT]][3] : tensor<4xf32>
// CHECK-NOT: janus.exp
// CHECK:   %[[S:.*]] = janus.mul %[[SEED]], %[[E]]
// CHECK:   %[[SR:.*]] = janus.mul %[[S]], %[[W]]
// CHECK:   %[[SW:.*]] = janus.mul %[[S]], %[[R]]
// CHECK:   %[[DW1:.*]] = janus.add %[[DW]], %[[SW]]
// CHECK:   %[[SECOND:.*]]:4 = func.call @f.adjoint(%{{.*}}, %{{.*}}, %[[L]], %[[W]], %[[SR]], %{{.*}}, %{{.*}}, %[[DW1]], %{{.*}})
// CHECK:   scf.if %[[SECOND]]#1
// CHECK:     func.call @f.adjoint(%{{.*}}, %{{.*}}, %[[X]], %[[W]], %[[SECOND]]#0, %[[DX]], %[[HASX]], %[[SECOND]]#2, %{{.*}})
// CHECK: } else {
// CHECK:   janus.add %[[DX]], %[[SEED]]

// -----

// Two results, of which one has a gradient; extents are numbers of the record; what a branch in a
// branch keeps is found through the outer one's record.
func.func @cell(%p: i1, %h: tensor<?xf32>, %c: tensor<?xf32>, %seed: tensor<?xf32>) -> tensor<?xf32> {
  %y:3 = call @step(%p, %h, %c) : (i1, tensor<?xf32>, tensor<?xf32>) -> (i64, tensor<?xf32>, tensor<?xf32>)
  %g = janus.gradient %y#1, %seed wrt(%h) : tensor<?xf32>, (tensor<?xf32>)
  return %g : tensor<?xf32>
}
func.func private @step(%p: i1, %h: tensor<?xf32>, %c: tensor<?xf32>) -> (i64, tensor<?xf32>, tensor<?xf32>) {
  %good = arith.constant -1 : i64
  %v:3 = scf.if %p -> (i64, tensor<?xf32>, tensor<?xf32>) {
    %e = janus.exp %h : tensor<?xf32>
    %q = arith.cmpi eq, %good, %good : i64
    %r:3 = scf.if %q -> (i64, tensor<?xf32>, tensor<?xf32>) {
      %l:3 = func.call @step(%p, %e, %c) : (i1, tensor<?xf32>, tensor<?xf32>) -> (i64, tensor<?xf32>, tensor<?xf32>)
      scf.yield %l#0, %l#1, %l#2 : i64, tensor<?xf32>, tensor<?xf32>
    } else {
      scf.yield %good, %h, %c : i64, tensor<?xf32>, tensor<?xf32>
    }
    %m = janus.mul %r#1, %r#2 : tensor<?xf32>
    scf.yield %r#0, %m, %r#1 : i64, tensor<?xf32>, tensor<?xf32>
  } else {
    scf.yield %good, %h, %c : i64, tensor<?xf32>, tensor<?xf32>
  }
  return %v#0, %v#1, %v#2 : i64, tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: func.func @cell
// CHECK: %[[Y:.*]]:4 = call @step.saving(
// CHECK: %[[NONE:.*]] = janus.full
// CHECK: call @step.adjoint(%[[Y]]#3, %arg0, %arg1, %arg2, %arg3, %true, %[[NONE]], %false, %{{.*}}, %{{.*}})

// CHECK-LABEL: func.func private @step.saving(
// CHECK: scf.if %arg0
// CHECK:   %[[E:.*]] = janus.exp
// CHECK:   %[[R:.*]]:4 = scf.if
// CHECK:     %[[L:.*]]:4 = func.call @step.saving(
// CHECK:     scf.yield %[[L]]#0, %[[L]]#1, %[[L]]#2, %[[L]]#3
// CHECK:   } else {
// CHECK:   janus.mul
// CHECK:   %[[N:.*]] = janus.dim %[[E]], 0
// CHECK:   tensor.from_elements
// CHECK:   janus.keep %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<{{.*}}xi64>, tensor<?xf32>

// CHECK-LABEL: func.func private @step.adjoint(
// CHECK: janus.recall %{{.*}}[1] sizes(%{{.*}}) : tensor<?xf32>
// CHECK-NOT: janus.exp

// -----

// The same value twice: the second place has a sum of its own, which is added.
func.func @twice(%x: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @product(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%x) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
func.func private @product(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %m = janus.mul %a, %b : tensor<4xf32>
  return %m : tensor<4xf32>
}
// CHECK-LABEL: func.func @twice
// CHECK: %[[G:.*]]:4 = call @product.adjoint(
// CHECK: janus.add %[[G]]#0, %[[G]]#2
// CHECK-LABEL: func.func private @product.saving
// CHECK-NOT: janus.keep
// CHECK: return

// -----

// A call in a loop: each iteration leaves a record of what its adjoint reads, with the place of the one
// before; the reverse loop follows them. In the function that is called the loop is not run again.
func.func @children(%n: i64, %x: tensor<4xf32>, %w: tensor<4xf32>, %seed: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @sum(%n, %x, %w) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = janus.gradient %y, %seed wrt(%w) : tensor<4xf32>, (tensor<4xf32>)
  return %g : tensor<4xf32>
}
func.func private @sum(%n: i64, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %n, %v = %x) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i64
    scf.condition(%more) %i, %v : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %v: tensor<4xf32>):
    %j = arith.subi %i, %one : i64
    %a = func.call @sum(%j, %x, %w) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %b = janus.mul %a, %v : tensor<4xf32>
    scf.yield %j, %b : i64, tensor<4xf32>
  }
  %m = janus.mul %r#1, %w : tensor<4xf32>
  return %m : tensor<4xf32>
}
// CHECK-LABEL: func.func private @sum.saving(
// CHECK: %[[L:.*]]:5 = scf.while (%{{.*}} = %arg0, %{{.*}} = %arg1, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:   scf.condition(%[[MORE:.*]]) %{{.*}}, %{{.*}}, %[[MORE]], %{{.*}}, %{{.*}}
// CHECK: ^bb0(%{{.*}}: i64, %[[V:.*]]: tensor<4xf32>, %{{.*}}: i1, %[[COUNT:.*]]: index, %[[LAST:.*]]: i64):
// CHECK:   %[[CALL:.*]]:2 = func.call @sum.saving(
// CHECK:   %[[NEXT:.*]] = janus.mul %[[CALL]]#0, %[[V]]
// CHECK:   %[[MORE:.*]] = arith.addi %[[COUNT]]
// CHECK:   %[[WORDS:.*]] = tensor.from_elements %[[LAST]], %{{.*}}, %[[CALL]]#1
// CHECK:   %[[KEPT:.*]] = janus.keep %[[WORDS]], %[[V]], %[[CALL]]#0
// CHECK:   %[[PLACE:.*]] = tensor.extract %[[KEPT]]
// CHECK:   scf.yield %{{.*}}, %[[NEXT]], %[[MORE]], %[[PLACE]]
// CHECK: arith.index_cast %[[L]]#3
// CHECK: janus.keep %{{.*}}, %[[L]]#1

// CHECK-LABEL: func.func private @sum.adjoint(
// CHECK-NOT: scf.while
// CHECK: scf.for {{.*}} iter_args(%[[G:[^ ]*]] = %{{.*}}, {{.*}}, %[[AT:[^ ]*]] = %{{[^ ]*}}) -> (tensor<4xf32>, {{.*}}, i64)
// CHECK:   %[[RECORD:.*]] = tensor.from_elements %[[AT]]
// CHECK:   janus.recall %[[RECORD]][0] : tensor<3xi64>
// CHECK:   func.call @sum.adjoint(
// CHECK:   scf.yield
