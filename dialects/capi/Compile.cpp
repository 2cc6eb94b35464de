//===- Compile.cpp - the narrow C interface to the dialect ----------------===//
//
// In: CAPI.h. Out: its functions, thin wrappers over the C++ API.
//
//===----------------------------------------------------------------------===//

#include "janus/CAPI.h"

#include "janus/IR/Janus.h"
#include "janus/InitAll.h"

#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Janus, janus, ::janus::JanusDialect)

void janusContextSetUp(MlirContext context) {
  // Built once: what is costly about it is the list of interfaces, not the context.
  static const DialectRegistry &registry = []() -> const DialectRegistry & {
    janus::registerAllPasses();
    static DialectRegistry instance;
    janus::registerAllDialects(instance);
    return instance;
  }();
  unwrap(context)->appendDialectRegistry(registry);
  // The dialects whose ops stand in a graph; passes load the others.
  unwrap(context)->loadDialect<janus::JanusDialect, arith::ArithDialect, tensor::TensorDialect>();
}

MlirType janusObjectTypeGet(MlirContext context) {
  return wrap(janus::ObjectType::get(unwrap(context)));
}

MlirType janusTokenTypeGet(MlirContext context) {
  return wrap(janus::TokenType::get(unwrap(context)));
}

static StringRef nameOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  return "note";
}

/// The file position inside `location`, if there is one.
static FileLineColLoc findPosition(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static void print(Diagnostic &diagnostic, raw_ostream &os) {
  if (FileLineColLoc at = findPosition(diagnostic.getLocation()))
    os << at.getFilename().getValue() << ':' << at.getLine() << ':' << at.getColumn() << ": ";
  os << nameOf(diagnostic.getSeverity()) << ": " << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes()) {
    os << "\n  ";
    print(note, os);
  }
}

MlirDiagnosticHandlerID janusContextCaptureDiagnostics(MlirContext context,
                                                       JanusDiagnosticCallback handler,
                                                       void *userData) {
  return unwrap(context)->getDiagEngine().registerHandler([=](Diagnostic &diagnostic) {
    std::string text;
    llvm::raw_string_ostream os(text);
    print(diagnostic, os);
    std::string message = diagnostic.str();
    FileLineColLoc at = findPosition(diagnostic.getLocation());
    unsigned code = 0;
    for (DiagnosticArgument &argument : diagnostic.getMetadata())
      if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Integer)
        code = static_cast<unsigned>(argument.getAsInteger());
    handler({wrap(StringRef(text)), wrap(StringRef(message)), at ? at.getLine() : 0, code},
            userData);
    return success();
  });
}

void janusContextReleaseDiagnostics(MlirContext context, MlirDiagnosticHandlerID id) {
  unwrap(context)->getDiagEngine().eraseHandler(id);
}

MlirLogicalResult janusRunPipeline(MlirModule module, MlirStringRef pipeline, bool verifyEach) {
  ModuleOp op = unwrap(module);
  PassManager pm(op.getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(verifyEach);
  // Both `canonicalize,cse` and `builtin.module(canonicalize,cse)` run on the module itself.
  StringRef passes = unwrap(pipeline).trim();
  if (passes.consume_front("builtin.module(") && !passes.consume_back(")"))
    passes = unwrap(pipeline);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(passes, pm, os))) {
    emitError(UnknownLoc::get(op.getContext())) << "invalid pass pipeline: " << message;
    return wrap(failure());
  }
  return wrap(pm.run(op));
}

MlirModule janusParse(MlirContext context, MlirStringRef text, MlirStringRef name) {
  ParserConfig config(unwrap(context));
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name));
  return wrap(module.release());
}

