// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// The numbers are the generator's, which is on the host: the entry says so.
// CHECK: llvm.call @janus_rt_advance{{.*}}janus.host_routine = "a routine of the library"
// CHECK: llvm.call @janus_rt_draw{{.*}}janus.host_routine = "a routine of the library"
// CHECK: gpu.launch_func @janus_device::@janus_kernel_0

// PTX: .entry janus_kernel_0(
// PTX: mul.rn.f32

func.func @region(%x: tensor<40xf32>, %position: i64, %source: i64, %low: i64, %high: i64) -> (i64, tensor<40xf32>, i64) {
  %d, %next = janus.draw 2 "Uniform(0, 1)" at %position of %source in [%low, %high) : tensor<40xf32>
  %0 = janus.mul %x, %d : tensor<40xf32>
  %ok = arith.constant -1 : i64
  return %ok, %0, %next : i64, tensor<40xf32>, i64
}
