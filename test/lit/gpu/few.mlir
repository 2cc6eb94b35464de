// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// Of few elements one thread takes all, in the order of the loop: there is nothing to share.
// CHECK-NOT: workgroup(
// CHECK: gpu.func @janus_kernel_1
// CHECK: scf.for
// CHECK: gpu.launch_func @janus_device::@janus_kernel_1

// PTX: .entry janus_kernel_1(
// PTX-NOT: bar.sync
// PTX-COUNT-8: add.rn.f64

func.func @region(%x: tensor<64x8xf32>) -> (i64, tensor<64xf32>) {
  %0 = janus.reduce_sum %x dims [1] : tensor<64x8xf32> -> tensor<64xf32>
  %ok = arith.constant -1 : i64
  return %ok, %0 : i64, tensor<64xf32>
}
