// RUN: janus-opt %s | janus-opt | FileCheck %s
// RUN: janus-opt %s --mlir-print-op-generic | janus-opt | FileCheck %s

// CHECK-LABEL: janus.graph @loads
janus.graph @loads() -> () {
  // CHECK: janus.argument 0 slot 0 : tensor<?x64xf32>
  %x = janus.argument 0 slot 0 : tensor<?x64xf32>
  // CHECK: %[[O:.*]] = janus.argument 1 : !janus.object
  %o = janus.argument 1 : !janus.object
  // CHECK: janus.get_global "model" : !janus.object
  %m = janus.get_global "model" : !janus.object
  // CHECK: janus.get_global "lr" slot 4 : f64
  %lr = janus.get_global "lr" slot 4 : f64
  // CHECK: janus.get_attr %[[O]] "weight" slot 1 : tensor<8x4xf32>
  %w = janus.get_attr %o "weight" slot 1 : tensor<8x4xf32>
  // CHECK: janus.get_attr %[[O]] "layers" : !janus.object
  %l = janus.get_attr %o "layers" : !janus.object
  // CHECK: janus.get_item %{{.*}}[0] : !janus.object
  %f = janus.get_item %l[0] : !janus.object
  // CHECK: janus.random "Bernoulli(0.5)" slot 5 : tensor<?x4xf32>
  %r = janus.random "Bernoulli(0.5)" slot 5 : tensor<?x4xf32>
  // CHECK: janus.get_item %{{.*}}[-1] slot 2 : i64
  %g = janus.get_item %l[-1] slot 2 : i64
  // CHECK: janus.get_item %{{.*}}["train"] slot 3 : i1
  %t = janus.get_item %l["train"] slot 3 : i1
  janus.return
}

// CHECK-LABEL: janus.graph @commits
janus.graph @commits(%o: !janus.object, %x: tensor<?xf32>, %f: f64, %i: i64) -> !janus.token {
  // CHECK: %[[T0:.*]] = janus.start
  %t0 = janus.start
  // CHECK: %[[T1:.*]] = janus.set_attr %[[T0]], %{{.*}}, %{{.*}} "loss" slot 0 : f64
  %t1 = janus.set_attr %t0, %o, %f "loss" slot 0 : f64
  // CHECK: %[[T2:.*]] = janus.set_item %[[T1]], %{{.*}}["step"], %{{.*}} slot 1 : i64
  %t2 = janus.set_item %t1, %o["step"], %i slot 1 : i64
  // CHECK: %[[T3:.*]] = janus.set_item %[[T2]], %{{.*}}[3], %{{.*}} slot 2 : !janus.object
  %t3 = janus.set_item %t2, %o[3], %o slot 2 : !janus.object
  // CHECK: %[[T4:.*]] = janus.set_global %[[T3]], %{{.*}} "step" slot 3 : i64
  %t4 = janus.set_global %t3, %i "step" slot 3 : i64
  // CHECK: %[[T5:.*]] = janus.append %[[T4]], %{{.*}}, %{{.*}} slot 4 : f64
  %t5 = janus.append %t4, %o, %f slot 4 : f64
  // CHECK: %[[T6:.*]] = janus.update %[[T5]], %{{.*}}, %{{.*}} slot 5 : tensor<?xf32>
  %t6 = janus.update %t5, %o, %x slot 5 : tensor<?xf32>
  // CHECK: %[[T7:.*]] = janus.set_grad %[[T6]], %{{.*}}, %{{.*}} slot 6 : tensor<?xf32>
  %t7 = janus.set_grad %t6, %o, %x slot 6 : tensor<?xf32>
  // CHECK: %[[T8:.*]] = janus.print %[[T7]] "epoch {} loss {}" (%{{.*}}, %{{.*}} : i64, f64) slot 7
  %t8 = janus.print %t7 "epoch {} loss {}" (%i, %f : i64, f64) slot 7
  // CHECK: %[[T9:.*]] = janus.print %[[T8]] "done" () slot 8
  %t9 = janus.print %t8 "done" () slot 8
  janus.return %t9 : !janus.token
}
