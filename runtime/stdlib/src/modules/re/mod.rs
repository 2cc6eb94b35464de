//! `_re`: regular expressions.
//!
//! In: patterns in Python's syntax. Out: `Pattern` and `Match` objects. Always: matching is done by
//! `fancy-regex` (which hands what has neither look-around nor backreferences to `regex`) on the
//! translated pattern; positions are converted to code points at the edge.

mod matching;
mod pattern;
mod translate;

use std::collections::HashMap;

use janus_interp::Interp;
use janus_object::{Args, Class, NativeDef, PyRef, PyResult, Raised, Value, Vm};

use crate::support::{module, unsupported};
use pattern::Pattern;
use translate::Syntax;

/// Flags as `re` numbers them.
pub(super) mod flags {
    pub const IGNORECASE: i64 = 2;
    pub const MULTILINE: i64 = 8;
    pub const DOTALL: i64 = 16;
    pub const UNICODE: i64 = 32;
    pub const VERBOSE: i64 = 64;
    pub const ASCII: i64 = 256;
}

/// The classes of the module.
pub(super) struct Classes {
    pub pattern: PyRef<Class>,
    pub matched: PyRef<Class>,
}

janus_gil::gil_local! {
    // Leaked on purpose: classes live as long as the thread's heap.
    static CLASSES: &'static Classes = Box::leak(Box::new(Classes {
        pattern: crate::support::foreign_class("Pattern", "re", pattern::METHODS),
        matched: crate::support::foreign_class("Match", "re", matching::METHODS),
    }));
}

pub(super) fn classes() -> &'static Classes {
    CLASSES.with(|c| *c)
}

/// Compiled patterns by text and flags.
type Cache = HashMap<(String, bool, i64, Syntax), Value>;

/// Patterns kept at most, as in CPython.
const CACHE_LIMIT: usize = 512;

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module(
        "_re",
        "",
        &[
            NativeDef::function("_re.compile", compile),
            NativeDef::function("_re.purge", purge),
        ],
    );
    m.set("Pattern", Value::Class(classes().pattern.clone()));
    m.set("Match", Value::Class(classes().matched.clone()));
    Ok(Value::Module(m))
}

/// `compile(pattern, flags, version=None)`; a compiled pattern is returned as it is. The version is that of the package
/// `regex`, whose syntax the pattern has then.
fn compile(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (source, given_flags, syntax) = match args.pos {
        [source, given_flags] => (source, given_flags, Syntax::Re),
        [source, given_flags, version] => {
            let nested_sets = crate::support::int(vm, version)? == 1;
            (source, given_flags, Syntax::Regex { nested_sets })
        }
        _ => return Err(Raised::type_error("compile() takes a pattern and flags")),
    };
    let flags = crate::support::int(vm, given_flags)?;
    if source.foreign::<Pattern>().is_some() {
        if flags != 0 {
            return Err(Raised::value_error(
                "cannot process flags argument with a compiled pattern",
            ));
        }
        return Ok(source.clone());
    }
    let (text, is_bytes) = match (source.as_str(), source.as_bytes()) {
        (Some(text), _) => (text.to_owned(), false),
        (None, Some(bytes)) => (bytes.bytes().iter().map(|b| char::from(*b)).collect(), true),
        _ => {
            return Err(Raised::type_error(
                "first argument must be string or compiled pattern",
            ));
        }
    };
    let key = (text, is_bytes, flags, syntax);
    if let Some(known) = cache(vm).and_then(|cache| cache.get(&key).cloned()) {
        return Ok(known);
    }
    match Pattern::new(&key.0, is_bytes, flags, syntax, source.clone()) {
        Ok(pattern) => {
            let value = janus_object::Instance::native(&classes().pattern, pattern);
            if let Some(cache) = cache(vm) {
                if cache.len() >= CACHE_LIMIT {
                    cache.clear();
                }
                cache.insert(key, value.clone());
            }
            Ok(value)
        }
        Err(translate::Failure::Syntax { message, at }) => Err(error(vm, &message, source, at)),
        Err(translate::Failure::Unsupported(what)) => Err(unsupported(format!(
            "regular expression {}: {what}",
            janus_object::text::str_repr(&key.0)
        ))),
    }
}

fn cache(vm: &mut dyn Vm) -> Option<&mut Cache> {
    vm.native_state()
        .entry("re.cache")
        .or_insert_with(|| Box::new(Cache::new()))
        .downcast_mut()
}

/// `re.error`
fn error(vm: &mut dyn Vm, message: &str, source: &Value, at: usize) -> Raised {
    let made = vm.import("re").and_then(|re| {
        let class = janus_object::attr::get(vm, &re, janus_object::name!("error"))?;
        vm.call(
            &class,
            Args::new(&[Value::str(message), source.clone(), Value::from(at)]),
        )
    });
    match made {
        Ok(Value::Instance(instance)) => Raised(instance),
        Ok(_) => Raised::system_error("re.error is not an exception"),
        Err(raised) => raised,
    }
}

fn purge(vm: &mut dyn Vm, _: Args<'_>) -> PyResult {
    if let Some(cache) = cache(vm) {
        cache.clear();
    }
    Ok(Value::None)
}
