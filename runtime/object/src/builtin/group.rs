//! Groups of exceptions: making, splitting and what `except*` does with them.
//!
//! In: exceptions, and a condition on them. Out: the part of a group that fits and the rest, nested as the whole was.
//! Always: a part has the traceback, cause, context and notes of the group that it is of.

use crate::{
    Args, Class, ExcKind, Instance, NativeDef, PyRef, PyResult, PyTuple, Raised, Value, Vm, attr,
    class_of, name, ops, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("BaseExceptionGroup.__new__", new),
    NativeDef::method("BaseExceptionGroup.derive", derive),
    NativeDef::method("BaseExceptionGroup.split", |vm, args| {
        let (this, [condition]) = args.method::<1>("split")?;
        let (fits, rest) = split(vm, this, &Condition::of(condition)?)?;
        Ok(Value::tuple(vec![or_none(fits), or_none(rest)]))
    }),
    NativeDef::method("BaseExceptionGroup.subgroup", |vm, args| {
        let (this, [condition]) = args.method::<1>("subgroup")?;
        Ok(or_none(split(vm, this, &Condition::of(condition)?)?.0))
    }),
    NativeDef::class_method(
        "BaseExceptionGroup.__class_getitem__",
        super::alias::class_getitem,
    ),
];

fn or_none(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

fn is_a(value: &Value, kind: ExcKind) -> bool {
    class_of(value).is_subclass_of(types().exception(kind))
}

/// `BaseExceptionGroup(message, exceptions)`: an ExceptionGroup if all of them are of class Exception.
fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((Value::Class(class), given)) = args.pos.split_first() else {
        return Err(Raised::type_error(
            "BaseExceptionGroup.__new__(X): X is not a type object",
        ));
    };
    let [message, exceptions] = given else {
        return Err(Raised::type_error(format!(
            "BaseExceptionGroup.__new__() takes exactly 2 arguments ({} given)",
            given.len()
        )));
    };
    if message.as_str().is_none() {
        return Err(Raised::type_error(format!(
            "BaseExceptionGroup.__new__() argument 1 must be str, not {}",
            message.type_name()
        )));
    }
    if attr::class_lookup(&class_of(exceptions), name!("__getitem__")).is_none()
        || exceptions.as_dict().is_some()
    {
        return Err(Raised::type_error(
            "second argument (exceptions) must be a sequence",
        ));
    }
    let items = ops::collect(vm, exceptions)?;
    if items.is_empty() {
        return Err(Raised::value_error(
            "second argument (exceptions) must be a non-empty sequence",
        ));
    }
    let mut plain = true;
    for (at, item) in items.iter().enumerate() {
        if !matches!(item, Value::Instance(i) if i.exception().is_some()) {
            return Err(Raised::value_error(format!(
                "Item {at} of second argument (exceptions) is not an exception"
            )));
        }
        plain &= is_a(item, ExcKind::Exception);
    }
    let group = types().exception(ExcKind::ExceptionGroup);
    let class: PyRef<Class> =
        if PyRef::ptr_eq(class, types().exception(ExcKind::BaseExceptionGroup)) && plain {
            group.clone()
        } else {
            class.clone()
        };
    if !plain && class.is_subclass_of(types().exception(ExcKind::Exception)) {
        return Err(Raised::type_error(if PyRef::ptr_eq(&class, group) {
            "Cannot nest BaseExceptions in an ExceptionGroup".to_owned()
        } else {
            format!("Cannot nest BaseExceptions in '{}'", class.name.borrow())
        }));
    }
    let made = Raised::of_class(&class, given.to_vec());
    if let Some(data) = made.data() {
        data.set_member(
            name!("exceptions"),
            Value::Tuple(PyRef::new(PyTuple::new(items))),
        );
        data.set_member(name!("message"), message.clone());
    }
    Ok(made.to_value())
}

/// The exceptions in a group.
pub(crate) fn members(group: &Value) -> Option<Vec<Value>> {
    let data = group.as_instance()?.exception()?;
    match data.member("exceptions") {
        Some(Value::Tuple(tuple)) => Some(tuple.items.to_vec()),
        _ => None,
    }
}

