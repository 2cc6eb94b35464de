//! The eval loop.
//!
//! In: a frame, at its start or where it was suspended. Out: what it returned, yielded or raised. Always:
//! verified code keeps the stack within its bounds, so a stack that is not as expected is an
//! internal error and raises SystemError; `pc` is the instruction being executed until the arm
//! that executes it moves on, so that errors are blamed on it.
//!
//! Arms that are common are written out here; the others are calls into [`crate::slow`] and its
//! siblings, which keeps the native stack that one Python call needs small.

use janus_object::heap;
use janus_object::{
    Args, CodeObject, Immediate, Payload, PyRef, PyResult, Raised, Site, Step, TypeTag, Value,
    attr, ops,
};
use smallvec::SmallVec;

use crate::bind::Bound;
use crate::cache::{CodeState, Hit, Op, Quick, layout_of};
use crate::frame::{Purpose, drop_from};
use crate::immediate::{
    Next, character_of, entry_of, immediate, item_at, next_item, next_pair, quick_contains,
    wrap_index,
};
use crate::profile::{saw, saw_bits, saw_operands, saw_result};
use crate::{Entry, Frame, Interp};

/// Arguments of native calls: most have few.
pub(crate) type ArgVec = SmallVec<[Value; 6]>;

impl Interp {
    /// Runs a frame from its `pc` until it returns or, putting itself into `suspended`, yields.
    #[inline]
    pub(crate) fn eval(&mut self, frame: Box<Frame>) -> PyResult {
        self.eval_from(frame, None)
    }

    /// Runs a frame from its `pc`, where `raised` is raised first.
    #[inline]
    pub(crate) fn eval_from(&mut self, frame: Box<Frame>, raised: Option<Raised>) -> PyResult {
        if self.traced {
            return self.eval_traced(frame, raised);
        }
        self.eval_told(frame, raised)
    }

    /// The same where the call was told to whom it concerns.
    #[inline]
    pub(crate) fn eval_told(&mut self, frame: Box<Frame>, raised: Option<Raised>) -> PyResult {
        if self.depth >= self.limit {
            self.recycle(frame);
            return Err(crate::exceptions::recursion_error());
        }
        self.depth += 1;
        self.stats.frames += 1;
        let result = self.eval_loop(frame, raised, None);
        self.depth -= 1;
        result
    }

