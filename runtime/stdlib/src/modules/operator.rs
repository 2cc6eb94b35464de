//! `_operator`: Python's operators as functions.
//!
//! In: operands. Out: what the operators give. Always: one line of a table per operator.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_interp::Interp;
use janus_object::{Args, ExcKind, NativeDef, PyResult, Raised, Value, Vm, name, ops};

use crate::support::{module, type_name};

macro_rules! binary {
    ($($name:literal => $op:ident,)*) => {
        const BINARY: &[NativeDef] = &[
            $(NativeDef::function(concat!("operator.", $name), |vm, args| {
                let [a, b] = args.exactly($name)?;
                ops::binary(vm, BinaryOp::$op, a, b)
            }),)*
        ];
    };
}

binary! {
    "add" => Add, "sub" => Sub, "mul" => Mul, "truediv" => TrueDiv, "floordiv" => FloorDiv, "mod" => Mod,
    "pow" => Pow, "matmul" => MatMul, "lshift" => LShift, "rshift" => RShift, "and_" => And, "or_" => Or,
    "xor" => Xor, "iadd" => InplaceAdd, "isub" => InplaceSub, "imul" => InplaceMul,
    "itruediv" => InplaceTrueDiv, "ifloordiv" => InplaceFloorDiv, "imod" => InplaceMod, "ipow" => InplacePow,
    "imatmul" => InplaceMatMul, "ilshift" => InplaceLShift, "irshift" => InplaceRShift, "iand" => InplaceAnd,
    "ior" => InplaceOr, "ixor" => InplaceXor,
}

macro_rules! compare {
    ($($name:literal => $op:ident,)*) => {
        const COMPARE: &[NativeDef] = &[
            $(NativeDef::function(concat!("operator.", $name), |vm, args| {
                let [a, b] = args.exactly($name)?;
                ops::compare(vm, CompareOp::$op, a, b)
            }),)*
        ];
    };
}

compare! { "lt" => Lt, "le" => Le, "eq" => Eq, "ne" => Ne, "gt" => Gt, "ge" => Ge, }

macro_rules! unary {
    ($($name:literal => $op:ident,)*) => {
        const UNARY: &[NativeDef] = &[
            $(NativeDef::function(concat!("operator.", $name), |vm, args| {
                let [a] = args.exactly($name)?;
                ops::unary(vm, ops::UnaryOp::$op, a)
            }),)*
        ];
    };
}

unary! { "neg" => Negative, "pos" => Positive, "invert" => Invert, "inv" => Invert, "not_" => Not, }

const OTHER: &[NativeDef] = &[
    NativeDef::function("operator._compare_digest", compare_digest),
    NativeDef::function("operator.truth", |vm, args| {
        let [a] = args.exactly("truth")?;
        Ok(Value::bool(ops::truth(vm, a)?))
    }),
    NativeDef::function("operator.is_", |_, args| {
        let [a, b] = args.exactly("is_")?;
        Ok(Value::bool(ops::is(a, b)))
    }),
    NativeDef::function("operator.is_not", |_, args| {
        let [a, b] = args.exactly("is_not")?;
        Ok(Value::bool(!ops::is(a, b)))
    }),
    NativeDef::function("operator.index", |vm, args| {
        let [a] = args.exactly("index")?;
        ops::index(vm, a)
    }),
    NativeDef::function("operator.contains", |vm, args| {
        let [a, b] = args.exactly("contains")?;
        Ok(Value::bool(ops::contains(vm, b, a)?))
    }),
    NativeDef::function("operator.concat", |vm, args| {
        let [a, b] = args.exactly("concat")?;
        if ops::special(a, name!("__getitem__")).is_none() {
            return Err(Raised::type_error(format!(
                "'{}' object can't be concatenated",
                type_name(a)
            )));
        }
        ops::binary(vm, BinaryOp::Add, a, b)
    }),
    NativeDef::function("operator.getitem", |vm, args| {
        let [a, key] = args.exactly("getitem")?;
        ops::get_item(vm, a, key)
    }),
    NativeDef::function("operator.setitem", |vm, args| {
        let [a, key, value] = args.exactly("setitem")?;
        ops::set_item(vm, a, key, value.clone()).map(Value::from)
    }),
    NativeDef::function("operator.delitem", |vm, args| {
        let [a, key] = args.exactly("delitem")?;
        ops::del_item(vm, a, key).map(Value::from)
    }),
    NativeDef::function("operator.countOf", count_of),
    NativeDef::function("operator.indexOf", index_of),
    NativeDef::function("operator.call", |vm, args| {
        let [callable, rest @ ..] = args.pos else {
            return Err(Raised::type_error(
                "call expected at least 1 argument, got 0",
            ));
        };
        vm.call(callable, Args::with_kw(rest, args.kw))
    }),
    NativeDef::function("operator.length_hint", |vm, args| {
        let given = args.between("length_hint", 1, 2)?;
        length_hint(vm, &given[0], given.get(1).unwrap_or(&Value::Int(0)))
    }),
];

