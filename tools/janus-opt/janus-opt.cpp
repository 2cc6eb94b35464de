//===- janus-opt.cpp - our passes and upstream's on .mlir files -----------===//
//
// In: a .mlir file and names of passes. Out: the module after them. For lit.
//
//===----------------------------------------------------------------------===//

#include "janus/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  janus::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  janus::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "janus-opt\n", registry));
}
