//! Binding arguments to the parameters of Python functions.
//!
//! In: a function and the arguments of a call. Out: a frame with its locals and cells set, or a
//! generator that holds it. Always: the errors are CPython's, word for word.

use janus_object::{
    CodeObject, Generator, GeneratorKind, Name, PyCell, PyDict, PyFunction, PyRef, PyResult,
    Raised, Value,
};

use smallvec::SmallVec;

use crate::cache::CodeState;
use crate::eval::ArgVec;
use crate::frame::drop_from;
use crate::generator::SuspendedFrame;
use crate::{Frame, Interp};

/// What a call of a Python function comes to.
pub(crate) enum Bound {
    /// A frame to run.
    Frame(Box<Frame>),
    /// A generator or coroutine, of which nothing runs yet, or what a call gave that needs no frame.
    Suspended(Value),
}

impl Interp {
    /// Binds arguments that are the values of `stack` from `first` on, which are taken.
    #[inline]
    pub(crate) fn bind_stack(
        &mut self,
        function: &PyFunction,
        stack: &mut Vec<Option<Value>>,
        first: usize,
    ) -> PyResult<Bound> {
        let count = stack.len() - first;
        let code = function.code.borrow().clone();
        let state = self.code_state(&code);
        if state.takes(function, count) {
            // SAFETY: they are values of the stack, which forgets them.
            let frame = unsafe {
                let args = stack.as_ptr().add(first);
                let frame = self.bind_moved(function, &code, state, args, count);
                stack.set_len(first);
                frame
            };
            return Ok(bound(function, state, frame));
        }
        let args = stack.get_mut(first..).unwrap_or_default();
        if let Some(frame) = self.bind_named(function, args, &[])? {
            stack.truncate(first);
            return Ok(Bound::Frame(frame));
        }
        let args: ArgVec = stack.drain(first..).flatten().collect();
        self.bind(function, args, Vec::new())
    }

    /// Binds arguments to a function with this code that takes so many.
    ///
    /// # Safety
    /// So many slots are there. They belong to the frame.
    #[inline(always)]
    pub(crate) unsafe fn bind_moved(
        &mut self,
        function: &PyFunction,
        code: &PyRef<CodeObject>,
        state: &CodeState,
        args: *const Option<Value>,
        count: usize,
    ) -> Box<Frame> {
        let mut frame = self.take_frame(code, &function.globals);
        let locals = &mut frame.locals;
        debug_assert!(locals.is_empty());
        if locals.capacity() < state.locals {
            locals.reserve(state.locals);
        }
        // SAFETY: there is room for the slots, which from then on belong to the locals alone; behind them nothing is set.
        unsafe {
            let first = locals.as_mut_ptr();
            for at in 0..count {
                first.add(at).write(args.add(at).read());
            }
            for at in count..state.locals {
                first.add(at).write(None);
            }
            locals.set_len(state.locals);
        }
        if count < state.argcount {
            fill_defaults(&mut frame, state, function, count);
        }
        if state.has_cells {
            fill_cells(&mut frame, state, function);
        }
        frame
    }

    /// Binds arguments that stay whose they are, the first of them apart.
    #[inline]
    pub(crate) fn bind_values(
        &mut self,
        function: &PyFunction,
        first: Option<&Value>,
        args: &[Value],
    ) -> PyResult<Bound> {
        let code = function.code.borrow();
        let state = self.code_state(&code);
        let count = args.len() + usize::from(first.is_some());
        if !state.simple || count != state.argcount {
            drop(code);
            let args: ArgVec = first.into_iter().chain(args).cloned().collect();
            return self.bind(function, args, Vec::new());
        }
        let mut frame = self.take_frame(&code, &function.globals);
        let unset = state.locals - count;
        frame.locals.reserve(state.locals);
        frame
            .locals
            .extend(first.into_iter().chain(args).cloned().map(Some));
        frame.locals.extend(std::iter::repeat_n(None, unset));
        if state.has_cells {
            fill_cells(&mut frame, state, function);
        }
        Ok(bound(function, state, frame))
    }

