// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// A block for each row: 256 threads add up what is theirs, and a tree adds up what they have. The rest
// is one thread's where a row is short.
// CHECK: gpu.func @[[ROWS:janus_kernel_1]](
// CHECK-SAME: workgroup(%{{.*}} : memref<256xf64, #gpu.address_space<workgroup>>)
// CHECK: scf.for %{{.*}} to %c500 step %c256
// CHECK: memref.store %{{.*}} : memref<256xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-COUNT-7: gpu.barrier
// CHECK: gpu.launch_func @janus_device::@[[ROWS]] blocks in (%c64

// PTX: .shared .align 8 .b8 {{.*}}[2048]
// PTX: st.shared
// PTX-COUNT-9: bar.sync 0
// PTX: st.global

func.func @region(%x: tensor<64x500xf32>) -> (i64, tensor<64xf32>, tensor<64xi64>) {
  %0 = janus.reduce_sum %x dims [1] : tensor<64x500xf32> -> tensor<64xf32>
  %1 = janus.argmax %x dim 1 : tensor<64x500xf32> -> tensor<64xi64>
  %ok = arith.constant -1 : i64
  return %ok, %0, %1 : i64, tensor<64xf32>, tensor<64xi64>
}
