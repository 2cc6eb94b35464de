// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// The largest of a row and the sum of a row are trees; what is a number is compared with none.
// CHECK: gpu.func @janus_kernel_1
// CHECK-SAME: workgroup(
// CHECK: gpu.func @janus_kernel_4
// CHECK-SAME: workgroup(
// CHECK: gpu.launch_func @janus_device::@janus_kernel_1 blocks in (%c64
// CHECK: gpu.launch_func @janus_device::@janus_kernel_4 blocks in (%c64

// PTX: .entry janus_kernel_1(
// PTX: setp.nan.f32
// PTX: bar.sync
// PTX: .entry janus_kernel_4(
// PTX: add.rn.f64
// PTX: bar.sync
// PTX: div.rn.f32

func.func @region(%x: tensor<64x100xf32>) -> (i64, tensor<64x100xf32>) {
  %0 = janus.reduce_max %x dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  %1 = janus.broadcast %0 dims [0] : tensor<64xf32> -> tensor<64x100xf32>
  %2 = janus.sub %x, %1 : tensor<64x100xf32>
  %3 = janus.exp %2 : tensor<64x100xf32>
  %4 = janus.reduce_sum %3 dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  %5 = janus.broadcast %4 dims [0] : tensor<64xf32> -> tensor<64x100xf32>
  %6 = janus.div %3, %5 : tensor<64x100xf32>
  %ok = arith.constant -1 : i64
  return %ok, %6 : i64, tensor<64x100xf32>
}
