//! Special methods of the built-in classes.
//!
//! In: calls like `int.__add__(a, b)` and lookups from subclasses. Out: one table a class, made
//! of a few functions that forward to [`crate::ops`] with what instances wrap. Always: an operand
//! of a kind that the class's operator does not take gives NotImplemented.

use janus_bytecode::{BinaryOp, CompareOp};

use crate::ops::{self, UnaryOp};
use crate::{Args, NativeDef, PyResult, Raised, Value, Vm, text};

/// Which class a table belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Int,
    Float,
    Str,
    Bytes,
    Bytearray,
    Tuple,
    List,
    Dict,
    Set,
    Frozenset,
}

const KINDS: [(Kind, &str); 10] = [
    (Kind::Int, "int"),
    (Kind::Float, "float"),
    (Kind::Str, "str"),
    (Kind::Bytes, "bytes"),
    (Kind::Bytearray, "bytearray"),
    (Kind::Tuple, "tuple"),
    (Kind::List, "list"),
    (Kind::Dict, "dict"),
    (Kind::Set, "set"),
    (Kind::Frozenset, "frozenset"),
];

fn is_kind(kind: Kind, v: &Value) -> bool {
    match (kind, v) {
        (Kind::Int, Value::Int(_) | Value::Bool(_) | Value::BigInt(_)) => true,
        (Kind::Float, Value::Float(_)) => true,
        (Kind::Str, Value::Str(_)) => true,
        (Kind::Bytes, Value::Bytes(b)) => !b.mutable,
        (Kind::Bytearray, Value::Bytes(b)) => b.mutable,
        (Kind::Tuple, Value::Tuple(_)) => true,
        (Kind::List, Value::List(_)) => true,
        (Kind::Dict, Value::Dict(_)) => true,
        (Kind::Set, Value::Set(s)) => !s.frozen,
        (Kind::Frozenset, Value::Set(s)) => s.frozen,
        _ => false,
    }
}

/// The built-in value inside `self`.
fn own<const K: u8>(this: &Value, method: &str) -> PyResult {
    let (kind, name) = KINDS[K as usize];
    let inner = this.unwrapped();
    if is_kind(kind, &inner) {
        return Ok(inner);
    }
    Err(Raised::type_error(format!(
        "descriptor '{method}' requires a '{name}' object but received a '{}'",
        this.type_name()
    )))
}

/// The other operand of a number's operator if the class takes it.
fn operand<const K: u8>(other: &Value) -> Option<Value> {
    let (kind, _) = KINDS[K as usize];
    let inner = other.unwrapped();
    let taken = match kind {
        Kind::Int => is_kind(Kind::Int, &inner),
        Kind::Float => is_kind(Kind::Int, &inner) || is_kind(Kind::Float, &inner),
        _ => true,
    };
    taken.then_some(inner)
}

fn binary_op<const OP: u8>() -> BinaryOp {
    BinaryOp::ALL[OP as usize]
}

fn is_sequence<const K: u8>() -> bool {
    let (kind, _) = KINDS[K as usize];
    matches!(
        kind,
        Kind::Str | Kind::Bytes | Kind::Bytearray | Kind::Tuple | Kind::List
    )
}

fn plain<const K: u8, const OP: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let op = binary_op::<OP>();
    let (receiver, other) = operands(args)?;
    let this = own::<K>(receiver, ops::plain_name(op).as_str())?;
    // What a sequence cannot be joined with or repeated by is an error, not NotImplemented.
    if is_sequence::<K>() && op == BinaryOp::Add {
        return ops::concatenate(vm, receiver, other);
    }
    if is_sequence::<K>() && op == BinaryOp::Mul {
        let count = ops::times(vm, other)?;
        return Ok(ops::native_binary(vm, op, &this, &count)?.unwrap_or(Value::NotImplemented));
    }
    if op == BinaryOp::Mod && matches!(this, Value::Str(_)) {
        // The right side of % is taken as it is: a subclass may define `__getitem__`.
        return Ok(ops::native_binary(vm, op, &this, other)?.unwrap_or(Value::NotImplemented));
    }
    let Some(other) = operand::<K>(other) else {
        return Ok(Value::NotImplemented);
    };
    Ok(ops::native_binary(vm, op, &this, &other)?.unwrap_or(Value::NotImplemented))
}

