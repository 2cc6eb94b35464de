//===- GradientTable.cpp - the parser of gradients.txt --------------------===//

#include "GradientTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace janus;
using llvm::StringRef;

const GradientClause *GradientRule::getClause(unsigned index) const {
  if (isVariadic)
    index = 0;
  if (index >= operands.size())
    return nullptr;
  for (const GradientClause &clause : clauses)
    if (!clause.isLet && clause.target == operands[index])
      return &clause;
  return nullptr;
}

const GradientClause *GradientRule::getLet(StringRef name) const {
  for (const GradientClause &clause : clauses)
    if (clause.isLet && clause.target == name)
      return &clause;
  return nullptr;
}

namespace {
/// Parses one op: a line with those that continue it.
class RuleParser {
public:
  RuleParser(StringRef text) : rest(text) {}

  bool parse(std::string &name, GradientRule &rule);
  std::string error;

private:
  bool fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
    return false;
  }
  bool accept(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool expect(StringRef token) {
    return accept(token) || fail("expected '" + token + "' before '" + rest.take_front(20) + "'");
  }
  bool identifier(std::string &out) {
    rest = rest.ltrim();
    StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty() || llvm::isDigit(word.front()))
      return fail("expected a name before '" + rest.take_front(20) + "'");
    rest = rest.drop_front(word.size());
    out = word.str();
    return true;
  }
  bool parseClause(GradientRule &rule);
  bool parseExpr(GradientExpr &expr);
  bool parseNumber(GradientExpr &expr);

  StringRef rest;
};
} // namespace

bool RuleParser::parse(std::string &name, GradientRule &rule) {
  if (!identifier(name) || !expect("("))
    return false;
  do {
    if (!identifier(rule.operands.emplace_back()))
      return false;
    if (accept("...")) {
      rule.isVariadic = true;
      if (rule.operands.size() != 1)
        return fail("a variadic operand must be the only one");
    }
  } while (accept(","));
  if (!expect(")"))
    return false;
  if (accept("->") && !identifier(rule.result))
    return false;
  if (!expect(":"))
    return false;
  while (!rest.ltrim().empty()) {
    if (!parseClause(rule))
      return false;
    if (!accept(";") && !rest.ltrim().empty())
      return fail("expected ';' before '" + rest.ltrim().take_front(20) + "'");
  }
  return true;
}

bool RuleParser::parseClause(GradientRule &rule) {
  GradientClause clause;
  if (!identifier(clause.target))
    return false;
  if (clause.target == "let") {
    clause.isLet = true;
    if (!identifier(clause.target))
      return false;
    if (rule.getLet(clause.target))
      return fail("'" + clause.target + "' is defined twice");
  } else if (!llvm::is_contained(rule.operands, clause.target)) {
    return fail("'" + clause.target + "' is no operand");
  }
  if (!expect("=") || !parseExpr(clause.expr))
    return false;
  rule.clauses.push_back(std::move(clause));
  return true;
}

bool RuleParser::parseNumber(GradientExpr &expr) {
  StringRef digits = rest.take_while(
      [](char c) { return llvm::isDigit(c) || c == '.' || c == '-' || c == 'e' || c == '+'; });
  if (digits.getAsDouble(expr.value))
    return fail("malformed number '" + digits + "'");
  rest = rest.drop_front(digits.size());
  expr.kind = GradientExpr::number;
  return true;
}

bool RuleParser::parseExpr(GradientExpr &expr) {
  rest = rest.ltrim();
  if (rest.empty())
    return fail("expected an expression");
  if (rest.front() == '-' || llvm::isDigit(rest.front()))
    return parseNumber(expr);
  if (!identifier(expr.text))
    return false;
  if (accept("{") && (!identifier(expr.carried) || !expect("}")))
    return false;
  if (!accept("(")) {
    expr.kind = GradientExpr::name;
    return expr.carried.empty() || fail("'" + expr.text + "' has an attribute but no arguments");
  }
  expr.kind = GradientExpr::call;
  do {
    if (!parseExpr(expr.arguments.emplace_back()))
      return false;
  } while (accept(","));
  return expect(")");
}

bool GradientTable::parse(StringRef text, std::string &error) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size();) {
    size_t first = i;
    std::string whole;
    do {
      whole += (" " + lines[i].split('#').first).str();
      ++i;
    } while (i < lines.size() && lines[i].starts_with(" "));
    if (StringRef(whole).trim().empty())
      continue;
    RuleParser parser(whole);
    std::string name;
    GradientRule rule;
    if (!parser.parse(name, rule)) {
      error = "line " + std::to_string(first + 1) + ": " + parser.error;
      return false;
    }
    if (!rules.try_emplace(name, std::move(rule)).second) {
      error = "line " + std::to_string(first + 1) + ": '" + name + "' has a gradient already";
      return false;
    }
  }
  return true;
}