fn derive(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [exceptions]) = args.method::<1>("derive")?;
    let message = attr::get(vm, this, name!("message"))?;
    let class = Value::Class(types().exception(ExcKind::BaseExceptionGroup).clone());
    vm.call(&class, Args::new(&[message, exceptions.clone()]))
}

/// What `split` is asked for.
enum Condition {
    /// One of these classes.
    Classes(Value),
    /// What a function says.
    Function(Value),
}

impl Condition {
    fn of(value: &Value) -> PyResult<Condition> {
        let is_exception = |class: &Value| matches!(class, Value::Class(c) if c.is_subclass_of(types().exception(ExcKind::BaseException)));
        let classes = match value {
            Value::Tuple(tuple) => tuple.items.iter().all(is_exception),
            class => is_exception(class),
        };
        if classes {
            return Ok(Condition::Classes(value.clone()));
        }
        let callable = !matches!(value, Value::Class(_))
            && ops::special(value, name!("__call__")).is_some()
            || matches!(value, Value::Function(_));
        if callable {
            return Ok(Condition::Function(value.clone()));
        }
        Err(Raised::type_error(
            "expected a function, exception type or tuple of exception types",
        ))
    }

    fn holds(&self, vm: &mut dyn Vm, exception: &Value) -> PyResult<bool> {
        match self {
            Condition::Classes(classes) => crate::types::is_instance(vm, exception, classes),
            Condition::Function(function) => {
                let said = vm.call(function, Args::new(std::slice::from_ref(exception)))?;
                ops::truth(vm, &said)
            }
        }
    }
}

/// What of an exception, or of a group at any depth, fits, and what does not.
fn split(
    vm: &mut dyn Vm,
    exception: &Value,
    condition: &Condition,
) -> PyResult<(Option<Value>, Option<Value>)> {
    if condition.holds(vm, exception)? {
        return Ok((Some(exception.clone()), None));
    }
    let Some(inner) = members(exception) else {
        return Ok((None, Some(exception.clone())));
    };
    vm.enter()?;
    let (mut fits, mut rest) = (Vec::new(), Vec::new());
    let mut failed = None;
    for item in inner {
        match split(vm, &item, condition) {
            Ok((fit, other)) => {
                fits.extend(fit);
                rest.extend(other);
            }
            Err(raised) => {
                failed = Some(raised);
                break;
            }
        }
    }
    vm.leave();
    match failed {
        Some(raised) => Err(raised),
        None => Ok((part(vm, exception, fits)?, part(vm, exception, rest)?)),
    }
}

/// A group of some of the exceptions of another one.
fn part(vm: &mut dyn Vm, group: &Value, exceptions: Vec<Value>) -> PyResult<Option<Value>> {
    if exceptions.is_empty() {
        return Ok(None);
    }
    let made = vm.call_method(
        group,
        name!("derive"),
        Args::new(&[Value::list(exceptions)]),
    )?;
    if !is_a(&made, ExcKind::BaseExceptionGroup) {
        return Err(Raised::type_error(
            "derive must return an instance of BaseExceptionGroup",
        ));
    }
    if let (Value::Instance(from), Value::Instance(to)) = (group, &made) {
        copy_circumstances(from, to);
    }
    Ok(Some(made))
}

fn copy_circumstances(from: &PyRef<Instance>, to: &PyRef<Instance>) {
    let (Some(old), Some(new)) = (from.exception(), to.exception()) else {
        return;
    };
    let traceback = old.traceback.borrow().clone();
    *new.traceback.borrow_mut() = traceback;
    let object = old.traceback_object.borrow().clone();
    *new.traceback_object.borrow_mut() = object;
    let cause = old.cause.borrow().clone();
    *new.cause.borrow_mut() = cause;
    let context = old.context.borrow().clone();
    *new.context.borrow_mut() = context;
    new.suppress_context.set(old.suppress_context.get());
    let notes = name!("__notes__");
    if let Some(Value::List(list)) = from.dict().get_name(notes) {
        to.dict().set_name(notes, Value::list(list.to_vec()));
    }
}