    /// Binds arguments of which the last ones have these names, and takes them; none, and nothing is taken, where that is
    /// not simple.
    pub(crate) fn bind_named(
        &mut self,
        function: &PyFunction,
        args: &mut [Option<Value>],
        names: &[Value],
    ) -> PyResult<Option<Box<Frame>>> {
        let code = function.code.borrow();
        let state = self.code_state(&code);
        let c = &code.code;
        let parameters = state.argcount + c.kwonly_argcount as usize;
        let positional = args.len().wrapping_sub(names.len());
        let fixed = positional.min(state.argcount);
        if state.suspends || parameters > 63 || (positional > fixed && !c.flags.varargs) {
            return Ok(None);
        }
        let mut given: u64 = (1 << fixed) - 1;
        // What is none goes into the dict of `**kwargs`.
        let mut places = SmallVec::<[Option<usize>; 8]>::new();
        for name in names {
            let Value::Str(name) = name else {
                return Ok(None);
            };
            let by_name = c.posonly_argcount as usize..parameters;
            let at = state.params.iter().position(|p| p.is(name));
            let at = at.filter(|at| by_name.contains(at));
            match at {
                Some(at) if given & (1 << at) == 0 => given |= 1 << at,
                None if c.flags.varkw => {}
                _ => return Ok(None),
            }
            places.push(at);
        }
        let defaults = function.defaults.borrow();
        let first_default = state.argcount.saturating_sub(defaults.len());
        let is_given = |at: usize| given & (1 << at) != 0;
        if !(fixed..state.argcount).all(|at| is_given(at) || at >= first_default)
            || !(state.argcount..parameters).all(is_given)
        {
            return Ok(None);
        }
        let mut frame = self.take_frame(&code, &function.globals);
        frame.locals.resize(state.locals, None);
        let (first, named) = args.split_at_mut(positional);
        let (first, rest) = first.split_at_mut(fixed);
        let mut put = |at: usize, value: Option<Value>| {
            if let Some(local) = frame.locals.get_mut(at) {
                *local = value;
            }
        };
        for (at, slot) in first.iter_mut().enumerate() {
            put(at, slot.take());
        }
        let extra = c.flags.varkw.then(PyDict::new);
        for ((place, slot), name) in places.into_iter().zip(named).zip(names) {
            match (place, &extra, name, slot.take()) {
                (Some(at), _, _, value) => put(at, value),
                (None, Some(extra), Value::Str(name), Some(value)) => {
                    extra.set_name(&Name::intern(name), value);
                }
                _ => {}
            }
        }
        for at in (fixed..state.argcount).filter(|at| !is_given(*at)) {
            put(at, defaults.get(at - first_default).cloned());
        }
        if c.flags.varargs {
            let rest: Vec<Value> = rest.iter_mut().filter_map(Option::take).collect();
            put(parameters, Some(Value::tuple(rest)));
        }
        if let Some(extra) = extra {
            let at = parameters + usize::from(c.flags.varargs);
            put(at, Some(Value::dict(extra)));
        }
        if !c.cellvars.is_empty() || !function.closure.is_empty() {
            fill_cells(&mut frame, state, function);
        }
        Ok(Some(frame))
    }

