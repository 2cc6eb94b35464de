//! Instructions that build and fill containers and strings, for tier 0 and for compiled code alike.
//!
//! In: an instruction and its operands, taken from the stack by whoever runs it. Out: what it leaves there. Always:
//! [`shape`] says which places of the stack these are, and [`Interp::build`] does what the table of instructions says.

use janus_bytecode::{FormatConversion, Opcode};
use janus_object::{
    Args, ExcKind, PyDict, PyRef, PyResult, PySet, PySlice, Raised, Value, Vm, class_of, name, ops,
    text,
};
use smallvec::SmallVec;

use crate::Interp;

/// Operands of an instruction, the topmost last.
pub type Operands = SmallVec<[Value; 8]>;

/// What an instruction that builds does to the stack.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Operands below those that it takes off, which stay: by their distance from the top, which is 1.
    pub kept: [Option<usize>; 2],
    /// How many values it takes off the stack; they are its other operands.
    pub takes: usize,
    /// Whether it leaves a value.
    pub gives: bool,
}

impl Shape {
    /// Takes the operands off a stack; `None` if they are not there.
    pub(crate) fn take(self, stack: &mut Vec<Option<Value>>) -> Option<Operands> {
        let mut operands = Operands::new();
        for from_top in self.kept.into_iter().flatten() {
            let at = stack.len().checked_sub(from_top)?;
            operands.push(stack.get(at)?.clone()?);
        }
        let first = stack.len().checked_sub(self.takes)?;
        operands.extend(stack.drain(first..).flatten());
        Some(operands)
    }
}

/// What an instruction does to the stack, if it is one of those that build.
pub fn shape(op: Opcode, arg: u32) -> Option<Shape> {
    use Opcode as O;
    let arg = arg as usize;
    let made = |takes| Shape {
        kept: [None, None],
        takes,
        gives: true,
    };
    // The operand says where the container is once the items are gone.
    let filled = |takes| Shape {
        kept: [Some(arg + takes), None],
        takes,
        gives: false,
    };
    Some(match op {
        O::BuildSlice | O::BuildSet | O::BuildString => made(arg),
        O::BuildMap => made(2 * arg),
        O::FormatValue if arg as u32 & FormatConversion::HAS_SPEC != 0 => made(2),
        O::FormatValue | O::ListToTuple => made(1),
        O::SetAdd | O::ListExtend | O::SetUpdate | O::DictUpdate => filled(1),
        O::MapAdd => filled(2),
        // [callable, NULL, positional, dict]: the callable is named in errors.
        O::DictMerge => Shape {
            kept: [Some(arg + 4), Some(arg + 1)],
            takes: 1,
            gives: false,
        },
        _ => return None,
    })
}

impl Interp {
    /// What an instruction leaves on the stack, given its operands.
    ///
    /// # Errors
    /// What the Python code raises that it runs, and what the instruction itself does.
    #[inline(never)]
    pub fn build(&mut self, op: Opcode, arg: u32, operands: &[Value]) -> PyResult<Option<Value>> {
        use Opcode as O;
        let made = match (op, operands) {
            (O::SetAdd, [Value::Set(set), item]) => {
                set.add(self, item.clone())?;
                return Ok(None);
            }
            (O::MapAdd, [Value::Dict(dict), key, value]) => {
                dict.set(self, key.clone(), value.clone())?;
                return Ok(None);
            }
            (O::BuildString, parts) => {
                let length = parts.iter().filter_map(Value::as_str).map(str::len).sum();
                let mut text = String::with_capacity(length);
                text.extend(parts.iter().filter_map(Value::as_str));
                Value::str(text)
            }
            (O::FormatValue, [value, spec @ ..]) => self.format_value(arg, value, spec.first())?,
            (O::BuildSlice, bounds) => {
                let bound = |at| bounds.get(at).cloned().unwrap_or(Value::None);
                Value::Slice(PyRef::new(PySlice {
                    start: bound(0),
                    stop: bound(1),
                    step: bound(2),
                }))
            }
            (O::BuildSet, items) => {
                let set = PySet::new(false);
                for item in items {
                    set.add(self, item.clone())?;
                }
                Value::Set(PyRef::new(set))
            }
            (O::BuildMap, items) => {
                let dict = PyDict::with_capacity(arg as usize);
                for pair in items.chunks_exact(2) {
                    if let [key, value] = pair {
                        dict.set(self, key.clone(), value.clone())?;
                    }
                }
                Value::dict(dict)
            }
            (O::ListToTuple, [Value::List(list)]) => {
                // The list was built for this. What compares the tiers may hold it, too.
                let items = match PyRef::strong_count(list) {
                    1 => list.items.take(),
                    _ => list.items.borrow().clone(),
                };
                Value::tuple(items)
            }
            (O::ListExtend, [Value::List(list), Value::List(other)])
                if !PyRef::ptr_eq(list, other) =>
            {
                let (mut items, others) = (list.items.borrow_mut(), other.items.borrow());
                items.extend_from_slice(&others);
                return Ok(None);
            }
            (O::ListExtend, [Value::List(list), Value::Tuple(other)]) => {
                list.items.borrow_mut().extend_from_slice(&other.items);
                return Ok(None);
            }
            (O::ListExtend, [Value::List(list), iterable]) => {
                let items = self.starred(iterable)?;
                list.items.borrow_mut().extend(items);
                return Ok(None);
            }
            (O::SetUpdate, [Value::Set(set), other]) => {
                match other {
                    // Which has an order of its own.
                    Value::Set(other) => set.update(self, other)?,
                    other => {
                        for item in ops::collect(self, other)? {
                            set.add(self, item)?;
                        }
                    }
                }
                return Ok(None);
            }
            (O::DictUpdate, [Value::Dict(dict), Value::Dict(other)]) if dict.is_empty() => {
                dict.copy_from(other);
                return Ok(None);
            }
            (O::DictUpdate, [Value::Dict(dict), mapping]) => {
                self.dict_update(dict, mapping, None)?;
                return Ok(None);
            }
            (O::DictMerge, [callable, Value::Dict(dict), mapping]) => {
                self.dict_update(dict, mapping, Some(callable))?;
                return Ok(None);
            }
            _ => return Err(self.internal("no operands to build of")),
        };
        Ok(Some(made))
    }

