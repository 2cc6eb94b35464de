//! `sorted`, `min`, `max`, `all`, `any`.

use janus_bytecode::CompareOp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, ops};

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
    NativeDef::function("builtins.min", min),
    NativeDef::function("builtins.max", max),
    NativeDef::function("builtins.all", all),
    NativeDef::function("builtins.any", any),
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
    let mut consider = |vm: &mut dyn Vm, item: Value| -> PyResult<()> {
        let rank = match key {
            Some(key) => vm.call(key, Args::new(std::slice::from_ref(&item)))?,
            None => item.clone(),
        };
        let replace = match &best {
            None => true,
            Some((known, _)) => is_better(vm, better, &rank, known)?,
        };
        if replace {
            best = Some((rank, item));
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
            while let Some(item) = ops::next(vm, &iter)? {
                consider(vm, item)?;
            }
        }
        several => {
            if default.is_some() {
                return Err(Raised::type_error(format!(
                    "Cannot specify a default for {function}() with multiple positional arguments"
                )));
            }
            for item in several {
                consider(vm, item.clone())?;
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
        (Value::Float(a), Value::Float(b), CompareOp::Lt) => Ok(a < b),
        (Value::Float(a), Value::Float(b), _) => Ok(a > b),
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
    while let Some(item) = ops::next(vm, &iter)? {
        if ops::truth(vm, &item)? == decides {
            return Ok(Value::Bool(decides));
        }
    }
    Ok(Value::Bool(!decides))
}