fn reflected<const K: u8, const OP: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let op = binary_op::<OP>();
    let (receiver, other) = operands(args)?;
    let this = own::<K>(receiver, ops::reflected_name(op).as_str())?;
    if op == BinaryOp::Mod
        && is_sequence::<K>()
        && let Some(other) = operand::<K>(other)
    {
        // The right side of % is taken as it is: a subclass may define `__str__`.
        return Ok(ops::native_binary(vm, op, &other, receiver)?.unwrap_or(Value::NotImplemented));
    }
    if is_sequence::<K>() && op == BinaryOp::Mul {
        let count = ops::times(vm, other)?;
        return Ok(ops::native_binary(vm, op, &count, &this)?.unwrap_or(Value::NotImplemented));
    }
    let Some(other) = operand::<K>(other) else {
        return Ok(Value::NotImplemented);
    };
    Ok(ops::native_binary(vm, op, &other, &this)?.unwrap_or(Value::NotImplemented))
}

fn inplace<const K: u8, const OP: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let op = binary_op::<OP>();
    let (this, other) = operands(args)?;
    let inner = own::<K>(this, ops::inplace_name(op).as_str())?;
    let other = match op {
        BinaryOp::Add => other.clone(),
        BinaryOp::Mul => ops::times(vm, other)?,
        _ => other.unwrapped(),
    };
    Ok(match ops::native_inplace(vm, op, &inner, &other)? {
        // The result is the object itself, not what it wraps.
        Some(_) => this.clone(),
        None => Value::NotImplemented,
    })
}

fn comparison<const K: u8, const OP: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let op = CompareOp::ALL[OP as usize];
    let (this, other) = operands(args)?;
    let this = own::<K>(this, ops::compare_name(op).as_str())?;
    let Some(other) = operand::<K>(other) else {
        return Ok(Value::NotImplemented);
    };
    Ok(ops::native_compare(vm, op, &this, &other)?.unwrap_or(Value::NotImplemented))
}

fn operands<'a>(args: Args<'a>) -> PyResult<(&'a Value, &'a Value)> {
    args.no_keywords("wrapper")?;
    match args.pos {
        [this, other] => Ok((this, other)),
        _ => Err(Raised::type_error(format!(
            "expected 1 argument, got {}",
            args.pos.len().saturating_sub(1)
        ))),
    }
}

fn negative<const K: u8>(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    unary::<K>(UnaryOp::Negative, "__neg__", args)
}

fn positive<const K: u8>(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    unary::<K>(UnaryOp::Positive, "__pos__", args)
}

fn invert<const K: u8>(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    unary::<K>(UnaryOp::Invert, "__invert__", args)
}

fn unary<const K: u8>(op: UnaryOp, name: &'static str, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>(name)?;
    let this = own::<K>(this, name)?;
    Ok(ops::native_unary(op, &this).unwrap_or(Value::NotImplemented))
}

fn abs<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__abs__")?;
    let this = own::<K>(this, "__abs__")?;
    ops::abs(vm, &this)
}

fn truth<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__bool__")?;
    let this = own::<K>(this, "__bool__")?;
    Ok(Value::bool(ops::truth(vm, &this)?))
}

fn hash<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__hash__")?;
    let this = own::<K>(this, "__hash__")?;
    Ok(Value::Int(ops::hash(vm, &this)?))
}

fn repr<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let inner = own::<K>(this, "__repr__")?;
    if let (Value::Set(set), Value::Instance(_)) = (&inner, this) {
        return Ok(Value::from(text::set_repr(
            vm,
            this,
            set,
            &this.type_name(),
            false,
        )?));
    }
    let mut shown = text::repr(vm, &inner)?;
    // A bytearray names its class.
    if KINDS[K as usize].0 == Kind::Bytearray && matches!(this, Value::Instance(_)) {
        shown.replace_range(..shown.find('(').unwrap_or(0), &this.type_name());
    }
    Ok(Value::from(shown))
}

