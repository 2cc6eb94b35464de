//! Built-in iterator classes: `enumerate`, `zip`, `map`, `filter`, `reversed` and those that
//! `iter()` gives.
//!
//! In: arguments of calls. Out: constructors and methods. Always: an exhausted iterator stays so.

use crate::native::wrong_self;
use crate::{
    Args, IterState, NativeDef, PyIter, PyRef, PyResult, Raised, Signature, Value, Vm, name, ops,
    types,
};

use super::int::{class_argument, no_keywords_unless, wrap};

pub(crate) const COMMON: &[NativeDef] = &[
    NativeDef::method("iterator.__iter__", iter),
    NativeDef::method("iterator.__next__", next),
];
pub(crate) const LENGTH: &[NativeDef] =
    &[NativeDef::method("iterator.__length_hint__", length_hint)];
pub(crate) const ENUMERATE: &[NativeDef] = &[
    NativeDef::function("enumerate.__new__", enumerate_new),
    NativeDef::class_method("enumerate.__class_getitem__", super::alias::class_getitem),
];
pub(crate) const ZIP: &[NativeDef] = &[NativeDef::function("zip.__new__", zip_new)];
pub(crate) const MAP: &[NativeDef] = &[NativeDef::function("map.__new__", map_new)];
pub(crate) const FILTER: &[NativeDef] = &[NativeDef::function("filter.__new__", filter_new)];
pub(crate) const REVERSED: &[NativeDef] = &[NativeDef::function("reversed.__new__", reversed_new)];

fn iter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__iter__")?;
    Ok(this.clone())
}

fn next(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__next__")?;
    let inner = this.unwrapped();
    let Value::Iter(it) = &inner else {
        return Err(wrong_self("__next__", "iterator", this));
    };
    match it.next(vm)? {
        Some(value) => Ok(value),
        None => Err(Raised::stop_iteration(Value::None)),
    }
}

fn length_hint(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__length_hint__")?;
    let inner = this.unwrapped();
    let Value::Iter(it) = &inner else {
        return Err(wrong_self("__length_hint__", "iterator", this));
    };
    // Any other sequence is asked with nothing borrowed.
    let sequence = match &*it.state.borrow() {
        IterState::Sequence { object, index } => Some((object.clone(), *index, false)),
        IterState::SequenceReversed { object, index } => Some((object.clone(), *index, true)),
        _ => None,
    };
    if let Some((object, index, reversed)) = sequence {
        if !reversed && ops::special(&object, name!("__len__")).is_none() {
            return Ok(Value::NotImplemented);
        }
        let len = i64::try_from(ops::len(vm, &object)?).unwrap_or(i64::MAX);
        return Ok(Value::Int(match reversed {
            true if len < index => 0,
            true => index,
            false => (len - index).max(0),
        }));
    }
    let left = match &*it.state.borrow() {
        IterState::Range { remaining, .. } => *remaining,
        IterState::List { list, index } => list.len().saturating_sub(*index),
        IterState::ListReversed { index, .. } => *index,
        IterState::Tuple { tuple, index } => tuple.len().saturating_sub(*index),
        IterState::Str { string, offset } => string
            .as_str()
            .get(*offset..)
            .map_or(0, |s| s.chars().count()),
        IterState::Bytes { bytes, index } => bytes.len().saturating_sub(*index),
        // As in CPython: of what changed its length there is nothing left to tell.
        IterState::Dict {
            dict, left, len, ..
        } => match dict.len() == *len {
            true => *left,
            false => 0,
        },
        // Positions count removed entries too: an upper bound.
        IterState::Set { set, at, len } if set.len() == *len => len.saturating_sub(*at),
        IterState::Dyn(iterator) => {
            return Ok(iterator.length_hint().unwrap_or(Value::NotImplemented));
        }
        _ => 0,
    };
    Ok(Value::from(left))
}

static ENUMERATE_ARGS: Signature<2> =
    Signature::new("enumerate", ["iterable", "start"]).required(1);

