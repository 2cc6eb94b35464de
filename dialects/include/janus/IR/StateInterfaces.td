//===- StateInterfaces.td - what all loads, and all commits, have -*- tablegen -*-===//
//
// In: nothing. Out: the interfaces by which passes see loads and commits.
// Holds: in a file of its own, since mlir-tblgen declares only interfaces of its main file.
//
//===----------------------------------------------------------------------===//

#ifndef JANUS_STATE_INTERFACES_TD
#define JANUS_STATE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Janus_LoadOpInterface : OpInterface<"LoadOpInterface"> {
  let description = [{ A load of Python state. }];
  let cppNamespace = "::janus";
  let methods = [
    InterfaceMethod<"The slot of a load that yields data.", "::std::optional<uint64_t>",
                    "getSlot">,
  ];
  let verify = [{ return ::janus::detail::verifyLoad($_op); }];
}

def Janus_CommitOpInterface : OpInterface<"CommitOpInterface"> {
  let description = [{ A deferred write to Python state. }];
  let cppNamespace = "::janus";
  let methods = [
    InterfaceMethod<"The slot, which fixes the order of the commits.", "uint64_t", "getSlot">,
    InterfaceMethod<"The data that the runtime needs to do it.",
                    "::mlir::OperandRange", "getCommitted">,
    InterfaceMethod<"The effect before this one.", "::mlir::Value", "getToken">,
  ];
}

#endif // JANUS_STATE_INTERFACES_TD
