//! Properties of the code of single constructs.

use super::*;

/// One of everything, each verified: targets, operands, one stack depth on all paths.
#[test]
fn everything_verifies() {
    let snippets = [
        "x = [i for i in range(3) if i for j in i]",
        "for x in y:\n  try:\n    continue\n  finally:\n    break",
        "while x:\n  try:\n    break\n  except A as e:\n    continue\n  else:\n    pass",
        "def f():\n  for a in b:\n    with c as d, e:\n      return a",
        "def f():\n  for a in b:\n    try:\n      return g(a)\n    finally:\n      h()",
        "def f():\n  try:\n    return 1\n  finally:\n    return 2",
        "def f():\n  while 1:\n    try:\n      return x\n    finally:\n      break",
        "def f():\n  try:\n    pass\n  except A as e:\n    for x in y:\n      return x\n",
        "def f():\n  try:\n    raise A\n  finally:\n    for x in y:\n      if x: return x\n",
        "def f():\n  try:\n    a\n  finally:\n    try:\n      b\n    except C:\n      return 1\n",
        "async def f():\n  async with a as b, c:\n    async for x in b:\n      return [await y async for y in x]",
        "async def f():\n  return {await k: v async for k, v in x}, (z async for z in x)",
        "def f():\n  x = yield\n  y = yield from x\n  return (yield y)",
        "x = a < b < c < d\nif a < b < c: pass\nwhile not a < b < c: pass",
        "x = (a if b else c) if (d and e or f) else g",
        "if a and (b or c) and not (d or e): pass",
        "assert a < b < c, d",
        "x = {**a, 'b': 1, **c}\nx = [*a, *b, c]\nx = (*a, b)\nx = {*a, b}",
        "f(*a)\nf(*a, **b)\nf(a, *b, c, **d, e=1)\nx.f(**a)",
        "class A(*b, c=1, **d): pass",
        "a, *b, c = d\n[a, (b, *c)] = d\n*a, = b",
        "x.y += 1\nx[y] += 1\nx += 1\nx.y: int\nx[y]: int = 1",
        "del a, (b, c.d), [e[f]]",
        "match a:\n  case [b, *c] | {'d': b, 'e': c}: pass\n  case f(g, h=i): pass",
        "match a, b:\n  case (x, [y, *_, z]) if x: pass\n  case {**r}: pass\n  case {}: pass",
        "match a:\n  case (x, y) | (y, x, _) | [_, [x], y]: pass",
        "match a,:\n  case [[b, c] | [c, b]]: pass",
        "with (a as b, c as (d, e),): pass",
        "if 0:\n  x\nelif 1:\n  y\nelse:\n  z",
        "while True: pass",
        "try:\n  pass\nfinally:\n  pass",
        "try:\n  pass\nexcept A as e:\n  pass",
        "lambda: (yield)",
        "global x\nx = 1",
        "def f():\n  def g():\n    return x\n  x = 1\n  return g",
    ];
    for snippet in snippets {
        compiled(snippet, Mode::Module);
    }
    let long_list = format!("x = [{}]", "f(), ".repeat(500));
    assert!(compiled(&long_list, Mode::Module).stack_size < 10);
    let long_dict = format!("x = {{{}}}", "f(): g(), ".repeat(500));
    assert!(compiled(&long_dict, Mode::Module).stack_size < 50);
}

#[test]
fn loops_have_one_head() {
    let code = compiled("while a:\n  if b: continue\n  c()\n", Mode::Module);
    let heads = code
        .instrs
        .iter()
        .filter(|i| i.op == Opcode::LoopHead)
        .count();
    let back: Vec<u32> = code
        .instrs
        .iter()
        .filter(|i| i.op == Opcode::JumpBackward)
        .map(|i| i.arg)
        .collect();
    assert_eq!(heads, 1);
    assert_eq!(back, [0, 0]);
}

#[test]
fn modes() {
    use Opcode::*;
    assert_eq!(
        opcodes(&compiled("1 + x", Mode::Eval)),
        [LoadConst, LoadName, BinaryOp, ReturnValue]
    );
    let single = compiled("x", Mode::Single);
    assert!(single.names.iter().any(|n| &**n == "displayhook"));
    assert!(compiled("x", Mode::Module).flags.module);
    assert!(compile("x = 1", "t", Mode::Eval).is_err());
}

#[test]
fn parameters_and_cells_are_in_order() {
    let code = compiled(
        "def f(a, b, /, c, *args, d, e=1, **kw):\n  x = 1\n  return lambda: (x, kw, c, a)",
        Mode::Module,
    );
    let f = inner(&code, "f");
    let names: Vec<&str> = f.varnames.iter().map(|n| &**n).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "args", "kw"]);
    let cells: Vec<&str> = f.cellvars.iter().map(|n| &**n).collect();
    assert_eq!(cells, ["a", "c", "kw", "x"]);
    assert_eq!(
        (f.argcount, f.posonly_argcount, f.kwonly_argcount),
        (3, 2, 2)
    );
    assert!(f.flags.varargs && f.flags.varkw && f.flags.optimized);
    let lambda = inner(f, "<lambda>");
    assert_eq!(&*lambda.qualname, "f.<locals>.<lambda>");
    assert_eq!(lambda.freevars.len(), 4);
}

#[test]
fn class_cells_and_mangling() {
    let code = compiled(
        "class A:\n  def f(self):\n    self.__x = super().f()\n    return __y\n",
        Mode::Module,
    );
    let class = inner(&code, "A");
    assert_eq!(class.cellvars.len(), 1);
    let f = inner(class, "f");
    assert_eq!(&*f.freevars[0], "__class__");
    assert!(f.names.iter().any(|n| &**n == "_A__x"));
    assert!(f.names.iter().any(|n| &**n == "_A__y"));
}

