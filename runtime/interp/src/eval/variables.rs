//! Constants, locals, globals and cells; a local with the operator that follows.

macro_rules! load_const {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        match $active.code.consts.get(arg) {
            Some(value) => {
                push!(value.clone());
                next!();
            }
            None => raise!($self.internal("constant out of range")),
        }
    }};
}
pub(super) use load_const;

macro_rules! load_fast {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        match $frame.locals.get(arg) {
            Some(Some(value)) => {
                if let Some(site) = $active.sites.get($quick.site as usize) {
                    saw(site, value);
                }
                let value = value.clone();
                push!(value);
                next!();
            }
            _ => raise!($self.unbound_local($active.code, $pc, arg)),
        }
    }};
}
pub(super) use load_fast;

macro_rules! fast_pair {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some([_, right, operator, following]) = $active.instrs.get($pc..$pc + 4) else {
            corrupt!()
        };
        let left = $frame.locals.get(arg).and_then(Option::as_ref);
        let right_value = match right.op {
            Op::LoadConst | Op::ConstRight => $active.code.consts.get(right.arg as usize),
            _ => $frame
                .locals
                .get(right.arg as usize)
                .and_then(Option::as_ref),
        };
        if let (Some(l), Some(r)) = (left, right_value) {
            if operator.op == Op::BinarySubscr {
                if let Some(item) = item_at(l, r) {
                    if !$active.sites.is_empty() {
                        saw_operands($active.sites, [$quick, right, operator], l, r);
                    }
                    push!(item.clone());
                    $pc += 3;
                    continue;
                }
            } else {
                if let Some(result) = immediate(operator, l, r) {
                    if !$active.sites.is_empty() {
                        saw_operands($active.sites, [$quick, right, operator], l, r);
                    }
                    deliver!($self, $frame, $pc, result, following, $pc + 2);
                }
            }
        }
        op!(load_fast);
    }};
}
pub(super) use fast_pair;

macro_rules! fast_right {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some([_, operator, following]) = $active.instrs.get($pc..$pc + 3) else {
            corrupt!()
        };
        let right = match $quick.op {
            Op::ConstRight => $active.code.consts.get(arg),
            _ => $frame.locals.get(arg).and_then(Option::as_ref),
        };
        if let (Some(Some(l)), Some(r)) = ($frame.stack.last(), right) {
            if operator.op == Op::BinarySubscr {
                if let Some(item) = item_at(l, r) {
                    if !$active.sites.is_empty() {
                        saw_operands($active.sites, [$quick, $quick, operator], l, r);
                    }
                    let item = item.clone();
                    if let Some(top) = $frame.stack.last_mut() {
                        item.put(top);
                    }
                    $pc += 2;
                    settle_at!();
                }
            } else {
                if let Some(result) = immediate(operator, l, r) {
                    if !$active.sites.is_empty() {
                        saw_operands($active.sites, [$quick, $quick, operator], l, r);
                    }
                    drop_top(&mut $frame.stack);
                    deliver!($self, $frame, $pc, result, following, $pc + 1);
                }
            }
        }
        if $quick.op == Op::ConstRight {
            op!(load_const);
        }
        op!(load_fast);
    }};
}
pub(super) use fast_right;

macro_rules! store_fast {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let value = pop!();
        match $frame.locals.get_mut(arg) {
            Some(local) => value.put(local),
            None => raise!($self.internal("local out of range")),
        }
        settle!();
    }};
}
pub(super) use store_fast;

macro_rules! delete_fast {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        match $frame.locals.get_mut(arg).map(Option::take) {
            Some(Some(old)) => {
                drop(old);
                settle!();
            }
            _ => raise!($self.unbound_local($active.code, $pc, arg)),
        }
    }};
}
pub(super) use delete_fast;

// What a cache knows of a global, where it lies. It is to be copied, or used up, before anything else runs.
macro_rules! cached_global {
    ($frame:ident, $active:ident, $quick:ident) => {
        $active
            .state
            .globals
            .get($quick.cache as usize)
            .and_then(|cache| {
                if cache.globals.get() != $frame.globals.layout() {
                    return None;
                }
                let index = cache.index.get() as usize;
                let namespace = match cache.builtins.get() {
                    0 => &$frame.globals,
                    b if b == $frame.builtins.layout() => &$frame.builtins,
                    _ => return None,
                };
                // SAFETY: as the macro's users see to.
                unsafe { namespace.value_ref(index) }
            })
    };
}
pub(super) use cached_global;

// Puts a global on the stack.
macro_rules! push_global {
    ($self:ident, $frame:ident, $active:ident, $quick:ident) => {
        match cached_global!($frame, $active, $quick) {
            Some(value) => {
                if let Some(site) = $active.sites.get($quick.site as usize) {
                    saw(site, value);
                }
                push!(value.clone());
            }
            None => {
                let value = attempt!($self.load_global(&$frame, $active.code, $quick));
                if let Some(site) = $active.sites.get($quick.site as usize) {
                    saw(site, &value);
                }
                push!(value);
            }
        }
    };
}
pub(super) use push_global;

