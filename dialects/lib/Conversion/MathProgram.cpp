//===- MathProgram.cpp - The reader of dialects/math.txt --------------------===//

#include "MathProgram.h"
#include "MathText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace mlir;

namespace janus {

StringRef MathProgram::embeddedText() { return mathText; }

static llvm::Error errorAt(size_t line, const Twine &what) {
  return llvm::createStringError("math.txt:" + Twine(line) + ": " + what);
}

llvm::Expected<MathProgram> MathProgram::parse(StringRef text) {
  MathProgram program;
  MathFunction current;
  std::string name;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [index, raw] : llvm::enumerate(lines)) {
    StringRef line = raw.split('#').first.trim();
    if (line.empty())
      continue;
    // Commas and parentheses only separate.
    std::string spaced = line.str();
    for (char &c : spaced)
      if (c == '(' || c == ')' || c == ',')
        c = ' ';
    SmallVector<StringRef> words;
    llvm::SplitString(spaced, words);
    if (words[0] == "fn") {
      if (!name.empty() || words.size() < 3)
        return errorAt(index + 1, "expected `fn name(params)`");
      name = words[1].str();
      for (StringRef word : ArrayRef(words).drop_front(2))
        current.params.push_back(word.str());
    } else if (name.empty()) {
      return errorAt(index + 1, "expected `fn`");
    } else if (words[0] == "return" && words.size() == 2) {
      current.returned = words[1].str();
    } else if (words[0] == "end") {
      if (current.returned.empty())
        return errorAt(index + 1, "function without `return`");
      program.functions[name] = std::move(current);
      current = {};
      name.clear();
    } else {
      if (words.size() < 4 || words[1] != "=")
        return errorAt(index + 1, "expected `value = op operands`");
      MathLine parsed{words[0].str(), words[2].str(), "", {}};
      size_t first = 3;
      if (parsed.op == "call")
        parsed.callee = words[first++].str();
      for (StringRef word : ArrayRef(words).drop_front(first))
        parsed.operands.push_back(word.str());
      current.lines.push_back(std::move(parsed));
    }
  }
  if (!name.empty())
    return errorAt(lines.size(), "`fn " + name + "` without `end`");
  return program;
}

namespace {

/// Emits one function body: names to values, literals typed by the op.
class Emitter {
public:
  Emitter(const MathProgram &program, ImplicitLocOpBuilder &b)
      : program(program), b(b) {}

  void bind(StringRef name, Value value) { values[name] = value; }

  Value lookup(StringRef word, Type type) {
    if (auto it = values.find(word); it != values.end())
      return it->second;
    if (isa<FloatType>(type))
      return floatLiteral(word);
    int64_t number;
    if (word.getAsInteger(0, number))
      return fail("unknown operand `" + word + "`");
    return arith::ConstantIntOp::create(b, type,
                                        static_cast<int32_t>(number));
  }

  Value emitLine(const MathLine &line);

  Value fail(const Twine &what) {
    emitError(b.getLoc()) << "math.txt: " << what;
    return {};
  }

private:
  Value floatLiteral(StringRef word) {
    APFloat number(0.0f);
    const auto &semantics = APFloat::IEEEsingle();
    uint32_t bits;
    if (word.starts_with("0x")) {
      if (word.getAsInteger(0, bits))
        return fail("bad literal `" + word + "`");
      number = APFloat(semantics, APInt(32, bits));
    } else if (word == "inf" || word == "-inf") {
      number = APFloat::getInf(semantics, word.starts_with("-"));
    } else if (word == "nan") {
      number = APFloat::getNaN(semantics);
    } else {
      number = APFloat(semantics);
      auto status =
          number.convertFromString(word, APFloat::rmNearestTiesToEven);
      if (!status) {
        llvm::consumeError(status.takeError());
        return fail("unknown operand `" + word + "`");
      }
    }
    return arith::ConstantFloatOp::create(b, b.getF32Type(), number);
  }

  const MathProgram &program;
  ImplicitLocOpBuilder &b;
  llvm::StringMap<Value> values;
};

} // namespace

