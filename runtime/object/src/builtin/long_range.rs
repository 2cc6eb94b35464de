//! Ranges of ints of any size.
//!
//! In: a range, or bounds and a step. Out: what its methods give. Always: a range whose bounds and step are within
//! 64 bits is a [`Value::Range`]; any other is an instance of the class `range` around a [`LongRange`], which the
//! methods here know beside it.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::native::wrong_self;
use crate::{
    Args, Class, Instance, NativeDef, NativeIterator, PyIter, PyRange, PyRef, PyResult, PySlice,
    Raised, Value, Vm, ops, text, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::method("range.__eq__", |_, args| equal(args, true)),
    NativeDef::method("range.__ne__", |_, args| equal(args, false)),
    NativeDef::method("range.__hash__", hash),
    NativeDef::method("range.__repr__", repr),
    NativeDef::method("range.__len__", length),
    NativeDef::method("range.__bool__", truth),
    NativeDef::method("range.__iter__", iter),
    NativeDef::method("range.__reversed__", reversed),
    NativeDef::method("range.__contains__", contains),
    NativeDef::method("range.__getitem__", get_item),
    NativeDef::method("range.__reduce__", reduce),
    NativeDef::method("range.count", count),
    NativeDef::method("range.index", index),
    NativeDef::getter("range.start", |_, args| {
        Ok(Value::big(only(args, "start")?.start))
    }),
    NativeDef::getter("range.stop", |_, args| {
        Ok(Value::big(only(args, "stop")?.stop))
    }),
    NativeDef::getter("range.step", |_, args| {
        Ok(Value::big(only(args, "step")?.step))
    }),
];

/// A range of ints of any size; the step is not 0.
#[derive(Clone)]
struct LongRange {
    start: BigInt,
    stop: BigInt,
    step: BigInt,
}

impl crate::Foreign for LongRange {}

impl LongRange {
    /// The range that a value is.
    fn of(v: &Value) -> Option<LongRange> {
        match v {
            Value::Range(r) => Some(LongRange {
                start: r.start.into(),
                stop: r.stop.into(),
                step: r.step.into(),
            }),
            _ => v.foreign::<LongRange>().cloned(),
        }
    }

    fn len(&self) -> BigInt {
        let span = if self.step.is_positive() {
            &self.stop - &self.start
        } else {
            &self.start - &self.stop
        };
        if !span.is_positive() {
            return BigInt::zero();
        }
        (span - 1) / self.step.abs() + 1
    }

    fn at(&self, index: &BigInt) -> BigInt {
        &self.start + &self.step * index
    }

    fn index_of(&self, value: &BigInt) -> Option<BigInt> {
        let (index, rest) = (value - &self.start).div_rem(&self.step);
        (rest.is_zero() && !index.is_negative() && index < self.len()).then_some(index)
    }

    /// What makes two ranges equal: the length, the first value, the step.
    fn identity(&self) -> [Value; 3] {
        let n = self.len();
        let start = if n.is_zero() {
            Value::None
        } else {
            Value::big(self.start.clone())
        };
        let step = if n <= BigInt::one() {
            Value::None
        } else {
            Value::big(self.step.clone())
        };
        [Value::big(n), start, step]
    }

    fn slice(&self, vm: &mut dyn Vm, slice: &PySlice) -> PyResult {
        let [start, stop, step] = slice_bounds(vm, slice, &self.len())?;
        Ok(range(self.at(&start), self.at(&stop), &self.step * step))
    }

    fn backwards(&self) -> LongRange {
        LongRange {
            start: self.at(&(self.len() - 1)),
            stop: &self.start - &self.step,
            step: -&self.step,
        }
    }
}

/// A range as a value.
pub(crate) fn range(start: BigInt, stop: BigInt, step: BigInt) -> Value {
    if let (Some(start), Some(stop), Some(step)) = (start.to_i64(), stop.to_i64(), step.to_i64()) {
        return Value::Range(PyRef::new(PyRange { start, stop, step }));
    }
    Instance::native(&types().range, LongRange { start, stop, step })
}

