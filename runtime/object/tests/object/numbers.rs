//! Arithmetic, comparison and hashing of numbers.

use janus_bytecode::BinaryOp::{self, *};
use janus_bytecode::CompareOp;
use janus_object::{Value, ops, parse_float, parse_int};

use crate::vm::TestVm;
use crate::{binary, method, outcome};

fn big(digits: &str) -> Value {
    parse_int(digits, 10).expect("digits")
}

#[test]
fn int_arithmetic_is_exact() {
    let mut vm = TestVm::default();
    let cases: &[(BinaryOp, i64, i64, &str)] = &[
        (Add, i64::MAX, 1, "9223372036854775808"),
        (Sub, i64::MIN, 1, "-9223372036854775809"),
        (Mul, 3_037_000_500, 3_037_000_500, "9223372037000250000"),
        (FloorDiv, -7, 2, "-4"),
        (FloorDiv, 7, -2, "-4"),
        (FloorDiv, i64::MIN, -1, "9223372036854775808"),
        (Mod, -7, 3, "2"),
        (Mod, 7, -3, "-2"),
        (Mod, i64::MIN, -1, "0"),
        (TrueDiv, 1, 3, "0.3333333333333333"),
        (TrueDiv, (1 << 53) + 1, 1, "9007199254740992.0"),
        (Pow, 2, 100, "1267650600228229401496703205376"),
        (Pow, 10, -2, "0.01"),
        (Pow, 0, 0, "1"),
        (LShift, 1, 63, "9223372036854775808"),
        (LShift, -1, 63, "-9223372036854775808"),
        (RShift, -5, 100, "-1"),
        (And, -5, 3, "3"),
        (Or, -5, 3, "-5"),
        (Xor, -5, 3, "-8"),
        (
            FloorDiv,
            1,
            0,
            "ZeroDivisionError: integer division or modulo by zero",
        ),
        (Mod, 1, 0, "ZeroDivisionError: integer modulo by zero"),
        (TrueDiv, 1, 0, "ZeroDivisionError: division by zero"),
        (
            Pow,
            0,
            -1,
            "ZeroDivisionError: 0.0 cannot be raised to a negative power",
        ),
        (LShift, 1, -1, "ValueError: negative shift count"),
        (
            MatMul,
            1,
            2,
            "TypeError: unsupported operand type(s) for @: 'int' and 'int'",
        ),
    ];
    for (op, a, b, expected) in cases {
        assert_eq!(
            binary(&mut vm, *op, *a, *b),
            *expected,
            "{a} {} {b}",
            op.symbol()
        );
    }
}

#[test]
fn big_ints_shrink_to_ints() {
    let mut vm = TestVm::default();
    let a = big("9223372036854775808");
    let result = ops::binary(&mut vm, Sub, &a, &Value::Int(1)).expect("difference");
    assert!(matches!(result, Value::Int(i64::MAX)));
    assert_eq!(
        binary(&mut vm, FloorDiv, big("-1180591620717411303424"), 7),
        "-168655945816773043347"
    );
    assert_eq!(binary(&mut vm, Mod, big("-1180591620717411303424"), 7), "5");
    assert_eq!(
        binary(&mut vm, TrueDiv, big("1000000000000000000000000000000"), 7),
        "1.4285714285714285e+29"
    );
    let huge = ops::binary(&mut vm, Pow, &Value::Int(10), &Value::Int(400)).expect("power");
    assert_eq!(
        binary(&mut vm, Add, huge.clone(), 1.5),
        "OverflowError: int too large to convert to float"
    );
    assert_eq!(
        binary(&mut vm, TrueDiv, huge, 3),
        "OverflowError: integer division result too large for a float"
    );
}

#[test]
fn float_arithmetic_is_cpythons() {
    let mut vm = TestVm::default();
    let cases: &[(BinaryOp, f64, f64, &str)] = &[
        (FloorDiv, -7.5, 2.0, "-4.0"),
        (Mod, -7.5, 2.0, "0.5"),
        (Mod, 7.5, -2.0, "-0.5"),
        (Mod, 5.0, 0.3, "0.20000000000000018"),
        (Mod, -5.0, f64::INFINITY, "inf"),
        (FloorDiv, -0.0, 1.0, "-0.0"),
        (Pow, 2.0, 0.5, "1.4142135623730951"),
        (
            Pow,
            -8.0,
            1.0 / 3.0,
            "(1.0000000000000002+1.7320508075688772j)",
        ),
        (
            Pow,
            2.0,
            10000.0,
            "OverflowError: (34, 'Numerical result out of range')",
        ),
        (
            TrueDiv,
            1.0,
            0.0,
            "ZeroDivisionError: float division by zero",
        ),
        (
            FloorDiv,
            1.0,
            0.0,
            "ZeroDivisionError: float floor division by zero",
        ),
        (Mod, 1.0, 0.0, "ZeroDivisionError: float modulo"),
    ];
    for (op, a, b, expected) in cases {
        assert_eq!(
            binary(&mut vm, *op, *a, *b),
            *expected,
            "{a} {} {b}",
            op.symbol()
        );
    }
}

