//! What a class statement makes.

use crate::class::Class;
use crate::{
    Args, Name, NameMap, PyDict, PyRef, PyResult, Raised, Value, Vm, attr, name, ops, types,
};

/// The metaclass of a class statement: the most derived among the explicit one and those of the
/// bases. An explicit one that is not a class is returned as it is.
pub fn calculate_metaclass(explicit: Option<&Value>, bases: &[Value]) -> PyResult<Value> {
    let mut winner = match explicit {
        Some(Value::Class(c)) => c.clone(),
        Some(other) => return Ok(other.clone()),
        None => types().type_.clone(),
    };
    for base in bases {
        let metaclass = crate::class_of(base);
        if winner.is_subclass_of(&metaclass) {
            continue;
        }
        if metaclass.is_subclass_of(&winner) {
            winner = metaclass;
            continue;
        }
        return Err(Raised::type_error(
            "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass \
             of the metaclasses of all its bases",
        ));
    }
    Ok(Value::Class(winner))
}

/// `type.__new__(metaclass, name, bases, namespace, **kw)`: makes the class, fills `__classcell__`,
/// calls `__set_name__` and `__init_subclass__`.
pub fn build_class(
    vm: &mut dyn Vm,
    metaclass: &PyRef<Class>,
    class_name: &str,
    bases: &[Value],
    namespace: &PyDict,
    kw: &[(Name, Value)],
) -> PyResult<PyRef<Class>> {
    let explicit = Value::Class(metaclass.clone());
    let metaclass = match calculate_metaclass(Some(&explicit), bases)? {
        Value::Class(c) => c,
        _ => metaclass.clone(),
    };
    let mut classes = Vec::with_capacity(bases.len());
    for base in bases {
        match base {
            Value::Class(c) => classes.push(c.clone()),
            _ => {
                return Err(Raised::type_error("bases must be types"));
            }
        }
    }
    let mut dict = NameMap::default();
    for (key, value) in namespace.items() {
        // Keys that are not strings cannot be reached as attributes.
        if let Some(s) = key.as_pystr() {
            dict.insert(Name::intern(s), value);
        }
    }
    if !dict.contains_key(name!("__module__"))
        && let Some(module) = vm.current_module()
    {
        dict.insert(name!("__module__").clone(), module);
    }
    let cell = dict.shift_remove(name!("__classcell__"));
    let class = Class::new_type(class_name, classes, dict, Some(metaclass))?;
    Class::ask_for_mro(vm, &class)?;
    if let Some(Value::Cell(cell)) = cell {
        *cell.value.borrow_mut() = Some(Value::Class(class.clone()));
    }
    let members: Vec<(Name, Value)> = class
        .dict
        .borrow()
        .iter()
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    for (attribute, value) in members {
        // Only objects with a class of their own can define it.
        if let Value::Instance(_) = &value
            && let Some(hook) = ops::special(&value, name!("__set_name__"))
        {
            let args = [Value::Class(class.clone()), attribute.to_value()];
            ops::call_special(vm, &hook, &value, &args).map_err(|raised| {
                let error = Raised::runtime_error(format!(
                    "Error calling __set_name__ on '{}' instance '{attribute}' in '{class_name}'",
                    value.type_name()
                ));
                error.set_cause(Some(raised.to_value()));
                error.set_context(Some(raised.0));
                error
            })?;
        }
    }
    let parent = class.lookup_after(&class, name!("__init_subclass__"));
    if let Some(hook) = parent {
        let owner = Value::Class(class.clone());
        let bound = attr::descriptor_get(vm, &hook, None, &owner)?;
        vm.call(&bound, Args { pos: &[], kw })?;
    }
    Ok(class)
}
