//! `gc`: the cycle collector, as Python sees it.

use janus_interp::Interp;
use janus_object::heap::{self, GENERATIONS};
use janus_object::{Args, ExcKind, Name, NativeDef, PyDict, PyResult, Raised, Value, Vm};

use crate::support::{int, interp, module};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("gc.collect", collect),
    NativeDef::noargs_function("gc.enable", |_, _| {
        heap::set_enabled(true);
        Ok(Value::None)
    }),
    NativeDef::noargs_function("gc.disable", |_, _| {
        heap::set_enabled(false);
        Ok(Value::None)
    }),
    NativeDef::noargs_function("gc.isenabled", |_, _| Ok(Value::bool(heap::is_enabled()))),
    NativeDef::noargs_function("gc.get_threshold", |_, _| Ok(numbers(&heap::thresholds()))),
    NativeDef::function("gc.set_threshold", set_threshold),
    NativeDef::noargs_function("gc.get_count", |_, _| Ok(numbers(&heap::counts()))),
    NativeDef::noargs_function("gc.get_stats", |_, _| Ok(stats())),
    NativeDef::function("gc.get_objects", get_objects),
    NativeDef::function("gc.get_referents", |_, args| {
        Ok(Value::list(
            args.pos.iter().flat_map(heap::referents).collect(),
        ))
    }),
    NativeDef::function("gc.get_referrers", |_, args| {
        Ok(Value::list(heap::referrers(args.pos)))
    }),
    NativeDef::function("gc.is_tracked", |_, args| {
        let [value] = args.exactly("is_tracked")?;
        Ok(Value::bool(heap::is_tracked(value)))
    }),
    NativeDef::function("gc.is_finalized", |_, args| {
        let [value] = args.exactly("is_finalized")?;
        Ok(Value::bool(heap::is_finalized(value)))
    }),
    NativeDef::noargs_function("gc.freeze", |_, _| {
        heap::freeze();
        Ok(Value::None)
    }),
    NativeDef::noargs_function("gc.unfreeze", |_, _| {
        heap::unfreeze();
        Ok(Value::None)
    }),
    NativeDef::noargs_function("gc.get_freeze_count", |_, _| {
        Ok(Value::Int(heap::frozen() as i64))
    }),
    NativeDef::noargs_function("gc.get_debug", |_, _| Ok(Value::Int(0))),
    NativeDef::function("gc.set_debug", |_, args| match args.pos {
        [Value::Int(0)] => Ok(Value::None),
        _ => Err(Raised::new(
            ExcKind::NotImplementedError,
            "gc.set_debug with flags is not implemented in janus-jit yet",
        )),
    }),
];

/// Makes the module.
pub(crate) fn build(interp: &mut Interp) -> PyResult {
    let m = module("gc", "The cycle collector.", FUNCTIONS);
    m.set("callbacks", Value::List(interp.gc_callbacks().clone()));
    // Nothing is uncollectable.
    m.set("garbage", Value::list(Vec::new()));
    for (at, name) in [
        "DEBUG_STATS",
        "DEBUG_COLLECTABLE",
        "DEBUG_UNCOLLECTABLE",
        "DEBUG_SAVEALL",
    ]
    .iter()
    .enumerate()
    {
        let at = if at == 3 { 5 } else { at };
        m.set(name, Value::Int(1 << at));
    }
    m.set("DEBUG_LEAK", Value::Int(2 | 4 | 32));
    Ok(Value::Module(m))
}

fn numbers(numbers: &[i64]) -> Value {
    Value::tuple(numbers.iter().map(|n| Value::Int(*n)).collect::<Vec<_>>())
}

/// A generation that an argument names.
fn generation(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<Option<usize>> {
    let given = args.pos.first().or_else(|| {
        let named = args
            .kw
            .iter()
            .find(|(name, _)| name.as_str() == "generation");
        named.map(|(_, value)| value)
    });
    match given {
        None | Some(Value::None) => Ok(None),
        Some(value) => match usize::try_from(int(vm, value)?) {
            Ok(generation) if generation < GENERATIONS => Ok(Some(generation)),
            _ => Err(Raised::value_error("invalid generation")),
        },
    }
}

fn collect(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let generation = generation(vm, &args)?.unwrap_or(GENERATIONS - 1);
    let collection = interp(vm)?.collect_garbage(generation);
    Ok(Value::Int(collection.collected as i64))
}

fn get_objects(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::list(heap::objects(generation(vm, &args)?)))
}

fn set_threshold(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if args.pos.is_empty() || args.pos.len() > GENERATIONS {
        return Err(Raised::type_error(
            "gc.set_threshold requires 1 to 3 arguments",
        ));
    }
    let mut thresholds = heap::thresholds();
    for (place, value) in thresholds.iter_mut().zip(args.pos) {
        *place = int(vm, value)?;
    }
    heap::set_thresholds(thresholds);
    Ok(Value::None)
}

fn stats() -> Value {
    let generations = heap::stats().map(|counts| {
        let dict = PyDict::new();
        for (key, count) in [
            ("collections", counts.collections),
            ("collected", counts.collected),
            ("uncollectable", 0),
        ] {
            dict.set_name(&Name::new(key), Value::Int(count as i64));
        }
        Value::dict(dict)
    });
    Value::list(generations.into())
}
