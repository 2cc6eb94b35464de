//===- Limitation.h - what a pass has no form for -------------------------===//
//
// A pass that refuses a graph which is not wrong says so with a code, which goes to Rust beside the text.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_TRANSFORMS_LIMITATION_H
#define JANUS_TRANSFORMS_LIMITATION_H

#include "mlir/IR/Diagnostics.h"

namespace janus {

/// What there is no form for. The numbers are those of `Limitation` in the Rust binding.
enum class Limitation : int64_t {
  /// A gradient.
  gradient = 1,
  /// A gradient of a tensor that a branch gives another name; with the sides apart there is one.
  anotherName = 2,
  /// A kernel or a routine for a device.
  device = 3,
};

/// Marks a diagnostic as being about such a thing.
inline mlir::InFlightDiagnostic limit(mlir::InFlightDiagnostic diagnostic, Limitation what) {
  diagnostic.getUnderlyingDiagnostic()->getMetadata().push_back(
      mlir::DiagnosticArgument(static_cast<int64_t>(what)));
  return diagnostic;
}

} // namespace janus

#endif // JANUS_TRANSFORMS_LIMITATION_H
