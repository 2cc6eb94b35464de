// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// One thread for each element; how many blocks there are follows from the extent.
// CHECK: gpu.module @janus_device
// CHECK: gpu.func @janus_kernel_0(
// CHECK-SAME: kernel attributes {nvvm.maxntid = array<i32: 256, 1, 1>}
// CHECK: gpu.thread_id x
// CHECK: gpu.block_id x
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.store
// CHECK-NOT: gpu.func
// CHECK: func.func @region
// CHECK: gpu.alloc
// CHECK: arith.ceildivui
// CHECK: gpu.launch_func @janus_device::@janus_kernel_0
// CHECK-NOT: gpu.launch_func

// No product is contracted with its sum, and nothing is called.
// PTX: .target sm_80
// PTX: .visible .entry janus_kernel_0(
// PTX: .maxntid 256, 1, 1
// PTX: ld.global
// PTX: mul.rn.f32
// PTX: add.rn.f32
// PTX-NOT: fma
// PTX-NOT: call
// PTX: st.global

func.func @region(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %n: i64) -> (i64, tensor<?x8xf32>) {
  %s = arith.index_cast %n : i64 to index
  %0 = janus.broadcast %b dims [1] sizes(%s) : tensor<8xf32> -> tensor<?x8xf32>
  %1 = janus.add %x, %0 : tensor<?x8xf32>
  %2 = janus.tanh %1 : tensor<?x8xf32>
  %ok = arith.constant -1 : i64
  return %ok, %2 : i64, tensor<?x8xf32>
}
