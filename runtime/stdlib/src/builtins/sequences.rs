//! `sorted`, `min`, `max`, `all`, `any`.

use super::quick;
use janus_bytecode::CompareOp;
use janus_object::ops::{self, Taken};
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("builtins.aiter", |vm, args| {
        let [iterable] = args.exactly("aiter")?;
        janus_object::async_iter(vm, iterable)
    }),
    NativeDef::function("builtins.anext", |vm, args| {
        let given = args.between("anext", 1, 2)?;
        janus_object::async_next(vm, &given[0], given.get(1))
    }),
    NativeDef::function("builtins.sorted", sorted),
    NativeDef::function("builtins.min", min).quick(quick::min),
    NativeDef::function("builtins.max", max).quick(quick::max),
    NativeDef::function("builtins.all", all).quick(quick::all),
    NativeDef::function("builtins.any", any).quick(quick::any),
];

fn sorted(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = args.pos else {
        let given = args.pos.len();
        return Err(Raised::type_error(format!(
            "sorted expected 1 argument, got {given}"
        )));
    };
    let items = Value::list(ops::collect(vm, iterable)?);
    vm.call_method(
        &items,
        janus_object::name!("sort"),
        Args::with_kw(&[], args.kw),
    )?;
    Ok(items)
}

fn min(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    extreme(vm, args, "min", CompareOp::Lt)
}

fn max(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    extreme(vm, args, "max", CompareOp::Gt)
}

fn extreme(vm: &mut dyn Vm, args: Args<'_>, function: &'static str, better: CompareOp) -> PyResult {
    let (mut key, mut default) = (None, None);
    for (keyword, value) in args.kw {
        match keyword.as_str() {
            "key" if value.is_none() => {}
            "key" => key = Some(value),
            "default" => default = Some(value),
            other => {
                return Err(Raised::type_error(format!(
                    "'{other}' is an invalid keyword argument for {function}()"
                )));
            }
        }
    }
    let mut best: Option<(Value, Value)> = None;
    let consider =
        |vm: &mut dyn Vm, best: &mut Option<(Value, Value)>, item: Value| -> PyResult<()> {
            let rank = match key {
                Some(key) => vm.call(key, Args::new(std::slice::from_ref(&item)))?,
                None => item.clone(),
            };
            let replace = match &*best {
                None => true,
                Some((known, _)) => is_better(vm, better, &rank, known)?,
            };
            if replace {
                *best = Some((rank, item));
            }
            Ok(())
        };
    match args.pos {
        [] => {
            return Err(Raised::type_error(format!(
                "{function} expected at least 1 argument, got 0"
            )));
        }
        [iterable] => {
            let iter = ops::iter(vm, iterable)?;
            let look = |best: &mut Option<(Value, Value)>, item: Value| {
                let replace = match (&*best, &item) {
                    _ if key.is_some() => return Taken::Not(item),
                    (Some((Value::Int(known), _)), Value::Int(new)) => match better {
                        CompareOp::Lt => new < known,
                        _ => new > known,
                    },
                    (Some((Value::Float(known), _)), Value::Float(new)) => match better {
                        CompareOp::Lt => new.get() < known.get(),
                        _ => new.get() > known.get(),
                    },
                    _ => return Taken::Not(item),
                };
                if replace {
                    *best = Some((item.clone(), item));
                }
                Taken::Done
            };
            ops::for_each(vm, &iter, &mut best, look, |vm, best, item| {
                consider(vm, best, item)?;
                Ok(true)
            })?;
        }
        several => {
            if default.is_some() {
                return Err(Raised::type_error(format!(
                    "Cannot specify a default for {function}() with multiple positional arguments"
                )));
            }
            for item in several {
                consider(vm, &mut best, item.clone())?;
            }
        }
    }
    match (best, default) {
        (Some((_, item)), _) => Ok(item),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(Raised::value_error(format!(
            "{function}() arg is an empty sequence"
        ))),
    }
}

fn is_better(vm: &mut dyn Vm, better: CompareOp, a: &Value, b: &Value) -> PyResult<bool> {
    match (a, b, better) {
        (Value::Int(a), Value::Int(b), CompareOp::Lt) => Ok(a < b),
        (Value::Int(a), Value::Int(b), _) => Ok(a > b),
        (Value::Float(a), Value::Float(b), CompareOp::Lt) => Ok(a.get() < b.get()),
        (Value::Float(a), Value::Float(b), _) => Ok(a.get() > b.get()),
        _ => {
            let verdict = ops::compare(vm, better, a, b)?;
            ops::truth(vm, &verdict)
        }
    }
}

fn all(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = args.exactly("all")?;
    quantify(vm, iterable, false)
}

fn any(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = args.exactly("any")?;
    quantify(vm, iterable, true)
}

/// Whether an item has the truth value `decides`; if one has, that is the answer.
fn quantify(vm: &mut dyn Vm, iterable: &Value, decides: bool) -> PyResult {
    let iter = ops::iter(vm, iterable)?;
    let mut decided = false;
    let look = |decided: &mut bool, item: Value| {
        let truth = match item {
            Value::Bool(b) => b.get(),
            Value::Int(i) => i != 0,
            Value::None => false,
            other => return Taken::Not(other),
        };
        *decided = truth == decides;
        match *decided {
            true => Taken::Enough,
            false => Taken::Done,
        }
    };
    ops::for_each(vm, &iter, &mut decided, look, |vm, decided, item| {
        *decided = ops::truth(vm, &item)? == decides;
        Ok(!*decided)
    })?;
    Ok(Value::bool(decided == decides))
}
