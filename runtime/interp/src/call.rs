//! Calls.
//!
//! In: any callable and arguments. Out: the result. Always: Python functions run here, everything
//! else is called by [`janus_object::call`]; `super()` gets its arguments from the calling frame.

use janus_object::{
    Args, Name, PyRef, PyResult, Raised, Site, Value, attr, class_of, name, ops, types,
};

use crate::attr_cache::AttrCache;
use crate::bind::Bound;
use crate::cache::Op;
use crate::eval::ArgVec;
use crate::{Frame, Interp};

/// A call with keywords, ready to be made.
pub(crate) struct Prepared {
    callable: Value,
    args: ArgVec,
    kw: Vec<(Name, Value)>,
}

impl Prepared {
    /// Calls what a bound method is of, with its receiver.
    fn take_apart_method(&mut self) {
        if let Value::Method(method) = &self.callable {
            let (function, receiver) = (method.function.clone(), method.receiver.clone());
            self.args.insert(0, receiver);
            self.callable = function;
        }
    }
}

impl Interp {
    /// Calls anything.
    pub(crate) fn call_value(&mut self, callable: &Value, args: Args<'_>) -> PyResult {
        match callable {
            Value::Function(function) => self.call_function(function, args),
            Value::Method(method) => self.call_with_first(&method.function, &method.receiver, args),
            Value::Native(native) => native.call(self, args),
            Value::Class(class) if is_bare_super(class, &args) => {
                let (start, object) = self.super_arguments()?;
                self.call_other(callable, Args::new(&[start, object]))
            }
            _ => self.call_other(callable, args),
        }
    }

    /// Calls classes and objects.
    fn call_other(&mut self, callable: &Value, args: Args<'_>) -> PyResult {
        janus_object::call::call(self, callable, args)
    }

    /// Calls with one more argument in front.
    pub(crate) fn call_with_first(
        &mut self,
        callable: &Value,
        first: &Value,
        args: Args<'_>,
    ) -> PyResult {
        if let Value::Function(function) = callable
            && args.kw.is_empty()
        {
            if let Some(result) = self.call_compiled_with(function, first, args.pos) {
                return result;
            }
            let bound = self.bind_values(function, Some(first), args.pos)?;
            return self.run_call(bound);
        }
        let mut all = ArgVec::with_capacity(args.pos.len() + 1);
        all.push(first.clone());
        all.extend(args.pos.iter().cloned());
        match callable {
            Value::Function(function) => {
                let bound = self.bind(function, all, args.kw.to_vec())?;
                self.run_call(bound)
            }
            _ => self.call_value(
                callable,
                Args {
                    pos: &all,
                    kw: args.kw,
                },
            ),
        }
    }

    /// Calls anything but a plain Python function, for the eval loop.
    #[inline(never)]
    pub(crate) fn call_args(&mut self, callable: &Value, args: ArgVec) -> PyResult {
        match callable {
            Value::Native(native) => native.call(self, Args::new(&args)),
            _ => self.call_owned(callable, args),
        }
    }

    /// Calls with owned positional arguments.
    pub(crate) fn call_owned(&mut self, callable: &Value, mut args: ArgVec) -> PyResult {
        match callable {
            Value::Function(function) => {
                let bound = self.bind(function, args, Vec::new())?;
                self.run_call(bound)
            }
            Value::Method(method) => {
                args.insert(0, method.receiver.clone());
                self.call_owned(&method.function, args)
            }
            _ => self.call_value(callable, Args::new(&args)),
        }
    }

    /// Calls with one argument.
    pub(crate) fn call_one(&mut self, callable: &Value, arg: Value) -> PyResult {
        self.call_owned(callable, smallvec::smallvec![arg])
    }

    /// Calls a Python function.
    pub fn call_function(
        &mut self,
        function: &janus_object::PyFunction,
        args: Args<'_>,
    ) -> PyResult {
        let bound = if args.kw.is_empty() {
            if let Some(result) = self.call_compiled(function, args.pos) {
                return result;
            }
            self.bind_values(function, None, args.pos)?
        } else {
            let pos = args.pos.iter().cloned().collect();
            self.bind(function, pos, args.kw.to_vec())?
        };
        self.run_call(bound)
    }

    fn run_call(&mut self, bound: Bound) -> PyResult {
        match bound {
            Bound::Frame(frame) => self.run_bound(frame),
            Bound::Suspended(value) => Ok(value),
        }
    }