/// `slice.indices(len)` for ints of any size.
pub(crate) fn slice_bounds(
    vm: &mut dyn Vm,
    slice: &PySlice,
    len: &BigInt,
) -> PyResult<[BigInt; 3]> {
    let part = |vm: &mut dyn Vm, v: &Value| -> PyResult<Option<BigInt>> {
        match v {
            Value::None => Ok(None),
            Value::Int(_) | Value::Bool(_) | Value::BigInt(_) => Ok(v.as_bigint()),
            other if ops::special(other, crate::name!("__index__")).is_some() => {
                Ok(ops::index(vm, other)?.as_bigint())
            }
            _ => Err(Raised::type_error(
                "slice indices must be integers or None or have an __index__ method",
            )),
        }
    };
    let step = part(vm, &slice.step)?.unwrap_or_else(BigInt::one);
    if step.is_zero() {
        return Err(Raised::value_error("slice step cannot be zero"));
    }
    let (low, high) = if step.is_negative() {
        (BigInt::from(-1), len - 1)
    } else {
        (BigInt::zero(), len.clone())
    };
    let clamp = |bound: BigInt| {
        if bound.is_negative() {
            (bound + len).max(low.clone())
        } else {
            bound.min(high.clone())
        }
    };
    let (first, last) = match step.is_negative() {
        true => (&high, &low),
        false => (&low, &high),
    };
    let start = part(vm, &slice.start)?.map_or_else(|| first.clone(), &clamp);
    let stop = part(vm, &slice.stop)?.map_or_else(|| last.clone(), &clamp);
    Ok([start, stop, step])
}

fn own(v: &Value, method: &str) -> PyResult<LongRange> {
    LongRange::of(v).ok_or_else(|| wrong_self(method, "range", v))
}

fn only(args: Args<'_>, method: &'static str) -> PyResult<LongRange> {
    let [this] = args.exactly::<1>(method)?;
    own(this, method)
}

fn equal(args: Args<'_>, wanted: bool) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let this = own(this, "__eq__")?;
    let Some(other) = LongRange::of(other) else {
        return Ok(Value::NotImplemented);
    };
    let (n, m) = (this.len(), other.len());
    let same = n == m
        && (n.is_zero() || (this.start == other.start && (n.is_one() || this.step == other.step)));
    Ok(Value::bool(same == wanted))
}

fn hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = only(args, "range.__hash__")?;
    Ok(Value::Int(ops::hash(
        vm,
        &Value::tuple(this.identity().to_vec()),
    )?))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = only(args, "range.__repr__")?;
    let shown = |vm: &mut dyn Vm, n: &BigInt| text::repr(vm, &Value::big(n.clone()));
    let (start, stop) = (shown(vm, &this.start)?, shown(vm, &this.stop)?);
    Ok(Value::str(if this.step.is_one() {
        format!("range({start}, {stop})")
    } else {
        format!("range({start}, {stop}, {})", shown(vm, &this.step)?)
    }))
}

fn length(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let n = only(args, "range.__len__")?.len();
    match n.to_i64() {
        Some(n) => Ok(Value::Int(n)),
        None => Err(too_long()),
    }
}

pub(crate) fn too_long() -> Raised {
    Raised::overflow_error("Python int too large to convert to C ssize_t")
}

fn truth(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(!only(args, "range.__bool__")?.len().is_zero()))
}

fn iter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("range.__iter__")?;
    if matches!(this, Value::Range(_)) {
        return ops::iter(vm, this);
    }
    Ok(iterator(own(this, "__iter__")?))
}

fn reversed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("range.__reversed__")?;
    if matches!(this, Value::Range(_)) {
        return ops::reversed(vm, this);
    }
    Ok(iterator(own(this, "__reversed__")?.backwards()))
}

fn is_int(v: &Value) -> bool {
    matches!(v, Value::Int(_) | Value::Bool(_) | Value::BigInt(_))
}

fn contains(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("range.__contains__")?;
    let range = own(this, "__contains__")?;
    if is_int(item) {
        let found = item.as_bigint().and_then(|item| range.index_of(&item));
        return Ok(Value::bool(found.is_some()));
    }
    Ok(Value::bool(search(vm, this, item)?.is_some()))
}

