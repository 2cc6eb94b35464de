//! Turns `dialects/math.txt` into Rust.
//!
//! In: the text (its grammar is described at its head). Out: `$OUT_DIR/math.rs` with one
//! inline function per `fn` of the text.
//! Always: one Rust statement per line of the text, in its order, so that the floating-point
//! operations are exactly those that the lowering emits. A malformed text fails the build.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Type of a value in a program.
#[derive(Clone, Copy, PartialEq)]
enum Ty {
    F32,
    I32,
    Bool,
}

type Res<T> = Result<T, String>;

fn float_literal(token: &str) -> Res<String> {
    let bits = match token {
        "inf" => f32::INFINITY.to_bits(),
        "-inf" => f32::NEG_INFINITY.to_bits(),
        "nan" => f32::NAN.to_bits(),
        t if t.starts_with("0x") => {
            u32::from_str_radix(&t[2..], 16).map_err(|e| format!("{t}: {e}"))?
        }
        t => t
            .parse::<f32>()
            .map_err(|e| format!("`{t}` is neither a name nor a number: {e}"))?
            .to_bits(),
    };
    Ok(format!("f32::from_bits(0x{bits:08x})"))
}

fn int_literal(token: &str) -> Res<String> {
    let value = match token.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).map(|v| v as i32),
        None => token.parse::<i32>(),
    };
    value
        .map(|v| format!("{v}i32"))
        .map_err(|e| format!("`{token}` is neither a name nor a number: {e}"))
}

struct Function {
    arity: usize,
}

struct Body {
    types: HashMap<String, Ty>,
    code: String,
}

impl Body {
    /// The Rust expression of an operand that should have this type.
    fn operand(&self, token: &str, ty: Ty) -> Res<String> {
        match self.types.get(token) {
            Some(t) if *t == ty => Ok(format!("v_{token}")),
            Some(_) => Err(format!("`{token}` has another type")),
            None if ty == Ty::F32 => float_literal(token),
            None if ty == Ty::I32 => int_literal(token),
            None => Err(format!("unknown `{token}`")),
        }
    }

    /// Type of an operand where both are allowed.
    fn type_of(&self, token: &str) -> Ty {
        self.types.get(token).copied().unwrap_or_else(|| {
            let float = token.contains('.') || token.contains("inf") || token == "nan";
            if float { Ty::F32 } else { Ty::I32 }
        })
    }

    fn line(&mut self, functions: &HashMap<String, Function>, text: &str) -> Res<()> {
        let (name, rest) = text
            .split_once('=')
            .ok_or("expected `name = op operands`")?;
        let tokens: Vec<&str> = rest.split_whitespace().collect();
        let (&op, args) = tokens.split_first().ok_or("missing op")?;
        let n = |count: usize| {
            if args.len() == count {
                Ok(())
            } else {
                Err(format!("`{op}` takes {count} operands"))
            }
        };
        let f = |i: usize| self.operand(args[i], Ty::F32);
        let i = |k: usize| self.operand(args[k], Ty::I32);
        let (expr, ty) = match op {
            "add" | "sub" | "mul" | "div" => {
                n(2)?;
                let sign = match op {
                    "add" => "+",
                    "sub" => "-",
                    "mul" => "*",
                    _ => "/",
                };
                (format!("{} {sign} {}", f(0)?, f(1)?), Ty::F32)
            }
            "min" | "max" => {
                n(2)?;
                let (a, b) = (f(0)?, f(1)?);
                let less = if op == "min" { "<" } else { ">" };
                (
                    format!("if {a} {less} {b} {{ {a} }} else {{ {b} }}"),
                    Ty::F32,
                )
            }
            "neg" => (n(1).and_then(|()| Ok(format!("-{}", f(0)?)))?, Ty::F32),
            "abs" | "sqrt" | "floor" | "ceil" => (
                n(1).and_then(|()| Ok(format!("{}.{op}()", f(0)?)))?,
                Ty::F32,
            ),
            "roundeven" => (
                n(1).and_then(|()| Ok(format!("{}.round_ties_even()", f(0)?)))?,
                Ty::F32,
            ),
            "copysign" => (
                n(2).and_then(|()| Ok(format!("{}.copysign({})", f(0)?, f(1)?)))?,
                Ty::F32,
            ),
            "addi" | "subi" | "muli" => {
                n(2)?;
                let method = &op[..3];
                (format!("{}.wrapping_{method}({})", i(0)?, i(1)?), Ty::I32)
            }
            "shli" => (
                n(2).and_then(|()| Ok(format!("{} << {}", i(0)?, i(1)?)))?,
                Ty::I32,
            ),
            "shri" => (
                n(2).and_then(|()| Ok(format!("{} >> {}", i(0)?, i(1)?)))?,
                Ty::I32,
            ),
            "lshri" => (
                n(2).and_then(|()| Ok(format!("(({} as u32) >> {}) as i32", i(0)?, i(1)?)))?,
                Ty::I32,
            ),
            "andi" | "ori" | "xori" => {
                n(2)?;
                let ty = self.type_of(args[0]);
                let sign = match op {
                    "andi" => "&",
                    "ori" => "|",
                    _ => "^",
                };
                let (a, b) = (self.operand(args[0], ty)?, self.operand(args[1], ty)?);
                (format!("{a} {sign} {b}"), ty)
            }
            "sitofp" => (
                n(1).and_then(|()| Ok(format!("{} as f32", i(0)?)))?,
                Ty::F32,
            ),
            "fptosi" => (
                n(1).and_then(|()| Ok(format!("{} as i32", f(0)?)))?,
                Ty::I32,
            ),
            "bitcast_f32" => (
                n(1).and_then(|()| Ok(format!("f32::from_bits({} as u32)", i(0)?)))?,
                Ty::F32,
            ),
            "bitcast_i32" => (
                n(1).and_then(|()| Ok(format!("{}.to_bits() as i32", f(0)?)))?,
                Ty::I32,
            ),
            "select" => {
                n(3)?;
                let ty = match self.types.get(args[1]).or(self.types.get(args[2])) {
                    Some(t) => *t,
                    None => self.type_of(args[1]),
                };
                let c = self.operand(args[0], Ty::Bool)?;
                let (a, b) = (self.operand(args[1], ty)?, self.operand(args[2], ty)?);
                (format!("if {c} {{ {a} }} else {{ {b} }}"), ty)
            }
            "call" => {
                let (&callee, args) = args.split_first().ok_or("missing function")?;
                let known = functions
                    .get(callee)
                    .ok_or_else(|| format!("`{callee}` is not defined above"))?;
                if known.arity != args.len() {
                    return Err(format!("`{callee}` takes {} operands", known.arity));
                }
                let args: Res<Vec<String>> =
                    args.iter().map(|a| self.operand(a, Ty::F32)).collect();
                (format!("{callee}({})", args?.join(", ")), Ty::F32)
            }
            _ => {
                n(2)?;
                let (kind, predicate) = op
                    .split_once('.')
                    .ok_or_else(|| format!("unknown op `{op}`"))?;
                let sign = match predicate {
                    "eq" => "==",
                    "ne" => "!=",
                    "lt" => "<",
                    "le" => "<=",
                    "gt" => ">",
                    "ge" => ">=",
                    _ => return Err(format!("unknown op `{op}`")),
                };
                let (a, b) = match kind {
                    "cmp" => (f(0)?, f(1)?),
                    "icmp" => (i(0)?, i(1)?),
                    _ => return Err(format!("unknown op `{op}`")),
                };
                (format!("{a} {sign} {b}"), Ty::Bool)
            }
        };
        let name = name.trim();
        if self.types.insert(name.to_owned(), ty).is_some() {
            return Err(format!("`{name}` is defined twice"));
        }
        writeln!(self.code, "    let v_{name} = {expr};").map_err(|e| e.to_string())
    }
}