MlirBlock janusGraphCreate(MlirModule module, MlirStringRef name, intptr_t arguments,
                           MlirType const *types) {
  ModuleOp op = unwrap(module);
  SmallVector<Type> inputs;
  for (intptr_t i = 0; i < arguments; ++i)
    inputs.push_back(unwrap(types[i]));
  OpBuilder builder = OpBuilder::atBlockEnd(op.getBody());
  Location loc = builder.getUnknownLoc();
  StringAttr visibility = op.getBody()->empty() ? StringAttr() : builder.getStringAttr("private");
  auto graph = janus::GraphOp::create(builder, loc, unwrap(name),
                                      builder.getFunctionType(inputs, {}), visibility,
                                      ArrayAttr(), ArrayAttr());
  Block &body = graph.getBody().emplaceBlock();
  for (Type type : inputs)
    body.addArgument(type, loc);
  return wrap(&body);
}

void janusGraphFinish(MlirBlock body, intptr_t values, MlirValue const *returned) {
  Block *block = unwrap(body);
  SmallVector<Value> operands;
  for (intptr_t i = 0; i < values; ++i)
    operands.push_back(unwrap(returned[i]));
  auto graph = cast<janus::GraphOp>(block->getParentOp());
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  janus::ReturnOp::create(builder, graph.getLoc(), operands);
  graph.setFunctionType(
      builder.getFunctionType(block->getArgumentTypes(), TypeRange(ValueRange(operands))));
}

intptr_t janusModuleCountOps(MlirModule module) {
  intptr_t count = 0;
  unwrap(module)->walk([&](Operation *op) {
    bool isCode = !isa<ModuleOp, FunctionOpInterface>(op) && !op->hasTrait<OpTrait::IsTerminator>();
    count += isCode;
  });
  return count;
}

void janusModuleForEachUnread(MlirModule module, void (*handler)(int64_t, void *), void *userData) {
  unwrap(module)->walk([&](janus::LoadOpInterface load) {
    std::optional<uint64_t> slot = load.getSlot();
    Operation *op = load;
    if (slot && isa<RankedTensorType>(op->getResult(0).getType()) &&
        llvm::all_of(op->getUsers(), llvm::IsaPred<janus::DimOp>))
      handler(static_cast<int64_t>(*slot), userData);
  });
}

void janusModuleForEachOp(MlirModule module, void (*handler)(JanusOp, void *), void *userData) {
  unwrap(module)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    FileLineColLoc at = findPosition(op->getLoc());
    MlirStringRef file = wrap(at ? at.getFilename().getValue() : StringRef());
    handler({wrap(op->getName().stripDialect()), file, at ? at.getLine() : 0}, userData);
  });
}

void janusModuleForEachCommit(MlirModule module, void (*handler)(JanusCommit, void *),
                              void *userData) {
  auto functions = unwrap(module).getOps<func::FuncOp>();
  if (functions.empty())
    return;
  auto commits = (*functions.begin())->getAttrOfType<ArrayAttr>("janus.commits");
  if (!commits)
    return;
  for (Attribute entry : commits) {
    auto fields = dyn_cast<DictionaryAttr>(entry);
    if (!fields)
      continue;
    auto number = [&](StringRef name) {
      auto attr = fields.getAs<IntegerAttr>(name);
      return attr ? attr.getInt() : 0;
    };
    auto kind = fields.getAs<StringAttr>("kind");
    handler({number("slot"), wrap(kind ? kind.getValue() : StringRef()), number("first"),
             number("count"), fields.contains("conditional")},
            userData);
  }
}

static MlirLogicalResult toBitcode(Operation *op, MlirStringCallback handler, void *userData) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(op, context);
  if (!translated)
    return wrap(failure());
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(*translated, os);
  handler(wrap(StringRef(bytes.data(), bytes.size())), userData);
  return wrap(success());
}

MlirLogicalResult janusModuleToLLVMBitcode(MlirModule module, MlirStringCallback handler,
                                           void *userData) {
  return toBitcode(unwrap(module), handler, userData);
}

MlirLogicalResult janusDeviceToLLVMBitcode(MlirModule module, MlirStringCallback handler,
                                           void *userData) {
  auto devices = unwrap(module).getOps<gpu::GPUModuleOp>();
  if (devices.empty()) {
    unwrap(module).emitError("there is no device module");
    return wrap(failure());
  }
  return toBitcode(*devices.begin(), handler, userData);
}