fn length<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__len__")?;
    let this = own::<K>(this, "__len__")?;
    Ok(Value::from(ops::len(vm, &this)?))
}

fn iter<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__iter__")?;
    let this = own::<K>(this, "__iter__")?;
    ops::iter(vm, &this)
}

fn reversed<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__reversed__")?;
    let this = own::<K>(this, "__reversed__")?;
    ops::reversed(vm, &this)
}

fn contains<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("__contains__")?;
    let this = own::<K>(this, "__contains__")?;
    Ok(Value::bool(ops::contains(vm, item, &this)?))
}

fn get_item<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("__getitem__")?;
    let this = own::<K>(this, "__getitem__")?;
    ops::get_item(vm, &this, key)
}

fn set_item<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key, value]) = args.method::<2>("__setitem__")?;
    let this = own::<K>(this, "__setitem__")?;
    ops::set_item(vm, &this, key, value.clone())?;
    Ok(Value::None)
}

fn del_item<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("__delitem__")?;
    let this = own::<K>(this, "__delitem__")?;
    ops::del_item(vm, &this, key)?;
    Ok(Value::None)
}

fn format<const K: u8>(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [spec]) = args.method::<1>("__format__")?;
    let inner = own::<K>(this, "__format__")?;
    let Some(spec) = spec.as_str() else {
        return Err(Raised::type_error(format!(
            "__format__() argument must be str, not {}",
            spec.type_name()
        )));
    };
    if spec.is_empty() {
        return text::str_value(vm, this);
    }
    match text::format_native(&inner, spec, &this.type_name())? {
        Some(text) => Ok(Value::from(text)),
        None => Ok(Value::NotImplemented),
    }
}

macro_rules! tables {
    (@def $kind:ident $class:literal plain $name:literal $op:ident) => {
        NativeDef::method(
            concat!($class, ".", $name),
            plain::<{ Kind::$kind as u8 }, { BinaryOp::$op as u8 }>,
        )
    };
    (@def $kind:ident $class:literal reflected $name:literal $op:ident) => {
        NativeDef::method(
            concat!($class, ".", $name),
            reflected::<{ Kind::$kind as u8 }, { BinaryOp::$op as u8 }>,
        )
    };
    (@def $kind:ident $class:literal inplace $name:literal $op:ident) => {
        NativeDef::method(
            concat!($class, ".", $name),
            inplace::<{ Kind::$kind as u8 }, { BinaryOp::$op as u8 }>,
        )
    };
    (@def $kind:ident $class:literal comparison $name:literal $op:ident) => {
        NativeDef::method(
            concat!($class, ".", $name),
            comparison::<{ Kind::$kind as u8 }, { CompareOp::$op as u8 }>,
        )
    };
    (@def $kind:ident $class:literal $func:ident $name:literal) => {
        NativeDef::method(concat!($class, ".", $name), $func::<{ Kind::$kind as u8 }>)
    };
    ($($table:ident $kind:ident $class:literal [$($func:ident $name:literal $($op:ident)?,)*])*) => {
        $(
            pub(crate) const $table: &[NativeDef] = &[
                $(tables!(@def $kind $class $func $name $($op)?),)*
            ];
        )*
    };
}