/// Whether two digests are equal, in a time that depends on their lengths only.
fn compare_digest(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [a, b] = args.exactly("compare_digest")?;
    let wrong = || {
        Raised::type_error(format!(
            "unsupported operand types(s) or combination of types: '{}' and '{}'",
            type_name(a),
            type_name(b)
        ))
    };
    let (a, b) = match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) if a.is_ascii() && b.is_ascii() => {
            (a.as_bytes().to_vec(), b.as_bytes().to_vec())
        }
        (Some(_), Some(_)) => {
            return Err(Raised::type_error(
                "comparing strings with non-ASCII characters is not supported",
            ));
        }
        (None, None) => {
            let of = |v| crate::support::bytes_like(v).map_err(|_| wrong());
            (of(a)?, of(b)?)
        }
        _ => return Err(wrong()),
    };
    let different = a.iter().zip(&b).fold(0, |d, (x, y)| d | (x ^ y));
    Ok(Value::bool(a.len() == b.len() && different == 0))
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_operator", "", BINARY);
    m.add_natives(COMPARE);
    m.add_natives(UNARY);
    m.add_natives(OTHER);
    super::getters::add_to(&m);
    Ok(Value::Module(m))
}

/// `operator.length_hint(object, default)`
fn length_hint(vm: &mut dyn Vm, object: &Value, default: &Value) -> PyResult {
    let default = ops::index(vm, default)?;
    if ops::special(object, name!("__len__")).is_some() {
        match ops::len(vm, object) {
            Err(raised) if raised.is(ExcKind::TypeError) => {}
            other => return other.map(Value::from),
        }
    }
    let Some(method) = ops::special(object, name!("__length_hint__")) else {
        return Ok(default);
    };
    let hint = match ops::call_special(vm, &method, object, &[]) {
        Err(raised) if raised.is(ExcKind::TypeError) => return Ok(default),
        other => other?,
    };
    match &hint {
        Value::NotImplemented => Ok(default),
        hint if hint.as_int().is_some_and(|n| n >= 0) => Ok(hint.unwrapped()),
        hint if hint.as_bigint().is_some() => {
            Err(Raised::value_error("__length_hint__() should return >= 0"))
        }
        hint => Err(Raised::type_error(format!(
            "__length_hint__ must be an integer, not {}",
            hint.type_name()
        ))),
    }
}

fn count_of(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [a, b] = args.exactly("countOf")?;
    let mut count = 0i64;
    for item in ops::collect(vm, a)? {
        if ops::is(&item, b) || ops::eq(vm, &item, b)? {
            count += 1;
        }
    }
    Ok(Value::Int(count))
}

fn index_of(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [a, b] = args.exactly("indexOf")?;
    for (i, item) in ops::collect(vm, a)?.iter().enumerate() {
        if ops::is(item, b) || ops::eq(vm, item, b)? {
            return Ok(Value::from(i));
        }
    }
    Err(Raised::value_error("sequence.index(x): x not in sequence"))
}
