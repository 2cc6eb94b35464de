// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// 16 x 16 elements of the result are a block's; 3 x 4 blocks make 40 x 50 of them.
// CHECK: gpu.func @janus_gemm_f32(
// CHECK-SAME: workgroup(%{{.*}} : memref<16x16xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<16x16xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-2: gpu.barrier
// CHECK: gpu.launch_func @janus_device::@janus_gemm_f32 blocks in (%c12

// PTX: .entry janus_gemm_f32(
// PTX-COUNT-2: .shared .align 4 .b8 {{.*}}[1024]
// PTX: bar.sync 0
// PTX: ld.shared
// PTX-NOT: fma
// PTX: st.global

func.func @region(%a: tensor<40x30xf32>, %b: tensor<50x30xf32>) -> (i64, tensor<40x50xf32>) {
  %0 = janus.permute %b dims [1, 0] : tensor<50x30xf32> -> tensor<30x50xf32>
  %1 = janus.dot %a, %0 : (tensor<40x30xf32>, tensor<30x50xf32>) -> tensor<40x50xf32>
  %ok = arith.constant -1 : i64
  return %ok, %1 : i64, tensor<40x50xf32>
}
