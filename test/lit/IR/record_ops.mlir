// RUN: janus-opt %s | janus-opt | FileCheck %s
// RUN: janus-opt %s --mlir-print-op-generic | janus-opt | FileCheck %s

// CHECK-LABEL: func.func @records
func.func @records(%x: tensor<4xf32>, %y: tensor<?x2xi1>, %n: index) -> (tensor<4xf32>, tensor<?x2xi1>) {
  // CHECK: %[[R:.*]] = janus.keep %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<?x2xi1>
  %r = janus.keep %x, %y : tensor<4xf32>, tensor<?x2xi1>
  // CHECK: janus.recall %[[R]][0] : tensor<4xf32>
  %a = janus.recall %r[0] : tensor<4xf32>
  // CHECK: janus.recall %[[R]][1] sizes(%{{.*}}) : tensor<?x2xi1>
  %b = janus.recall %r[1] sizes(%n) : tensor<?x2xi1>
  return %a, %b : tensor<4xf32>, tensor<?x2xi1>
}

// CHECK-LABEL: func.func @apply
func.func @apply(%x: tensor<4xf32>, %s: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %{{.*}}:2 = janus.apply @callee [-1, 1](%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<2xf32>) -> (i64, tensor<2xf32>)
  %r:2 = janus.apply @callee [-1, 1](%x, %s) : (tensor<4xf32>, tensor<2xf32>) -> (i64, tensor<2xf32>)
  return %r#1 : tensor<2xf32>
}
func.func private @callee(%x: tensor<4xf32>, %s: tensor<2xf32>) -> (i64, tensor<2xf32>)
