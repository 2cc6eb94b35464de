//===- Buffers.h - Helpers over memrefs and their descriptors ---*- C++ -*-===//
//
// Shared by the passes after bufferisation. A descriptor is the LLVM struct that
// a memref becomes; casts between the two cancel when functions are lowered.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_BUFFERS_H
#define JANUS_CONVERSION_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace janus {

/// Bytes of one element in memory; i1 takes a whole one.
int64_t elementBytes(mlir::MemRefType type);

/// The LLVM struct of a memref of this rank.
mlir::LLVM::LLVMStructType descriptorType(mlir::MLIRContext *context,
                                          int64_t rank);

/// The address of a memref's first element.
mlir::Value bufferPointer(mlir::ImplicitLocOpBuilder &b, mlir::Value memref);

/// A memref over `pointer`. `extents` and `strides` hold one index per dynamic
/// extent and stride of the type, in order; the dynamic strides of an identity
/// layout are computed. The type's offset must be static and zero.
mlir::Value bufferFromPointer(mlir::ImplicitLocOpBuilder &b,
                              mlir::MemRefType type, mlir::Value pointer,
                              mlir::ValueRange extents,
                              mlir::ValueRange strides = {});

/// Number of bytes of an identity-layout buffer with these dynamic extents.
mlir::Value bufferBytes(mlir::ImplicitLocOpBuilder &b, mlir::MemRefType type,
                        mlir::ValueRange extents);

/// The buffer that a memref is a view of.
mlir::Value rootOf(mlir::Value memref);

/// Whether two roots are known to overlap nowhere.
bool areDistinct(mlir::Value rootA, mlir::Value rootB);

/// For each result of a function the number of the argument that it is carried in, or -1: the
/// argument says so by the attribute `janus.carried`.
llvm::SmallVector<int64_t> carriedArguments(mlir::func::FuncOp function);

/// Makes choices between tensors branches.
void branchOnSelects(mlir::Operation *op);

/// The zero fill that gives a contraction its initial value and is seen by
/// nothing else, or null.
mlir::linalg::FillOp zeroFillBefore(mlir::linalg::ContractOp contract);

} // namespace janus

#endif // JANUS_CONVERSION_BUFFERS_H
