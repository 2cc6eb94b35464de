//! Operators: arithmetic, comparisons, tests of membership.

macro_rules! fast_pair {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let (right, operator) = ($cursor.ahead(1), $cursor.ahead(2));
        if let (Some(l), Some(r)) = ($locals.get($quick.arg), operand!(right)) {
            macro_rules! see_all {
                () => {
                    see!($quick, l);
                    see!(right, r);
                    if operator.op == Op::BinarySubscr {
                        see!(operator, l);
                    } else {
                        see_both!(operator, l, r);
                    }
                };
            }
            match operator.op {
                Op::BinarySubscr => {
                    if let Some(item) = item_at(l, r) {
                        see_all!();
                        $stack.push(item.clone());
                        next!(3);
                    }
                }
                Op::CompareOp => {
                    if let Some(truth) = compare(operator.arg, l, r) {
                        see_all!();
                        deliver_truth!(2, truth);
                    }
                }
                _ => {
                    if let Some(result) = immediate(operator, l, r) {
                        see_all!();
                        deliver!(2, result);
                    }
                }
            }
        }
        load_fast!();
    }};
}
pub(super) use fast_pair;

macro_rules! fast_right {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let operator = $cursor.ahead(1);
        if let (Some(l), Some(r)) = ($stack.peek(1), operand!($quick)) {
            macro_rules! see_all {
                () => {
                    see!($quick, r);
                    if operator.op == Op::BinarySubscr {
                        see!(operator, l);
                    } else {
                        see_both!(operator, l, r);
                    }
                };
            }
            match operator.op {
                Op::BinarySubscr => {
                    if let Some(item) = item_at(l, r) {
                        see_all!();
                        let item = item.clone();
                        item.put($stack.slot_mut(1));
                        settle!(2);
                    }
                }
                Op::CompareOp => {
                    if let Some(truth) = compare(operator.arg, l, r) {
                        see_all!();
                        $stack.drop_last(1);
                        deliver_truth!(1, truth);
                    }
                }
                _ => {
                    if let Some(result) = immediate(operator, l, r) {
                        see_all!();
                        // Its operands are immediates.
                        $stack.forget(1);
                        deliver!(1, result);
                    }
                }
            }
        }
        match $quick.op {
            Op::ConstRight => load_const!(),
            _ => load_fast!(),
        }
    }};
}
pub(super) use fast_right;

macro_rules! arithmetic {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let (Some(l), Some(r)) = ($stack.peek(2), $stack.peek(1)) else {
            leave!();
        };
        if let Some(result) = immediate($quick, l, r) {
            see_both!($quick, l, r);
            // Its operands are immediates.
            $stack.forget(2);
            deliver!(0, result);
        }
        operate!(l, r);
    }};
}
pub(super) use arithmetic;

macro_rules! compare_op {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let (Some(l), Some(r)) = ($stack.peek(2), $stack.peek(1)) else {
            leave!();
        };
        if let Some(truth) = compare($quick.arg, l, r) {
            see_both!($quick, l, r);
            $stack.drop_last(2);
            deliver_truth!(0, truth);
        }
        operate!(l, r);
    }};
}
pub(super) use compare_op;

macro_rules! is_op {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let (Some(l), Some(r)) = ($stack.peek(2), $stack.peek(1)) else {
            leave!();
        };
        let truth = ops::is(l, r) == ($quick.arg == 0);
        $stack.drop_last(2);
        deliver_truth!(0, truth);
    }};
}
pub(super) use is_op;

macro_rules! contains_op {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let (Some(item), Some(container)) = ($stack.peek(2), $stack.peek(1)) else {
            leave!();
        };
        let Some(found) = quick_contains(container, item) else {
            see!($quick, container);
            if matches!(container, Value::Instance(_)) {
                let cache = $state.operators.get($quick.cache as usize);
                let special = Special::Contains($quick.arg == 0);
                by_method!(cache, special, container, Some(item));
            }
            let (Some(container), Some(item)) = ($stack.pop(), $stack.pop()) else {
                leave!();
            };
            let found = outside!(ops::contains($self, &item, &container));
            $stack.push(Value::bool(found == ($quick.arg == 0)));
            item.release();
            container.release();
            rest!($quick);
            go_on!(1);
        };
        see!($quick, container);
        $stack.drop_last(2);
        let truth = found == ($quick.arg == 0);
        if let Some(site) = $sites.get($quick.site as usize)
            && site.resumes.get()
        {
            $stack.push(Value::bool(truth));
            break Stop::Rest;
        }
        deliver_truth!(0, truth);
    }};
}
pub(super) use contains_op;

macro_rules! unary {
    ($self:ident, $frame:ident, $stack:ident, $cursor:ident, $locals:ident, $consts:ident, $sites:ident, $state:ident, $quick:ident, $compiles:ident, $callers:ident) => {{
        let Some(value) = $stack.peek(1) else {
            leave!();
        };
        see!($quick, value);
        let result = match ($quick.op, value) {
            (Op::UnaryNegative, Value::Float(x)) => Some(Value::float(-x.get())),
            (Op::UnaryNegative, Value::Int(i)) => i.checked_neg().map(Value::Int),
            (Op::UnaryInvert, Value::Int(i)) => Some(Value::Int(!i)),
            _ => None,
        };
        if let Some(result) = result {
            $stack.forget(1);
            deliver!(0, result);
        }
        let Some(value) = $stack.pop() else {
            leave!();
        };
        let result = outside!($self.unary($quick.op, &value));
        $stack.push(result);
        value.release();
        go_on!(1);
    }};
}
pub(super) use unary;
