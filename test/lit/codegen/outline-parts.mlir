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
// CHECK-NEXT: llvm.intr.lifetime.end %[[CONTEXT]]
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

// A piece's function has its bounds besides; contexts that are in use one after the other share their place.
// CHECK-LABEL: llvm.func @pieces(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[WORK:.*]]: i64)
// CHECK: %[[CONTEXT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr)>
// CHECK: llvm.intr.lifetime.start %[[CONTEXT]]
// CHECK: %[[PIECE:.*]] = llvm.mlir.addressof @janus_part_2
// CHECK: llvm.call @janus_rt_split(%[[N]], %[[WORK]], %[[PIECE]], %[[CONTEXT]]) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT: llvm.intr.lifetime.end %[[CONTEXT]]
// CHECK: llvm.func internal @janus_part_2(%{{.*}}: !llvm.ptr, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK: llvm.br ^bb1(%[[FROM]], %[[TO]] : i64, i64)
// CHECK: llvm.call @loop(
llvm.func @loop(i64, i64, !llvm.ptr)
llvm.func @pieces(%p: !llvm.ptr, %n: i64, %work: i64) {
  janus.split %n, %work {
  ^bb0(%from: i64, %to: i64):
    llvm.call @loop(%from, %to, %p) : (i64, i64, !llvm.ptr) -> ()
    janus.done
  }
  llvm.return
}

// A split in a part belongs to the part's function.
// CHECK-LABEL: llvm.func @nested(
// CHECK: llvm.call @janus_rt_concurrent
// CHECK: llvm.func internal @janus_part_3(
// CHECK: llvm.alloca
// CHECK: llvm.call @janus_rt_split
// CHECK-NOT: janus.
llvm.func @nested(%p: !llvm.ptr, %n: i64, %work: i64, %gain: i64) {
  janus.concurrent %gain {
    janus.split %n, %work {
    ^bb0(%from: i64, %to: i64):
      llvm.call @loop(%from, %to, %p) : (i64, i64, !llvm.ptr) -> ()
      janus.done
    }
    janus.done
  }
  llvm.return
}
