//===- Passes.td - From janus primitives to the LLVM dialect ---*- tablegen -*-===//
//
// One definition a pass, in the order in which the pipelines of Pipelines.cpp
// run them. Each pass is one file of lib/Conversion and one lit test.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_PASSES
#define JANUS_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def JanusAlignLoops : Pass<"janus-align-loops", "::mlir::func::FuncOp"> {
  let summary = "Give scf.while results for what it carries, in that order";
  let description = [{
    Bufferisation keeps a carried tensor in one buffer only if the argument of
    `before`, what `before` passes on, the argument of `after` and what `after`
    yields have the same number.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def JanusCarryInPlace : Pass<"janus-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Carry tensors through loops in one buffer";
  let description = [{
    A carried tensor whose extents no iteration changes is written over with what
    the next iteration gets, so that bufferisation neither allocates in the loop
    nor loses track of who frees what.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::scf::SCFDialect"];
}

def JanusSinkIntoBranches : Pass<"janus-sink-into-branches", "::mlir::func::FuncOp"> {
  let summary = "Compute what one branch reads in that branch";
}

def JanusCarrySums : Pass<"janus-carry-sums", "::mlir::ModuleOp"> {
  let summary = "Add to what a function carries in its place";
  let description = [{
    An argument with the attribute `janus.carried` becomes the result with that
    number. Each sum on the way there is written over the one before it.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def JanusToLinalg : Pass<"janus-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower tensor primitives in functions to linalg on tensors";
  let description = [{
    In: functions in structured form (no dataflow control, no object). Out: the
    same functions over linalg, tensor, arith, math and scf. Tensors of `i1` and
    `ui8` become tensors of `i8`, so that memory holds whole bytes and loops over
    them vectorise. Whatever an index value is, no access leaves its buffer: a
    failed assert is reported after the fact, so the code around it must be safe.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def JanusFuseElementwise : Pass<"janus-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise producers into the loops that use them";
  let description = [{
    Cheap producers are repeated in each consumer, others are fused once: where
    a value has further uses, the fused loop yields it as a further result.
    Expensive math is kept out of loops that do not vectorise (a reduction over
    the innermost dimension has a fixed order) and out of broadcasts.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def JanusExpandMath : Pass<"janus-expand-math", "::mlir::ModuleOp"> {
  let summary = "Expand math functions to the programs of dialects/math.txt";
  let description = [{
    f32: straight-line arithmetic, so that the loop around it vectorises. f64: a
    call of `janus_<fn>_f64`, the function that the eager kernels call. Both give
    the bits that the eager kernels give.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect"];
}

def JanusOwnBuffers : Pass<"janus-own-buffers", "::mlir::ModuleOp"> {
  let summary = "Say what bufferisation may write to";
  let description = [{
    Marks each tensor argument as not writable, so that bufferisation copies
    where an update would be in place: an argument is the storage of a live
    tensor, and a failed assert must leave it as it was. One with the attribute
    `janus.carried` is the function's to write. Makes calls of the module's
    functions `janus.apply`, and gives each loop an initial value of its own where
    sharing one would cost a copy.
  }];
  let dependentDialects = ["::janus::JanusDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def JanusDropCarried : Pass<"janus-drop-carried", "::mlir::ModuleOp"> {
  let summary = "Leave carried results in their arguments' buffers";
  let description = [{
    A result that an argument with the attribute `janus.carried` becomes is copied to
    that argument's buffer if it is not there already, and no longer returned.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def JanusDistinctResults : Pass<"janus-distinct-results", "::mlir::func::FuncOp"> {
  let summary = "Give each function result a buffer of its own";
  let description = [{
    After this pass every returned buffer is a whole allocation made in the
    function and shared with no other result, argument or constant; else a copy
    is made.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def JanusSplitDeallocations : Pass<"janus-split-deallocations", "::mlir::func::FuncOp"> {
  let summary = "Free each buffer that nothing else may be a view of by an op of its own";
  let description = [{
    Ownership-based deallocation frees the buffers of a block by one
    `bufferization.dealloc`, whose simplification compares all of them pairwise.
    After this pass only those that may be one buffer are left in one op.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def JanusControlToBranches : Pass<"janus-control-to-branches", "::mlir::ModuleOp"> {
  let summary = "Lower scf to branches in time linear in the function's length";
  let description = [{
    Uses upstream's patterns, from the last op of a function to its first, so that
    each op's split of its block moves little.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def JanusExpandViews : Pass<"janus-expand-views", "::mlir::func::FuncOp"> {
  let summary = "Lower views that split a dimension into several of unknown extent";
  let description = [{
    Such a `memref.expand_shape` becomes a `memref.reinterpret_cast` with the
    extents that the op was given and the strides that follow from them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def JanusParallelize : Pass<"janus-parallelize", "::mlir::func::FuncOp"> {
  let summary = "Group independent loop nests and matrix products";
  let description = [{
    Ops of a block that touch no buffer that another one writes become the parts of a
    `janus.concurrent`, each with the small ops that lead to it or follow it alone.
    Groups that cannot gain more than starting a thread costs are left as they were.
  }];
  let dependentDialects = ["::janus::JanusDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def JanusContractToGemm : Pass<"janus-contract-to-gemm", "::mlir::func::FuncOp"> {
  let summary = "Turn float contractions on buffers into calls of the gemm library";
  let description = [{
    Transposes that were folded into the indexing maps become strides of the
    call. A zero fill of the result right before becomes the `accumulate = 0`
    form.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def JanusRoutineToCall : Pass<"janus-routine-to-call", "::mlir::func::FuncOp"> {
  let summary = "Call the library for janus.routine on buffers";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def JanusCollapseLoops : Pass<"janus-collapse-loops", "::mlir::func::FuncOp"> {
  let summary = "Merge adjacent loop dimensions that all operands walk contiguously";
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def JanusOutlineKernels : Pass<"janus-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Move each loop nest into a function of its own";
  let description = [{
    A kernel takes the pointers, dynamic extents and scalars that its nest uses.
    A buffer that it writes and that is known to overlap no other is `noalias`,
    which is what lets LLVM vectorise without run-time checks. Equal kernels are
    emitted once.

    With `split`, a kernel whose work may be worth a thread runs the iterations of one of its
    parallel dimensions from its first argument up to its second, and is called in a `janus.split`.
  }];
  let options = [Option<"split", "split", "bool", /*default=*/"false",
                        "Split long loops, for threads">,
                 Option<"all", "all", "bool", /*default=*/"false",
                        "Outline what is too short for a function, too">];
  let dependentDialects = ["::janus::JanusDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def JanusPlanBuffers : Pass<"janus-plan-buffers", "::mlir::func::FuncOp"> {
  let summary = "Place temporaries of static size in one arena by their lifetimes";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def JanusDescribe : Pass<"janus-describe", "::mlir::ModuleOp"> {
  let summary = "Say in the code what it consists of";
  let description = [{
    The text `janus_description` lists, by function, the loops and the library's routines that
    run and the buffers that are made, each with the numbers of the ops of the graph that it is
    of (see `janus-number-ops`); a number with `'` is the gradient of that op:

    ```
    function region
    loop janus_kernel_0 of 3 4 5
    loop janus_kernel_1 repeated of 7'
    call janus_rt_gemm_f32 of 8
    arena 4096
    buffer temporary 1024 planned of 3
    buffer result ? of 7'
    ```

    `repeated` is what stands in a loop of the function, `?` a size that is not known, `planned` what
    is a part of an arena. A loop without a name is too short for a function of its own.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def JanusKernelsToGpu : Pass<"janus-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Move the kernels to a device module and launch them";
  let description = [{
    In: what `janus-buffers` makes without `parallel`. Each kernel becomes a `gpu.func` of the module
    `janus_device`: a thread for each point of the parallel dimensions, or, where more than a few
    elements are combined by an op that is associative, a block of 256 threads with a tree in shared
    memory. Which element meets which one depends on extents only. Products of matrices become launches of
    the kernels of dialects/gpu-routines.mlir. Loops over elements that are no linalg op, such as scans and
    scatters, are kernels with a thread for each iteration of the loops whose iterations are independent, which
    runs the others in order. Buffers of the entries are the device's: they are made,
    freed and copied by ops of the gpu dialect, and an element that the entry reads is copied first.
    Calls of other routines of the library get the attribute `janus.host_routine`.
  }];
  let options = [Option<"strict", "strict", "bool", /*default=*/"false",
                        "Refuse routines without a device form">,
                 Option<"trees", "trees", "bool", /*default=*/"true",
                        "Off: each result is one thread's, which takes the elements in the order of the loop, and "
                        "products stay on the host: what the CPU computes, to the bit">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def JanusEmulateGpu : Pass<"janus-emulate-gpu", "::mlir::ModuleOp"> {
  let summary = "Run the kernels of a device module on the host";
  let description = [{
    For tests where there is no device. Each kernel becomes a function that the runtime calls for every
    thread of a launch; a block's threads meet at barriers, and the device's memory is the host's.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def JanusDeviceMath : Pass<"janus-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math ops of a device module to LLVM's intrinsics";
  let description = [{
    Upstream's conversion would call NVIDIA's libdevice, which is not linked. What has no intrinsic that is
    rounded exactly is a limitation: calls of the library's float64 functions, and remainders.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def JanusInterleaveReductions : Pass<"janus-interleave-reductions", "::mlir::func::FuncOp"> {
  let summary = "Lower reductions over the innermost dimension, several at a time";
  let description = [{
    The order in which a result's elements are accumulated is fixed, so that a
    single accumulator waits for each addition. Neighbouring results do not wait
    for each other: eight of them are accumulated in registers side by side.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def JanusLowerAllocation : Pass<"janus-lower-allocation", "::mlir::ModuleOp"> {
  let summary = "Turn allocations into calls of janus_rt_alloc and janus_rt_free";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def JanusPackEntry : Pass<"janus-pack-entry", "::mlir::ModuleOp"> {
  let summary = "Add the packed entry point that the host calls";
  let description = [{
    `janus_entry(in, out)` over two arrays of 64-bit words. A tensor argument is
    its pointer followed by its dynamic extents; a scalar is one word. Results
    are written to `out` the same way, in order. The function's signature is
    exported as text in `janus_entry_signature`, so that an object file describes
    itself. All other functions become internal.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def JanusOutlineParts : Pass<"janus-outline-parts", "::mlir::ModuleOp"> {
  let summary = "Turn janus.concurrent and janus.split into calls of the runtime";
  let description = [{
    In: the LLVM dialect, and these ops. Each part becomes a function of one pointer: to a struct of
    the values that the parts take from around them. A piece of a split has its bounds besides.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // JANUS_CONVERSION_PASSES
