//! `range` and `slice`.
//!
//! In: arguments of calls. Out: constructors, methods, attributes. Always: bounds are within 64
//! bits (CPython allows any; larger ones are an OverflowError here).

use crate::native::wrong_self;
use crate::{Args, NativeDef, PyRange, PyRef, PyResult, PySlice, Raised, Value, Vm, ops};

use super::int::class_argument;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("range.__new__", new),
    NativeDef::method("range.count", count),
    NativeDef::method("range.index", index),
    NativeDef::getter("range.start", start),
    NativeDef::getter("range.stop", stop),
    NativeDef::getter("range.step", step),
];

pub(crate) const SLICE: &[NativeDef] = &[
    NativeDef::function("slice.__new__", slice_new),
    NativeDef::method("slice.indices", slice_indices),
    NativeDef::method("slice.__eq__", slice_eq),
    NativeDef::method("slice.__repr__", slice_repr),
    NativeDef::getter("slice.start", slice_start),
    NativeDef::getter("slice.stop", slice_stop),
    NativeDef::getter("slice.step", slice_step),
];

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRange> {
    match v {
        Value::Range(r) => Ok(r),
        _ => Err(wrong_self(method, "range", v)),
    }
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = class_argument(args, "range.__new__")?;
    construct(vm, rest)
}

/// `range(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut int = |v: &Value| ops::as_index(vm, v);
    let range = match args.between("range", 1, 3)? {
        [stop] => PyRange {
            start: 0,
            stop: int(stop)?,
            step: 1,
        },
        [start, stop] => PyRange {
            start: int(start)?,
            stop: int(stop)?,
            step: 1,
        },
        [start, stop, step, ..] => PyRange {
            start: int(start)?,
            stop: int(stop)?,
            step: int(step)?,
        },
        [] => PyRange {
            start: 0,
            stop: 0,
            step: 1,
        },
    };
    if range.step == 0 {
        return Err(Raised::value_error("range() arg 3 must not be zero"));
    }
    Ok(Value::Range(PyRef::new(range)))
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("range.count")?;
    own(this, "count")?;
    Ok(Value::Int(i64::from(ops::contains(vm, item, this)?)))
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("range.index")?;
    let found = item
        .as_int()
        .and_then(|i| own(this, "index").ok()?.index_of(i));
    match found {
        Some(at) => Ok(Value::from(at)),
        None => {
            let shown = crate::text::repr(vm, item)?;
            Err(Raised::value_error(format!("{shown} is not in range")))
        }
    }
}

fn start(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("start")?;
    Ok(Value::Int(own(this, "start")?.start))
}

fn stop(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("stop")?;
    Ok(Value::Int(own(this, "stop")?.stop))
}

fn step(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("step")?;
    Ok(Value::Int(own(this, "step")?.step))
}

fn own_slice<'a>(v: &'a Value, method: &str) -> PyResult<&'a PySlice> {
    match v {
        Value::Slice(s) => Ok(s),
        _ => Err(wrong_self(method, "slice", v)),
    }
}

fn slice_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = class_argument(args, "slice.__new__")?;
    let (start, stop, step) = match rest.between("slice", 1, 3)? {
        [stop] => (Value::None, stop.clone(), Value::None),
        [start, stop] => (start.clone(), stop.clone(), Value::None),
        [start, stop, step, ..] => (start.clone(), stop.clone(), step.clone()),
        [] => (Value::None, Value::None, Value::None),
    };
    Ok(Value::Slice(PyRef::new(PySlice { start, stop, step })))
}

fn slice_indices(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [len]) = args.method::<1>("slice.indices")?;
    let len = usize::try_from(ops::as_index(vm, len)?)
        .map_err(|_| Raised::value_error("length should not be negative"))?;
    let range = own_slice(this, "indices")?.resolve(vm, len)?;
    Ok(Value::tuple(vec![
        Value::Int(range.start),
        Value::Int(range.stop),
        Value::Int(range.step),
    ]))
}

fn slice_eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("slice.__eq__")?;
    let same = ops::native_compare(vm, janus_bytecode::CompareOp::Eq, this, other)?;
    Ok(same.unwrap_or(Value::NotImplemented))
}

fn slice_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("slice.__repr__")?;
    own_slice(this, "__repr__")?;
    Ok(Value::from(crate::text::repr(vm, this)?))
}

fn slice_start(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("start")?;
    Ok(own_slice(this, "start")?.start.clone())
}

fn slice_stop(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("stop")?;
    Ok(own_slice(this, "stop")?.stop.clone())
}

fn slice_step(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("step")?;
    Ok(own_slice(this, "step")?.step.clone())
}
