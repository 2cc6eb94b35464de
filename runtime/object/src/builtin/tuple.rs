//! `tuple`.
//!
//! In: arguments of calls. Out: constructor and methods. Always: tuples never change.

use crate::native::wrong_self;
use crate::{Args, NativeDef, Payload, PyRef, PyResult, PyTuple, Raised, Value, Vm, ops, types};

use super::int::{class_argument, no_keywords_unless};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("tuple.__new__", new),
    NativeDef::method("tuple.count", count),
    NativeDef::method("tuple.index", index),
    NativeDef::method("tuple.__getnewargs__", new_args),
    NativeDef::class_method("tuple.__class_getitem__", super::alias::class_getitem),
];

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyTuple>> {
    v.as_tuple().ok_or_else(|| wrong_self(method, "tuple", v))
}

/// `tuple(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(match args.between("tuple", 0, 1)? {
        [t @ Value::Tuple(_)] => t.clone(),
        [iterable] => Value::tuple(ops::collect(vm, iterable)?),
        _ => Value::tuple(Vec::new()),
    })
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "tuple.__new__")?;
    if PyRef::ptr_eq(class, &types().tuple) {
        return construct(vm, rest);
    }
    no_keywords_unless(crate::name!("__init__"), class, &types().tuple, &rest)?;
    let items = match Args::new(rest.pos).between("tuple", 0, 1)? {
        [iterable] => ops::collect(vm, iterable)?,
        _ => Vec::new(),
    };
    Ok(Value::instance(
        class,
        Payload::Tuple(PyRef::new(PyTuple::new(items))),
    ))
}

fn new_args(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("tuple.__getnewargs__")?;
    Ok(Value::tuple(vec![Value::Tuple(
        own(this, "__getnewargs__")?.clone(),
    )]))
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("tuple.count")?;
    let mut n = 0;
    for other in own(this, "count")?.items.iter() {
        n += i64::from(ops::eq(vm, other, item)?);
    }
    Ok(Value::Int(n))
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("tuple.index")?;
    let rest = rest.between("index", 1, 3)?;
    let tuple = own(this, "index")?;
    let (start, end) = super::list::search_range(vm, rest, tuple.len())?;
    let item = rest.first().unwrap_or(&Value::None);
    for (i, other) in tuple.items.iter().enumerate().take(end).skip(start) {
        if ops::eq(vm, other, item)? {
            return Ok(Value::from(i));
        }
    }
    Err(Raised::value_error("tuple.index(x): x not in tuple"))
}
