//! Instructions of the `match` statement.
//!
//! In: the subject and what a pattern asks for, on the stack. Out: what matched. Always: a pattern
//! that does not match leaves False or None, and only errors in the pattern raise.

use janus_object::{
    Args, Class, Collection, ExcKind, Name, PyResult, Raised, Value, Vm, attr, class_of,
    is_instance, name, ops, types,
};

use crate::Interp;
use crate::cache::Op;

impl Interp {
    /// Any of the matching instructions.
    #[inline(never)]
    pub(crate) fn match_op(&mut self, op: Op, arg: usize) -> PyResult<()> {
        match op {
            Op::MatchSequence => {
                let subject = self.peek(1)?;
                self.push(Value::bool(is_a(&subject, Collection::Sequence)))
            }
            Op::MatchMapping => {
                let subject = self.peek(1)?;
                self.push(Value::bool(is_a(&subject, Collection::Mapping)))
            }
            Op::MatchKeys => {
                let keys = self.peek(1)?;
                let subject = self.peek(2)?;
                let values = self.match_keys(&subject, &keys)?;
                self.push(values)
            }
            Op::MatchClass => {
                let names = self.pop()?;
                let class = self.pop()?;
                let subject = self.pop()?;
                let attributes = self.match_class(&subject, &class, &names, arg)?;
                self.push(attributes)
            }
            _ => {
                let subject = self.peek(1)?;
                let len = ops::len(self, &subject)?;
                self.push(Value::from(len))
            }
        }
    }

    fn match_keys(&mut self, subject: &Value, keys: &Value) -> PyResult {
        let Value::Tuple(keys) = keys else {
            return Err(self.internal("no keys to match"));
        };
        let mut values = Vec::with_capacity(keys.items.len());
        for key in keys.items.iter() {
            let value = match subject {
                // `get`, so that a defaultdict does not make the key.
                Value::Dict(dict) => dict.get(self, key)?,
                other => {
                    let absent = Value::list(Vec::new());
                    let args = [key.clone(), absent.clone()];
                    let found = self.call_method(other, name!("get"), Args::new(&args))?;
                    if ops::is(&found, &absent) {
                        None
                    } else {
                        Some(found)
                    }
                }
            };
            match value {
                Some(value) => values.push(value),
                None => return Ok(Value::None),
            }
        }
        Ok(Value::tuple(values))
    }

    fn match_class(
        &mut self,
        subject: &Value,
        class_value: &Value,
        names: &Value,
        positional: usize,
    ) -> PyResult {
        let Value::Class(class) = class_value else {
            return Err(Raised::type_error("called match pattern must be a class"));
        };
        if !is_instance(self, subject, class_value)? {
            return Ok(Value::None);
        }
        let mut attributes = Vec::new();
        let mut seen: Vec<Name> = Vec::new();
        let class_name = class.name.borrow().to_string();
        if positional > 0 {
            let match_args = attr::get_opt(self, class_value, name!("__match_args__"))?;
            let allowed = match &match_args {
                Some(Value::Tuple(names)) => names.items.len(),
                Some(other) => {
                    return Err(Raised::type_error(format!(
                        "{class_name}.__match_args__ must be a tuple (got {})",
                        other.type_name()
                    )));
                }
                None => usize::from(matches_itself(class)),
            };
            if allowed < positional {
                let plural = if allowed == 1 { "" } else { "s" };
                return Err(Raised::type_error(format!(
                    "{class_name}() accepts {allowed} positional sub-pattern{plural} \
                     ({positional} given)"
                )));
            }
            match match_args {
                Some(Value::Tuple(names)) => {
                    for name in names.items.iter().take(positional) {
                        let Some(name) = name.as_pystr() else {
                            return Err(Raised::type_error(format!(
                                "__match_args__ elements must be strings (got {})",
                                name.type_name()
                            )));
                        };
                        let name = Name::intern(name);
                        if !self.match_attribute(
                            subject,
                            &class_name,
                            name,
                            &mut seen,
                            &mut attributes,
                        )? {
                            return Ok(Value::None);
                        }
                    }
                }
                _ => attributes.push(subject.clone()),
            }
        }
        if let Value::Tuple(names) = names {
            for name in names.items.iter().filter_map(Value::as_pystr) {
                let name = Name::intern(name);
                if !self.match_attribute(subject, &class_name, name, &mut seen, &mut attributes)? {
                    return Ok(Value::None);
                }
            }
        }
        Ok(Value::tuple(attributes))
    }

    fn match_attribute(
        &mut self,
        subject: &Value,
        class_name: &str,
        name: Name,
        seen: &mut Vec<Name>,
        attributes: &mut Vec<Value>,
    ) -> PyResult<bool> {
        if seen.contains(&name) {
            return Err(Raised::type_error(format!(
                "{class_name}() got multiple sub-patterns for attribute '{name}'"
            )));
        }
        let value = match attr::get_opt(self, subject, &name) {
            Ok(value) => value,
            Err(raised) if raised.is(ExcKind::AttributeError) => None,
            Err(raised) => return Err(raised),
        };
        seen.push(name);
        let found = value.is_some();
        attributes.extend(value);
        Ok(found)
    }
}

/// Classes whose one positional sub-pattern is the subject itself.
fn matches_itself(class: &Class) -> bool {
    let t = types();
    [
        &t.bool,
        &t.bytearray,
        &t.bytes,
        &t.dict,
        &t.float,
        &t.frozenset,
        &t.int,
        &t.list,
        &t.set,
        &t.str,
        &t.tuple,
    ]
    .into_iter()
    .any(|base| class.is_subclass_of(base))
}

fn is_a(value: &Value, collection: Collection) -> bool {
    class_of(value).collection() == Some(collection)
}