Value Emitter::emitLine(const MathLine &line) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  StringRef op = line.op;
  size_t arity = line.operands.size();

  // Operands, all of one type; a null stops the emission.
  SmallVector<Value, 3> v;
  auto operands = [&](Type type, size_t expected) {
    if (arity != expected) {
      fail("`" + op + "` with " + Twine(arity) + " operands");
      return false;
    }
    for (const std::string &word : line.operands) {
      v.push_back(lookup(word, type));
      if (!v.back())
        return false;
      if (v.back().getType() != type) {
        fail("operand `" + Twine(word) + "` of `" + op + "` has another type");
        return false;
      }
    }
    return true;
  };

  if (op == "call") {
    if (!operands(f32, arity))
      return {};
    return program.emit(b, line.callee, v);
  }
  if (op == "select") {
    if (arity != 3)
      return fail("`select` takes three operands");
    Value condition = lookup(line.operands[0], b.getI1Type());
    // Literals take the type of the operand that has one; two literals are floats where they look so.
    StringRef first = line.operands[1];
    bool isFloat = first.contains('.') || first == "inf" || first == "nan" ||
                   first == "-inf";
    Type type = isFloat ? f32 : i32;
    for (size_t i : {1, 2})
      if (auto it = values.find(line.operands[i]); it != values.end())
        type = it->second.getType();
    Value whenTrue = lookup(line.operands[1], type);
    Value whenFalse = lookup(line.operands[2], type);
    if (!condition || !whenTrue || !whenFalse)
      return {};
    return arith::SelectOp::create(b, condition, whenTrue, whenFalse);
  }

  using FloatPredicate = arith::CmpFPredicate;
  auto compare = llvm::StringSwitch<std::optional<FloatPredicate>>(op)
                     .Case("cmp.gt", FloatPredicate::OGT)
                     .Case("cmp.ge", FloatPredicate::OGE)
                     .Case("cmp.lt", FloatPredicate::OLT)
                     .Case("cmp.le", FloatPredicate::OLE)
                     .Case("cmp.eq", FloatPredicate::OEQ)
                     .Case("cmp.ne", FloatPredicate::UNE)
                     .Default(std::nullopt);
  if (compare)
    return operands(f32, 2)
               ? arith::CmpFOp::create(b, *compare, v[0], v[1]).getResult()
               : Value();
  using IntPredicate = arith::CmpIPredicate;
  auto compareInt = llvm::StringSwitch<std::optional<IntPredicate>>(op)
                        .Case("icmp.gt", IntPredicate::sgt)
                        .Case("icmp.ge", IntPredicate::sge)
                        .Case("icmp.lt", IntPredicate::slt)
                        .Case("icmp.le", IntPredicate::sle)
                        .Case("icmp.eq", IntPredicate::eq)
                        .Case("icmp.ne", IntPredicate::ne)
                        .Default(std::nullopt);
  if (compareInt)
    return operands(i32, 2)
               ? arith::CmpIOp::create(b, *compareInt, v[0], v[1]).getResult()
               : Value();

  // Bits of an i32, or bools.
  Type bits = i32;
  if (arity > 0)
    if (auto it = values.find(line.operands[0]); it != values.end())
      bits = it->second.getType();

  // `min` and `max` are the machine's: the second operand where one is NaN.
  auto pick = [&](FloatPredicate predicate) -> Value {
    Value first = arith::CmpFOp::create(b, predicate, v[0], v[1]);
    return arith::SelectOp::create(b, first, v[0], v[1]);
  };

#define JANUS_MATH_OP(NAME, TYPE, ARITY, ...)                                  \
  if (op == NAME)                                                              \
    return operands(TYPE, ARITY) ? Value(__VA_ARGS__) : Value();
  JANUS_MATH_OP("add", f32, 2, arith::AddFOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("sub", f32, 2, arith::SubFOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("mul", f32, 2, arith::MulFOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("div", f32, 2, arith::DivFOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("neg", f32, 1, arith::NegFOp::create(b, v[0]))
  JANUS_MATH_OP("abs", f32, 1, math::AbsFOp::create(b, v[0]))
  JANUS_MATH_OP("sqrt", f32, 1, math::SqrtOp::create(b, v[0]))
  JANUS_MATH_OP("floor", f32, 1, math::FloorOp::create(b, v[0]))
  JANUS_MATH_OP("ceil", f32, 1, math::CeilOp::create(b, v[0]))
  JANUS_MATH_OP("roundeven", f32, 1, math::RoundEvenOp::create(b, v[0]))
  JANUS_MATH_OP("copysign", f32, 2, math::CopySignOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("min", f32, 2, pick(FloatPredicate::OLT))
  JANUS_MATH_OP("max", f32, 2, pick(FloatPredicate::OGT))
  JANUS_MATH_OP("addi", i32, 2, arith::AddIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("subi", i32, 2, arith::SubIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("muli", i32, 2, arith::MulIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("shli", i32, 2, arith::ShLIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("shri", i32, 2, arith::ShRSIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("lshri", i32, 2, arith::ShRUIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("andi", bits, 2, arith::AndIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("ori", bits, 2, arith::OrIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("xori", bits, 2, arith::XOrIOp::create(b, v[0], v[1]))
  JANUS_MATH_OP("sitofp", i32, 1, arith::SIToFPOp::create(b, f32, v[0]))
  JANUS_MATH_OP("fptosi", f32, 1, arith::FPToSIOp::create(b, i32, v[0]))
  JANUS_MATH_OP("bitcast_f32", i32, 1, arith::BitcastOp::create(b, f32, v[0]))
  JANUS_MATH_OP("bitcast_i32", f32, 1, arith::BitcastOp::create(b, i32, v[0]))
#undef JANUS_MATH_OP
  return fail("unknown op `" + op + "`");
}

Value MathProgram::emit(ImplicitLocOpBuilder &builder, StringRef function,
                        ValueRange arguments) const {
  auto it = functions.find(function);
  if (it == functions.end() ||
      it->second.params.size() != arguments.size()) {
    emitError(builder.getLoc())
        << "math.txt: no function `" << function << "` of "
        << arguments.size() << " parameters";
    return {};
  }
  Emitter emitter(*this, builder);
  for (auto [name, value] : llvm::zip(it->second.params, arguments))
    emitter.bind(name, value);
  for (const MathLine &line : it->second.lines) {
    Value value = emitter.emitLine(line);
    if (!value)
      return {};
    emitter.bind(line.result, value);
  }
  return emitter.lookup(it->second.returned, builder.getF32Type());
}

} // namespace janus
