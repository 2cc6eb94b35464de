// RUN: janus-opt %s --pass-pipeline="builtin.module(func.func(janus-remove-unused))" | FileCheck %s

// What a loop carries for itself alone goes, with what computes it.
// CHECK-LABEL: func.func @while
// CHECK:       scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %arg0) : (i64, tensor<4xf32>)
// CHECK-NOT:   janus.exp
// CHECK:       janus.neg
// CHECK-NOT:   janus.exp
// CHECK:       return
func.func @while(%x: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %x) : (i64, tensor<4xf32>, tensor<4xf32>)
      -> (i64, tensor<4xf32>, tensor<4xf32>) {
    %go = arith.cmpi slt, %i, %n : i64
    scf.condition(%go) %i, %a, %b : i64, tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %a: tensor<4xf32>, %b: tensor<4xf32>):
    %next = arith.addi %i, %c1 : i64
    %used = janus.neg %a : tensor<4xf32>
    %dead = janus.exp %b : tensor<4xf32>
    scf.yield %next, %used, %dead : i64, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// What decides whether another iteration runs stays, and what it is computed from.
// CHECK-LABEL: func.func @decides
// CHECK:       scf.while
// CHECK:       janus.exp
func.func @decides(%x: tensor<f32>, %n: f64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %c0, %b = %x) : (i64, tensor<f32>) -> (i64, tensor<f32>) {
    %item = janus.item %b : tensor<f32> -> f64
    %go = arith.cmpf olt, %item, %n : f64
    scf.condition(%go) %i, %b : i64, tensor<f32>
  } do {
  ^bb0(%i: i64, %b: tensor<f32>):
    %next = arith.addi %i, %c1 : i64
    %after = janus.exp %b : tensor<f32>
    scf.yield %next, %after : i64, tensor<f32>
  }
  return %r#0 : i64
}

// CHECK-LABEL: func.func @for
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (tensor<4xf32>)
// CHECK-NOT:   janus.exp
// CHECK:       return
func.func @for(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %used = janus.neg %a : tensor<4xf32>
    %dead = janus.exp %b : tensor<4xf32>
    scf.yield %used, %dead : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}
