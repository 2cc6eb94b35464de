// RUN: janus-opt %s -split-input-file -janus-structurize -janus-lower-state -janus-autodiff -janus-split-backward -canonicalize -cse | FileCheck %s

// The product's backward pass needs both factors, which are arguments; tanh's needs the result,
// which is returned anyway. One contribution each: no sums.

// CHECK-LABEL: func.func @tanh
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32> {{.*}}, %[[W:.*]]: tensor<4xf32> {{.*}}) -> (i64, tensor<4xf32>)
// CHECK:         %[[P:.*]] = janus.mul %[[X]], %[[W]]
// CHECK:         %[[Y:.*]] = janus.tanh %[[P]]
// CHECK:         return %{{.*}}, %[[Y]] : i64, tensor<4xf32>
// CHECK-LABEL: func.func @tanh.backward
// CHECK-SAME:    -> (i64, tensor<4xf32>, i1) attributes {janus.sources = "{{[ari0 1]+}}"
// CHECK-NOT:     janus.tanh
// CHECK:         return %{{.*}}, %{{.*}}, %true
janus.graph @tanh() -> (tensor<4xf32>, tensor<4xf32>, i1) {
  %x = janus.argument 0 slot 0 : tensor<4xf32>
  %w = janus.argument 1 slot 1 : tensor<4xf32>
  %p = janus.mul %x, %w : tensor<4xf32>
  %y = janus.tanh %p : tensor<4xf32>
  %true = arith.constant true
  %g = janus.incoming "gradient 0" slot 2 : tensor<4xf32>
  %s = janus.incoming "sum 0" slot 3 : tensor<4xf32>
  %dw, %any = janus.pullback 1 (%y, %g, %true, %w, %s)
      : (tensor<4xf32>, tensor<4xf32>, i1, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, i1)
  janus.return %y, %dw, %any : tensor<4xf32>, tensor<4xf32>, i1
}

// -----

// Two contributions go onto what was added up before, in the tape's order.

// CHECK-LABEL: func.func @twice
// CHECK-LABEL: func.func @twice.backward
// CHECK-SAME:    %[[S:[a-z0-9]+]]: tensor<4xf32>)
// CHECK:         %[[A:.*]] = janus.add %[[S]], %{{.*}}
// CHECK:         %[[B:.*]] = janus.add %[[A]], %{{.*}}
// CHECK:         return %{{.*}}, %[[B]], %true
janus.graph @twice() -> (tensor<4xf32>, tensor<4xf32>, i1) {
  %w = janus.argument 0 slot 0 : tensor<4xf32>
  %e = janus.exp %w : tensor<4xf32>
  %y = janus.mul %e, %w : tensor<4xf32>
  %true = arith.constant true
  %g = janus.incoming "gradient 0" slot 1 : tensor<4xf32>
  %s = janus.incoming "sum 0" slot 2 : tensor<4xf32>
  %dw, %any = janus.pullback 1 (%y, %g, %true, %w, %s)
      : (tensor<4xf32>, tensor<4xf32>, i1, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, i1)
  janus.return %y, %dw, %any : tensor<4xf32>, tensor<4xf32>, i1
}

// -----

// Of two results one may have no gradient: nothing runs for it then.

// CHECK-LABEL: func.func @two
// CHECK-LABEL: func.func @two.backward
// CHECK:         scf.if
// CHECK:         return %{{.*}}, %{{.*}}, %{{.*}} : i64, tensor<4xf32>, i1
janus.graph @two() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, i1) {
  %w = janus.argument 0 slot 0 : tensor<4xf32>
  %a = janus.exp %w : tensor<4xf32>
  %b = janus.sin %w : tensor<4xf32>
  %g0 = janus.incoming "gradient 0" slot 1 : tensor<4xf32>
  %g1 = janus.incoming "gradient 1" slot 2 : tensor<4xf32>
  %p0 = janus.incoming "flag 0" slot 3 : i1
  %p1 = janus.incoming "flag 1" slot 4 : i1
  %s = janus.incoming "sum 0" slot 5 : tensor<4xf32>
  %dw, %any = janus.pullback 2 (%a, %b, %g0, %g1, %p0, %p1, %w, %s)
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, i1, i1, tensor<4xf32>,
         tensor<4xf32>) -> (tensor<4xf32>, i1)
  janus.return %a, %b, %dw, %any : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, i1
}
