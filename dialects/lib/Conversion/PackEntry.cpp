//===- PackEntry.cpp - The entry point that the host calls ------------------===//
//
// In: a module whose one public function with a body is the compiled region, or
// two, where one has the attribute `janus.sources` and is its backward pass.
// Out: in its place `janus_entry(in, out)` over arrays of 64-bit words and
// `janus_entry_signature`, the text that tells the host how to fill and read
// them; in the other's place `janus_backward` and `janus_backward_signature`, whose
// text ends with the sources of the arguments, as the first text then says.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "janus/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace janus {
#define GEN_PASS_DEF_JANUSPACKENTRY
#include "janus/Conversion/Passes.h.inc"
} // namespace janus

using namespace mlir;

namespace {

/// `f32[64,?]` for a buffer, `f64` for a scalar.
void printType(llvm::raw_ostream &os, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    os << type;
    return;
  }
  os << memref.getElementType() << '[';
  llvm::interleave(
      memref.getShape(), os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      ",");
  os << ']';
}

struct PackEntry : janus::impl::JanusPackEntryBase<PackEntry> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // The region, and its backward pass if it has one.
    func::FuncOp entries[2];
    auto internal =
        LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (function.isPublic()) {
        func::FuncOp &entry = entries[function->hasAttr("janus.sources")];
        if (entry) {
          function.emitError("second public function");
          return signalPassFailure();
        }
        entry = function;
      }
      function->setAttr("llvm.linkage", internal);
    }
    if (!entries[0]) {
      module.emitError("no public function");
      return signalPassFailure();
    }
    StringRef note = entries[1] ? " with backward" : "";
    if (failed(pack(entries[0], "janus_entry", note)))
      return signalPassFailure();
    if (!entries[1])
      return;
    auto sources = entries[1]->getAttrOfType<StringAttr>("janus.sources");
    if (failed(pack(entries[1], "janus_backward", (" from " + sources.getValue()).str())))
      return signalPassFailure();
  }

  LogicalResult pack(func::FuncOp entry, StringRef name, StringRef note) {
    if (!entry.getBody().hasOneBlock())
      return entry.emitError("an entry of more than one block");
    // The host passes what it has checked; only words and buffers cross.
    for (Type type : llvm::concat<const Type>(entry.getArgumentTypes(),
                                              entry.getResultTypes())) {
      auto memref = dyn_cast<MemRefType>(type);
      if (memref ? memref.getLayout().isIdentity()
                 : type.isF64() || type.isInteger(64) || type.isInteger(1) ||
                       type.isIndex())
        continue;
      return entry.emitError() << "type " << type << " at the boundary";
    }

    std::string signature;
    llvm::raw_string_ostream text(signature);
    auto print = [&](Type type) { printType(text, type); };
    llvm::interleave(entry.getArgumentTypes(), text, print, " ");
    text << " -> ";
    llvm::interleave(entry.getResultTypes(), text, print, " ");
    text << note << '\0';

    ImplicitLocOpBuilder b(entry.getLoc(), &getContext());
    b.setInsertionPointToEnd(getOperation().getBody());
    LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), signature.size()),
        /*isConstant=*/true, LLVM::Linkage::External, (name + "_signature").str(),
        b.getStringAttr(signature));
    build(b, entry, name);
    entry.erase();
    return success();
  }

  void build(ImplicitLocOpBuilder &b, func::FuncOp entry, StringRef name) {
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(&getContext()), {pointer, pointer});
    auto wrapper = LLVM::LLVMFuncOp::create(b, name, type);
    wrapper.setPassthroughAttr(b.getStrArrayAttr({"nounwind"}));
    Block *block = wrapper.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    Value in = block->getArgument(0), out = block->getArgument(1);

    int32_t position = 0;
    auto slot = [&](Value base) -> Value {
      return LLVM::GEPOp::create(b, pointer, b.getI64Type(), base,
                                 ArrayRef<LLVM::GEPArg>{position++});
    };
    auto load = [&](Type loaded) -> Value {
      return LLVM::LoadOp::create(b, loaded, slot(in));
    };
    auto toIndex = [&](Value word) -> Value {
      return UnrealizedConversionCastOp::create(b, b.getIndexType(), word)
          .getResult(0);
    };
    SmallVector<Value> arguments;
    for (Type argument : entry.getArgumentTypes()) {
      if (auto memref = dyn_cast<MemRefType>(argument)) {
        Value data = load(pointer);
        SmallVector<Value> extents;
        for (int64_t i = 0, n = memref.getNumDynamicDims(); i < n; ++i)
          extents.push_back(toIndex(load(b.getI64Type())));
        arguments.push_back(
            janus::bufferFromPointer(b, memref, data, extents));
      } else if (argument.isInteger(1)) {
        Value word = load(b.getI64Type());
        arguments.push_back(LLVM::TruncOp::create(b, argument, word));
      } else if (argument.isIndex()) {
        arguments.push_back(toIndex(load(b.getI64Type())));
      } else {
        arguments.push_back(load(argument));
      }
    }
    // Moved here, not called: descriptors of hundreds of buffers would be passed by memory.
    Block &body = entry.front();
    for (auto [inner, argument] : llvm::zip(body.getArguments(), arguments))
      inner.replaceAllUsesWith(argument);
    block->getOperations().splice(block->end(), body.getOperations());
    auto end = cast<func::ReturnOp>(block->back());
    SmallVector<Value> results(end.getOperands());
    end.erase();

    position = 0;
    auto store = [&](Value value) { LLVM::StoreOp::create(b, value, slot(out)); };
    for (Value result : results) {
      if (auto memref = dyn_cast<MemRefType>(result.getType())) {
        store(janus::bufferPointer(b, result));
        Value descriptor =
            UnrealizedConversionCastOp::create(
                b, janus::descriptorType(&getContext(), memref.getRank()),
                result)
                .getResult(0);
        for (int64_t i = 0; i < memref.getRank(); ++i)
          if (memref.isDynamicDim(i))
            store(LLVM::ExtractValueOp::create(b, descriptor,
                                               ArrayRef<int64_t>{3, i}));
      } else if (result.getType().isInteger(1)) {
        store(LLVM::ZExtOp::create(b, b.getI64Type(), result));
      } else if (result.getType().isIndex()) {
        store(UnrealizedConversionCastOp::create(b, b.getI64Type(), result)
                  .getResult(0));
      } else {
        store(result);
      }
    }
    LLVM::ReturnOp::create(b, ValueRange());
  }
};

} // namespace
