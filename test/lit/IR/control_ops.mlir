// RUN: janus-opt %s | janus-opt | FileCheck %s
// RUN: janus-opt %s --mlir-print-op-generic | janus-opt | FileCheck %s

// CHECK-LABEL: janus.graph @branch(%{{.*}}: i1, %{{.*}}: tensor<4xf32>) -> (tensor<4xf32>, i64)
janus.graph @branch(%p: i1, %x: tensor<4xf32>) -> (tensor<4xf32>, i64) {
  // CHECK: %[[T:.*]], %[[F:.*]] = janus.switch %{{.*}}, %{{.*}} : tensor<4xf32>
  %t, %f = janus.switch %p, %x : tensor<4xf32>
  %y = janus.neg %t : tensor<4xf32>
  // CHECK: %[[V:.*]], %[[W:.*]] = janus.merge %{{.*}}, %[[F]] : tensor<4xf32>{{$}}
  %v, %w = janus.merge %y, %f : tensor<4xf32>
  // CHECK: janus.assert %{{.*}} id 3 "a reason"
  janus.assert %p id 3 "a reason"
  // CHECK: janus.return %[[V]], %[[W]] : tensor<4xf32>, i64
  janus.return %v, %w : tensor<4xf32>, i64
}

// An op may stand above what it uses, and loops close through next_iteration.
// CHECK-LABEL: janus.graph @loop
janus.graph @loop(%n: i64) -> i64 {
  // CHECK: janus.enter %{{.*}} frame "loop" : i64
  %e = janus.enter %n frame "loop" : i64
  // CHECK: janus.enter %{{.*}} frame "loop" constant : i64
  %k = janus.enter %n frame "loop" constant : i64
  // CHECK: janus.merge %{{.*}}, %[[BACK:.*]] : i64
  %m, %w = janus.merge %e, %back : i64
  %c = arith.cmpi slt, %m, %k : i64
  // CHECK: janus.loop_cond %{{.*}}
  %cond = janus.loop_cond %c
  %body, %done = janus.switch %cond, %m : i64
  // CHECK: %[[BACK]] = janus.next_iteration %{{.*}} : i64
  %back = janus.next_iteration %next : i64
  %next = arith.addi %body, %k : i64
  // CHECK: janus.exit %{{.*}} : i64
  %r = janus.exit %done : i64
  janus.return %r : i64
}

// CHECK-LABEL: janus.graph @call
janus.graph @call(%n: i64) -> i64 {
  // CHECK: janus.invoke @loop(%{{.*}}) : (i64) -> i64
  %r = janus.invoke @loop(%n) : (i64) -> i64
  janus.return %r : i64
}

// CHECK-LABEL: janus.graph @field
janus.graph @field(%table: i64, %tree: i64) -> i64 {
  // CHECK: %{{.*}}, %{{.*}} = janus.field 2 ".left" of %{{.*}} in %{{.*}}
  %kind, %word = janus.field 2 ".left" of %tree in %table
  // CHECK: janus.field 3 "[]" at %{{.*}} of %{{.*}} in %{{.*}}
  %item:2 = janus.field 3 "[]" at %word of %word in %table
  janus.return %word : i64
}

// CHECK-LABEL: janus.graph @tensor_at
janus.graph @tensor_at(%table: i64, %object: i64) -> (tensor<2x3xf32>, i1) {
  // CHECK: janus.tensor_at %{{.*}} in %{{.*}} : tensor<2x3xf32>
  %value, %found = janus.tensor_at %object in %table : tensor<2x3xf32>
  janus.return %value, %found : tensor<2x3xf32>, i1
}

// CHECK-LABEL: janus.graph @gradient
janus.graph @gradient(%loss: tensor<f32>, %seed: tensor<f32>, %w: tensor<8x4xf32>, %b: tensor<?xf32>)
    -> (tensor<8x4xf32>, tensor<?xf32>) {
  // CHECK: janus.gradient %{{.*}}, %{{.*}} wrt(%{{.*}}, %{{.*}}) : tensor<f32>, (tensor<8x4xf32>, tensor<?xf32>)
  %g:2 = janus.gradient %loss, %seed wrt(%w, %b) : tensor<f32>, (tensor<8x4xf32>, tensor<?xf32>)
  janus.return %g#0, %g#1 : tensor<8x4xf32>, tensor<?xf32>
}
