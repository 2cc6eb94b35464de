//===- Passes.h - From janus primitives to the LLVM dialect -----*- C++ -*-===//
//
// Declares the conversion passes (Passes.td) and the named pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_PASSES_H
#define JANUS_CONVERSION_PASSES_H

#include "janus/Switches.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class DialectRegistry;
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
namespace arith {
class ArithDialect;
} // namespace arith
namespace bufferization {
class BufferizationDialect;
} // namespace bufferization
namespace cf {
class ControlFlowDialect;
} // namespace cf
namespace func {
class FuncDialect;
} // namespace func
namespace gpu {
class GPUDialect;
class GPUModuleOp;
} // namespace gpu
namespace linalg {
class LinalgDialect;
} // namespace linalg
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace memref {
class MemRefDialect;
} // namespace memref
namespace NVVM {
class NVVMDialect;
} // namespace NVVM
namespace scf {
class SCFDialect;
} // namespace scf
namespace tensor {
class TensorDialect;
} // namespace tensor
} // namespace mlir

namespace janus {
class JanusDialect;

#define GEN_PASS_DECL
#include "janus/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "janus/Conversion/Passes.h.inc"

/// `janus-linalg`: the structured stage to fused loops on tensors.
void buildLinalgPipeline(mlir::OpPassManager &pm, Switches &switches);
/// `janus-buffers`: loops on tensors to kernels on planned buffers.
void buildBuffersPipeline(mlir::OpPassManager &pm, Switches &switches);
/// `janus-llvm`: kernels on buffers to the LLVM dialect.
void buildLLVMPipeline(mlir::OpPassManager &pm, Switches &switches);

/// `janus-gpu`: kernels on buffers to a device module and an entry that launches its kernels.
void buildGpuPipeline(mlir::OpPassManager &pm, Switches &switches);
/// `janus-nvvm`: the device module to the NVVM and LLVM dialects; the entry stays.
void buildNvvmPipeline(mlir::OpPassManager &pm, Switches &switches);

/// Lets bufferisation ask for a buffer's type once: see BufferTypes.cpp. After upstream's own models.
void rememberBufferTypes(mlir::DialectRegistry &registry);
/// Lets bufferisation turn `janus.routine` into one on buffers.
void registerRoutineBuffers(mlir::DialectRegistry &registry);
/// Lets it turn `janus.apply` into calls on buffers.
void registerCallBuffers(mlir::DialectRegistry &registry);

/// Registers them under those names.
void registerConversionPipelines();

/// Adds the dialects and the interface implementations that the pipelines
/// need. A promised interface that is missing aborts the process, so every
/// context that runs them must be made from such a registry.
void registerConversionDialects(mlir::DialectRegistry &registry);

} // namespace janus

#endif // JANUS_CONVERSION_PASSES_H
