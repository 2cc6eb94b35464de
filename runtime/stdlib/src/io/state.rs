//! Files in memory as copies and pickles take them apart.
//!
//! In: a StringIO or a BytesIO, or what `__getstate__` gave of one. Out: the contents, the position and the attributes.
//! Always: the contents are taken as they are, no line end is translated again.

use janus_object::{Args, PyResult, Raised, Value, Vm, attr};

use super::file::{FileObject, set_contents, set_newline};
use super::methods;
use crate::support::{bytes_like, int, type_name};

/// `(contents, newline, position, attributes)`, of bytes without the line end.
pub(super) fn get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__getstate__")?;
    let mut parts = vec![methods::getvalue(vm, args)?];
    {
        let inner = methods::inner(&args)?;
        if let Some(text) = &inner.text {
            parts.push(text.newline.as_deref().map_or(Value::None, Value::str));
        }
    }
    parts.push(methods::tell(vm, args)?);
    let own = this.as_instance().map(|i| i.dict());
    parts.push(match own {
        Some(own) if !own.is_empty() => Value::dict(own.copy()),
        _ => Value::None,
    });
    Ok(Value::tuple(parts))
}

/// The parts of a state.
fn parts(this: &Value, state: &Value, count: usize) -> PyResult<Vec<Value>> {
    match state.as_tuple() {
        Some(parts) if parts.items.len() >= count => Ok(parts.items.to_vec()),
        _ => Err(Raised::type_error(format!(
            "{}.__setstate__ argument should be {count}-tuple, got {}",
            type_name(this),
            type_name(state)
        ))),
    }
}

fn set_rest(
    vm: &mut dyn Vm,
    this: &Value,
    position: &Value,
    attributes: &Value,
    nth: [&str; 2],
) -> PyResult {
    if position.as_int().is_none() {
        return Err(Raised::type_error(format!(
            "{} item of state must be an integer, got {}",
            nth[0],
            type_name(position)
        )));
    }
    if int(vm, position)? < 0 {
        return Err(Raised::value_error("position value cannot be negative"));
    }
    methods::seek(vm, Args::new(&[this.clone(), position.clone()]))?;
    match attributes {
        Value::None => {}
        Value::Dict(own) => {
            for (name, value) in own.items() {
                if let Some(name) = name.as_pystr() {
                    attr::set(vm, this, &janus_object::Name::intern(name), value)?;
                }
            }
        }
        other => {
            return Err(Raised::type_error(format!(
                "{} item of state should be a dict, got a {}",
                nth[1],
                type_name(other)
            )));
        }
    }
    Ok(Value::None)
}

fn open(this: &Value) -> PyResult<()> {
    let closed = this
        .foreign::<FileObject>()
        .is_none_or(|file| file.inner.borrow().stream.is_none());
    match closed {
        true => Err(Raised::value_error("I/O operation on closed file")),
        false => Ok(()),
    }
}

/// `StringIO.__setstate__`
pub(super) fn set_text(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [state]) = args.method::<1>("__setstate__")?;
    open(this)?;
    let parts = parts(this, state, 4)?;
    let Some(text) = parts[0].as_str() else {
        return Err(Raised::type_error(format!(
            "initial_value must be str or None, not {}",
            type_name(&parts[0])
        )));
    };
    set_newline(this, Some(&parts[1]))?;
    set_contents(this, text.as_bytes().to_vec());
    set_rest(vm, this, &parts[2], &parts[3], ["third", "fourth"])
}

/// `BytesIO.__setstate__`
pub(super) fn set_bytes(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [state]) = args.method::<1>("__setstate__")?;
    open(this)?;
    let parts = parts(this, state, 3)?;
    set_contents(this, bytes_like(&parts[0])?);
    set_rest(vm, this, &parts[1], &parts[2], ["second", "third"])
}
