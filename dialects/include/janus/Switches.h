//===- Switches.h - pipelines whose passes can be switched off --*- C++ -*-===//
//
// In: the option `off=<pass>,...` of a pipeline. Out: for each pass whether it runs.
// Holds: a name that no pass of the pipeline has is an error. The table of names, with what they
// mean, is that of the Rust binding (rust/src/passes.rs).
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_SWITCHES_H
#define JANUS_SWITCHES_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace janus {

/// Which passes of a pipeline run.
class Switches {
public:
  explicit Switches(llvm::ArrayRef<std::string> off) : off(off) {}

  /// Whether the pass of this name runs.
  bool on(llvm::StringRef name) {
    asked.push_back(name);
    return !llvm::is_contained(off, name);
  }

  /// The first name that is switched off and was never asked about, or nothing.
  llvm::StringRef unknown() const {
    for (llvm::StringRef name : off)
      if (!llvm::is_contained(asked, name))
        return name;
    return {};
  }

private:
  llvm::ArrayRef<std::string> off;
  llvm::SmallVector<llvm::StringRef> asked;
};

/// Registers a pipeline that takes `off`.
void registerPipeline(llvm::StringRef name, llvm::StringRef description,
                      void (*build)(mlir::OpPassManager &, Switches &));

} // namespace janus

#endif // JANUS_SWITCHES_H
