//! Instructions that are not worth room in the eval loop.
//!
//! In: the operands on the stack of the frame that the eval loop put on `frames`. Out: the results
//! there. Always: each method does what the table of instructions says of the one it is named for.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{CodeObject, Name, PyDict, PyRef, PyResult, Raised, Value, class_of, name, ops};

use crate::cache::{CodeState, Op, Quick};
use crate::{Frame, Interp};

impl Interp {
    /// The frame that called out.
    pub(crate) fn top(&mut self) -> PyResult<&mut Frame> {
        match self.frames.last_mut() {
            Some(frame) => Ok(frame),
            None => Err(Raised::system_error("no frame")),
        }
    }

    /// Pops a value of the frame that called out.
    pub(crate) fn pop(&mut self) -> PyResult {
        match self.top()?.stack.pop() {
            Some(Some(value)) => Ok(value),
            _ => Err(self.internal("corrupt value stack")),
        }
    }

    /// Pushes a value on the stack of the frame that called out.
    pub(crate) fn push(&mut self, value: Value) -> PyResult<()> {
        self.top()?.stack.push(Some(value));
        Ok(())
    }

    /// The n-th value from the top, which is 1.
    pub(crate) fn peek(&mut self, from_top: usize) -> PyResult {
        let stack = &self.top()?.stack;
        match stack
            .len()
            .checked_sub(from_top)
            .and_then(|at| stack.get(at))
        {
            Some(Some(value)) => Ok(value.clone()),
            _ => Err(self.internal("corrupt value stack")),
        }
    }

    /// A binary operator or comparison.
    #[inline(never)]
    pub(crate) fn operate(&mut self, op: Op, arg: u32, left: &Value, right: &Value) -> PyResult {
        if op == Op::CompareOp {
            return match CompareOp::from_arg(arg) {
                Some(op) => ops::compare(self, op, left, right),
                None => Err(self.internal("comparison operator")),
            };
        }
        match BinaryOp::from_arg(arg) {
            Some(op) => ops::binary(self, op, left, right),
            None => Err(self.internal("binary operator")),
        }
    }

    #[inline(never)]
    pub(crate) fn unary(&mut self, op: Op, value: &Value) -> PyResult {
        let op = match op {
            Op::UnaryNegative => ops::UnaryOp::Negative,
            Op::UnaryPositive => ops::UnaryOp::Positive,
            _ => ops::UnaryOp::Invert,
        };
        ops::unary(self, op, value)
    }

    #[cold]
    pub(crate) fn unbound_local(&self, code: &CodeObject, pc: usize, at: usize) -> Raised {
        match code.code.varnames.get(at) {
            Some(name) => match janus_bytecode::hidden_name(name) {
                Some(name) => Raised::unbound_local(name),
                // In CPython 3.11 a comprehension captures what is its function's.
                None if code.code.inlined_at(pc as u32).next().is_some() => {
                    Raised::unbound_free(name)
                }
                None => Raised::unbound_local(name),
            },
            None => self.internal("local out of range"),
        }
    }

    #[cold]
    pub(crate) fn unbound_deref(&self, code: &CodeObject, at: u32) -> Raised {
        match code.code.deref_name(at) {
            Some(name) if (at as usize) < code.code.cellvars.len() => Raised::unbound_local(name),
            Some(name) => Raised::unbound_free(name),
            None => self.internal("cell out of range"),
        }
    }

    /// A global that the cache does not know.
    #[inline(never)]
    pub(crate) fn load_global(
        &mut self,
        frame: &Frame,
        code: &CodeObject,
        quick: &Quick,
    ) -> PyResult {
        let Some(name) = code.names.get(quick.arg as usize) else {
            return Err(self.internal("name out of range"));
        };
        let cache = CodeState::of(code).and_then(|s| s.globals.get(quick.cache as usize));
        frame.globals.track();
        let layout = frame.globals.layout();
        if let Some(index) = frame.globals.index_of_name(name)
            && let Some(value) = frame.globals.value_at(index)
        {
            if let Some(cache) = cache {
                cache.set(layout, 0, index);
            }
            return Ok(value);
        }
        if let Some(index) = frame.builtins.index_of_name(name)
            && let Some(value) = frame.builtins.value_at(index)
        {
            let builtins = frame.builtins.layout();
            if let Some(cache) = cache
                && builtins != 0
            {
                cache.set(layout, builtins, index);
            }
            return Ok(value);
        }
        Err(name_error(name, &frame.globals))
    }

    /// Stores a global that the cache does not know.
    #[inline(never)]
    pub(crate) fn store_global(
        &mut self,
        globals: &PyDict,
        code: &CodeObject,
        quick: &Quick,
        value: Value,
    ) -> PyResult<()> {
        let Some(name) = code.names.get(quick.arg as usize) else {
            return Err(self.internal("name out of range"));
        };
        globals.set_name(name, value);
        if let Some(cache) = CodeState::of(code).and_then(|s| s.globals.get(quick.cache as usize))
            && let Some(index) = globals.index_of_name(name)
        {
            cache.set(globals.layout(), 0, index);
        }
        Ok(())
    }