fn enumerate_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "enumerate.__new__")?;
    wrap(class, &types().enumerate, enumerate(vm, rest)?)
}

/// `enumerate(...)`
pub(crate) fn enumerate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.pos.len() + args.kw.len();
    if given == 0 {
        let missing = "enumerate() missing required argument 'iterable'";
        return Err(Raised::type_error(missing));
    }
    if given > 2 {
        let many = format!("enumerate() takes at most 2 arguments ({given} given)");
        return Err(Raised::type_error(many));
    }
    let [iterable, start] = ENUMERATE_ARGS.parse(args)?;
    let count = match start {
        Some(start) => ops::index(vm, &start)?,
        None => Value::Int(0),
    };
    let iter = ops::iter(vm, &iterable.unwrap_or(Value::None))?;
    Ok(PyIter::value(IterState::Enumerate { iter, count }))
}

fn zip_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "zip.__new__")?;
    wrap(class, &types().zip, zip(vm, rest)?)
}

/// `zip(...)`
pub(crate) fn zip(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut strict = false;
    if args.kw.len() > 1 {
        return Err(Raised::type_error(format!(
            "zip() takes at most 1 keyword argument ({} given)",
            args.kw.len()
        )));
    }
    for (key, value) in args.kw {
        if key.as_str() != "strict" {
            return Err(Raised::type_error(format!(
                "'{key}' is an invalid keyword argument for zip()"
            )));
        }
        strict = ops::truth(vm, value)?;
    }
    let mut iters = Vec::with_capacity(args.pos.len());
    for iterable in args.pos {
        iters.push(ops::iter(vm, iterable).map_err(|raised| {
            if raised.is(crate::ExcKind::TypeError)
                && ops::special(iterable, name!("__iter__")).is_none()
            {
                return Raised::type_error(format!(
                    "'{}' object is not iterable",
                    iterable.type_name()
                ));
            }
            raised
        })?);
    }
    Ok(PyIter::value(IterState::Zip {
        iters: iters.into(),
        strict,
    }))
}

fn map_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "map.__new__")?;
    no_keywords_unless(name!("__init__"), class, &types().map, &rest)?;
    wrap(class, &types().map, map(vm, Args::new(rest.pos))?)
}

/// `map(...)`
pub(crate) fn map(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("map")?;
    let [function, iterables @ ..] = args.pos else {
        return Err(Raised::type_error(
            "map() must have at least two arguments.",
        ));
    };
    if iterables.is_empty() {
        return Err(Raised::type_error(
            "map() must have at least two arguments.",
        ));
    }
    let iters: PyResult<Vec<Value>> = iterables.iter().map(|v| ops::iter(vm, v)).collect();
    Ok(PyIter::value(IterState::Map {
        function: function.clone(),
        iters: iters?.into(),
    }))
}

fn filter_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "filter.__new__")?;
    no_keywords_unless(name!("__init__"), class, &types().filter, &rest)?;
    wrap(class, &types().filter, filter(vm, Args::new(rest.pos))?)
}

/// `filter(...)`
pub(crate) fn filter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [function, iterable] = args.exactly::<2>("filter")?;
    let iter = ops::iter(vm, iterable)?;
    Ok(PyIter::value(IterState::Filter {
        function: function.clone(),
        iter,
    }))
}

fn reversed_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "reversed.__new__")?;
    no_keywords_unless(name!("__init__"), class, &types().reversed, &rest)?;
    wrap(class, &types().reversed, reversed(vm, Args::new(rest.pos))?)
}

/// `reversed(...)`
pub(crate) fn reversed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [sequence] = args.between("reversed", 1, 1)? else {
        return Err(Raised::type_error("reversed expected 1 argument, got 0"));
    };
    if let Value::Iter(it) = sequence {
        return Err(Raised::type_error(format!(
            "'{}' object is not reversible",
            PyRef::clone(it).class().name.borrow()
        )));
    }
    ops::reversed(vm, sequence)
}