    /// Runs the frame of a generator that [`Interp::drive`] gave, and hands what it yields to `sink` until that wants no more.
    pub(crate) fn eval_driven(
        &mut self,
        frame: Box<Frame>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<()> {
        let depth = self.depth - 1;
        self.stats.frames += 1;
        let result = self.eval_loop(frame, None, Some(sink));
        self.depth = depth;
        result.map(drop)
    }

    /// Python functions that the frame calls run in the same loop: their callers are on `frames`, above those that
    /// were there at the beginning.
    fn eval_loop(
        &mut self,
        mut frame: Box<Frame>,
        raised: Option<Raised>,
        mut sink: Option<&mut dyn FnMut(Value) -> bool>,
    ) -> PyResult {
        let callers = self.frames.len();
        let Activation {
            mut code,
            mut state,
            mut instrs,
            mut sites,
        } = self.activation(&frame)?;
        let mut pc = frame.pc as usize;
        let mut pending = raised.map(|raised| (raised, true));

        // What a generator gave that the instruction resumed.
        let mut resumed: Option<Step> = None;
        // What compiled code returned for the frame.
        let mut returned: Option<Value> = None;

        // Goes on in the frame that was put into `frame`.
        macro_rules! switch {
            () => {{
                let activation = self.activation(&frame)?;
                code = activation.code;
                state = activation.state;
                instrs = activation.instrs;
                sites = activation.sites;
            }};
        }
        // Drops a frame that raised, or lets its caller, if that is one of this loop, raise.
        macro_rules! leave_raising {
            ($raised:expr) => {{
                let mut raised = $raised;
                if let Purpose::Generator(driven) = std::mem::take(&mut frame.purpose)
                    && let Some(seen) = self.end_driven(driven, Some(raised.clone()))
                {
                    raised = seen;
                }
                self.recycle(frame);
                if self.frames.len() <= callers {
                    return Err(raised);
                }
                let Some(caller) = self.frames.pop() else {
                    return Err(raised);
                };
                self.depth -= 1;
                frame = caller;
                switch!();
                pc = frame.pc as usize;
                pending = Some((raised, true));
            }};
        }
        // Calls out of the loop, with the frame where others find it.
        macro_rules! step_out {
            () => {
                frame.pc = pc as u32;
                self.frames.push(frame);
            };
        }
        macro_rules! step_in {
            () => {
                match self.frames.pop() {
                    Some(back) => frame = back,
                    None => return Err(self.internal("frame lost")),
                }
                // What was called may have set a trace function for the frame.
                if let Some(steps) = &frame.steps {
                    // SAFETY: as in `activation`.
                    instrs = unsafe { &*steps.ops() };
                }
            };
        }
        macro_rules! outside {
            ($call:expr) => {{
                step_out!();
                let result = $call;
                step_in!();
                result
            }};
        }

        'activation: loop {
            let (raised, fresh) = 'run: {
                macro_rules! raise {
                    ($raised:expr) => {
                        break 'run ($raised, true)
                    };
                }
                macro_rules! attempt {
                    ($result:expr) => {
                        match $result {
                            Ok(value) => value,
                            Err(raised) => raise!(raised),
                        }
                    };
                }
                // Pushes what a function gave.
                macro_rules! push_result {
                    ($result:expr, |$value:ident| $seen:expr) => {
                        let Ok($value) = &$result else {
                            attempt!($result);
                            continue;
                        };
                        $seen;
                        // SAFETY: the result is forgotten.
                        push!(unsafe { Value::take_parts($value) });
                        std::mem::forget($result);
                    };
                }
                macro_rules! push_outside {
                    ($call:expr) => {
                        step_out!();
                        let result = $call;
                        step_in!();
                        push_result!(result, |value| ());
                    };
                }
                // Signals are handled and other threads have their turns here, if that was asked for.
                macro_rules! check_breaker {
                    () => {
                        if janus_gil::pending::is_break_due() {
                            attempt!(outside!(self.take_break()));
                            // A trace function may have been set for the frame.
                            if frame.steps.is_some() {
                                switch!();
                            }
                        }
                    };
                }
                macro_rules! corrupt {
                    () => {
                        raise!(self.internal("corrupt value stack"))
                    };
                }
                macro_rules! pop {
                    () => {
                        match frame.stack.last() {
                            Some(Some(_)) => take_top(&mut frame.stack),
                            _ => corrupt!(),
                        }
                    };
                }
                macro_rules! push {
                    ($value:expr) => {{
                        let value = $value;
                        frame.stack.push(Some(value));
                    }};
                }
                macro_rules! peek {
                    ($from_top:expr) => {
                        match frame
                            .stack
                            .len()
                            .checked_sub($from_top)
                            .and_then(|at| frame.stack.get(at))
                        {
                            Some(Some(value)) => value,
                            _ => corrupt!(),
                        }
                    };
                }
                // Pushes a value that was put together here: as one piece, see `Value::take_parts`.
                macro_rules! push_made {
                    ($value:expr) => {{
                        let made = std::mem::ManuallyDrop::new($value);
                        // SAFETY: what was made is never looked at again.
                        push!(unsafe { Value::take_parts(&made) });
                    }};
                }
                macro_rules! next {
                    () => {{
                        pc += 1;
                        continue;
                    }};
                }
                macro_rules! load_const {
                    ($arg:expr) => {
                        match code.consts.get($arg) {
                            Some(value) => {
                                push!(value.clone());
                                next!();
                            }
                            None => raise!(self.internal("constant out of range")),
                        }
                    };
                }
                macro_rules! load_fast {
                    ($quick:expr, $arg:expr) => {
                        match frame.locals.get($arg) {
                            Some(Some(value)) => {
                                if let Some(site) = sites.get($quick.site as usize) {
                                    saw(site, value);
                                }
                                let value = value.clone();
                                push!(value);
                                next!();
                            }
                            _ => raise!(self.unbound_local(code, pc, $arg)),
                        }
                    };
                }
                // Puts the result of the operator at `$at` where the following instruction wants
                // it, and executes that too if it is a store or a conditional jump.
                macro_rules! deliver {
                    ($result:expr, $following:expr, $at:expr) => {{
                        let (result, following) = ($result, $following);
                        let at = $at;
                        match following.op {
                            Op::StoreFast => {
                                match frame.locals.get_mut(following.arg as usize) {
                                    Some(local) => result.value().put(local),
                                    None => corrupt!(),
                                }
                                pc = at + 2;
                                settle_at!();
                            }
                            Op::PopJumpIfFalse | Op::PopJumpIfTrue
                                if let Some(truth) = result.as_bool() =>
                            {
                                pc = at + 1;
                                jump_if!(following, truth == (following.op == Op::PopJumpIfTrue));
                            }
                            _ => {
                                push!(result.value());
                                pc = at + 1;
                                continue;
                            }
                        }
                    }};
                }
                // A conditional jump: `$taken` decides, `$site` counts.
                macro_rules! jump_if {
                    ($quick:expr, $taken:expr) => {{
                        let taken = $taken;
                        if let Some(site) = sites.get($quick.site as usize) {
                            site.hit();
                            if taken {
                                site.taken.set(site.taken.get().saturating_add(1));
                            }
                        }
                        pc = if taken { $quick.arg as usize } else { pc + 1 };
                        continue;
                    }};
                }
                // The method of an operator gave a value; the operands are on the stack.
                macro_rules! finish_operator {
                    ($value:expr) => {{
                        let mut value = $value;
                        if let Value::NotImplemented = value {
                            let [.., Some(l), Some(r)] = frame.stack.as_slice() else {
                                corrupt!()
                            };
                            let (l, r) = (l.clone(), r.clone());
                            let op = instrs
                                .get(pc)
                                .and_then(|q| janus_bytecode::BinaryOp::from_arg(q.arg));
                            let Some(op) = op else { corrupt!() };
                            value = attempt!(outside!(ops::binary_after(self, op, &l, &r)));
                        }
                        drop_top(&mut frame.stack);
                        drop_top(&mut frame.stack);
                        push!(value);
                        settle!();
                    }};
                }
                // The frame is done: its value goes to the caller, or out of the loop.
                macro_rules! finish {
                    ($value:expr) => {{
                        let value = $value;
                        // For whoever holds the frame's object.
                        frame.pc = pc as u32;
                        let purpose = match frame.purpose {
                            Purpose::Call => Purpose::Call,
                            _ => std::mem::take(&mut frame.purpose),
                        };
                        self.recycle(frame);
                        if heap::is_pending() {
                            self.settle();
                        }
                        if self.frames.len() <= callers {
                            if let Purpose::Generator(driven) = purpose {
                                self.end_driven(driven, None);
                            }
                            return Ok(value);
                        }
                        let Some(caller) = self.frames.pop() else {
                            return Ok(value);
                        };
                        self.depth -= 1;
                        frame = caller;
                        switch!();
                        pc = frame.pc as usize;
                        let value = match purpose {
                            Purpose::Call => value,
                            Purpose::Init(made) => {
                                attempt!(crate::call::made_by_init(made, &value))
                            }
                            Purpose::Generator(driven) => {
                                self.end_driven(driven, None);
                                resumed = Some(Step::Return(value));
                                continue;
                            }
                            Purpose::Operator => finish_operator!(value),
                        };
                        let site = instrs.get(pc).and_then(|q| sites.get(q.site as usize));
                        if let Some(site) = site {
                            saw_result(site, &value);
                        }
                        push!(value);
                        rest!(site);
                        next!();
                    }};
                }
                // Runs a frame made by a call; `$made` is the instance whose `__init__` it is.
                macro_rules! enter_frame {
                    ($new:expr, $made:expr) => {{
                        let mut new: Box<Frame> = $new;
                        check_breaker!();
                        let asks = self.count_entry(&new);
                        if asks || self.depth >= self.limit {
                            let made: Option<Value> = $made;
                            let result = outside!(self.run_asking(new, asks));
                            match made {
                                None => result,
                                Some(made) => {
                                    result.and_then(|v| crate::call::made_by_init(made, &v))
                                }
                            }
                        } else {
                            if let Some(made) = $made {
                                new.purpose = Purpose::Init(made);
                            }
                            self.depth += 1;
                            frame.pc = pc as u32;
                            self.frames.push(frame);
                            frame = new;
                            switch!();
                            pc = 0;
                            continue;
                        }
                    }};
                }
                // At a loop head whose countdown ran out: lets compiled code take over.
                macro_rules! ask_jit {
                    ($enter:ident) => {
                        if let Some(hook) = self.jit.clone() {
                            frame.pc = pc as u32 + 1;
                            self.stats.jit_asked += 1;
                            let entry = hook.jit.$enter(self, &mut frame, pc as u32);
                            match self.after_jit(entry) {
                                Entry::Interpret => {}
                                Entry::Resume => {
                                    pc = frame.pc as usize;
                                    // Compiled code is left at once where this is pending.
                                    check_breaker!();
                                    settle_at!();
                                }
                                Entry::Return(value) => {
                                    // No instruction is there: see where it is looked up.
                                    returned = Some(value);
                                    pc = usize::MAX;
                                    continue;
                                }
                                Entry::Raise(raised) => {
                                    leave_raising!(raised);
                                    continue 'activation;
                                }
                                Entry::Throw(raised) => {
                                    pc = frame.pc as usize;
                                    raise!(raised);
                                }
                            }
                        }
                    };
                }
                // After a call: compiled code may take over what follows.
                macro_rules! rest {
                    ($site:expr) => {
                        if let Some(site) = $site
                            && site.resumes.get()
                        {
                            match site.countdown.get() {
                                0 => ask_jit!(enter_rest),
                                left => site.countdown.set(left - 1),
                            }
                        }
                    };
                }
                // The truth of what lies on top of the stack, which is taken off.
                macro_rules! pop_truth {
                    () => {
                        match frame.stack.last() {
                            Some(Some(Value::Bool(b))) => {
                                let b = *b;
                                drop_immediate(&mut frame.stack);
                                b
                            }
                            Some(Some(Value::None)) => {
                                drop_immediate(&mut frame.stack);
                                false
                            }
                            Some(Some(Value::Int(i))) => {
                                let i = *i;
                                drop_immediate(&mut frame.stack);
                                i != 0
                            }
                            Some(Some(Value::List(list))) => {
                                let truth = !list.is_empty();
                                drop_top(&mut frame.stack);
                                truth
                            }
                            _ => {
                                let value = pop!();
                                attempt!(outside!(ops::truth(self, &value)))
                            }
                        }
                    };
                }
                macro_rules! truth {
                    ($value:expr) => {
                        match $value {
                            Value::Bool(b) => b,
                            Value::None => false,
                            Value::Int(i) => i != 0,
                            value => attempt!(outside!(ops::truth(self, &value))),
                        }
                    };
                }
                // Goes on after something may have been dropped: what is owed to it is done at once.
                macro_rules! settle_at {
                    () => {{
                        if heap::is_pending() {
                            outside!(self.settle());
                        }
                        continue;
                    }};
                }
                macro_rules! settle {
                    () => {{
                        pc += 1;
                        settle_at!();
                    }};
                }
                if let Some(pending) = pending.take() {
                    break 'run pending;
                }
                loop {
                    let Some(quick) = instrs.get(pc) else {
                        if let Some(value) = returned.take() {
                            finish!(value);
                        }
                        raise!(self.internal("pc outside code"))
                    };
                    let arg = quick.arg as usize;
                    match quick.op {
                        Op::Nop => next!(),
                        Op::Traced => {
                            if !attempt!(outside!(self.tell_step())) {
                                frame.steps = None;
                                switch!();
                                continue;
                            }
                            let Some(steps) = &mut frame.steps else {
                                corrupt!()
                            };
                            // SAFETY: the frame keeps them, where they are; they are changed here alone, where nothing
                            // that was read of them is in use.
                            instrs = unsafe { &*steps.plant(pc, state) };
                            continue;
                        }
                        Op::PopTop => {
                            drop_top(&mut frame.stack);
                            settle!();
                        }
                        Op::Copy => {
                            let value = peek!(arg).clone();
                            push!(value);
                            next!();
                        }
                        Op::Swap => {
                            let top = frame.stack.len().wrapping_sub(1);
                            let other = frame.stack.len().wrapping_sub(arg);
                            if top >= frame.stack.len() || other >= frame.stack.len() {
                                corrupt!();
                            }
                            frame.stack.swap(top, other);
                            next!();
                        }
                        Op::PushNull => {
                            frame.stack.push(None);
                            next!();
                        }
                        Op::LoadConst => load_const!(arg),
                        Op::LoadFast => load_fast!(quick, arg),
                        Op::FastPair => {
                            let Some([_, right, operator, following]) = instrs.get(pc..pc + 4)
                            else {
                                corrupt!()
                            };
                            let left = frame.locals.get(arg).and_then(Option::as_ref);
                            let right_value = match right.op {
                                Op::LoadConst | Op::ConstRight => {
                                    code.consts.get(right.arg as usize)
                                }
                                _ => frame
                                    .locals
                                    .get(right.arg as usize)
                                    .and_then(Option::as_ref),
                            };
                            if let (Some(l), Some(r)) = (left, right_value) {
                                if operator.op == Op::BinarySubscr {
                                    if let Some(item) = item_at(l, r) {
                                        if !sites.is_empty() {
                                            saw_operands(sites, [quick, right, operator], l, r);
                                        }
                                        push!(item.clone());
                                        pc += 3;
                                        continue;
                                    }
                                } else {
                                    let result = immediate(operator, l, r);
                                    if !result.is_none() {
                                        if !sites.is_empty() {
                                            saw_operands(sites, [quick, right, operator], l, r);
                                        }
                                        deliver!(result, following, pc + 2);
                                    }
                                }
                            }
                            load_fast!(quick, arg);
                        }
                        Op::FastRight | Op::ConstRight => {
                            let Some([_, operator, following]) = instrs.get(pc..pc + 3) else {
                                corrupt!()
                            };
                            let right = match quick.op {
                                Op::ConstRight => code.consts.get(arg),
                                _ => frame.locals.get(arg).and_then(Option::as_ref),
                            };
                            if let (Some(Some(l)), Some(r)) = (frame.stack.last(), right) {
                                if operator.op == Op::BinarySubscr {
                                    if let Some(item) = item_at(l, r) {
                                        if !sites.is_empty() {
                                            saw_operands(sites, [quick, quick, operator], l, r);
                                        }
                                        let item = item.clone();
                                        if let Some(top) = frame.stack.last_mut() {
                                            item.put(top);
                                        }
                                        pc += 2;
                                        settle_at!();
                                    }
                                } else {
                                    let result = immediate(operator, l, r);
                                    if !result.is_none() {
                                        if !sites.is_empty() {
                                            saw_operands(sites, [quick, quick, operator], l, r);
                                        }
                                        drop_top(&mut frame.stack);
                                        deliver!(result, following, pc + 1);
                                    }
                                }
                            }
                            if quick.op == Op::ConstRight {
                                load_const!(arg);
                            }
                            load_fast!(quick, arg);
                        }
                        Op::FastAttr => {
                            if let Some(Some(object)) = frame.locals.get(arg)
                                && let Some(access) = instrs.get(pc + 1)
                                && let Some(cache) = state.attrs.get(access.cache as usize)
                                && let Some(value) = cache.slot(object)
                            {
                                if let Some(site) = sites.get(quick.site as usize) {
                                    saw(site, object);
                                }
                                if let Some(site) = sites.get(access.site as usize) {
                                    saw(site, value);
                                }
                                push!(value.clone());
                                pc += 2;
                                continue;
                            }
                            load_fast!(quick, arg);
                        }
                        Op::FastMethod => {
                            if let Some(Some(object)) = frame.locals.get(arg)
                                && let Some(access) = instrs.get(pc + 1)
                                && let Some(cache) = state.attrs.get(access.cache as usize)
                                && let Some(function) = cache.method(object)
                            {
                                if let Some(site) = sites.get(quick.site as usize) {
                                    saw(site, object);
                                }
                                if let Some(site) = sites.get(access.site as usize) {
                                    saw(site, function);
                                }
                                let (function, object) = (function.clone(), object.clone());
                                frame.stack.push(Some(function));
                                frame.stack.push(Some(object));
                                pc += 2;
                                continue;
                            }
                            load_fast!(quick, arg);
                        }
                        Op::StoreFast => {
                            let value = pop!();
                            match frame.locals.get_mut(arg) {
                                Some(local) => value.put(local),
                                None => raise!(self.internal("local out of range")),
                            }
                            settle!();
                        }
                        Op::DeleteFast => match frame.locals.get_mut(arg).map(Option::take) {
                            Some(Some(old)) => {
                                drop(old);
                                settle!();
                            }
                            _ => raise!(self.unbound_local(code, pc, arg)),
                        },
                        Op::LoadGlobal | Op::LoadName => {
                            if quick.op == Op::LoadName && !frame.at_module_level() {
                                attempt!(outside!(self.namespace_op(quick.op, arg)));
                                next!();
                            }
                            let cached =
                                state.globals.get(quick.cache as usize).and_then(|cache| {
                                    if cache.globals.get() != frame.globals.layout() {
                                        return None;
                                    }
                                    let index = cache.index.get() as usize;
                                    let namespace = match cache.builtins.get() {
                                        0 => &frame.globals,
                                        b if b == frame.builtins.layout() => &frame.builtins,
                                        _ => return None,
                                    };
                                    // SAFETY: it is copied at once.
                                    unsafe { namespace.value_ref(index) }
                                });
                            if let Some(value) = cached {
                                if let Some(site) = sites.get(quick.site as usize) {
                                    saw(site, value);
                                }
                                push!(value.clone());
                                next!();
                            }
                            let value = attempt!(self.load_global(&frame, code, quick));
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, &value);
                            }
                            push!(value);
                            next!();
                        }
                        Op::StoreGlobal | Op::StoreName => {
                            if quick.op == Op::StoreName && !frame.at_module_level() {
                                attempt!(outside!(self.namespace_op(quick.op, arg)));
                                settle!();
                            }
                            let value = pop!();
                            let value = match state.globals.get(quick.cache as usize) {
                                Some(cache) if cache.globals.get() == frame.globals.layout() => {
                                    frame.globals.set_index(cache.index.get() as usize, value)
                                }
                                _ => Err(value),
                            };
                            if let Err(value) = value {
                                let globals = frame.globals.clone();
                                attempt!(self.store_global(&globals, code, quick, value));
                            }
                            settle!();
                        }
                        Op::DeleteGlobal
                        | Op::DeleteName
                        | Op::LoadClassDeref
                        | Op::SetupAnnotations => {
                            attempt!(outside!(self.namespace_op(quick.op, arg)));
                            settle!();
                        }
                        Op::LoadDeref => {
                            let value = match frame.cells.get(arg) {
                                Some(cell) => cell.value.borrow().clone(),
                                None => None,
                            };
                            match value {
                                Some(value) => {
                                    if let Some(site) = sites.get(quick.site as usize) {
                                        saw(site, &value);
                                    }
                                    push!(value);
                                    next!();
                                }
                                None => raise!(self.unbound_deref(code, quick.arg)),
                            }
                        }
                        Op::StoreDeref => {
                            let value = pop!();
                            let Some(cell) = frame.cells.get(arg) else {
                                corrupt!()
                            };
                            let old = cell.value.replace(Some(value));
                            drop(old);
                            settle!();
                        }
                        Op::DeleteDeref => {
                            let Some(cell) = frame.cells.get(arg) else {
                                corrupt!()
                            };
                            match cell.value.take() {
                                Some(old) => {
                                    drop(old);
                                    settle!();
                                }
                                None => raise!(self.unbound_deref(code, quick.arg)),
                            }
                        }
                        Op::LoadClosure => {
                            let Some(cell) = frame.cells.get(arg) else {
                                corrupt!()
                            };
                            let cell = Value::Cell(cell.clone());
                            push_made!(cell);
                            next!();
                        }
                        Op::LoadAttr => {
                            if let Some(Some(object)) = frame.stack.last()
                                && let Some(cache) = state.attrs.get(quick.cache as usize)
                                && let Some(value) = cache.slot(object)
                            {
                                if let Some(site) = sites.get(quick.site as usize) {
                                    saw(site, value);
                                }
                                let value = value.clone();
                                if let Some(top) = frame.stack.last_mut() {
                                    value.put(top);
                                }
                                settle!();
                            }
                            let object = pop!();
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            let cache = state.attrs.get(quick.cache as usize);
                            let value = match cache.and_then(|c| c.load(&object)) {
                                Some(Hit::Value(value)) => value,
                                Some(Hit::Method(function)) => {
                                    bound_method(function, object.clone())
                                }
                                Some(Hit::Getter(getter)) => {
                                    attempt!(outside!(self.call_one(&getter, object.clone())))
                                }
                                None => {
                                    if let Some(cache) = state.attrs.get(quick.cache as usize) {
                                        cache.learn(&object, name);
                                    }
                                    attempt!(outside!(attr::get(self, &object, name)))
                                }
                            };
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, &value);
                            }
                            push!(value);
                            drop(object);
                            settle!();
                        }
                        Op::LoadMethod => {
                            if let Some(Some(object)) = frame.stack.last()
                                && let Some(cache) = state.attrs.get(quick.cache as usize)
                                && let Some(function) = cache.method(object)
                            {
                                if let Some(site) = sites.get(quick.site as usize) {
                                    saw(site, function);
                                }
                                let function = function.clone();
                                let object = take_top(&mut frame.stack);
                                frame.stack.push(Some(function));
                                frame.stack.push(Some(object));
                                next!();
                            }
                            let object = pop!();
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            let hit = state
                                .attrs
                                .get(quick.cache as usize)
                                .and_then(|c| c.load(&object));
                            let (callable, receiver) = match hit {
                                Some(Hit::Method(function)) => (function, Some(object)),
                                Some(Hit::Value(value)) => (value, None),
                                Some(Hit::Getter(getter)) => {
                                    (attempt!(outside!(self.call_one(&getter, object))), None)
                                }
                                None => {
                                    if let Some(cache) = state.attrs.get(quick.cache as usize) {
                                        cache.learn(&object, name);
                                    }
                                    attempt!(outside!(attr::load_method(self, &object, name)))
                                }
                            };
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, &callable);
                            }
                            frame.stack.push(Some(callable));
                            frame.stack.push(receiver);
                            settle!();
                        }
                        Op::StoreAttr => {
                            let object = pop!();
                            let value = pop!();
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            let cache = state.attrs.get(quick.cache as usize);
                            let value = match cache {
                                Some(cache) => match cache.store(&object, name, value) {
                                    Ok(()) => {
                                        rest!(sites.get(quick.site as usize));
                                        settle!();
                                    }
                                    Err(value) => value,
                                },
                                None => value,
                            };
                            let before = layout_of(&object);
                            attempt!(outside!(attr::set(self, &object, name, value)));
                            if let Some(cache) = cache {
                                cache.learn_store(&object, before, name);
                            }
                            // It was the frame's own `f_trace`.
                            if frame.steps.is_some() {
                                switch!();
                            }
                            rest!(sites.get(quick.site as usize));
                            settle!();
                        }
                        Op::DeleteAttr => {
                            let object = pop!();
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            attempt!(outside!(attr::del(self, &object, name)));
                            settle!();
                        }
                        Op::Call => {
                            let Some(base) = frame.stack.len().checked_sub(arg + 2) else {
                                corrupt!()
                            };
                            let [Some(callable), receiver, ..] = &frame.stack[base..] else {
                                corrupt!()
                            };
                            let first = base + if receiver.is_some() { 1 } else { 2 };
                            let site = sites.get(quick.site as usize);
                            if let Some(site) = site {
                                site.hit();
                                crate::profile::saw_callee(site, callable);
                            }
                            let result = match callable {
                                Value::Function(function) => {
                                    // SAFETY: it stays on the stack until its arguments are bound.
                                    let function = unsafe { held(function) };
                                    let bound = self.bind_stack(function, &mut frame.stack, first);
                                    drop_from(&mut frame.stack, base);
                                    match attempt!(bound) {
                                        Bound::Frame(new) => enter_frame!(new, None),
                                        Bound::Suspended(value) => Ok(value),
                                    }
                                }
                                Value::Method(method)
                                    if first == base + 2
                                        && let Value::Function(function) = &method.function =>
                                {
                                    // SAFETY: the method, which has the function, stays on the stack as long.
                                    let (method, function) =
                                        unsafe { (held(method), held(function)) };
                                    if let Some(slot) = frame.stack.get_mut(base + 1) {
                                        *slot = Some(method.receiver.clone());
                                    }
                                    let bound =
                                        self.bind_stack(function, &mut frame.stack, base + 1);
                                    drop_from(&mut frame.stack, base);
                                    match attempt!(bound) {
                                        Bound::Frame(new) => enter_frame!(new, None),
                                        Bound::Suspended(value) => Ok(value),
                                    }
                                }
                                Value::Class(class)
                                    if let Some(init) = state
                                        .calls
                                        .get(quick.cache as usize)
                                        .and_then(|c| c.init_of(class)) =>
                                {
                                    let instance = Value::instance(class, Payload::None);
                                    if let Some(slot) = frame.stack.get_mut(base + 1) {
                                        *slot = Some(instance.clone());
                                    }
                                    let bound = self.bind_stack(&init, &mut frame.stack, base + 1);
                                    drop_from(&mut frame.stack, base);
                                    match attempt!(bound) {
                                        Bound::Frame(new) => enter_frame!(new, Some(instance)),
                                        Bound::Suspended(value) => {
                                            crate::call::made_by_init(instance, &value)
                                        }
                                    }
                                }
                                Value::Native(native) => {
                                    // SAFETY: it stays on the stack until it returned.
                                    let native = unsafe { held(native) };
                                    let Some(args) = arguments(&frame.stack, first) else {
                                        corrupt!()
                                    };
                                    // SAFETY: nobody but this loop changes the frame's stack.
                                    let args = unsafe { &*args };
                                    step_out!();
                                    let result = native.call(self, Args::new(args));
                                    step_in!();
                                    drop_from(&mut frame.stack, base);
                                    push_result!(result, |value| if let Some(site) = site {
                                        saw_result(site, value);
                                    });
                                    rest!(site);
                                    settle!();
                                }
                                Value::Class(class) => {
                                    if let Some(cache) = state.calls.get(quick.cache as usize) {
                                        cache.learn(class);
                                    }
                                    let callable = Value::Class(class.clone());
                                    let Some(args) = arguments(&frame.stack, first) else {
                                        corrupt!()
                                    };
                                    // SAFETY: nobody but this loop changes the frame's stack.
                                    let args = unsafe { &*args };
                                    let result =
                                        outside!(self.call_value(&callable, Args::new(args)));
                                    drop_from(&mut frame.stack, base);
                                    result
                                }
                                callable => {
                                    let callable = callable.clone();
                                    let args = take_args(&mut frame.stack, base, first);
                                    outside!(self.call_args(&callable, args))
                                }
                            };
                            let value = attempt!(result);
                            if let Some(site) = site {
                                saw_result(site, &value);
                            }
                            push!(value);
                            rest!(site);
                            settle!();
                        }
                        Op::CallKw | Op::CallEx => {
                            let site = sites.get(quick.site as usize);
                            if quick.op == Op::CallKw
                                && let Some(base) = frame.stack.len().checked_sub(arg + 3)
                                && let [Some(callable), receiver, .., Some(Value::Tuple(names))] =
                                    &frame.stack[base..]
                                && let Value::Function(function) = callable
                            {
                                let first = base + if receiver.is_some() { 1 } else { 2 };
                                // SAFETY: both stay on the stack until the arguments are bound.
                                let (function, names) = unsafe { (held(function), held(names)) };
                                let args = frame.stack.len() - 1;
                                if let Some(args) = frame.stack.get_mut(first..args)
                                    && let Some(new) =
                                        attempt!(self.bind_named(function, args, &names.items))
                                {
                                    if let (Some(site), Some(Some(callable))) =
                                        (site, frame.stack.get(base))
                                    {
                                        site.hit();
                                        crate::profile::saw_callee(site, callable);
                                    }
                                    drop_from(&mut frame.stack, base);
                                    let value = attempt!(enter_frame!(new, None));
                                    if let Some(site) = site {
                                        saw_result(site, &value);
                                    }
                                    push!(value);
                                    rest!(site);
                                    settle!();
                                }
                            }
                            let call =
                                attempt!(self.prepare_call(&mut frame, quick.op, arg, site, pc));
                            let value = attempt!(outside!(self.call_prepared(call)));
                            if let Some(site) = site {
                                saw_result(site, &value);
                            }
                            push!(value);
                            rest!(site);
                            settle!();
                        }
                        Op::Add | Op::Sub | Op::Mul | Op::BinaryOp | Op::CompareOp => {
                            let [.., Some(l), Some(r)] = frame.stack.as_slice() else {
                                corrupt!()
                            };
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, l);
                                saw(site, r);
                            }
                            let result = immediate(quick, l, r);
                            if !result.is_none() {
                                drop_top(&mut frame.stack);
                                drop_top(&mut frame.stack);
                                let Some(following) = instrs.get(pc + 1) else {
                                    corrupt!()
                                };
                                deliver!(result, following, pc);
                            }
                            if let (Value::Instance(_), Some(cache)) =
                                (l, state.operators.get(quick.cache as usize))
                            {
                                if let Some(method) = cache.method(l, r) {
                                    let (l, r) = (l.clone(), r.clone());
                                    let first = frame.stack.len();
                                    frame.stack.extend([Some(l), Some(r)]);
                                    let bound = self.bind_stack(&method, &mut frame.stack, first);
                                    let value = match attempt!(bound) {
                                        Bound::Suspended(value) => value,
                                        Bound::Frame(mut new) => {
                                            check_breaker!();
                                            let asks = self.count_entry(&new);
                                            if asks || self.depth >= self.limit {
                                                attempt!(outside!(self.run_asking(new, asks)))
                                            } else {
                                                new.purpose = Purpose::Operator;
                                                self.depth += 1;
                                                frame.pc = pc as u32;
                                                self.frames.push(frame);
                                                frame = new;
                                                switch!();
                                                pc = 0;
                                                continue;
                                            }
                                        }
                                    };
                                    finish_operator!(value);
                                }
                                cache.learn(quick.arg, l, r);
                            }
                            let right = pop!();
                            let left = pop!();
                            push_outside!(self.operate(quick.op, quick.arg, &left, &right));
                            drop((left, right));
                            settle!();
                        }
                        Op::IsOp => {
                            let [.., Some(left), Some(right)] = frame.stack.as_slice() else {
                                corrupt!()
                            };
                            let is = ops::is(left, right);
                            drop_top(&mut frame.stack);
                            drop_top(&mut frame.stack);
                            push!(Immediate::bool(is == (arg == 0)).value());
                            settle!();
                        }
                        Op::ContainsOp => {
                            if let [.., Some(item), Some(container)] = frame.stack.as_slice()
                                && let Some(found) = quick_contains(container, item)
                            {
                                drop_top(&mut frame.stack);
                                drop_top(&mut frame.stack);
                                push!(Immediate::bool(found == (arg == 0)).value());
                                rest!(sites.get(quick.site as usize));
                                settle!();
                            }
                            let container = pop!();
                            let item = pop!();
                            let found = attempt!(outside!(ops::contains(self, &item, &container)));
                            push_made!(Value::Bool(found == (arg == 0)));
                            drop((item, container));
                            rest!(sites.get(quick.site as usize));
                            settle!();
                        }
                        Op::UnaryNot => {
                            let truth = pop_truth!();
                            push!(Immediate::bool(!truth).value());
                            settle!();
                        }
                        Op::UnaryNegative => {
                            let value = pop!();
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, &value);
                            }
                            let result = match value {
                                Value::Float(x) => Value::Float(-x),
                                Value::Int(i) if i != i64::MIN => Value::Int(-i),
                                value => attempt!(outside!(self.unary(quick.op, &value))),
                            };
                            push!(result);
                            settle!();
                        }
                        Op::UnaryPositive | Op::UnaryInvert => {
                            let value = pop!();
                            push_outside!(self.unary(quick.op, &value));
                            drop(value);
                            settle!();
                        }
                        Op::BinarySubscr => {
                            let [.., Some(container), Some(key)] = frame.stack.as_slice() else {
                                corrupt!()
                            };
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, container);
                            }
                            if let Some(item) = item_at(container, key) {
                                let item = item.clone();
                                drop_immediate(&mut frame.stack);
                                if let Some(top) = frame.stack.last_mut() {
                                    item.put(top);
                                }
                                settle!();
                            }
                            if let Some(item) = entry_of(container, key) {
                                let item = item.clone();
                                drop_top(&mut frame.stack);
                                drop_top(&mut frame.stack);
                                push!(item);
                                settle!();
                            }
                            if let Some(item) = character_of(container, key) {
                                drop_top(&mut frame.stack);
                                drop_top(&mut frame.stack);
                                push!(item);
                                settle!();
                            }
                            let key = pop!();
                            let container = pop!();
                            push_outside!(ops::get_item(self, &container, &key));
                            drop((container, key));
                            settle!();
                        }
                        Op::StoreSubscr => {
                            let key = pop!();
                            let container = pop!();
                            let value = pop!();
                            if let (Value::List(list), Value::Int(i)) = (&container, &key) {
                                let mut items = list.items.borrow_mut();
                                let at = wrap_index(*i, items.len());
                                if let Some(slot) = at.and_then(|i| items.get_mut(i)) {
                                    let old = std::mem::replace(slot, value);
                                    // What is dropped may run anything; the list is free again.
                                    drop(items);
                                    drop(old);
                                    rest!(sites.get(quick.site as usize));
                                    settle!();
                                }
                            }
                            let value = match &container {
                                Value::Dict(dict) => match dict.set_simple(&key, value) {
                                    Ok(()) => {
                                        rest!(sites.get(quick.site as usize));
                                        settle!();
                                    }
                                    Err(value) => value,
                                },
                                _ => value,
                            };
                            attempt!(outside!(ops::set_item(self, &container, &key, value)));
                            rest!(sites.get(quick.site as usize));
                            settle!();
                        }
                        Op::DeleteSubscr => {
                            let key = pop!();
                            let container = pop!();
                            attempt!(outside!(ops::del_item(self, &container, &key)));
                            rest!(sites.get(quick.site as usize));
                            settle!();
                        }
                        Op::BuildTuple => {
                            let Some(at) = frame.stack.len().checked_sub(arg) else {
                                corrupt!()
                            };
                            let items = take_values(&mut frame.stack, at);
                            push_made!(Value::tuple(items));
                            next!();
                        }
                        Op::BuildList => {
                            let Some(at) = frame.stack.len().checked_sub(arg) else {
                                corrupt!()
                            };
                            let items = take_values(&mut frame.stack, at);
                            push_made!(Value::list(items));
                            next!();
                        }
                        Op::ListAppend => {
                            let value = pop!();
                            match peek!(arg) {
                                Value::List(list) => list.push(value),
                                _ => corrupt!(),
                            }
                            next!();
                        }
                        Op::BuildSlice => {
                            let step = if arg == 3 { pop!() } else { Value::None };
                            let stop = pop!();
                            let start = pop!();
                            push_made!(Value::Slice(PyRef::new(janus_object::PySlice {
                                start,
                                stop,
                                step,
                            })));
                            next!();
                        }
                        Op::BuildSet
                        | Op::BuildMap
                        | Op::BuildString
                        | Op::FormatValue
                        | Op::SetAdd
                        | Op::MapAdd
                        | Op::ListExtend
                        | Op::SetUpdate
                        | Op::DictUpdate
                        | Op::DictMerge
                        | Op::ListToTuple => {
                            let built = code.code.instrs.get(pc).and_then(|instr| {
                                let shape = crate::build::shape(instr.op, instr.arg)?;
                                Some((instr, shape.take(&mut frame.stack)?))
                            });
                            let Some((instr, operands)) = built else {
                                raise!(self.internal("corrupt value stack"));
                            };
                            let made =
                                attempt!(outside!(self.build(instr.op, instr.arg, operands)));
                            if let Some(made) = made {
                                push!(made);
                            }
                            settle!();
                        }
                        Op::UnpackSequence => {
                            let sequence = pop!();
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw(site, &sequence);
                            }
                            match &sequence {
                                Value::Tuple(t) if t.items.len() == arg => {
                                    for item in t.items.iter().rev() {
                                        push!(item.clone());
                                    }
                                }
                                _ => {
                                    let items =
                                        attempt!(outside!(ops::unpack(self, &sequence, arg)));
                                    frame.stack.extend(items.into_iter().rev().map(Some));
                                }
                            }
                            sequence.release();
                            settle!();
                        }
                        Op::UnpackEx => {
                            attempt!(outside!(self.unpack_ex(arg)));
                            settle!();
                        }
                        Op::Jump => {
                            pc = arg;
                            continue;
                        }
                        Op::JumpBackward => {
                            check_breaker!();
                            pc = arg;
                            // A `while` loop's head is executed here when it is jumped to, so
                            // that the instruction itself sees only the entries into the loop.
                            // Compiled code that resumes there has jumped to it, too.
                            while pc == arg
                                && let Some(head) = instrs.get(pc)
                                && head.op == Op::LoopHead
                            {
                                if let Some(site) = sites.get(head.site as usize) {
                                    site.running.set(site.running.get().saturating_add(1));
                                    match site.countdown.get() {
                                        0 => ask_jit!(enter_loop),
                                        left => site.countdown.set(left - 1),
                                    }
                                }
                                pc += 1;
                            }
                            continue;
                        }
                        Op::LoopHead => {
                            if let Some(site) = sites.get(quick.site as usize) {
                                crate::profile::loop_entered(site);
                            }
                            next!();
                        }
                        Op::PopJumpIfFalse => {
                            let truth = pop_truth!();
                            jump_if!(quick, !truth);
                        }
                        Op::PopJumpIfTrue => {
                            let truth = pop_truth!();
                            jump_if!(quick, truth);
                        }
                        Op::PopJumpIfNone => {
                            let none = matches!(frame.stack.last(), Some(Some(Value::None)));
                            drop_top(&mut frame.stack);
                            jump_if!(quick, none);
                        }
                        Op::PopJumpIfNotNone => {
                            let none = matches!(frame.stack.last(), Some(Some(Value::None)));
                            drop_top(&mut frame.stack);
                            jump_if!(quick, !none);
                        }
                        Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                            let value = pop!();
                            let truth = truth!(value.clone());
                            let taken = truth == (quick.op == Op::JumpIfTrueOrPop);
                            if taken {
                                push!(value);
                            }
                            jump_if!(quick, taken);
                        }
                        Op::GetIter => {
                            let iterable = pop!();
                            if let Some(head) = instrs.get(pc + 1)
                                && head.op == Op::ForIter
                                && let Some(site) = sites.get(head.site as usize)
                            {
                                crate::profile::loop_entered(site);
                            }
                            let iterator = attempt!(outside!(ops::iter(self, &iterable)));
                            drop(iterable);
                            push_made!(iterator);
                            settle!();
                        }
                        Op::ForIter => {
                            let Some(Some(top)) = frame.stack.last() else {
                                corrupt!()
                            };
                            let site = sites.get(quick.site as usize);
                            // Compiled code wants the item on the stack; a store that follows does not.
                            let asks = match site {
                                Some(site) => self.jit.is_some() && site.countdown.get() == 0,
                                None => false,
                            };
                            macro_rules! deliver_item {
                                ($item:expr) => {{
                                    if let Some(site) = site {
                                        site.running.set(site.running.get().saturating_add(1));
                                        let left = site.countdown.get();
                                        site.countdown.set(left.saturating_sub(1));
                                    }
                                    if let Some(following) = instrs.get(pc + 1)
                                        && following.op == Op::StoreFast
                                        && let Some(local) =
                                            frame.locals.get_mut(following.arg as usize)
                                    {
                                        $item.put(local);
                                        pc += 2;
                                        settle_at!();
                                    }
                                    push!($item);
                                    next!();
                                }};
                            }
                            let item = match next_item(top) {
                                Next::Int(i) if asks => Some(Value::Int(i)),
                                Next::Int(i) => deliver_item!(Immediate::int(i).value()),
                                Next::Item(item) if asks => Some(item.clone()),
                                Next::Item(item) => {
                                    let item = item.clone();
                                    deliver_item!(item);
                                }
                                Next::End => None,
                                Next::Other if let Some(step) = resumed.take() => match step {
                                    Step::Yield(item) => Some(item),
                                    Step::Return(_) => None,
                                },
                                Next::Other
                                    if !asks
                                        && let Some(following) = instrs.get(pc + 1)
                                        && following.op == Op::UnpackSequence
                                        && following.arg == 2
                                        && !crate::profile::describes()
                                        && let Some((first, second)) = next_pair(top) =>
                                {
                                    if let Some(site) = site {
                                        site.running.set(site.running.get().saturating_add(1));
                                        let left = site.countdown.get();
                                        site.countdown.set(left.saturating_sub(1));
                                    }
                                    if let Some(site) = sites.get(following.site as usize) {
                                        saw_bits(site, TypeTag::Tuple as u32);
                                    }
                                    push!(second);
                                    push!(first);
                                    pc += 2;
                                    continue;
                                }
                                Next::Other => {
                                    if let Value::Generator(generator) = top
                                        && let Some(new) = self.drive(generator)
                                    {
                                        frame.pc = pc as u32;
                                        self.frames.push(frame);
                                        frame = new;
                                        switch!();
                                        pc = frame.pc as usize;
                                        continue;
                                    }
                                    let iterator = top.clone();
                                    attempt!(outside!(ops::next(self, &iterator)))
                                }
                            };
                            let Some(item) = item else {
                                drop_top(&mut frame.stack);
                                if let Some(site) = site {
                                    crate::profile::loop_exhausted(site);
                                }
                                pc = arg;
                                settle_at!();
                            };
                            if asks {
                                if let Some(site) = site {
                                    site.running.set(site.running.get().saturating_add(1));
                                }
                                push!(item);
                                ask_jit!(enter_loop);
                                next!();
                            }
                            deliver_item!(item);
                        }
                        Op::ReturnValue => {
                            let value = pop!();
                            finish!(value);
                        }
                        Op::YieldValue => {
                            let value = pop!();
                            frame.pc = pc as u32 + 1;
                            let Purpose::Generator(driven) = std::mem::take(&mut frame.purpose)
                            else {
                                self.suspended = Some(frame);
                                return Ok(value);
                            };
                            if self.frames.len() <= callers {
                                let Some(sink) = sink.as_mut() else {
                                    return Err(self.internal("nobody waits for what is yielded"));
                                };
                                if sink(value) {
                                    frame.purpose = Purpose::Generator(driven);
                                    frame.stack.push(Some(Value::None));
                                    pc += 1;
                                    continue;
                                }
                                self.park(frame, driven);
                                return Ok(Value::None);
                            }
                            self.park(frame, driven);
                            self.depth -= 1;
                            let Some(caller) = self.frames.pop() else {
                                return Err(self.internal("frame lost"));
                            };
                            frame = caller;
                            switch!();
                            pc = frame.pc as usize;
                            resumed = Some(Step::Yield(value));
                            continue;
                        }
                        Op::Send => {
                            let step = match resumed.take() {
                                Some(step) => step,
                                None => {
                                    let value = pop!();
                                    let iterator = peek!(1).clone();
                                    if let (Value::Generator(generator), Value::None) =
                                        (&iterator, &value)
                                        && let Some(new) = self.drive(generator)
                                    {
                                        frame.pc = pc as u32;
                                        self.frames.push(frame);
                                        frame = new;
                                        switch!();
                                        pc = frame.pc as usize;
                                        continue;
                                    }
                                    attempt!(outside!(self.send(&iterator, value)))
                                }
                            };
                            match step {
                                Step::Yield(value) => {
                                    push!(value);
                                    next!();
                                }
                                Step::Return(value) => {
                                    frame.stack.pop();
                                    push!(value);
                                    pc = arg;
                                    continue;
                                }
                            }
                        }
                        Op::GetYieldFromIter | Op::GetAwaitable => {
                            let value = pop!();
                            push!(attempt!(outside!(self.delegate(quick.op, value))));
                            next!();
                        }
                        Op::MakeFunction => {
                            attempt!(self.make_function(&mut frame, quick.arg));
                            next!();
                        }
                        Op::LoadBuildClass => {
                            push!(self.class_builder());
                            next!();
                        }
                        Op::RaiseVarargs => {
                            let cause = if arg == 2 { Some(pop!()) } else { None };
                            let exception = if arg >= 1 { Some(pop!()) } else { None };
                            break 'run outside!(self.raise(exception, cause));
                        }
                        Op::Reraise => {
                            let value = pop!();
                            match value {
                                Value::Instance(exception) => {
                                    break 'run (Raised(exception), false);
                                }
                                _ => corrupt!(),
                            }
                        }
                        Op::PushExcInfo => {
                            let exception = pop!();
                            let previous = self.push_handled(&exception);
                            push!(previous);
                            push!(exception);
                            next!();
                        }
                        Op::PopExcept => {
                            let previous = pop!();
                            self.pop_handled(&previous);
                            settle!();
                        }
                        Op::CheckExcMatch => {
                            let class = pop!();
                            let exception = peek!(1).clone();
                            let matches =
                                attempt!(outside!(self.exception_matches(&exception, &class)));
                            push_made!(Value::Bool(matches));
                            next!();
                        }
                        Op::BeforeWith => {
                            let manager = pop!();
                            let (exit, entered) = attempt!(outside!(self.before_with(&manager)));
                            push!(exit);
                            push!(entered);
                            next!();
                        }
                        Op::WithExceptStart => {
                            let exit = peek!(3).clone();
                            let exception = peek!(1).clone();
                            push!(attempt!(outside!(self.with_except(&exit, &exception))));
                            next!();
                        }
                        Op::LoadAssertionError => {
                            push!(Value::Class(janus_object::ExcKind::AssertionError.class()));
                            next!();
                        }
                        Op::ImportName => {
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            let from_list = pop!();
                            let level = pop!();
                            let globals = frame.globals.clone();
                            push!(attempt!(outside!(
                                self.import_statement(name, &globals, &from_list, &level)
                            )));
                            next!();
                        }
                        Op::ImportFrom => {
                            let Some(name) = code.names.get(arg) else {
                                corrupt!()
                            };
                            let module = peek!(1).clone();
                            push!(attempt!(outside!(self.import_from(&module, name))));
                            next!();
                        }
                        Op::ImportStar => {
                            let module = pop!();
                            let namespace = frame.locals_dict();
                            attempt!(outside!(self.import_star(&module, &namespace)));
                            next!();
                        }
                        Op::MatchSequence
                        | Op::MatchMapping
                        | Op::MatchKeys
                        | Op::MatchClass
                        | Op::GetLen => {
                            attempt!(outside!(self.match_op(quick.op, arg)));
                            next!();
                        }
                    }
                }
            };
            frame.pc = pc as u32;
            let target = self.unwind(&mut frame, &raised, fresh);
            if frame.steps.is_some() {
                frame = match self.tell_raised(frame, &raised, fresh) {
                    Ok(frame) => frame,
                    Err((Some(frame_back), other)) => {
                        frame = frame_back;
                        pending = Some((other, true));
                        continue;
                    }
                    Err((None, other)) => return Err(other),
                };
            }
            match target {
                Some(target) => pc = target as usize,
                None => leave_raising!(raised),
            }
        }
    }

    /// What the loop needs of a frame's code.
    #[inline(always)]
    fn activation<'a>(&self, frame: &Frame) -> PyResult<Activation<'a>> {
        // SAFETY: a frame keeps its code alive and never changes it while it is evaluated; the loop, which alone calls
        // this, looks at the code only as long as it has the frame.
        let code: &'a CodeObject = unsafe { &*PyRef::as_ptr(&frame.code) };
        let state = self.code_state(code)?;
        Ok(Activation {
            code,
            state,
            instrs: match &frame.steps {
                None => &state.ops,
                // SAFETY: as above; the frame keeps them, too.
                Some(steps) => unsafe { &*steps.ops() },
            },
            sites: if self.profiling {
                &code.profile.sites
            } else {
                &[]
            },
        })
    }
}