    /// Binds what a `CallEx` finds on top of a stack, and takes it with the callable; none, and nothing is taken, where that is
    /// not a function in Python with a tuple or a list, and a dict where the lowest flag is set.
    pub(crate) fn bind_spread(
        &mut self,
        stack: &mut Vec<Option<Value>>,
        flags: usize,
    ) -> PyResult<Option<Box<Frame>>> {
        let (base, mapping) = match (flags & 1, stack.as_slice()) {
            (0, [below @ .., Some(_), None, Some(_)]) => (below.len(), None),
            (
                1,
                [
                    below @ ..,
                    Some(_),
                    None,
                    Some(_),
                    Some(Value::Dict(mapping)),
                ],
            ) => (below.len(), Some(mapping)),
            _ => return Ok(None),
        };
        let [Some(callable), _, Some(iterable), ..] = &stack[base..] else {
            return Ok(None);
        };
        let (function, receiver) = match callable {
            Value::Function(function) => (function, None),
            Value::Method(method) => match &method.function {
                Value::Function(function) => (function, Some(method.receiver.clone())),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let mut args: SmallVec<[Option<Value>; 8]> = SmallVec::new();
        args.extend(receiver.map(Some));
        match iterable {
            Value::Tuple(tuple) => args.extend(tuple.items.iter().cloned().map(Some)),
            Value::List(list) => args.extend(list.items.borrow().iter().cloned().map(Some)),
            _ => return Ok(None),
        }
        let mut names: SmallVec<[Value; 8]> = SmallVec::new();
        for (name, value) in mapping.iter().flat_map(|mapping| mapping.items()) {
            names.push(name);
            args.push(Some(value));
        }
        let frame = self.bind_named(&function.clone(), &mut args, &names)?;
        if frame.is_some() {
            drop_from(stack, base);
        }
        Ok(frame)
    }

    /// Binds any arguments.
    pub(crate) fn bind(
        &mut self,
        function: &PyFunction,
        mut args: ArgVec,
        kw: Vec<(Name, Value)>,
    ) -> PyResult<Bound> {
        let code = function.code.borrow().clone();
        let state = self.code_state(&code);
        let c = &code.code;
        let argcount = state.argcount;
        let keyword_only = c.kwonly_argcount as usize;
        let mut frame = self.take_frame(&code, &function.globals);
        frame.locals.resize(state.locals, None);
        let given = args.len();

        let rest: Vec<Value> = if given > argcount {
            args.drain(argcount..).collect()
        } else {
            Vec::new()
        };
        for (local, value) in frame.locals.iter_mut().zip(args) {
            *local = Some(value);
        }
        if c.flags.varargs
            && let Some(local) = frame.locals.get_mut(argcount + keyword_only)
        {
            *local = Some(Value::tuple(rest));
        }
        let keywords = kw.len();
        let extra = if c.flags.varkw {
            Some(PyDict::new())
        } else {
            None
        };
        for (key, value) in kw {
            let position = state
                .params
                .iter()
                .take(argcount + keyword_only)
                .skip(c.posonly_argcount as usize)
                .position(|p| *p == key);
            match position.map(|i| i + c.posonly_argcount as usize) {
                Some(at) => match frame.locals.get_mut(at) {
                    Some(local @ None) => *local = Some(value),
                    _ => {
                        let name = qualname(function);
                        self.recycle(frame);
                        return Err(Raised::type_error(format!(
                            "{name}() got multiple values for argument '{key}'"
                        )));
                    }
                },
                None => match &extra {
                    Some(extra) => extra.set_name(&key, value),
                    None => {
                        self.recycle(frame);
                        return Err(unexpected_keyword(function, state, &key));
                    }
                },
            }
        }
        if let Some(extra) = extra
            && let Some(local) = frame
                .locals
                .get_mut(argcount + keyword_only + usize::from(c.flags.varargs))
        {
            *local = Some(Value::dict(extra));
        }
        if given > argcount && !c.flags.varargs {
            let given_keyword_only = frame
                .locals
                .iter()
                .skip(argcount)
                .take(keyword_only)
                .filter(|local| local.is_some())
                .count();
            self.recycle(frame);
            return Err(too_many(function, argcount, given, given_keyword_only));
        }
        if given < argcount || keywords > 0 {
            let defaults = function.defaults.borrow();
            let first_default = argcount.saturating_sub(defaults.len());
            let mut missing = Vec::new();
            for (at, local) in frame.locals.iter_mut().take(argcount).enumerate() {
                if local.is_none() {
                    match at.checked_sub(first_default).and_then(|d| defaults.get(d)) {
                        Some(default) => *local = Some(default.clone()),
                        None => missing.push(at),
                    }
                }
            }
            if !missing.is_empty() {
                drop(defaults);
                self.recycle(frame);
                return Err(missing_error(function, state, &missing, "positional"));
            }
        }
        if keyword_only > 0 {
            let defaults = function.kw_defaults.borrow();
            let mut missing = Vec::new();
            let params = state
                .params
                .iter()
                .enumerate()
                .skip(argcount)
                .take(keyword_only);
            for (at, name) in params {
                let Some(local @ None) = frame.locals.get_mut(at) else {
                    continue;
                };
                match defaults.as_ref().and_then(|d| d.get_name(name)) {
                    Some(default) => *local = Some(default),
                    None => missing.push(at),
                }
            }
            if !missing.is_empty() {
                drop(defaults);
                self.recycle(frame);
                return Err(missing_error(function, state, &missing, "keyword-only"));
            }
        }
        if !c.cellvars.is_empty() || !function.closure.is_empty() {
            fill_cells(&mut frame, state, function);
        }
        Ok(bound(function, state, frame))
    }
}

/// What a call comes to whose arguments are bound: the frame, or a generator that has it.
#[inline]
pub(crate) fn bound(function: &PyFunction, state: &CodeState, frame: Box<Frame>) -> Bound {
    if !state.suspends {
        return Bound::Frame(frame);
    }
    let code = &frame.code;
    let kind = match (code.code.flags.coroutine, code.code.flags.generator) {
        (true, true) => GeneratorKind::AsyncGenerator,
        (true, false) => GeneratorKind::Coroutine,
        (false, _) => GeneratorKind::Generator,
    };
    code.profile.entries.set(code.profile.entries.get() + 1);
    let name = function.name.borrow().clone();
    let qualname = function.qualname.borrow().clone();
    let body = Box::new(SuspendedFrame::new(frame));
    let generator = Generator::new(name, qualname, body, kind);
    Bound::Suspended(Value::Generator(PyRef::new(generator)))
}

/// Sets the parameters from `count` on, for which there are defaults.
fn fill_defaults(frame: &mut Frame, state: &CodeState, function: &PyFunction, count: usize) {
    let defaults = function.defaults.borrow();
    let first = (defaults.len() + count).saturating_sub(state.argcount);
    let unset = frame.locals.iter_mut().skip(count);
    for (local, default) in unset.zip(defaults.iter().skip(first)) {
        *local = Some(default.clone());
    }
}

/// Makes the cells of a frame whose parameters are bound, and moves captured parameters there.
fn fill_cells(frame: &mut Frame, state: &CodeState, function: &PyFunction) {
    let count = frame.code.code.cellvars.len();
    frame
        .cells
        .extend((0..count).map(|_| PyRef::new(PyCell::new(None))));
    for (local, cell) in &state.captured {
        if let (Some(local), Some(cell)) = (frame.locals.get_mut(*local), frame.cells.get(*cell)) {
            *cell.value.borrow_mut() = local.take();
        }
    }
    frame.cells.extend(function.closure.iter().cloned());
}

/// The name under which a function appears in errors.
fn qualname(function: &PyFunction) -> String {
    match function.qualname.borrow().as_str() {
        Some(name) => name.to_owned(),
        None => function.code.borrow().code.qualname.to_string(),
    }
}

#[cold]
fn unexpected_keyword(function: &PyFunction, state: &CodeState, key: &Name) -> Raised {
    let name = qualname(function);
    let code = function.code.borrow();
    let positional_only = code.code.posonly_argcount as usize;
    if state.params.iter().take(positional_only).any(|p| p == key) {
        return Raised::type_error(format!(
            "{name}() got some positional-only arguments passed as keyword arguments: '{key}'"
        ));
    }
    Raised::type_error(format!(
        "{name}() got an unexpected keyword argument '{key}'"
    ))
}

#[cold]
fn too_many(
    function: &PyFunction,
    argcount: usize,
    given: usize,
    given_keyword_only: usize,
) -> Raised {
    let name = qualname(function);
    let defaults = function.defaults.borrow().len();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let (takes, takes_plural) = if defaults > 0 {
        (
            format!("from {} to {argcount}", argcount - defaults.min(argcount)),
            "s",
        )
    } else {
        (argcount.to_string(), plural(argcount))
    };
    let extra = if given_keyword_only > 0 {
        format!(
            " positional argument{} (and {given_keyword_only} keyword-only argument{})",
            plural(given),
            plural(given_keyword_only)
        )
    } else {
        String::new()
    };
    let were = if given == 1 && given_keyword_only == 0 {
        "was"
    } else {
        "were"
    };
    Raised::type_error(format!(
        "{name}() takes {takes} positional argument{takes_plural} but {given}{extra} {were} given"
    ))
}

#[cold]
fn missing_error(
    function: &PyFunction,
    state: &CodeState,
    missing: &[usize],
    kind: &str,
) -> Raised {
    let names: Vec<String> = missing
        .iter()
        .filter_map(|at| state.params.get(*at))
        .map(|name| format!("'{name}'"))
        .collect();
    let list = match names.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
        [] => String::new(),
    };
    let count = names.len();
    let plural = if count == 1 { "" } else { "s" };
    Raised::type_error(format!(
        "{}() missing {count} required {kind} argument{plural}: {list}",
        qualname(function)
    ))
}
