// Kernels for a device in place of the library's routines. Each `f32` stands for `f64` in the second
// form of a routine: there is one text.
//
// janus_gemm_f32: c = a b, or c += a b. A matrix is a pointer, the step from row to row and the step
// from column to column, in elements. 256 threads make 16 x 16 elements of c; each adds up its products
// in the order of k, and none is contracted with its sum.
gpu.module @janus_device {
  gpu.func @janus_gemm_f32(
      %m: i64, %n: i64, %k: i64, %a: !llvm.ptr, %a_row: i64, %a_column: i64, %b: !llvm.ptr, %b_row: i64,
      %b_column: i64, %c: !llvm.ptr, %c_row: i64, %c_column: i64, %accumulate: i32)
      workgroup(%a_tile : memref<16x16xf32, #gpu.address_space<workgroup>>,
                %b_tile : memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {nvvm.maxntid = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c15 = arith.constant 15 : i64
    %c16 = arith.constant 16 : i64
    %i16 = arith.constant 16 : index
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %row_in = arith.divui %thread, %i16 : index
    %column_in = arith.remui %thread, %i16 : index
    %row_word = arith.index_cast %row_in : index to i64
    %column_word = arith.index_cast %column_in : index to i64
    // Tiles are numbered along the rows of c.
    %n_up = arith.addi %n, %c15 : i64
    %across = arith.divsi %n_up, %c16 : i64
    %some = arith.constant 1 : i64
    %tiles = arith.maxsi %across, %some : i64
    %tile = arith.index_cast %block : index to i64
    %tile_row = arith.divui %tile, %tiles : i64
    %tile_column = arith.remui %tile, %tiles : i64
    %row_base = arith.muli %tile_row, %c16 : i64
    %column_base = arith.muli %tile_column, %c16 : i64
    %row = arith.addi %row_base, %row_word : i64
    %column = arith.addi %column_base, %column_word : i64
    %row_ok = arith.cmpi slt, %row, %m : i64
    %column_ok = arith.cmpi slt, %column, %n : i64
    %k_index = arith.index_cast %k : i64 to index
    %sum = scf.for %from = %c0 to %k_index step %i16 iter_args(%carried = %zero) -> (f32) {
      %from_word = arith.index_cast %from : index to i64
      %a_k = arith.addi %from_word, %column_word : i64
      %a_k_ok = arith.cmpi slt, %a_k, %k : i64
      %a_ok = arith.andi %row_ok, %a_k_ok : i1
      %a_value = scf.if %a_ok -> (f32) {
        %x = arith.muli %row, %a_row : i64
        %y = arith.muli %a_k, %a_column : i64
        %at = arith.addi %x, %y : i64
        %address = llvm.getelementptr %a[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %value = llvm.load %address : !llvm.ptr -> f32
        scf.yield %value : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %a_value, %a_tile[%row_in, %column_in] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %b_k = arith.addi %from_word, %row_word : i64
      %b_k_ok = arith.cmpi slt, %b_k, %k : i64
      %b_ok = arith.andi %column_ok, %b_k_ok : i1
      %b_value = scf.if %b_ok -> (f32) {
        %x = arith.muli %b_k, %b_row : i64
        %y = arith.muli %column, %b_column : i64
        %at = arith.addi %x, %y : i64
        %address = llvm.getelementptr %b[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %value = llvm.load %address : !llvm.ptr -> f32
        scf.yield %value : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %b_value, %b_tile[%row_in, %column_in] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %left = arith.subi %k_index, %from : index
      %length = arith.minui %left, %i16 : index
      %next = scf.for %i = %c0 to %length step %c1 iter_args(%inner = %carried) -> (f32) {
        %x = memref.load %a_tile[%row_in, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %y = memref.load %b_tile[%i, %column_in] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %x, %y : f32
        %added = arith.addf %inner, %product : f32
        scf.yield %added : f32
      }
      gpu.barrier
      scf.yield %next : f32
    }
    %ok = arith.andi %row_ok, %column_ok : i1
    scf.if %ok {
      %x = arith.muli %row, %c_row : i64
      %y = arith.muli %column, %c_column : i64
      %at = arith.addi %x, %y : i64
      %address = llvm.getelementptr %c[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %no = arith.constant 0 : i32
      %adds = arith.cmpi ne, %accumulate, %no : i32
      %result = scf.if %adds -> (f32) {
        %before = llvm.load %address : !llvm.ptr -> f32
        %all = arith.addf %before, %sum : f32
        scf.yield %all : f32
      } else {
        scf.yield %sum : f32
      }
      llvm.store %result, %address : f32, !llvm.ptr
    }
    gpu.return
  }
}