/// Where the first value lies that equals an object which is no int.
fn search(vm: &mut dyn Vm, range: &Value, item: &Value) -> PyResult<Option<u64>> {
    let values = ops::iter(vm, range)?;
    let mut at = 0;
    while let Some(value) = ops::next(vm, &values)? {
        if ops::eq(vm, &value, item)? {
            return Ok(Some(at));
        }
        at += 1;
    }
    Ok(None)
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("range.count")?;
    let range = own(this, "count")?;
    if is_int(item) {
        let found = item.as_bigint().and_then(|item| range.index_of(&item));
        return Ok(Value::Int(i64::from(found.is_some())));
    }
    let values = ops::iter(vm, this)?;
    let mut count = 0;
    while let Some(value) = ops::next(vm, &values)? {
        count += i64::from(ops::eq(vm, &value, item)?);
    }
    Ok(Value::Int(count))
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("range.index")?;
    let range = own(this, "index")?;
    let found = match is_int(item) {
        true => item
            .as_bigint()
            .and_then(|item| range.index_of(&item))
            .map(Value::big),
        false => search(vm, this, item)?.map(|at| Value::big(at.into())),
    };
    match found {
        Some(at) => Ok(at),
        None if is_int(item) => {
            let shown = text::repr(vm, item)?;
            Err(Raised::value_error(format!("{shown} is not in range")))
        }
        None => Err(Raised::value_error("sequence.index(x): x not in sequence")),
    }
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("range.__getitem__")?;
    let range = own(this, "__getitem__")?;
    item(vm, &range, key)
}

/// `range[key]`, where 64 bits may not do.
pub(crate) fn item_of(vm: &mut dyn Vm, range: &Value, key: &Value) -> PyResult {
    let range = own(range, "__getitem__")?;
    item(vm, &range, key)
}

fn item(vm: &mut dyn Vm, range: &LongRange, key: &Value) -> PyResult {
    if let Value::Slice(slice) = key {
        return range.slice(vm, slice);
    }
    if !is_int(key) && ops::special(key, crate::name!("__index__")).is_none() {
        return Err(Raised::type_error(format!(
            "range indices must be integers or slices, not {}",
            key.type_name()
        )));
    }
    let mut at = ops::index(vm, key)?.as_bigint().unwrap_or_default();
    let n = range.len();
    if at.is_negative() {
        at += &n;
    }
    if at.is_negative() || at >= n {
        return Err(Raised::index_error("range object index out of range"));
    }
    Ok(Value::big(range.at(&at)))
}

fn reduce(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = only(args, "range.__reduce__")?;
    let bounds = [this.start, this.stop, this.step].map(Value::big);
    Ok(Value::tuple(vec![
        Value::Class(types().range.clone()),
        Value::tuple(bounds.to_vec()),
    ]))
}

/// The iterator of a long range.
struct LongIter {
    next: BigInt,
    step: BigInt,
    left: BigInt,
}

fn iterator(range: LongRange) -> Value {
    PyIter::native(LongIter {
        left: range.len(),
        next: range.start,
        step: range.step,
    })
}

impl NativeIterator for LongIter {
    fn next(&mut self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        if !self.left.is_positive() {
            return Ok(None);
        }
        self.left -= 1;
        let following = &self.next + &self.step;
        Ok(Some(Value::big(std::mem::replace(
            &mut self.next,
            following,
        ))))
    }

    fn class(&self) -> PyRef<Class> {
        types().longrange_iterator.clone()
    }

    fn length_hint(&self) -> Option<Value> {
        Some(Value::big(self.left.clone()))
    }

    fn reduce(&self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        let stop = &self.next + &self.step * &self.left;
        // Long still, though what is left of it may be within 64 bits: so the iterator stays of its class.
        let over = Instance::native(
            &types().range,
            LongRange {
                start: self.next.clone(),
                stop,
                step: self.step.clone(),
            },
        );
        let iter = super::iterator_state::builtin(vm, "iter")?;
        Ok(Some(Value::tuple(vec![iter, Value::tuple(vec![over])])))
    }

    fn set_state(&mut self, state: &Value) -> bool {
        let Some(skipped) = state.as_bigint() else {
            return false;
        };
        let skipped = skipped.max(BigInt::zero()).min(self.left.clone());
        self.next += &self.step * &skipped;
        self.left -= skipped;
        true
    }
}
