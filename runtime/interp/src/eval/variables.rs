//! Locals, globals and cells.

// Of the instructions that load a local, this is what the quick loop leaves: the local is not set.
macro_rules! load_fast {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        raise!($self.unbound_local($active.code, $pc, arg))
    }};
}
pub(super) use load_fast;

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

// Puts a global on the stack that no cache knows.
macro_rules! push_global {
    ($self:ident, $frame:ident, $active:ident, $quick:ident) => {{
        let value = attempt!($self.load_global(&$frame, $active.code, $quick));
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, &value);
        }
        push!(value);
    }};
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

macro_rules! store_global {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        if $quick.op == Op::StoreName && !$frame.at_module_level() {
            attempt!(outside!($self.namespace_op($quick.op, arg)));
            settle!();
        }
        let value = pop!();
        let globals = $frame.globals.clone();
        attempt!($self.store_global(&globals, $active.code, $quick, value));
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

// As `load_fast`.
macro_rules! load_deref {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg;
        raise!($self.unbound_deref($active.code, arg))
    }};
}
pub(super) use load_deref;

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
