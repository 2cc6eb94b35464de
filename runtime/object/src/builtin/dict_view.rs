//! `dict.keys()`, `.values()`, `.items()`.
//!
//! In: dicts. Out: methods of the views. Always: a view shows the dict as it is now; views of
//! keys and items behave like sets.

use janus_bytecode::{BinaryOp, CompareOp};

use crate::native::wrong_self;
use crate::{
    Args, DictPart, DictView, NativeDef, Payload, PyRef, PyResult, PySet, Value, Vm, ops, text,
};

pub(crate) const COMMON: &[NativeDef] = &[
    NativeDef::method("dict_view.__len__", len),
    NativeDef::method("dict_view.__iter__", iter),
    NativeDef::method("dict_view.__reversed__", reversed),
    NativeDef::method("dict_view.__contains__", contains),
    NativeDef::method("dict_view.__repr__", repr),
    NativeDef::getter("dict_view.mapping", mapping),
];

macro_rules! set_like {
    ($($plain:ident $reflected:ident $op:ident;)* @ $($compare:ident $cmp:ident;)*) => {
        $(
            fn $plain(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let (a, [b]) = args.method::<1>(stringify!($plain))?;
                combine(vm, BinaryOp::$op, a, b)
            }
            fn $reflected(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let (b, [a]) = args.method::<1>(stringify!($reflected))?;
                combine(vm, BinaryOp::$op, a, b)
            }
        )*
        $(
            fn $compare(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let (a, [b]) = args.method::<1>(stringify!($compare))?;
                compare(vm, CompareOp::$cmp, a, b)
            }
        )*
    };
}

set_like! {
    or ror Or;
    and rand And;
    sub rsub Sub;
    xor rxor Xor;
    @
    lt Lt;
    le Le;
    eq Eq;
    ne Ne;
    gt Gt;
    ge Ge;
}

pub(crate) const SET_LIKE: &[NativeDef] = &[
    NativeDef::method("dict_view.__or__", or),
    NativeDef::method("dict_view.__ror__", ror),
    NativeDef::method("dict_view.__and__", and),
    NativeDef::method("dict_view.__rand__", rand),
    NativeDef::method("dict_view.__sub__", sub),
    NativeDef::method("dict_view.__rsub__", rsub),
    NativeDef::method("dict_view.__xor__", xor),
    NativeDef::method("dict_view.__rxor__", rxor),
    NativeDef::method("dict_view.__lt__", lt),
    NativeDef::method("dict_view.__le__", le),
    NativeDef::method("dict_view.__eq__", eq),
    NativeDef::method("dict_view.__ne__", ne),
    NativeDef::method("dict_view.__gt__", gt),
    NativeDef::method("dict_view.__ge__", ge),
    NativeDef::method("dict_view.isdisjoint", isdisjoint),
];

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a DictView> {
    if let Value::Instance(i) = v
        && let Payload::DictView(view) = &i.payload
    {
        return Ok(view);
    }
    Err(wrong_self(method, "dict_keys", v))
}

fn as_set(vm: &mut dyn Vm, v: &Value) -> PyResult<PySet> {
    match own(v, "set") {
        Ok(view) => ops::view_as_set(vm, view),
        Err(_) => super::set::set_of(vm, v, false),
    }
}

/// `a op b`, with the elements added in CPython's order.
fn combine(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult {
    let result = match op {
        BinaryOp::And => {
            let larger = |vm: &mut dyn Vm| -> PyResult<bool> {
                Ok(own(b, "set").is_ok() && ops::len(vm, b)? > ops::len(vm, a)?)
            };
            let (table, walked) = if larger(vm)? { (b, a) } else { (a, b) };
            let table = as_set(vm, table)?;
            let result = PySet::new(false);
            for item in ops::collect(vm, walked)? {
                if table.contains(vm, &item)? {
                    result.add(vm, item)?;
                }
            }
            result
        }
        BinaryOp::Or => {
            let result = as_set(vm, a)?;
            super::set::update_from(vm, &result, b)?;
            result
        }
        BinaryOp::Sub => {
            let result = as_set(vm, a)?;
            super::set::subtract(vm, &result, b)?;
            result
        }
        BinaryOp::Xor => {
            let result = as_set(vm, a)?;
            let other = as_set(vm, b)?;
            result.symmetric_update(vm, &other)?;
            result
        }
        _ => return Ok(Value::NotImplemented),
    };
    Ok(Value::Set(PyRef::new(result)))
}

fn compare(vm: &mut dyn Vm, op: CompareOp, a: &Value, b: &Value) -> PyResult {
    let set_like = |v: &Value| match own(v, "set") {
        Ok(view) => view.part != DictPart::Values,
        Err(_) => v.as_set().is_some(),
    };
    if !set_like(b) {
        return Ok(Value::NotImplemented);
    }
    // Values need no hash: an item is looked up by its key.
    let (n, m) = (ops::len(vm, a)?, ops::len(vm, b)?);
    Ok(Value::bool(match op {
        CompareOp::Eq => n == m && all_in(vm, a, b)?,
        CompareOp::Ne => n != m || !all_in(vm, a, b)?,
        CompareOp::Lt => n < m && all_in(vm, a, b)?,
        CompareOp::Le => n <= m && all_in(vm, a, b)?,
        CompareOp::Gt => n > m && all_in(vm, b, a)?,
        CompareOp::Ge => n >= m && all_in(vm, b, a)?,
    }))
}

fn all_in(vm: &mut dyn Vm, part: &Value, whole: &Value) -> PyResult<bool> {
    for item in ops::collect(vm, part)? {
        if !ops::contains(vm, &item, whole)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn isdisjoint(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (a, [b]) = args.method::<1>("isdisjoint")?;
    let table = as_set(vm, a)?;
    for item in ops::collect(vm, b)? {
        if table.contains(vm, &item)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn len(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__len__")?;
    Ok(Value::from(own(this, "__len__")?.dict.len()))
}

fn iter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__iter__")?;
    own(this, "__iter__")?;
    ops::iter(vm, this)
}

fn reversed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__reversed__")?;
    own(this, "__reversed__")?;
    ops::reversed(vm, this)
}

fn contains(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("__contains__")?;
    let view = own(this, "__contains__")?;
    Ok(Value::bool(match view.part {
        DictPart::Keys => view.dict.contains(vm, item)?,
        DictPart::Values => ops::contains(vm, item, &Value::list(view.dict.values()))?,
        DictPart::Items => match item.as_tuple().map(|t| &*t.items) {
            Some([key, value]) => match view.dict.get(vm, key)? {
                Some(found) => ops::eq(vm, &found, value)?,
                None => false,
            },
            _ => false,
        },
    }))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    own(this, "__repr__")?;
    let printed = text::guard_recursion(vm, this, |vm| {
        let items = ops::collect(vm, this)?;
        text::repr(vm, &Value::list(items))
    })?;
    Ok(Value::from(match printed {
        Some(text) => format!("{}({text})", this.type_name()),
        None => "...".to_owned(),
    }))
}

fn mapping(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("mapping")?;
    let view = own(this, "mapping")?;
    match super::mappingproxy::of_mapping(&view.of) {
        Some(proxy) => Ok(proxy),
        None => Err(wrong_self("mapping", "dict_keys", this)),
    }
}
