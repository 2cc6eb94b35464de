declare void @janus_rt_free(ptr, i64)

define internal void @janus_kernel_0(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %x, i64 %i
  %old = load float, ptr %at
  %new = fadd float %old, 1.0
  store float %new, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define internal void @"f#0"(ptr %x) {
  call void @janus_kernel_0(ptr %x, i64 4)
  ret void
}

define internal void @janus_part_0(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @janus_kernel_0(ptr %x, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @janus_entry(ptr %in, ptr %out) {
  %x = load ptr, ptr %in
  call void @janus_part_0(ptr %x, i64 3)
  call void @"f#0"(ptr %x)
  call void @janus_rt_free(ptr %x, i64 8)
  store i64 -1, ptr %out
  ret void
}

define void @janus_backward(ptr %in, ptr %out) {
entry:
  %n = load i64, ptr %in
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 1, %entry ], [ %total, %loop ]
  %square = mul i64 %sum, %sum
  %total = add i64 %square, %i
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i64 %total, ptr %out
  ret void
}