    /// The items of what stands behind a star in a display.
    fn starred(&mut self, iterable: &Value) -> PyResult<Vec<Value>> {
        let class = class_of(iterable);
        let raised = match ops::collect(self, iterable) {
            Ok(items) => return Ok(items),
            Err(raised) => raised,
        };
        let iterable_class = class.lookup(name!("__iter__")).is_some()
            || class.lookup(name!("__getitem__")).is_some();
        if iterable_class || !raised.is(ExcKind::TypeError) {
            return Err(raised);
        }
        Err(Raised::type_error(format!(
            "Value after * must be an iterable, not {}",
            class.name.borrow()
        )))
    }

    fn format_value(&mut self, flags: u32, value: &Value, spec: Option<&Value>) -> PyResult {
        let value = match flags & 3 {
            FormatConversion::STR => text::str_value(self, value)?,
            FormatConversion::REPR => Value::str(text::repr(self, value)?),
            FormatConversion::ASCII => Value::str(text::ascii(self, value)?),
            _ => value.clone(),
        };
        let spec = spec.and_then(Value::as_str).unwrap_or("");
        match &value {
            Value::Str(_) if spec.is_empty() => Ok(value),
            Value::Int(_) if spec.is_empty() => text::str_value(self, &value),
            _ => Ok(Value::str(text::format(self, &value, spec)?)),
        }
    }

    /// Adds the entries of a mapping to a dict; those of the keyword arguments of a call only if they are not there yet.
    fn dict_update(
        &mut self,
        dict: &PyDict,
        mapping: &Value,
        callable: Option<&Value>,
    ) -> PyResult<()> {
        let items = match mapping {
            other if let Some(entries) = janus_object::mapping_entries(other) => entries.items(),
            other if class_of(other).lookup(name!("keys")).is_some() => {
                let keys = self.call_method(other, name!("keys"), Args::new(&[]))?;
                let mut items = Vec::new();
                for key in ops::collect(self, &keys)? {
                    let value = ops::get_item(self, other, &key)?;
                    items.push((key, value));
                }
                items
            }
            other => {
                let class = other.type_name();
                return Err(Raised::type_error(match callable {
                    Some(callable) => format!(
                        "{} argument after ** must be a mapping, not {class}",
                        self.callable_name(callable)
                    ),
                    None => format!("'{class}' object is not a mapping"),
                }));
            }
        };
        for (key, value) in items {
            if let Some(callable) = callable {
                if key.as_pystr().is_none() {
                    return Err(Raised::type_error("keywords must be strings"));
                }
                if dict.contains(self, &key)? {
                    return Err(Raised::type_error(format!(
                        "{} got multiple values for keyword argument '{}'",
                        self.callable_name(callable),
                        key.as_str().unwrap_or_default()
                    )));
                }
            }
            dict.set(self, key, value)?;
        }
        Ok(())
    }
}
