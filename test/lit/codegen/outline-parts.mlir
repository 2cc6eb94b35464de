// RUN: janus-opt %s --janus-outline-parts | FileCheck %s

// What the parts use from around them goes through a struct; constants are made anew.
// CHECK-LABEL: llvm.func @region(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[GAIN:.*]]: i64)
// CHECK-DAG: %[[CONTEXT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr)>
// CHECK-DAG: %[[TABLE:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK: llvm.store %[[P]], %{{.*}}
// CHECK: llvm.mlir.addressof @janus_part_0
// CHECK: llvm.mlir.addressof @janus_part_1
// CHECK: %[[WORTH:.*]] = llvm.icmp "sge" %[[GAIN]]
// CHECK: %[[BOOL:.*]] = llvm.zext %[[WORTH]] : i1 to i32
// CHECK: llvm.call @janus_rt_concurrent(%{{.*}}, %[[TABLE]], %[[CONTEXT]], %[[BOOL]])
// CHECK-NEXT: llvm.return
// CHECK-DAG: llvm.func internal @janus_part_0(%{{.*}}: !llvm.ptr)
// CHECK-DAG: llvm.func internal @janus_part_1(%{{.*}}: !llvm.ptr)
// CHECK-NOT: janus.
llvm.func @region(%p: !llvm.ptr, %gain: i64) {
  %one = llvm.mlir.constant(1.0 : f32) : f32
  janus.concurrent %gain {
    llvm.store %one, %p : f32, !llvm.ptr
    janus.done
  }, {
    %at = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.br ^next
  ^next:
    llvm.store %one, %at : f32, !llvm.ptr
    janus.done
  }
  llvm.return
}
