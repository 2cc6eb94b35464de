//! Operators of values: arithmetic, comparisons, tests of membership.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::Value;
use janus_object::ops::Special;

use crate::cache::Op;

/// The operation of an arithmetic operator or a comparison.
#[inline]
pub(super) fn special_of(op: Op, arg: u32) -> Option<Special> {
    match op {
        Op::CompareOp => CompareOp::from_arg(arg).map(Special::Compare),
        _ => BinaryOp::from_arg(arg).map(Special::Binary),
    }
}

/// The receiver and the argument of an operation, where they lie on the stack.
#[inline]
pub(super) fn operands(
    special: Special,
    stack: &[Option<Value>],
) -> Option<(&Value, Option<&Value>)> {
    match (special, stack) {
        (Special::Len | Special::Get, [.., Some(receiver)]) => Some((receiver, None)),
        (Special::Contains(_), [.., Some(item), Some(container)]) => Some((container, Some(item))),
        (_, [.., Some(left), Some(right)]) => Some((left, Some(right))),
        _ => None,
    }
}

// The method of an operation gave a value; the operands are on the stack.
macro_rules! finish_operator {
    ($self:ident, $frame:ident, $special:expr, $value:expr) => {{
        let (special, result): (Special, Value) = ($special, $value);
        let value = match special.of_result(&result) {
            Some(value) => value,
            None => {
                let Some((receiver, argument)) = operands(special, &$frame.stack) else {
                    corrupt!()
                };
                let (receiver, argument) = (receiver.clone(), argument.cloned());
                let argument = argument.as_ref();
                attempt!(outside!(special.after($self, &receiver, argument, result)))
            }
        };
        for _ in 0..special.taken() {
            drop_top(&mut $frame.stack);
        }
        push!(value);
        settle!();
    }};
}
pub(super) use finish_operator;

// Calls the method that a class has for an operation, if the cache knows it; else has the cache learn it.
macro_rules! by_method {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $cache:expr, $special:expr) => {{
        let (special, cache): (Special, Option<&OperatorCache>) = ($special, $cache);
        if let (Some(cache), Some((receiver, argument))) = (cache, operands(special, &$frame.stack))
        {
            if let Some(method) = cache.method(receiver, argument) {
                let (receiver, argument) = (receiver.clone(), argument.cloned());
                let first = $frame.stack.len();
                $frame.stack.push(Some(receiver));
                if argument.is_some() {
                    $frame.stack.push(argument);
                }
                operate!($self, $frame, $pc, $active, special, &method, first);
            }
            cache.learn(special, receiver, argument);
        }
    }};
}
pub(super) use by_method;

// Calls the method of an operation with what lies on the stack from `$first` on, above the operands.
macro_rules! operate {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $special:expr, $method:expr, $first:expr) => {{
        let special: Special = $special;
        let bound = $self.bind_stack($method, &mut $frame.stack, $first);
        let value = match attempt!(bound) {
            Bound::Suspended(value) => value,
            Bound::Frame(mut new) => {
                check_breaker!();
                let asks = $self.count_entry(&new);
                if asks || $self.depth >= $self.limit {
                    attempt!(outside!($self.run_asking(new, asks)))
                } else {
                    new.purpose = Purpose::Operator(special);
                    $self.depth += 1;
                    $frame.pc = $pc as u32;
                    push_to(&mut $self.frames, $frame.into_box());
                    $frame = Current::new(new);
                    switch!();
                    $pc = 0;
                    continue;
                }
            }
        };
        finish_operator!($self, $frame, special, value);
    }};
}
pub(super) use operate;

macro_rules! binary {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let [.., Some(l), Some(r)] = $frame.stack.as_slice() else {
            corrupt!()
        };
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, l);
            saw(site, r);
        }
        if matches!(l, Value::Instance(_))
            && let Some(special) = special_of($quick.op, $quick.arg)
        {
            let cache = $active.state.operators.get($quick.cache as usize);
            by_method!($self, $frame, $pc, $active, cache, special);
        }
        let right = pop!();
        let left = pop!();
        push!(attempt!(outside!(
            $self.operate($quick.op, $quick.arg, &left, &right)
        )));
        drop((left, right));
        settle!();
    }};
}
pub(super) use binary;

macro_rules! contains_op {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        if let (Some(Some(container)), Some(site)) =
            ($frame.stack.last(), $active.sites.get($quick.site as usize))
        {
            saw(site, container);
        }
        if let Some(Some(Value::Instance(_))) = $frame.stack.last() {
            let cache = $active.state.operators.get($quick.cache as usize);
            let special = Special::Contains(arg == 0);
            by_method!($self, $frame, $pc, $active, cache, special);
        }
        let container = pop!();
        let item = pop!();
        let found = attempt!(outside!(ops::contains($self, &item, &container)));
        push!(Value::bool(found == (arg == 0)));
        drop((item, container));
        rest!($active.sites.get($quick.site as usize));
        settle!();
    }};
}
pub(super) use contains_op;