fn generate(text: &str) -> Res<String> {
    let mut out = String::from("// Generated from dialects/math.txt by build.rs.\n");
    let mut functions: HashMap<String, Function> = HashMap::new();
    let mut open: Option<(String, Body)> = None;
    for (number, raw) in text.lines().enumerate() {
        let line = raw.split('#').next().unwrap_or("").trim();
        let at = |e: String| format!("math.txt:{}: {e}", number + 1);
        if line.is_empty() {
            continue;
        }
        if let Some(head) = line.strip_prefix("fn ") {
            let (name, params) = head
                .strip_suffix(')')
                .and_then(|h| h.split_once('('))
                .ok_or_else(|| at("expected `fn name(args)`".into()))?;
            let params: Vec<&str> = params.split(',').map(str::trim).collect();
            let list: Vec<String> = params.iter().map(|p| format!("v_{p}: f32")).collect();
            let code = format!(
                "\n/// `{name}` of `dialects/math.txt`.\n#[inline(always)]\n#[must_use]\n#[allow(non_snake_case, clippy::all, clippy::pedantic)]\npub fn {name}({}) -> f32 {{\n",
                list.join(", ")
            );
            let types = params.iter().map(|p| ((*p).to_owned(), Ty::F32)).collect();
            functions.insert(
                name.to_owned(),
                Function {
                    arity: params.len(),
                },
            );
            open = Some((name.to_owned(), Body { types, code }));
        } else if line == "end" {
            let (_, body) = open.take().ok_or_else(|| at("`end` without `fn`".into()))?;
            out.push_str(&body.code);
            out.push_str("}\n");
        } else {
            let (_, body) = open
                .as_mut()
                .ok_or_else(|| at("statement outside a function".into()))?;
            if let Some(value) = line.strip_prefix("return ") {
                let value = body.operand(value.trim(), Ty::F32).map_err(at)?;
                body.code.push_str(&format!("    {value}\n"));
            } else {
                body.line(&functions, line).map_err(at)?;
            }
        }
    }
    Ok(out)
}

fn main() -> Result<(), String> {
    let root = std::env::var("CARGO_MANIFEST_DIR").map_err(|e| e.to_string())?;
    let source = PathBuf::from(root).join("../../dialects/math.txt");
    println!("cargo:rerun-if-changed={}", source.display());
    println!("cargo:rerun-if-changed=build.rs");
    let text =
        std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    let out = std::env::var("OUT_DIR").map_err(|e| e.to_string())?;
    std::fs::write(PathBuf::from(out).join("math.rs"), generate(&text)?).map_err(|e| e.to_string())
}