#[test]
fn ints_compare_exactly_with_floats() {
    let mut vm = TestVm::default();
    let cases = [
        (
            Value::Int((1 << 53) + 1),
            CompareOp::Eq,
            Value::float(9_007_199_254_740_992.0),
            false,
        ),
        (
            Value::Int(1 << 53),
            CompareOp::Eq,
            Value::float(9_007_199_254_740_992.0),
            true,
        ),
        (
            Value::Int(i64::MAX),
            CompareOp::Lt,
            Value::float(9.3e18),
            true,
        ),
        (Value::float(f64::NAN), CompareOp::Ne, Value::Int(0), true),
        (
            Value::float(f64::INFINITY),
            CompareOp::Gt,
            big("100000000000000000000000"),
            true,
        ),
        (Value::bool(true), CompareOp::Eq, Value::float(1.0), true),
    ];
    for (a, op, b, expected) in cases {
        let result = ops::compare(&mut vm, op, &a, &b).expect("comparison");
        assert!(
            matches!(result, Value::Bool(b) if b.get() == expected),
            "{a:?} {} {b:?}",
            op.symbol()
        );
    }
}

#[test]
fn hashes_are_cpythons() {
    let mut vm = TestVm::default();
    let mut hash = |v: Value| ops::hash(&mut vm, &v).expect("hash");
    assert_eq!(hash(Value::Int(-1)), -2);
    assert_eq!(hash(Value::Int(1 << 61)), 1);
    assert_eq!(
        hash(big("1000000000000000000000000000000")),
        465_258_685_558_744_706
    );
    assert_eq!(hash(Value::float(0.5)), 1_152_921_504_606_846_976);
    assert_eq!(hash(Value::float(1e300)), 1_224_995_262_755_759_164);
    assert_eq!(ops::float_hash(1.0), 1);
    let pair = Value::tuple(vec![Value::Int(1), Value::Int(2)]);
    assert_eq!(hash(pair), -3_550_055_125_485_641_917);
    assert_eq!(hash(Value::tuple(Vec::new())), 5_740_354_900_026_072_187);
    assert_eq!(hash(Value::bool(true)), hash(Value::float(1.0)));
}

#[test]
fn texts_become_numbers() {
    let int = |text: &str, base| parse_int(text, base).map(|v| format!("{v:?}"));
    assert_eq!(int("  -0x1f ", 16).as_deref(), Some("-31"));
    assert_eq!(int("0b101", 0).as_deref(), Some("5"));
    assert_eq!(int("1_000", 10).as_deref(), Some("1000"));
    assert_eq!(int("1__0", 10), None);
    assert_eq!(int("010", 0), None);
    assert_eq!(int("", 10), None);
    assert_eq!(parse_float(" 1e5 "), Some(1e5));
    assert_eq!(parse_float("-Infinity"), Some(f64::NEG_INFINITY));
    assert_eq!(parse_float("1_0.5"), Some(10.5));
    assert_eq!(parse_float("1e"), None);
    assert_eq!(parse_float("0x10"), None);
}

#[test]
fn rounding_is_exact() {
    let mut vm = TestVm::default();
    let mut round = |x: Value, digits: Option<i64>| {
        let args: Vec<Value> = digits.map(Value::Int).into_iter().collect();
        let result = method(&mut vm, &x, "__round__", &args);
        outcome(&mut vm, result)
    };
    assert_eq!(round(Value::float(2.5), None), "2");
    assert_eq!(round(Value::float(2.675), Some(2)), "2.67");
    assert_eq!(round(Value::float(1234.5678), Some(-2)), "1200.0");
    assert_eq!(round(Value::Int(25), Some(-1)), "20");
    assert_eq!(round(Value::Int(15), Some(-1)), "20");
    assert_eq!(
        round(Value::float(f64::NAN), None),
        "ValueError: cannot convert float NaN to integer"
    );
}