tables! {
    INT Int "int" [
        plain "__add__" Add, plain "__sub__" Sub, plain "__mul__" Mul,
        plain "__truediv__" TrueDiv, plain "__floordiv__" FloorDiv, plain "__mod__" Mod,
        plain "__pow__" Pow, plain "__lshift__" LShift, plain "__rshift__" RShift,
        plain "__and__" And, plain "__or__" Or, plain "__xor__" Xor,
        reflected "__radd__" Add, reflected "__rsub__" Sub, reflected "__rmul__" Mul,
        reflected "__rtruediv__" TrueDiv, reflected "__rfloordiv__" FloorDiv,
        reflected "__rmod__" Mod, reflected "__rpow__" Pow, reflected "__rlshift__" LShift,
        reflected "__rrshift__" RShift, reflected "__rand__" And, reflected "__ror__" Or,
        reflected "__rxor__" Xor,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        negative "__neg__", positive "__pos__", invert "__invert__", abs "__abs__",
        truth "__bool__", hash "__hash__", repr "__repr__", format "__format__",
    ]
    FLOAT Float "float" [
        plain "__add__" Add, plain "__sub__" Sub, plain "__mul__" Mul,
        plain "__truediv__" TrueDiv, plain "__floordiv__" FloorDiv, plain "__mod__" Mod,
        plain "__pow__" Pow,
        reflected "__radd__" Add, reflected "__rsub__" Sub, reflected "__rmul__" Mul,
        reflected "__rtruediv__" TrueDiv, reflected "__rfloordiv__" FloorDiv,
        reflected "__rmod__" Mod, reflected "__rpow__" Pow,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        negative "__neg__", positive "__pos__", abs "__abs__",
        truth "__bool__", hash "__hash__", repr "__repr__", format "__format__",
    ]
    STR Str "str" [
        plain "__add__" Add, plain "__mul__" Mul, plain "__mod__" Mod, reflected "__rmul__" Mul, reflected "__rmod__" Mod,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        hash "__hash__", repr "__repr__", format "__format__", length "__len__", iter "__iter__",
        contains "__contains__", get_item "__getitem__",
    ]
    BYTES Bytes "bytes" [
        plain "__add__" Add, plain "__mul__" Mul, plain "__mod__" Mod, reflected "__rmul__" Mul, reflected "__rmod__" Mod,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        hash "__hash__", repr "__repr__", repr "__str__", length "__len__", iter "__iter__",
        contains "__contains__", get_item "__getitem__",
    ]
    BYTEARRAY Bytearray "bytearray" [
        plain "__add__" Add, plain "__mul__" Mul, plain "__mod__" Mod, reflected "__rmul__" Mul, reflected "__rmod__" Mod,
        inplace "__iadd__" Add, inplace "__imul__" Mul,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        repr "__repr__", repr "__str__", length "__len__", iter "__iter__", contains "__contains__",
        get_item "__getitem__", set_item "__setitem__", del_item "__delitem__",
    ]
    TUPLE Tuple "tuple" [
        plain "__add__" Add, plain "__mul__" Mul, reflected "__rmul__" Mul,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        hash "__hash__", repr "__repr__", length "__len__", iter "__iter__",
        contains "__contains__", get_item "__getitem__",
    ]
    LIST List "list" [
        plain "__add__" Add, plain "__mul__" Mul, reflected "__rmul__" Mul,
        inplace "__iadd__" Add, inplace "__imul__" Mul,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        repr "__repr__", length "__len__", iter "__iter__", reversed "__reversed__",
        contains "__contains__", get_item "__getitem__", set_item "__setitem__",
        del_item "__delitem__",
    ]
    DICT Dict "dict" [
        plain "__or__" Or, reflected "__ror__" Or, inplace "__ior__" Or,
        comparison "__eq__" Eq, comparison "__ne__" Ne,
        repr "__repr__", length "__len__", iter "__iter__", reversed "__reversed__",
        contains "__contains__", set_item "__setitem__", del_item "__delitem__",
    ]
    SET Set "set" [
        plain "__or__" Or, plain "__and__" And, plain "__sub__" Sub, plain "__xor__" Xor,
        reflected "__ror__" Or, reflected "__rand__" And, reflected "__rsub__" Sub,
        reflected "__rxor__" Xor,
        inplace "__ior__" Or, inplace "__iand__" And, inplace "__isub__" Sub,
        inplace "__ixor__" Xor,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        repr "__repr__", length "__len__", iter "__iter__", contains "__contains__",
    ]
    FROZENSET Frozenset "frozenset" [
        plain "__or__" Or, plain "__and__" And, plain "__sub__" Sub, plain "__xor__" Xor,
        reflected "__ror__" Or, reflected "__rand__" And, reflected "__rsub__" Sub,
        reflected "__rxor__" Xor,
        comparison "__lt__" Lt, comparison "__le__" Le, comparison "__eq__" Eq,
        comparison "__ne__" Ne, comparison "__gt__" Gt, comparison "__ge__" Ge,
        hash "__hash__", repr "__repr__", length "__len__", iter "__iter__",
        contains "__contains__",
    ]
}