/// The code that the loop executes.
struct Activation<'a> {
    code: &'a CodeObject,
    state: &'a CodeState,
    instrs: &'a [Quick],
    sites: &'a [Site],
}

/// Takes the value off that lies on top of the stack, as the sixteen bytes that it is: one that is first looked at
/// through `pop` is taken apart and put together again.
#[inline(always)]
fn take_top(stack: &mut Vec<Option<Value>>) -> Value {
    let at = stack.len().saturating_sub(1);
    debug_assert!(matches!(stack.get(at), Some(Some(_))));
    // SAFETY: the callers saw that a value lies there; from now on it is no longer part of the stack.
    unsafe {
        stack.set_len(at);
        stack.as_ptr().add(at).cast::<Value>().read()
    }
}

/// Drops what lies on top of the stack.
#[inline(always)]
fn drop_top(stack: &mut Vec<Option<Value>>) {
    match stack.last() {
        Some(Some(value)) if value.count().is_none() => drop_immediate(stack),
        Some(Some(_)) => take_top(stack).release(),
        _ => drop(stack.pop()),
    }
}

/// Takes an immediate off the stack.
#[inline(always)]
fn drop_immediate(stack: &mut Vec<Option<Value>>) {
    let at = stack.len().saturating_sub(1);
    // SAFETY: it is no longer than it was, and what is left behind owns nothing.
    unsafe { stack.set_len(at) };
}

