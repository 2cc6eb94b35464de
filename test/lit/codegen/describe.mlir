// RUN: janus-opt %s --janus-describe | FileCheck %s

// A view is a part of an arena; what is returned is a result. A kernel is told of where it is called,
// with the numbers of the ops that were fused to it; an op that was inlined goes by its own number,
// not the call's.
// CHECK: llvm.mlir.global external constant @janus_description("
// CHECK-SAME: function region\0A
// CHECK-SAME: arena 256\0A
// CHECK-SAME: buffer temporary 128 planned of 3\0A
// CHECK-SAME: buffer result ? of 5\0A
// CHECK-SAME: loop janus_kernel_0 of 3 4 5'\0A
// CHECK-SAME: call janus_rt_gemm_f32 repeated of 6\0A
// CHECK-SAME: graph tree repeated of 7\0A
// CHECK-SAME: copy\0A
// CHECK-SAME: function tree\0A
// CHECK-SAME: buffer temporary 4\0A
// CHECK-SAME: loop of 9\0A
// CHECK-SAME: \00")
#op3 = loc(fused<3 : i64>["a.py":1:1])
#op4 = loc(fused<4 : i64>["a.py":1:1])
#op5 = loc(fused<5 : i64>["a.py":2:1])
#op6 = loc(fused<6 : i64>["a.py":2:1])
#op7 = loc(fused<7 : i64>["a.py":3:1])
#op9 = loc(fused<9 : i64>["b.py":1:1])

func.func @region(%n: index, %b: memref<32xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<256xi8>
  %v = memref.view %arena[%c0][] : memref<256xi8> to memref<32xf32> loc(#op3)
  %r = memref.alloc(%n) : memref<?xf32> loc(#op5)
  func.call @janus_kernel_0() : () -> () loc(fused[#op4, #op3, "gradient"(#op5)])
  scf.for %i = %c0 to %n step %c1 {
    llvm.call @janus_rt_gemm_f32() : () -> () loc(callsite(#op6 at #op3))
    func.call @tree() : () -> () loc(#op7)
  }
  memref.copy %v, %b : memref<32xf32> to memref<32xf32>
  memref.dealloc %arena : memref<256xi8>
  return %r : memref<?xf32>
}

func.func private @tree() {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<f32>
  linalg.fill ins(%one : f32) outs(%a : memref<f32>) loc(#op9)
  memref.dealloc %a : memref<f32>
  return
}

func.func private @janus_kernel_0() {
  return
}

llvm.func @janus_rt_gemm_f32()
