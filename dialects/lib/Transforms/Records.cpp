//===- Records.cpp - what the adjoint of a block reads of it --------------===//

#include "Records.h"
#include "LoopValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace janus;

Value janus::makeEmptyRecord(OpBuilder &builder, Location loc) {
  return arith::ConstantIntOp::create(builder, loc, 0, 64);
}

void BlockRecord::copy(Block &source, IRMapping &mapping) {
  for (auto [op, own] : llvm::zip(source.without_terminator(), original.without_terminator())) {
    Operation *copy = builder.clone(op, mapping);
    copies.push_back(copy);
    expansion.propagate(copy);
    expansion.setOriginal(copy, &own);
    for (auto [result, value] : llvm::zip_equal(copy->getResults(), own.getResults()))
      originals[result] = value;
  }
}

void BlockRecord::adopt(Operation *copy, ValueRange values) {
  copies.push_back(copy);
  for (auto [result, value] : llvm::zip_equal(copy->getResults(), values))
    originals[result] = value;
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

/// Whether a tensor can be computed again from what is there and from numbers, which take little
/// to keep.
bool BlockRecord::isFree(Value value, unsigned depth) const {
  if (isGiven(value) || !isa<RankedTensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  return depth < maxRepeated && isCheapOp(op) &&
         llvm::all_of(op->getOperands(), [&](Value v) { return isFree(v, depth + 1); });
}

/// Whether a number can be computed again from what is there.
bool BlockRecord::isFreeNumber(Value value, unsigned depth) const {
  if (isGiven(value))
    return true;
  Operation *op = value.getDefiningOp();
  return !isa<RankedTensorType>(value.getType()) && depth < maxRepeated && isCheapOp(op) &&
         llvm::all_of(op->getOperands(), [&](Value v) { return isFreeNumber(v, depth + 1); });
}

size_t BlockRecord::needNumber(Value value, std::optional<uint64_t> dim) {
  auto found = llvm::find_if(
      numbers, [&](Number &other) { return other.value == value && other.dim == dim; });
  if (found == numbers.end()) {
    numbers.push_back({value, dim, {}});
    return numbers.size() - 1;
  }
  return found - numbers.begin();
}

/// Makes sure that the adjoint can read a copy's value.
void BlockRecord::need(Value value) {
  if (isGiven(value) || !needed.insert(value).second)
    return;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type ? isFree(value, 0) : isFreeNumber(value, 0)) {
    for (Value operand : value.getDefiningOp()->getOperands())
      need(operand);
    return;
  }
  kept.insert(value);
  Value own = originals.lookup(value);
  if (!type) {
    numbers[needNumber(own, std::nullopt)].readers.push_back(value);
    return;
  }
  Tensor tensor{value, {}};
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      tensor.extents.push_back(needNumber(own, i));
  tensors.push_back(std::move(tensor));
}

void BlockRecord::resolve(Block &adjoint, Value record) {
  OpBuilder::InsertionGuard guard(builder);
  eraseUnused(expansion, copies);
  llvm::SmallPtrSet<Operation *, 32> isCopy(copies.begin(), copies.end());
  llvm::DenseSet<Value> read;
  SmallVector<DimOp> dims;
  for (Operation &op : adjoint) {
    if (isCopy.contains(&op))
      continue;
    op.walk([&](Operation *inner) {
      // An extent is kept rather than the tensor that has it.
      if (auto dim = dyn_cast<DimOp>(inner); dim && originals.contains(dim.getSource())) {
        size_t number = needNumber(originals.lookup(dim.getSource()), dim.getDim());
        numbers[number].readers.push_back(dim);
        dims.push_back(dim);
        return;
      }
      for (Value operand : inner->getOperands())
        if (originals.contains(operand))
          read.insert(operand);
    });
  }
  for (Operation *op : copies)
    if (op->getBlock())
      for (Value result : op->getResults())
        if (read.contains(result))
          need(result);
  Operation *terminator = original.getTerminator();
  OpOperand &place = terminator->getOpOperand(terminator->getNumOperands() - 1);
  // A single number, the record of a branch for instance, needs no record of its own.
  if (tensors.empty() && numbers.size() == 1 && !numbers[0].dim &&
      numbers[0].value.getType() == record.getType()) {
    place.set(numbers[0].value);
    for (Value reader : numbers[0].readers)
      reader.replaceAllUsesWith(record);
  } else if (!numbers.empty() || !tensors.empty()) {
    place.set(makeRecord());
    recall(adjoint, record);
  }
  for (DimOp dim : dims)
    expansion.erase(dim);
  eraseUnused(expansion, copies);
}

//===----------------------------------------------------------------------===//
// The two sides of a record: the numbers as one tensor, if there are any, then the tensors
//===----------------------------------------------------------------------===//

static Value toWord(OpBuilder &builder, Location loc, Value number) {
  Type type = number.getType(), word = builder.getI64Type();
  if (type == word)
    return number;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, word, number);
  if (type.isF64())
    return arith::BitcastOp::create(builder, loc, word, number);
  return arith::ExtUIOp::create(builder, loc, word, number);
}

static Value fromWord(OpBuilder &builder, Location loc, Value word, Type type) {
  if (type == word.getType())
    return word;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, word);
  if (type.isF64())
    return arith::BitcastOp::create(builder, loc, type, word);
  return arith::TruncIOp::create(builder, loc, type, word);
}

Value BlockRecord::makeRecord() {
  builder.setInsertionPoint(original.getTerminator());
  SmallVector<Value> words, values;
  for (Number &number : numbers) {
    Value value = number.value;
    if (number.dim)
      value = DimOp::create(builder, loc, builder.getIndexType(), value, *number.dim);
    words.push_back(toWord(builder, loc, value));
  }
  if (!words.empty())
    values.push_back(tensor::FromElementsOp::create(builder, loc, words));
  for (Tensor &tensor : tensors)
    values.push_back(originals.lookup(tensor.copy));
  Value record = KeepOp::create(builder, loc, values);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return tensor::ExtractOp::create(builder, loc, record, zero);
}

void BlockRecord::recall(Block &adjoint, Value record) {
  builder.setInsertionPointToStart(&adjoint);
  record = tensor::FromElementsOp::create(builder, loc, record);
  SmallVector<Value> values;
  uint64_t next = 0;
  if (!numbers.empty()) {
    auto type = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, builder.getI64Type());
    Value words = RecallOp::create(builder, loc, type, record, next++, ValueRange());
    for (auto [i, number] : llvm::enumerate(numbers)) {
      Value at = arith::ConstantIndexOp::create(builder, loc, i);
      Value word = tensor::ExtractOp::create(builder, loc, words, at);
      Type own = number.dim ? builder.getIndexType() : number.value.getType();
      values.push_back(fromWord(builder, loc, word, own));
    }
    for (auto [number, value] : llvm::zip_equal(numbers, values))
      for (Value reader : number.readers)
        reader.replaceAllUsesWith(value);
  }
  for (Tensor &tensor : tensors) {
    SmallVector<Value> extents;
    for (size_t number : tensor.extents)
      extents.push_back(values[number]);
    Value value = RecallOp::create(builder, loc, tensor.copy.getType(), record, next++, extents);
    tensor.copy.replaceAllUsesWith(value);
  }
}
