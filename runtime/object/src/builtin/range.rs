//! `range` and `slice`.
//!
//! In: arguments of calls. Out: constructors, methods, attributes. Always: what a range has beside its constructor is
//! in [`super::long_range`].

use crate::native::wrong_self;
use crate::{Args, NativeDef, PyRange, PyRef, PyResult, PySlice, Raised, Value, Vm, ops};

use super::int::class_argument;

pub(crate) const NATIVES: &[NativeDef] = &[NativeDef::function("range.__new__", new)];

pub(crate) const SLICE: &[NativeDef] = &[
    NativeDef::function("slice.__new__", slice_new),
    NativeDef::method("slice.indices", slice_indices),
    NativeDef::method("slice.__eq__", slice_eq),
    NativeDef::method("slice.__repr__", slice_repr),
    NativeDef::getter("slice.start", slice_start),
    NativeDef::getter("slice.stop", slice_stop),
    NativeDef::getter("slice.step", slice_step),
];

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = class_argument(args, "range.__new__")?;
    construct(vm, rest)
}

/// `range(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [start, stop, step] = match args.between("range", 1, 3)? {
        [stop] => [Value::Int(0), ops::index(vm, stop)?, Value::Int(1)],
        [start, stop] => [ops::index(vm, start)?, ops::index(vm, stop)?, Value::Int(1)],
        [start, stop, step, ..] => [
            ops::index(vm, start)?,
            ops::index(vm, stop)?,
            ops::index(vm, step)?,
        ],
        [] => [Value::Int(0), Value::Int(0), Value::Int(1)],
    };
    if matches!(step, Value::Int(0)) {
        return Err(Raised::value_error("range() arg 3 must not be zero"));
    }
    if let (Value::Int(start), Value::Int(stop), Value::Int(step)) = (&start, &stop, &step) {
        let (start, stop, step) = (*start, *stop, *step);
        return Ok(Value::Range(PyRef::new(PyRange { start, stop, step })));
    }
    let [start, stop, step] = [start, stop, step].map(|v| v.as_bigint().unwrap_or_default());
    Ok(super::long_range::range(start, stop, step))
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
    let len = ops::index(vm, len)?.as_bigint().unwrap_or_default();
    if len.sign() == num_bigint::Sign::Minus {
        return Err(Raised::value_error("length should not be negative"));
    }
    let bounds = super::long_range::slice_bounds(vm, own_slice(this, "indices")?, &len)?;
    Ok(Value::tuple(bounds.map(Value::big).to_vec()))
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
