//! `isinstance`, `issubclass`, `getattr` and its siblings, `callable`, `id`, `hash`, `repr`,
//! `ascii`, `format`, `len`, `iter`, `next`.

use janus_object::{
    Args, Bool, ExcKind, IterState, Name, NativeDef, PyIter, PyRef, PyResult, Raised, Resume, Step,
    Value, Vm, attr, call, is_instance, is_subclass, name, ops, resume_generator, text,
};

use super::quick;
use crate::support::type_name;

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("builtins.isinstance", isinstance).quick(quick::isinstance),
    NativeDef::function("builtins.breakpoint", breakpoint).asks_caller(),
    NativeDef::function("builtins.issubclass", issubclass),
    NativeDef::function("builtins.getattr", getattr),
    NativeDef::function("builtins.setattr", setattr),
    NativeDef::function("builtins.hasattr", hasattr),
    NativeDef::function("builtins.delattr", delattr),
    NativeDef::function("builtins.callable", callable).quick(quick::callable),
    NativeDef::function("builtins.id", id),
    NativeDef::function("builtins.hash", hash),
    NativeDef::function("builtins.repr", repr),
    NativeDef::function("builtins.ascii", ascii),
    NativeDef::function("builtins.format", format_),
    NativeDef::function("builtins.len", len).quick(quick::len),
    NativeDef::function("builtins.iter", iter).quick(quick::iter),
    NativeDef::function("builtins.next", next).quick(quick::next),
];

fn isinstance(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value, class] = args.exactly("isinstance")?;
    Ok(Value::bool(is_instance(vm, value, class)?))
}

fn issubclass(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class, of] = args.exactly("issubclass")?;
    Ok(Value::bool(is_subclass(vm, class, of)?))
}

fn attribute_name(value: &Value) -> PyResult<Name> {
    match value.as_pystr() {
        Some(s) => Ok(Name::intern(s)),
        None => Err(Raised::type_error(format!(
            "attribute name must be string, not '{}'",
            type_name(value)
        ))),
    }
}

fn getattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("getattr", 2, 3)?;
    let attribute = attribute_name(&given[1])?;
    match given.get(2) {
        None => attr::get(vm, &given[0], &attribute),
        Some(default) => {
            Ok(attr::get_opt(vm, &given[0], &attribute)?.unwrap_or_else(|| default.clone()))
        }
    }
}

fn setattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [object, attribute, value] = args.exactly("setattr")?;
    let attribute = attribute_name(attribute)?;
    attr::set(vm, object, &attribute, value.clone())?;
    Ok(Value::None)
}

fn hasattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [object, attribute] = args.exactly("hasattr")?;
    let attribute = attribute_name(attribute)?;
    Ok(Value::bool(
        attr::get_opt(vm, object, &attribute)?.is_some(),
    ))
}

fn delattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [object, attribute] = args.exactly("delattr")?;
    let attribute = attribute_name(attribute)?;
    attr::del(vm, object, &attribute)?;
    Ok(Value::None)
}

fn callable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("callable")?;
    Ok(Value::bool(call::is_callable(value)))
}

fn id(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("id")?;
    Ok(Value::Int(identity(value)))
}

fn hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("hash")?;
    Ok(Value::Int(ops::hash(vm, value)?))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("repr")?;
    Ok(Value::str(text::repr(vm, value)?))
}

fn ascii(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("ascii")?;
    Ok(Value::str(text::ascii(vm, value)?))
}

fn format_(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("format", 1, 2)?;
    let spec = match given.get(1) {
        None => "",
        Some(spec) => spec.as_str().ok_or_else(|| {
            Raised::type_error(format!(
                "format() argument 2 must be str, not {}",
                type_name(spec)
            ))
        })?,
    };
    Ok(Value::str(text::format(vm, &given[0], spec)?))
}

fn len(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("len")?;
    Ok(Value::from(ops::len(vm, value)?))
}

fn iter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.between("iter", 1, 2)? {
        [callable, sentinel] => {
            if !call::is_callable(callable) {
                return Err(Raised::type_error("iter(v, w): v must be callable"));
            }
            Ok(PyIter::value(IterState::Call {
                callable: callable.clone(),
                sentinel: sentinel.clone(),
            }))
        }
        given => ops::iter(vm, &given[0]),
    }
}

fn next(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("next", 1, 2)?;
    match advance(vm, &given[0]) {
        Ok(value) => Ok(value),
        Err(raised) if raised.is(ExcKind::StopIteration) => given.get(1).cloned().ok_or(raised),
        Err(raised) => Err(raised),
    }
}

/// `next(iterator)` with the StopIteration that ends it, whose value [`ops::next`] drops.
fn advance(vm: &mut dyn Vm, iterator: &Value) -> PyResult {
    match iterator {
        Value::Generator(generator) if generator.kind == janus_object::GeneratorKind::Generator => {
            match resume_generator(vm, generator, Resume::Send(Value::None))? {
                Step::Yield(value) => Ok(value),
                Step::Return(value) => Err(Raised::stop_iteration(value)),
            }
        }
        Value::Iter(iter) => iter
            .next(vm)?
            .ok_or_else(|| Raised::stop_iteration(Value::None)),
        other => match ops::special(other, name!("__next__")) {
            Some(method) => ops::call_special(vm, &method, other, &[]),
            None => Err(Raised::type_error(format!(
                "'{}' object is not an iterator",
                type_name(other)
            ))),
        },
    }
}

/// `id(value)`: the address of what the value points to; immediates get odd numbers, which no
/// address is.
pub(crate) fn identity(value: &Value) -> i64 {
    fn address<T: janus_object::heap::Object>(rc: &PyRef<T>) -> i64 {
        PyRef::as_ptr(rc).cast::<()>() as usize as i64
    }
    match value {
        Value::None => 1,
        Value::Bool(Bool::False) => 3,
        Value::Bool(Bool::True) => 5,
        Value::Ellipsis => 7,
        Value::NotImplemented => 9,
        Value::Int(i) => (i.wrapping_mul(16) | 11) & i64::MAX,
        Value::Float(f) => (f.get().to_bits() as i64).wrapping_mul(16) & i64::MAX | 13,
        Value::BigInt(p) => address(p),
        Value::Str(p) => address(p),
        Value::Bytes(p) => address(p),
        Value::Tuple(p) => address(p),
        Value::List(p) => address(p),
        Value::Dict(p) => address(p),
        Value::Set(p) => address(p),
        Value::Range(p) => address(p),
        Value::Slice(p) => address(p),
        Value::Function(p) => address(p),
        Value::Method(p) => address(p),
        Value::Native(p) => address(p),
        Value::Class(p) => address(p),
        Value::Instance(p) => address(p),
        Value::Module(p) => address(p),
        Value::Iter(p) => address(p),
        Value::Generator(p) => address(p),
        Value::Cell(p) => address(p),
        Value::Code(p) => address(p),
    }
}

/// Calls `sys.breakpointhook`, which a debugger may have replaced.
fn breakpoint(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let sys = vm.import("sys")?;
    match attr::get_opt(vm, &sys, &Name::new("breakpointhook"))? {
        Some(hook) => vm.call(&hook, args),
        None => Err(Raised::runtime_error("lost sys.breakpointhook")),
    }
}
