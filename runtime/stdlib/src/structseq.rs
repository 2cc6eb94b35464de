//! Tuples with named fields made in Rust: `sys.version_info`, `time.struct_time`, `os.stat_result`.
//!
//! In: a class name and field names. Out: the class, and instances of it. Always: an instance has
//! as many items as the class has visible fields.

use janus_object::{
    BaseKind, Binding, Class, Name, NativeBody, NativeFunction, Payload, PyRef, PyTuple, Value,
    text, types,
};

/// A read-only attribute that is an item of the tuple.
pub(crate) fn field(name: &'static str, at: usize) -> Value {
    NativeFunction::new(name, NativeBody::Field(at), Binding::Getter).to_value()
}

/// A tuple class with these fields. `full_name` is `module.name`.
pub(crate) fn struct_class(
    full_name: &'static str,
    fields: &'static [&'static str],
) -> PyRef<Class> {
    let (module, class_name) = full_name
        .rsplit_once('.')
        .unwrap_or(("builtins", full_name));
    let class = Class::builtin(class_name, module, &[&types().tuple], BaseKind::Tuple, &[]);
    for (at, field) in fields.iter().enumerate() {
        class.set(&Name::new(field), self::field(field, at));
    }
    let repr = NativeBody::Closure(Box::new(move |vm, args| {
        let items = args.pos.first().and_then(Value::as_tuple).cloned();
        let mut shown = Vec::new();
        for (field, item) in fields.iter().zip(items.iter().flat_map(|t| t.items.iter())) {
            shown.push(format!("{field}={}", text::repr(vm, item)?));
        }
        Ok(Value::str(format!("{full_name}({})", shown.join(", "))))
    }));
    let repr = NativeFunction::new("__repr__", repr, Binding::Method);
    class.set(&Name::new("__repr__"), repr.to_value());
    class.set(&Name::new("n_fields"), Value::from(fields.len()));
    class
}

/// An instance.
pub(crate) fn make(class: &PyRef<Class>, items: Vec<Value>) -> Value {
    Value::instance(class, Payload::Tuple(PyRef::new(PyTuple::new(items))))
}
