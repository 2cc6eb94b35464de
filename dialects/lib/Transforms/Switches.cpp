//===- Switches.cpp - pipelines whose passes can be switched off ----------===//

#include "janus/Switches.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {
struct Options : PassPipelineOptions<Options> {
  ListOption<std::string> off{*this, "off", llvm::cl::desc("Passes that do not run")};
};
} // namespace

void janus::registerPipeline(StringRef name, StringRef description,
                             void (*build)(OpPassManager &, Switches &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        SmallVector<std::string> off(options.off.begin(), options.off.end());
        Switches switches(off);
        build(pm, switches);
        StringRef unknown = switches.unknown();
        return unknown.empty() ? success() : error("no pass '" + unknown + "' to switch off");
      },
      [](function_ref<void(const detail::PassOptions &)> handler) { handler(Options()); });
}
