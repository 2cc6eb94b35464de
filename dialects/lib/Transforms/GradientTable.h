//===- GradientTable.h - gradients.txt, parsed ------------------*- C++ -*-===//
//
// In: the text of dialects/gradients.txt, embedded at build time. Out: for each op, the gradient
// of each of its operands as an expression. The file itself says what the grammar means.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_LIB_TRANSFORMS_GRADIENTTABLE_H
#define JANUS_LIB_TRANSFORMS_GRADIENTTABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace janus {

/// A number, a name, or a function of expressions.
struct GradientExpr {
  enum Kind { number, name, call } kind = number;
  double value = 0;                   ///< of a number
  std::string text;                   ///< of a name or a function
  std::string carried;                ///< the attribute in braces after a function's name
  std::vector<GradientExpr> arguments;
};

/// `operand = expr` or `let name = expr`.
struct GradientClause {
  bool isLet = false;
  std::string target;
  GradientExpr expr;
};

/// One op.
struct GradientRule {
  std::vector<std::string> operands;
  bool isVariadic = false; ///< the one operand stands for all of them
  std::string result;      ///< empty if no clause names it
  std::vector<GradientClause> clauses;

  /// The clause of operand `index` of an op, or null.
  const GradientClause *getClause(unsigned index) const;
  /// The definition of a `let`, or null.
  const GradientClause *getLet(llvm::StringRef name) const;
};

class GradientTable {
public:
  /// Parses `text`. Returns false and sets `error` ("line N: ...") if it is malformed.
  bool parse(llvm::StringRef text, std::string &error);

  /// The rule of an op by its mnemonic, or null.
  const GradientRule *lookup(llvm::StringRef op) const {
    auto found = rules.find(op);
    return found == rules.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<GradientRule> rules;
};

} // namespace janus

#endif // JANUS_LIB_TRANSFORMS_GRADIENTTABLE_H