    /// Takes a `CallKw` or `CallEx` off the stack.
    pub(crate) fn prepare_call(
        &mut self,
        frame: &mut Box<Frame>,
        op: Op,
        arg: usize,
        site: Option<&Site>,
        pc: usize,
    ) -> PyResult<Prepared> {
        frame.pc = pc as u32;
        let mut prepared = self.prepare_spread(op == Op::CallKw, arg, &mut frame.stack)?;
        if let Some(site) = site {
            site.hit();
            crate::profile::saw_callee(site, &prepared.callable);
        }
        prepared.take_apart_method();
        Ok(prepared)
    }

    /// Does what `CallKw` does, or `CallEx`, with what it takes off a stack.
    ///
    /// # Errors
    /// What the call raises.
    pub fn call_spread(
        &mut self,
        names: bool,
        arg: u32,
        mut operands: Vec<Option<Value>>,
    ) -> PyResult {
        let bound = match names {
            true => self.bind_keywords(&mut operands)?,
            false => self.bind_spread(&mut operands, arg as usize)?,
        };
        if let Some(frame) = bound {
            return self.run_bound(frame);
        }
        let mut prepared = self.prepare_spread(names, arg as usize, &mut operands)?;
        prepared.take_apart_method();
        self.call_prepared(prepared)
    }

    /// Binds the operands of a `CallKw` to a function in Python, if that is simple.
    fn bind_keywords(&mut self, operands: &mut [Option<Value>]) -> PyResult<Option<Box<Frame>>> {
        let [
            Some(Value::Function(function)),
            rest @ ..,
            Some(Value::Tuple(names)),
        ] = operands
        else {
            return Ok(None);
        };
        let args = match rest {
            [None, args @ ..] => args,
            args => args,
        };
        self.bind_named(function, args, &names.items)
    }

    /// `names`: a tuple of them lies on top, for the last arguments; else there are a sequence of arguments and a mapping.
    fn prepare_spread(
        &mut self,
        names: bool,
        arg: usize,
        stack: &mut Vec<Option<Value>>,
    ) -> PyResult<Prepared> {
        if names {
            self.prepare_keywords(stack, arg)
        } else {
            self.prepare_unpacked(stack, arg)
        }
    }

    fn prepare_keywords(
        &mut self,
        stack: &mut Vec<Option<Value>>,
        count: usize,
    ) -> PyResult<Prepared> {
        let Some(Some(Value::Tuple(names))) = stack.pop() else {
            return Err(self.internal("keyword names"));
        };
        let base = stack.len().checked_sub(count + 2);
        let Some(base) = base else {
            return Err(self.internal("corrupt value stack"));
        };
        let first_keyword = stack.len() - names.items.len().min(count);
        let kw = stack
            .drain(first_keyword..)
            .flatten()
            .zip(names.items.iter())
            .filter_map(|(value, name)| Some((Name::intern(name.as_pystr()?), value)))
            .collect();
        // The receiver, if there is one, is the first argument; NULL vanishes.
        let args: ArgVec = stack.drain(base + 1..).flatten().collect();
        match stack.pop() {
            Some(Some(callable)) => Ok(Prepared { callable, args, kw }),
            _ => Err(self.internal("corrupt value stack")),
        }
    }

    fn prepare_unpacked(
        &mut self,
        stack: &mut Vec<Option<Value>>,
        flags: usize,
    ) -> PyResult<Prepared> {
        let mapping = if flags & 1 != 0 {
            stack.pop().flatten()
        } else {
            None
        };
        let Some(iterable) = stack.pop().flatten() else {
            return Err(self.internal("corrupt value stack"));
        };
        stack.pop();
        let Some(callable) = stack.pop().flatten() else {
            return Err(self.internal("corrupt value stack"));
        };
        let args: ArgVec = match &iterable {
            Value::Tuple(t) => t.items.iter().cloned().collect(),
            Value::List(l) => l.items.borrow().iter().cloned().collect(),
            other => match ops::iter(self, other) {
                Ok(iterator) => self.collect(&iterator)?.into(),
                Err(_) if !is_iterable(other) => {
                    return Err(Raised::type_error(format!(
                        "{} argument after * must be an iterable, not {}",
                        self.callable_name(&callable),
                        other.type_name()
                    )));
                }
                Err(raised) => return Err(raised),
            },
        };
        let mut kw = Vec::new();
        if let Some(mapping) = mapping {
            let dict = match mapping.as_dict() {
                Some(dict) => dict.clone(),
                None => return Err(self.internal("keyword mapping")),
            };
            for (key, value) in dict.items() {
                match key.as_pystr() {
                    Some(s) => kw.push((Name::intern(s), value)),
                    None => return Err(Raised::type_error("keywords must be strings")),
                }
            }
        }
        Ok(Prepared { callable, args, kw })
    }

