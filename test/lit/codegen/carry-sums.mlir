// RUN: janus-opt %s --janus-carry-sums | FileCheck %s

// Each sum is written over the one before it, in branches and through calls as well; another
// product of the same form is not.
// CHECK-LABEL: func.func private @adjoint
// CHECK-SAME: %[[P:[^:]*]]: i1, %[[G:[^:]*]]: tensor<8xf32>, %[[S:[^:]*]]: tensor<8xf32>
// CHECK: janus.add %[[G]], %[[G]]
// CHECK-NEXT: %[[SUM:.*]] = janus.add %[[S]], %[[G]]
// CHECK-NEXT: %[[OVER:.*]] = bufferization.materialize_in_destination %[[SUM]] in %[[S]]
// CHECK: %[[IF:.*]] = scf.if
// CHECK:   %[[CALL:.*]]:2 = func.call @adjoint(%{{.*}}, %[[G]], %[[OVER]])
// CHECK:   %[[SUM:.*]] = janus.add %[[CALL]]#1, %{{.*}}
// CHECK:   %[[OVER2:.*]] = bufferization.materialize_in_destination %[[SUM]] in %[[CALL]]#1
// CHECK:   scf.yield %[[OVER2]]
// CHECK: } else {
// CHECK:   scf.yield %[[OVER]]
// CHECK: return %{{.*}}, %[[IF]]
func.func private @adjoint(%p: i1, %g: tensor<8xf32>, %s: tensor<8xf32> {janus.carried = 1 : i64})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %false = arith.constant false
  %other = janus.add %g, %g : tensor<8xf32>
  %a = janus.add %s, %g : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    %c:2 = func.call @adjoint(%false, %g, %a) : (i1, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %b = janus.add %c#1, %other : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %other, %r : tensor<8xf32>, tensor<8xf32>
}

// What is made otherwise stays as it is.
// CHECK-LABEL: func.func private @replaced
// CHECK-NOT: materialize_in_destination
func.func private @replaced(%g: tensor<8xf32>, %s: tensor<8xf32> {janus.carried = 0 : i64}) -> tensor<8xf32> {
  %a = janus.add %g, %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