macro_rules! load_global {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        if $quick.op == Op::LoadName && !$frame.at_module_level() {
            attempt!(outside!($self.namespace_op($quick.op, $quick.arg as usize)));
            next!();
        }
        push_global!($self, $frame, $active, $quick);
        next!();
    }};
}
pub(super) use load_global;

// A global that is called.
macro_rules! callable_global {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        push_global!($self, $frame, $active, $quick);
        push_to(&mut $frame.stack, None);
        $pc += 2;
        continue;
    }};
}
pub(super) use callable_global;

// The value of a `LoadFast` or a `LoadConst`, where it lies; nothing of what else there is.
macro_rules! operand_of {
    ($frame:ident, $active:ident, $load:expr) => {{
        let load = $load;
        match load.op {
            Op::LoadConst => $active.code.consts.get(load.arg as usize),
            Op::LoadFast => $frame
                .locals
                .get(load.arg as usize)
                .and_then(Option::as_ref),
            _ => None,
        }
    }};
}
pub(super) use operand_of;

macro_rules! call_global {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let Some([_, _, first, second, call, ..]) = $active.instrs.get($pc..$pc + 5) else {
            corrupt!()
        };
        if let Some(callable) = cached_global!($frame, $active, $quick)
            && let Some(a) = operand_of!($frame, $active, first)
        {
            // A quick way runs no Python and changes no namespace: the callable stays where it lies.
            let sites = $active.sites;
            let answered = match second.op {
                Op::Call => {
                    let answer = callable.answer(std::slice::from_ref(a));
                    if let Some(answer) = &answer
                        && !sites.is_empty()
                    {
                        let loads = [($quick, callable), (first, a)];
                        saw_answer(sites, &loads, second, callable, answer);
                    }
                    answer.map(|answer| (answer, second, 3))
                }
                _ => operand_of!($frame, $active, second)
                    .filter(|_| call.op == Op::Call)
                    .and_then(|b| {
                        let answer = with_both(a, b, |args| callable.answer(args))?;
                        if !sites.is_empty() {
                            let loads = [($quick, callable), (first, a), (second, b)];
                            saw_answer(sites, &loads, call, callable, &answer);
                        }
                        Some((answer, call, 4))
                    }),
            };
            if let Some((answer, call, before)) = answered {
                push!(answer);
                $pc += before;
                rest!(sites.get(call.site as usize));
                settle!();
            }
        }
        op!(callable_global);
    }};
}
pub(super) use call_global;

macro_rules! store_global {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        if $quick.op == Op::StoreName && !$frame.at_module_level() {
            attempt!(outside!($self.namespace_op($quick.op, arg)));
            settle!();
        }
        let value = pop!();
        let value = match $active.state.globals.get($quick.cache as usize) {
            Some(cache) if cache.globals.get() == $frame.globals.layout() => {
                $frame.globals.set_index(cache.index.get() as usize, value)
            }
            _ => Err(value),
        };
        if let Err(value) = value {
            let globals = $frame.globals.clone();
            attempt!($self.store_global(&globals, $active.code, $quick, value));
        }
        settle!();
    }};
}
pub(super) use store_global;

macro_rules! namespace {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        attempt!(outside!($self.namespace_op($quick.op, arg)));
        settle!();
    }};
}
pub(super) use namespace;

macro_rules! load_deref {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let value = match $frame.cells.get(arg) {
            Some(cell) => cell.value.borrow().clone(),
            None => None,
        };
        match value {
            Some(value) => {
                if let Some(site) = $active.sites.get($quick.site as usize) {
                    saw(site, &value);
                }
                push!(value);
                next!();
            }
            None => raise!($self.unbound_deref($active.code, $quick.arg)),
        }
    }};
}
pub(super) use load_deref;

macro_rules! store_deref {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let value = pop!();
        let Some(cell) = $frame.cells.get(arg) else {
            corrupt!()
        };
        let old = cell.value.replace(Some(value));
        drop(old);
        settle!();
    }};
}
pub(super) use store_deref;

macro_rules! delete_deref {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some(cell) = $frame.cells.get(arg) else {
            corrupt!()
        };
        match cell.value.take() {
            Some(old) => {
                drop(old);
                settle!();
            }
            None => raise!($self.unbound_deref($active.code, $quick.arg)),
        }
    }};
}
pub(super) use delete_deref;

macro_rules! load_closure {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some(cell) = $frame.cells.get(arg) else {
            corrupt!()
        };
        let cell = Value::Cell(cell.clone());
        push!(cell);
        next!();
    }};
}
pub(super) use load_closure;