    /// Makes a prepared call.
    pub(crate) fn call_prepared(&mut self, call: Prepared) -> PyResult {
        let Prepared { callable, args, kw } = call;
        match &callable {
            Value::Function(function) => {
                let bound = self.bind(function, args, kw)?;
                self.run_call(bound)
            }
            _ => self.call_value(
                &callable,
                Args {
                    pos: &args,
                    kw: &kw,
                },
            ),
        }
    }

    /// How errors about star arguments name a callable: `module.qualname()`.
    pub(crate) fn callable_name(&mut self, callable: &Value) -> String {
        let qualname = match attr::get_opt(self, callable, name!("__qualname__")) {
            Ok(Some(q)) => self.safe_str(&q),
            _ => return format!("{} object", callable.type_name()),
        };
        match attr::get_opt(self, callable, name!("__module__")) {
            Ok(Some(Value::Str(m))) if m.as_str() != "builtins" => format!("{m}.{qualname}()"),
            _ => format!("{qualname}()"),
        }
    }

    /// What `super()` without arguments stands for in the calling frame.
    pub fn super_arguments(&self) -> PyResult<(Value, Value)> {
        match self.current_frame() {
            Some(frame) => super_arguments_in(frame),
            None => Err(Raised::runtime_error("super(): no current frame")),
        }
    }
}

/// The function that `super().name` is in a frame, with the object that it is to be bound to, where no more than a function
/// of a class further on in the object's order of classes is meant. With two arguments, these are on the stack.
pub(crate) fn super_method(
    frame: &Frame,
    arguments: u32,
    name: &Name,
    cache: Option<&AttrCache>,
) -> PyResult<Option<(Value, Value)>> {
    let (start, object) = match frame.stack.as_slice() {
        [.., Some(_), None, Some(start), Some(object)] if arguments == 2 => {
            (start.clone(), object.clone())
        }
        _ => super_arguments_in(frame)?,
    };
    let (Value::Class(start), Value::Instance(instance)) = (&start, &object) else {
        return Ok(None);
    };
    let class = instance.class();
    let (version, behind) = (class.version.get(), start.version.get());
    if let Some(function) = cache.and_then(|cache| cache.super_method(version, behind)) {
        return Ok(Some((function, object)));
    }
    let found = match class.is_subclass_of(start) {
        true => class.lookup_after(start, name),
        false => None,
    };
    Ok(match found {
        Some(function) if attr::is_method(&function) => {
            if let Some(cache) = cache {
                cache.learn_super(version, behind, &function);
            }
            Some((function, object))
        }
        _ => None,
    })
}

/// What `super()` without arguments stands for in a frame.
fn super_arguments_in(frame: &Frame) -> PyResult<(Value, Value)> {
    let code = &frame.code.code;
    if code.argcount == 0 {
        return Err(Raised::runtime_error("super(): no arguments"));
    }
    let first = match frame.locals.first() {
        Some(Some(value)) => Some(value.clone()),
        // A captured parameter lives in its cell.
        _ => code
            .cellvars
            .iter()
            .position(|name| code.varnames.first() == Some(name))
            .and_then(|at| frame.cells.get(at))
            .and_then(|cell| cell.value.borrow().clone()),
    };
    let Some(object) = first else {
        return Err(Raised::runtime_error("super(): arg[0] deleted"));
    };
    let at = code.freevars.iter().position(|name| &**name == "__class__");
    let cell = at.and_then(|at| frame.cells.get(code.cellvars.len() + at));
    let Some(cell) = cell else {
        return Err(Raised::runtime_error("super(): __class__ cell not found"));
    };
    match &*cell.value.borrow() {
        Some(class) => Ok((class.clone(), object)),
        None => Err(Raised::runtime_error("super(): empty __class__ cell")),
    }
}

/// The new instance, whose `__init__` returned `value`.
pub(crate) fn made_by_init(instance: Value, value: &Value) -> PyResult {
    match value {
        Value::None => Ok(instance),
        other => Err(Raised::type_error(format!(
            "__init__() should return None, not '{}'",
            other.type_name()
        ))),
    }
}

fn is_bare_super(class: &PyRef<janus_object::Class>, args: &Args<'_>) -> bool {
    args.pos.is_empty() && args.kw.is_empty() && PyRef::ptr_eq(class, &types().super_)
}

/// Whether a value's class claims to be iterable.
fn is_iterable(value: &Value) -> bool {
    let class = class_of(value);
    class.lookup(name!("__iter__")).is_some() || class.lookup(name!("__getitem__")).is_some()
}
