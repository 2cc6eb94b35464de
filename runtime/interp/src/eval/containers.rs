//! Items, and containers that are built or taken apart.

macro_rules! binary_subscr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let [.., Some(container), Some(_)] = $frame.stack.as_slice() else {
            corrupt!()
        };
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, container);
        }
        if matches!(container, Value::Instance(_)) {
            let cache = $active.state.operators.get($quick.cache as usize);
            by_method!($self, $frame, $pc, $active, cache, Special::Item);
        }
        let key = pop!();
        let container = pop!();
        push!(attempt!(outside!(ops::get_item($self, &container, &key))));
        drop((container, key));
        settle!();
    }};
}
pub(super) use binary_subscr;

macro_rules! store_subscr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let key = pop!();
        let container = pop!();
        let value = pop!();
        attempt!(outside!(ops::set_item($self, &container, &key, value)));
        rest!($active.sites.get($quick.site as usize));
        settle!();
    }};
}
pub(super) use store_subscr;

macro_rules! delete_subscr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let key = pop!();
        let container = pop!();
        attempt!(outside!(ops::del_item($self, &container, &key)));
        rest!($active.sites.get($quick.site as usize));
        settle!();
    }};
}
pub(super) use delete_subscr;

macro_rules! build {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let built = $active.code.code.instrs.get($pc).and_then(|instr| {
            let shape = crate::build::shape(instr.op, instr.arg)?;
            Some((instr, shape.take(&mut $frame.stack)?))
        });
        let Some((instr, operands)) = built else {
            raise!($self.internal("corrupt value stack"));
        };
        let made = attempt!(outside!($self.build(instr.op, instr.arg, &operands)));
        if let Some(made) = made {
            push!(made);
        }
        settle!();
    }};
}
pub(super) use build;

macro_rules! unpack_sequence {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let sequence = pop!();
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, &sequence);
        }
        let items = attempt!(outside!(ops::unpack($self, &sequence, arg)));
        $frame.stack.extend(items.into_iter().rev().map(Some));
        sequence.release();
        settle!();
    }};
}
pub(super) use unpack_sequence;

macro_rules! unpack_ex {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        attempt!(outside!($self.unpack_ex(arg)));
        settle!();
    }};
}
pub(super) use unpack_ex;

macro_rules! match_pattern {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        attempt!(outside!($self.match_op($quick.op, arg)));
        settle!();
    }};
}
pub(super) use match_pattern;
