//! Local variables, globals and cells.

macro_rules! store_fast {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(value) = $view.stack.pop() else {
            $view.stack.push_slot(None);
            leave!();
        };
        $view.locals.set($quick.arg, value);
        settle!(1);
    }};
}
pub(super) use store_fast;

macro_rules! swap {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let depth = $quick.arg as usize;
        let top = std::ptr::from_mut($view.stack.slot_mut(1));
        let other = std::ptr::from_mut($view.stack.slot_mut(depth));
        // SAFETY: both are slots of the stack; they may be the same one.
        unsafe { std::ptr::swap(top, other) };
        next!(1);
    }};
}
pub(super) use swap;

macro_rules! load_global {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        if $quick.op == Op::LoadName && !$frame.at_module_level() {
            leave!();
        }
        let Some(value) = global!($quick) else {
            leave!();
        };
        see!($quick, value);
        $view.stack.push(value.clone());
        next!(1);
    }};
}
pub(super) use load_global;

macro_rules! store_global {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        if $quick.op == Op::StoreName && !$frame.at_module_level() {
            leave!();
        }
        let Some(cache) = $view.state.globals.get($quick.cache as usize) else {
            leave!();
        };
        if cache.globals.get() != $frame.globals.layout() {
            leave!();
        }
        let Some(value) = $view.stack.pop() else {
            $view.stack.push_slot(None);
            leave!();
        };
        if let Err(value) = $frame.globals.set_index(cache.index.get() as usize, value) {
            $view.stack.push(value);
            leave!();
        }
        settle!(1);
    }};
}
pub(super) use store_global;

macro_rules! load_deref {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(cell) = $frame.cells.get($quick.arg as usize) else {
            leave!();
        };
        let Some(value) = cell.value.borrow().clone() else {
            leave!();
        };
        see!($quick, &value);
        $view.stack.push(value);
        next!(1);
    }};
}
pub(super) use load_deref;

macro_rules! store_deref {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(cell), Some(_)) = ($frame.cells.get($quick.arg as usize), $view.stack.peek(1))
        else {
            leave!();
        };
        if let Some(old) = cell.value.replace($view.stack.pop()) {
            old.release();
        }
        settle!(1);
    }};
}
pub(super) use store_deref;
