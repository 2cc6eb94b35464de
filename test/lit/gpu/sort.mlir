// REQUIRES: janus-jit
// RUN: janus-jit compile --from graph-opt --to gpu %s | FileCheck %s
// RUN: janus-jit compile --from graph-opt --to ptx --target sm_80 %s | FileCheck %s --check-prefix=PTX

// Sorting is a routine of the library, on the host: the entry says so.
// CHECK: gpu.module @janus_device
// CHECK-NOT: gpu.func
// CHECK: llvm.call @janus_rt_argsort{{.*}}janus.host_routine = "a routine of the library"

// PTX: .target sm_80
// PTX-NOT: .entry

func.func @region(%x: tensor<4x5xf32>) -> (i64, tensor<4x5xi64>) {
  %0 = janus.argsort %x dim 1 true : tensor<4x5xf32> -> tensor<4x5xi64>
  %ok = arith.constant -1 : i64
  return %ok, %0 : i64, tensor<4x5xi64>
}
