// RUN: janus-opt %s --janus-to-linalg --canonicalize --cse --janus-fuse-elementwise | FileCheck %s

// CHECK-LABEL: @chain
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @chain(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = janus.broadcast %b dims [1] sizes(%n) : tensor<8xf32> -> tensor<?x8xf32>
  %1 = janus.add %x, %0 : tensor<?x8xf32>
  %2 = janus.tanh %1 : tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// A dear value with two uses is made once, and yielded beside its first use.
// CHECK-LABEL: @both
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return %[[R]]
func.func @both(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = janus.exp %x : tensor<8xf32>
  %1 = janus.mul %0, %y : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A cheap value is repeated where nothing stores it anyway.
// CHECK-LABEL: @cheap
// CHECK-COUNT-2: arith.negf
func.func @cheap(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %0 = janus.neg %x : tensor<8xf32>
  %1 = janus.exp %0 : tensor<8xf32>
  %2 = janus.reduce_max %0 dims [0] : tensor<8xf32> -> tensor<f32>
  return %1, %2 : tensor<8xf32>, tensor<f32>
}

// Math that would vectorise stays out of a loop that does not.
// CHECK-LABEL: @scalar_loop
// CHECK: linalg.generic {{.*}}"parallel", "parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}"parallel", "reduction"]
// CHECK-NOT: math.exp
// CHECK: return
func.func @scalar_loop(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = janus.exp %x : tensor<4x8xf32>
  %1 = janus.reduce_sum %0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// And math on few elements out of the broadcast of its result.
// CHECK-LABEL: @stretched
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK: math.log
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-NOT: math.log
// CHECK: return
func.func @stretched(%x: tensor<4xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = janus.log %x : tensor<4xf32>
  %1 = janus.broadcast %0 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %2 = janus.sub %y, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
