//===- MathProgram.h - The reader of dialects/math.txt ----------*- C++ -*-===//
//
// In: the text of math.txt. Out: for each function a straight-line program over
// f32, i32 and i1 that can be emitted as arith ops. The same text is compiled to
// Rust for the eager kernels; op for op, both give the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_CONVERSION_MATHPROGRAM_H
#define JANUS_CONVERSION_MATHPROGRAM_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace janus {

/// One `result = op operands` line.
struct MathLine {
  std::string result;
  std::string op;
  std::string callee; // of `call`
  std::vector<std::string> operands;
};

/// One `fn name(params) ... return x end` block.
struct MathFunction {
  std::vector<std::string> params;
  std::vector<MathLine> lines;
  std::string returned;
};

/// All functions of a text.
class MathProgram {
public:
  /// Reads a text; the error names the line.
  static llvm::Expected<MathProgram> parse(llvm::StringRef text);

  /// The program embedded at build time.
  static llvm::StringRef embeddedText();

  bool contains(llvm::StringRef function) const {
    return functions.contains(function);
  }

  /// Emits the body of `function` on f32 `arguments`, returns its result or
  /// null after reporting an error at the builder's location.
  mlir::Value emit(mlir::ImplicitLocOpBuilder &builder,
                   llvm::StringRef function, mlir::ValueRange arguments) const;

private:
  llvm::StringMap<MathFunction> functions;
};

} // namespace janus

#endif // JANUS_CONVERSION_MATHPROGRAM_H