#[test]
fn lambda_generators_return_their_expression() {
    let code = compiled("f = lambda: (yield 1)", Mode::Module);
    let lambda = inner(&code, "<lambda>");
    assert_eq!(
        opcodes(lambda),
        [Opcode::LoadConst, Opcode::YieldValue, Opcode::ReturnValue]
    );
}

/// `__class__` in a class body is the class around; in its methods it is the class itself.
#[test]
fn class_bodies_see_the_outer_class() {
    let source = "class A:\n  def f(self):\n    class B:\n      x = __class__\n      \
                  def g(self): return __class__\n";
    let code = compiled(source, Mode::Module);
    let b = inner(inner(inner(&code, "A"), "f"), "B");
    assert_eq!((b.cellvars.len(), b.freevars.len()), (1, 1));
    let load = b
        .instrs
        .iter()
        .find(|i| i.op == Opcode::LoadClassDeref)
        .unwrap();
    assert_eq!(load.arg, 1);
    let captured = b
        .instrs
        .iter()
        .find(|i| i.op == Opcode::LoadClosure)
        .unwrap();
    assert_eq!(captured.arg, 0);
}

/// `(x): int` without a value does not make `x` a local.
#[test]
fn parenthesized_annotations_declare_nothing() {
    let code = compiled(
        "def f():\n  (x): int\n  y: int\n  return x, y",
        Mode::Module,
    );
    let f = inner(&code, "f");
    assert_eq!(opcodes(f)[..2], [Opcode::LoadGlobal, Opcode::LoadFast]);
}

#[test]
fn spans_are_what_tracebacks_underline() {
    let code = compiled("xé = f(a).b + (c[\n1])\n", Mode::Module);
    let spans = |op| {
        let all = code
            .instrs
            .iter()
            .zip(&code.spans)
            .filter(move |(i, _)| i.op == op);
        all.map(|(_, s)| (s.line, s.col, s.end_line, s.end_col))
            .collect::<Vec<_>>()
    };
    assert_eq!(spans(Opcode::Call), [(1, 6, 1, 10)]);
    assert_eq!(spans(Opcode::LoadAttr), [(1, 6, 1, 12)]);
    assert_eq!(spans(Opcode::BinarySubscr), [(1, 16, 2, 2)]);
    assert_eq!(spans(Opcode::BinaryOp), [(1, 6, 2, 3)]);
}

#[test]
fn docstrings() {
    let code = compiled(
        "'mod'\ndef f():\n  'fun'\nclass A:\n  'cls'\n",
        Mode::Module,
    );
    assert_eq!(code.doc.as_deref(), Some("mod"));
    assert_eq!(inner(&code, "f").doc.as_deref(), Some("fun"));
    assert_eq!(inner(&code, "A").doc.as_deref(), Some("cls"));
    assert_eq!(compiled("f'mod'", Mode::Module).doc, None);
}

#[test]
fn annotations_become_text_on_request() {
    let source = "from __future__ import annotations\n\
                  x: a[b, c] | None\n\
                  y: lambda p, *q, r=1: -p ** 2 if q else (r, {'k': v}, f'{z!r:>3}')\n";
    let code = compiled(source, Mode::Module);
    let texts: Vec<&str> = code
        .consts
        .iter()
        .filter_map(|c| {
            if let Const::Str(s) = c {
                Some(&**s)
            } else {
                None
            }
        })
        .collect();
    assert!(texts.contains(&"a[b, c] | None"), "{texts:?}");
    let lambda = "lambda p, *q, r=1: -p ** 2 if q else (r, {'k': v}, f'{z!r:>3}')";
    assert!(texts.contains(&lambda), "{texts:?}");
}

#[test]
fn the_tree_prints_as_pythons() {
    let dump = dump_ast("x = -1\nf(*a, k='v')\n", "t.py").unwrap();
    let expected = "\
Module(
 body=[
  Assign(
   targets=[
    Name(id='x', ctx=Store())],
   value=UnaryOp(
    op=USub(),
    operand=Constant(value=1))),
  Expr(
   value=Call(
    func=Name(id='f', ctx=Load()),
    args=[
     Starred(
      value=Name(id='a', ctx=Load()),
      ctx=Load())],
    keywords=[
     keyword(
      arg='k',
      value=Constant(value='v'))]))],
 type_ignores=[])
";
    assert_eq!(dump, expected);
}

/// Absurd nesting is an error, however the text is made.
#[test]
fn depth_is_bounded() {
    let n = 60_000;
    let absurd = [
        format!("x = {}1", "-".repeat(n)),
        format!("x = {}1", "not ".repeat(n)),
        format!("x = {}", "a + ".repeat(n) + "a"),
        format!("x = a{}", ".b".repeat(n)),
        format!("x = a{}", "()".repeat(n)),
        format!("x = {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("x = {}1", "lambda: ".repeat(n)),
        format!("x = {}c", "a if b else ".repeat(n)),
        format!("if a: pass\n{}", "elif a: pass\n".repeat(n)),
        (0..150)
            .map(|i| format!("{}if a:\n", " ".repeat(i)))
            .collect::<String>(),
    ];
    for source in absurd {
        let error = compile(&source, "t.py", Mode::Module).unwrap_err();
        assert!(error.message.starts_with("too many"), "{}", error.message);
    }
    // Deep, but not absurd.
    compiled(&format!("x = {}", "a + ".repeat(3000) + "a"), Mode::Module);
    compiled(
        &format!("x = [{}]", "(1, a), ".repeat(60_000)),
        Mode::Module,
    );
}
