// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// Reading by an index is a thread's for each element. Adding by an index may meet an element twice, in a column: a
// thread for each column goes through the rows in order, and no host does.
// CHECK: gpu.func @janus_kernel_0
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: gpu.func @janus_loop_0
// CHECK: scf.if
// CHECK: scf.for %{{.*}} to %c50
// CHECK-NOT: scf.for
// CHECK: func.func @region
// CHECK-NOT: scf.for
// CHECK: gpu.launch_func @janus_device::@janus_kernel_0
// CHECK: gpu.launch_func @janus_device::@janus_loop_0
// CHECK-NOT: scf.for

// PTX: .entry janus_kernel_0(
// PTX: .entry janus_loop_0(
// PTX: add.rn.f32
// PTX-NOT: atom

func.func @region(%x: tensor<100x8xf32>, %i: tensor<50xi64>, %g: tensor<50x8xf32>) -> (i64, tensor<50x8xf32>, tensor<100x8xf32>) {
  %0 = janus.take %x, %i dim 0 : (tensor<100x8xf32>, tensor<50xi64>) -> tensor<50x8xf32>
  %1 = janus.take_add %x, %i, %g dim 0 : (tensor<100x8xf32>, tensor<50xi64>, tensor<50x8xf32>) -> tensor<100x8xf32>
  %ok = arith.constant -1 : i64
  return %ok, %0, %1 : i64, tensor<50x8xf32>, tensor<100x8xf32>
}
