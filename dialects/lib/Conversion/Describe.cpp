//===- Describe.cpp - What the code consists of, as text --------------------===//
//
// In: functions of kernels and routines that are called, with planned buffers. Out: the same and
// `janus_description`, a text in the code: see the pass.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"
#include "janus/IR/Janus.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>

namespace janus {
#define GEN_PASS_DEF_JANUSDESCRIBE
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// The number of an op of the graph, and whether it is the op's gradient.
using Origin = std::pair<int64_t, bool>;

/// The ops that something at `location` was made of.
void collect(Location location, bool isGradient, std::set<Origin> &origins) {
  if (auto name = dyn_cast<NameLoc>(location))
    return collect(name.getChildLoc(), isGradient || name.getName() == janus::gradientName, origins);
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return collect(call.getCallee(), isGradient, origins);
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused)
    return;
  if (auto number = dyn_cast_or_null<IntegerAttr>(fused.getMetadata())) {
    origins.emplace(number.getInt(), isGradient);
    return;
  }
  for (Location inner : fused.getLocations())
    collect(inner, isGradient, origins);
}

/// Where a buffer ends up.
StringRef fateOf(memref::AllocOp alloc) {
  bool isResult = llvm::any_of(alloc->getUsers(), llvm::IsaPred<func::ReturnOp>);
  return isResult ? "result" : "temporary";
}

/// What `janus-plan-buffers` makes.
bool isArena(memref::AllocOp alloc) {
  return llvm::any_of(alloc->getUsers(), llvm::IsaPred<memref::ViewOp>);
}

struct Describe : janus::impl::JanusDescribeBase<Describe> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string text;
    llvm::raw_string_ostream os(text);
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !isKernel(function.getName()))
        describe(os, function);
    text.push_back('\0');
    ImplicitLocOpBuilder b(module.getLoc(), &getContext());
    b.setInsertionPointToEnd(module.getBody());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), text.size()),
                           /*isConstant=*/true, LLVM::Linkage::External, "janus_description",
                           b.getStringAttr(text));
  }

  static bool isKernel(StringRef name) { return name.starts_with("janus_kernel_"); }

  void describe(llvm::raw_ostream &os, func::FuncOp function) {
    os << "function " << function.getName() << '\n';
    auto line = [&](Operation *op, const Twine &what) {
      os << what;
      if (op->getParentOfType<LoopLikeOpInterface>())
        os << " repeated";
      std::set<Origin> origins;
      collect(op->getLoc(), /*isGradient=*/false, origins);
      if (!origins.empty())
        os << " of";
      for (auto [number, isGradient] : origins)
        os << ' ' << number << (isGradient ? "'" : "");
      os << '\n';
    };
    auto buffer = [&](Operation *op, StringRef fate, MemRefType type, StringRef note) {
      std::string bytes = "?";
      if (type.hasStaticShape())
        bytes = std::to_string(type.getNumElements() * janus::elementBytes(type));
      line(op, "buffer " + fate + " " + bytes + note);
    };
    function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        line(op, (isKernel(call.getCallee()) ? "loop " : "graph ") + call.getCallee());
      else if (auto call = dyn_cast<LLVM::CallOp>(op))
        line(op, "call " + call.getCallee().value_or("?"));
      else if (isa<linalg::LinalgOp>(op))
        line(op, "loop");
      else if (isa<memref::CopyOp>(op))
        line(op, "copy");
      else if (auto view = dyn_cast<memref::ViewOp>(op))
        buffer(op, "temporary", view.getType(), " planned");
      else if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && isArena(alloc))
        os << "arena " << alloc.getType().getNumElements() << '\n';
      else if (alloc)
        buffer(op, fateOf(alloc), alloc.getType(), "");
    });
  }
};

} // namespace