/// What a reference refers to, for as long as the caller knows that another reference keeps it.
///
/// # Safety
/// That one is there for as long as the result is used.
#[inline(always)]
unsafe fn held<'a, T: heap::Object>(object: &PyRef<T>) -> &'a T {
    // SAFETY: the caller's promise.
    unsafe { &*PyRef::as_ptr(object) }
}

/// The arguments of a call, which lie on the stack from `first` on.
#[inline(always)]
fn arguments(stack: &[Option<Value>], first: usize) -> Option<*const [Value]> {
    let slots = stack.get(first..)?;
    if !slots.iter().all(Option::is_some) {
        return None;
    }
    // What is none is one more tag: a slot that holds a value has that value's bytes.
    Some(std::ptr::slice_from_raw_parts(
        slots.as_ptr().cast(),
        slots.len(),
    ))
}

/// A function bound to a receiver, as an attribute gives it.
fn bound_method(function: Value, receiver: Value) -> Value {
    Value::Method(PyRef::new(janus_object::PyMethod { function, receiver }))
}

/// Takes what lies on the stack from `at` on.
#[inline]
fn take_values(stack: &mut Vec<Option<Value>>, at: usize) -> Vec<Value> {
    let slots = stack.get(at..).unwrap_or_default();
    let mut values: Vec<Value> = Vec::with_capacity(slots.len());
    if !slots.iter().all(Option::is_some) {
        values.extend(stack.drain(at..).flatten());
        return values;
    }
    // SAFETY: there is room for the slots, which hold a value each, with that value's bytes; from then on they belong to
    // the new vector alone.
    unsafe {
        std::ptr::copy_nonoverlapping(slots.as_ptr().cast(), values.as_mut_ptr(), slots.len());
        values.set_len(slots.len());
        stack.set_len(at);
    }
    values
}

/// Takes the arguments of a call off the stack, and what stood below them.
#[inline]
fn take_args(stack: &mut Vec<Option<Value>>, base: usize, first: usize) -> ArgVec {
    let mut args = ArgVec::new();
    for slot in stack.get_mut(first..).unwrap_or_default() {
        if let Some(value) = slot.take() {
            args.push(value);
        }
    }
    stack.truncate(base);
    args
}
