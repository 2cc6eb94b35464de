//===- Syntax.h - custom directives of the assembly formats -----*- C++ -*-===//
//
// In: parser and printer. Out: the functions that `custom<...>` in the .td files names.
// Holds: what is printed parses to the same op.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_IR_SYNTAX_H
#define JANUS_LIB_IR_SYNTAX_H

#include "janus/IR/Janus.h"

namespace janus {

/// `[%i, 0] sizes(%n)`: the starts of a slice, then its dynamic sizes, which share one operand
/// group.
mlir::ParseResult
parseStartsAndSizes(mlir::OpAsmParser &parser,
                    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &dynamic,
                    mlir::DenseI64ArrayAttr &staticStarts);
void printStartsAndSizes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::OperandRange dynamic, mlir::DenseI64ArrayAttr staticStarts);

/// `0` or `"name"`: the key of an item.
mlir::ParseResult parseKey(mlir::OpAsmParser &parser, mlir::Attribute &key);
void printKey(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Attribute key);

/// Nothing: `types` are `type`, once per operand.
mlir::ParseResult
parseSameTypes(mlir::OpAsmParser &parser, mlir::Type type,
               llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
               llvm::SmallVectorImpl<mlir::Type> &types);
void printSameTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type type,
                    mlir::OperandRange operands, mlir::TypeRange types);

} // namespace janus

#endif // JANUS_LIB_IR_SYNTAX_H
