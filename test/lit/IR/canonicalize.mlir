// RUN: janus-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: janus.graph @identities(%arg0: tensor<2x3xf32>
janus.graph @identities(%x: tensor<2x3xf32>, %c: tensor<2x3xi1>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>) {
  %0 = janus.cast %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = janus.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = janus.permute %x dims [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = janus.slice %x[0, 0] strides [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %4 = janus.select %c, %x, %x : tensor<2x3xf32>
  %5 = janus.neg %x : tensor<2x3xf32>
  %6 = janus.neg %5 : tensor<2x3xf32>
  %one = janus.constant dense<1.0> : tensor<2x3xf32>
  %7 = janus.mul %one, %x : tensor<2x3xf32>
  %8 = janus.not %c : tensor<2x3xi1>
  %9 = janus.not %8 : tensor<2x3xi1>
  // CHECK-NEXT: janus.return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1
  janus.return %0, %1, %2, %3, %4, %6, %7, %9
      : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>
}

// x + 0 is not x where x is -0.
// CHECK-LABEL: janus.graph @adding_zero
janus.graph @adding_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = janus.constant dense<0.0> : tensor<3xf32>
  // CHECK: janus.add
  %0 = janus.add %x, %zero : tensor<3xf32>
  janus.return %0 : tensor<3xf32>
}

// CHECK-LABEL: janus.graph @constants
janus.graph @constants() -> (tensor<2xf32>, tensor<2xi64>, tensor<f32>, tensor<2xf32>, tensor<4xi1>) {
  // CHECK-DAG: %[[A:.*]] = janus.constant dense<[4.000000e+00, 6.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[B:.*]] = janus.constant dense<-7> : tensor<2xi64>
  // CHECK-DAG: %[[C:.*]] = janus.constant dense<5.000000e-01> : tensor<f32>
  // CHECK-DAG: %[[D:.*]] = janus.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[E:.*]] = janus.constant dense<true> : tensor<4xi1>
  // CHECK: janus.return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %0 = janus.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = janus.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %2 = janus.add %0, %1 : tensor<2xf32>
  %seven = arith.constant 7 : i64
  %3 = janus.full %seven : i64 -> tensor<2xi64>
  %4 = janus.neg %3 : tensor<2xi64>
  %half = arith.constant 0.5 : f64
  %5 = janus.full %half : f64 -> tensor<f32>
  %true = janus.constant dense<true> : tensor<2xi1>
  %6 = janus.select %true, %0, %1 : tensor<2xf32>
  %7 = janus.full %seven : i64 -> tensor<4xi1>
  janus.return %2, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xi64>, tensor<f32>, tensor<2xf32>, tensor<4xi1>
}

// CHECK-LABEL: janus.graph @compositions(%arg0: tensor<?x4xf32>)
janus.graph @compositions(%x: tensor<?x4xf32>) -> (tensor<4x?xf32>, tensor<?x2x2xf32>) {
  // CHECK: %[[N:.*]] = janus.dim %arg0, 0
  // CHECK: %[[R:.*]] = janus.reshape %arg0 sizes(%[[N]]) : tensor<?x4xf32> -> tensor<?x2x2xf32>
  // CHECK: %[[P:.*]] = janus.permute %arg0 dims [1, 0]
  // CHECK: janus.return %[[P]], %[[R]]
  %n = janus.dim %x, 0 : tensor<?x4xf32>
  %0 = janus.reshape %x sizes(%n) : tensor<?x4xf32> -> tensor<?xf32>
  %1 = janus.reshape %0 sizes(%n) : tensor<?xf32> -> tensor<?x2x2xf32>
  %2 = janus.permute %x dims [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  %3 = janus.permute %2 dims [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
  %4 = janus.permute %3 dims [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  janus.return %4, %1 : tensor<4x?xf32>, tensor<?x2x2xf32>
}

// Extents are those of what an op was made from.
// CHECK-LABEL: janus.graph @extents(%arg0: tensor<?x4xf32>, %arg1: tensor<?x1xi64>, %arg2: index)
janus.graph @extents(%x: tensor<?x4xf32>, %i: tensor<?x1xi64>, %m: index)
    -> (index, index, index, index, index, index) {
  // CHECK-DAG: %[[N:.*]] = janus.dim %arg0, 0
  // CHECK-DAG: %[[I:.*]] = janus.dim %arg1, 0
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
  // CHECK: janus.return %[[N]], %[[N]], %[[I]], %arg2, %[[FOUR]], %[[N]]
  %w = janus.constant dense<0.5> : tensor<4x8xf32>
  %0 = janus.tanh %x : tensor<?x4xf32>
  %1 = janus.dot %0, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %2 = janus.reduce_sum %1 dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %n = janus.dim %2, 0 : tensor<?xf32>
  %3 = janus.permute %x dims [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  %4 = janus.dim %3, 1 : tensor<4x?xf32>
  %5 = janus.gather %x, %i dim 1 : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  %6 = janus.dim %5, 0 : tensor<?x1xf32>
  %s = arith.constant 1.0 : f64
  %7 = janus.full %s sizes(%n, %m) : f64 -> tensor<?x3x?xf32>
  %8 = janus.dim %7, 2 : tensor<?x3x?xf32>
  %9 = janus.dim %x, 1 : tensor<?x4xf32>
  %10 = janus.dim %7, 0 : tensor<?x3x?xf32>
  janus.return %n, %4, %6, %8, %9, %10 : index, index, index, index, index, index
}

// CHECK-LABEL: janus.graph @constant_switch(%arg0: tensor<4xf32>)
janus.graph @constant_switch(%x: tensor<4xf32>) -> (tensor<4xf32>, i64) {
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[Y:.*]] = janus.exp %arg0
  // CHECK: janus.return %[[Y]], %[[ONE]]
  %p = arith.constant false
  %t, %f = janus.switch %p, %x : tensor<4xf32>
  %a = janus.neg %t : tensor<4xf32>
  %b = janus.exp %f : tensor<4xf32>
  %v, %w = janus.merge %a, %b : tensor<4xf32>
  janus.return %v, %w : tensor<4xf32>, i64
}

// CHECK-LABEL: janus.graph @merge_of_one(%arg0: tensor<4xf32>)
janus.graph @merge_of_one(%x: tensor<4xf32>) -> (tensor<4xf32>, i64) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK: janus.return %arg0, %[[ZERO]]
  %v, %w = janus.merge %x : tensor<4xf32>
  janus.return %v, %w : tensor<4xf32>, i64
}

// CHECK-LABEL: janus.graph @asserts
janus.graph @asserts() -> () {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK-NOT: id 0
  janus.assert %true id 0 "holds"
  // CHECK: janus.assert %{{.*}} id 1 "fails"
  janus.assert %false id 1 "fails"
  janus.return
}
