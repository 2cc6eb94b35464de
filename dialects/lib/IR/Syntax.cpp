//===- Syntax.cpp - custom directives of the assembly formats -------------===//

#include "Syntax.h"

using namespace mlir;

ParseResult
janus::parseStartsAndSizes(OpAsmParser &parser,
                           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &dynamic,
                           DenseI64ArrayAttr &staticStarts) {
  SmallVector<int64_t> starts;
  auto parseStart = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (parsed.has_value()) {
      dynamic.push_back(operand);
      starts.push_back(ShapedType::kDynamic);
      return *parsed;
    }
    return parser.parseInteger(starts.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseStart))
    return failure();
  staticStarts = parser.getBuilder().getDenseI64ArrayAttr(starts);
  if (failed(parser.parseOptionalKeyword("sizes")))
    return success();
  return parser.parseOperandList(dynamic, OpAsmParser::Delimiter::Paren);
}

void janus::printStartsAndSizes(OpAsmPrinter &printer, Operation *, OperandRange dynamic,
                                DenseI64ArrayAttr staticStarts) {
  size_t next = 0;
  printer << '[';
  llvm::interleaveComma(staticStarts.asArrayRef(), printer, [&](int64_t start) {
    if (!ShapedType::isDynamic(start))
      printer << start;
    else if (next < dynamic.size()) // an unverified op may lack operands
      printer << dynamic[next++];
    else
      printer << "<<missing>>";
  });
  printer << ']';
  if (next < dynamic.size()) {
    printer << " sizes(";
    printer.printOperands(dynamic.drop_front(next));
    printer << ')';
  }
}

ParseResult janus::parseKey(OpAsmParser &parser, Attribute &key) {
  std::string text;
  if (succeeded(parser.parseOptionalString(&text))) {
    key = parser.getBuilder().getStringAttr(text);
    return success();
  }
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  key = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

void janus::printKey(OpAsmPrinter &printer, Operation *, Attribute key) {
  if (auto number = dyn_cast<IntegerAttr>(key))
    printer << number.getInt();
  else
    printer << key;
}

ParseResult janus::parseSameTypes(OpAsmParser &, Type type,
                                  ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                  SmallVectorImpl<Type> &types) {
  types.assign(operands.size(), type);
  return success();
}

void janus::printSameTypes(OpAsmPrinter &, Operation *, Type, OperandRange, TypeRange) {}