    /// Names of class bodies and of code run by `exec` with a namespace of its own, and the rarer
    /// instructions on globals.
    #[inline(never)]
    pub(crate) fn namespace_op(&mut self, op: Op, arg: usize) -> PyResult<()> {
        let value = match op {
            Op::StoreName => Some(self.pop()?),
            _ => None,
        };
        let frame = self.top()?;
        let code = frame.code.clone();
        let globals = frame.globals.clone();
        let namespace = frame.namespace.clone().unwrap_or_else(|| globals.clone());
        let mapping = frame.mapping.clone();
        let builtins = frame.builtins.clone();
        let name = match op {
            Op::LoadClassDeref => code.code.deref_name(arg as u32).map(|n| Name::new(n)),
            Op::SetupAnnotations => Some(name!("__annotations__").clone()),
            _ => code.names.get(arg).cloned(),
        };
        let Some(name) = name else {
            return Err(self.internal("name out of range"));
        };
        let undefined = || name_error(&name, &globals);
        match op {
            Op::DeleteGlobal => match globals.remove_name(&name) {
                Some(_) => Ok(()),
                None => Err(undefined()),
            },
            Op::StoreName => {
                let value = value.unwrap_or(Value::None);
                match mapping {
                    Some(mapping) => ops::set_item(self, &mapping, &name.to_value(), value),
                    None => {
                        namespace.set_name(&name, value);
                        Ok(())
                    }
                }
            }
            Op::DeleteName => {
                let found = match mapping {
                    Some(mapping) => match ops::del_item(self, &mapping, &name.to_value()) {
                        Ok(()) => true,
                        Err(raised) if raised.is(janus_object::ExcKind::KeyError) => false,
                        Err(raised) => return Err(raised),
                    },
                    None => namespace.remove_name(&name).is_some(),
                };
                if found { Ok(()) } else { Err(undefined()) }
            }
            Op::SetupAnnotations => {
                if self
                    .namespace_get(&namespace, mapping.as_ref(), &name)?
                    .is_none()
                {
                    let annotations = Value::dict(PyDict::new());
                    match mapping {
                        Some(m) => ops::set_item(self, &m, &name.to_value(), annotations)?,
                        None => namespace.set_name(&name, annotations),
                    }
                }
                Ok(())
            }
            _ => {
                let mut found = self.namespace_get(&namespace, mapping.as_ref(), &name)?;
                if found.is_none() && op == Op::LoadClassDeref {
                    let cell = self.top()?.cells.get(arg).cloned();
                    found = cell.and_then(|cell| cell.value.borrow().clone());
                    if found.is_none() {
                        return Err(self.unbound_deref(&code, arg as u32));
                    }
                }
                let found = found
                    .or_else(|| globals.get_name(&name))
                    .or_else(|| builtins.get_name(&name));
                match found {
                    Some(value) => self.push(value),
                    None => Err(undefined()),
                }
            }
        }
    }

    fn namespace_get(
        &mut self,
        namespace: &PyDict,
        mapping: Option<&Value>,
        name: &Name,
    ) -> PyResult<Option<Value>> {
        let Some(mapping) = mapping else {
            return Ok(namespace.get_name(name));
        };
        match ops::get_item(self, mapping, &name.to_value()) {
            Ok(value) => Ok(Some(value)),
            Err(raised) if raised.is(janus_object::ExcKind::KeyError) => Ok(None),
            Err(raised) => Err(raised),
        }
    }

    /// `UnpackEx`.
    #[inline(never)]
    pub(crate) fn unpack_ex(&mut self, arg: usize) -> PyResult<()> {
        let (before, after) = (arg & 0xff, arg >> 8);
        let sequence = self.pop()?;
        let class = class_of(&sequence);
        let iterable = class.lookup(name!("__iter__")).is_some()
            || class.lookup(name!("__getitem__")).is_some();
        if !iterable {
            return Err(Raised::type_error(format!(
                "cannot unpack non-iterable {} object",
                class.name.borrow()
            )));
        }
        let mut items = match &sequence {
            // As in CPython: the rest is `list(iterator)`, which asks the iterator for its iterator.
            Value::Instance(_) => {
                let it = ops::iter(self, &sequence)?;
                let mut items = Vec::with_capacity(before);
                while items.len() < before {
                    match ops::next(self, &it)? {
                        Some(item) => items.push(item),
                        None => break,
                    }
                }
                if items.len() == before {
                    items.extend(ops::collect(self, &it)?);
                }
                items
            }
            _ => ops::collect(self, &sequence)?,
        };
        if items.len() < before + after {
            return Err(Raised::value_error(format!(
                "not enough values to unpack (expected at least {}, got {})",
                before + after,
                items.len()
            )));
        }
        let tail = items.split_off(items.len() - after);
        let middle = items.split_off(before);
        let stack = &mut self.top()?.stack;
        stack.extend(tail.into_iter().rev().map(Some));
        stack.push(Some(Value::list(middle)));
        stack.extend(items.into_iter().rev().map(Some));
        Ok(())
    }
}

/// A NameError that remembers the globals, for "Did you mean".
#[cold]
fn name_error(name: &Name, globals: &PyRef<PyDict>) -> Raised {
    let raised = Raised::name_error(name);
    if let Some(data) = raised.data() {
        data.set_member(name!("<globals>"), Value::Dict(globals.clone()));
    }
    raised
}
