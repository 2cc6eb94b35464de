//! Operators: arithmetic, comparisons, tests of membership.

// The operator so many instructions ahead, of operands that were not loaded, of which `$taken` lies on the stack: if it is done here,
// `$seen` tells the sites of the loads.
macro_rules! fused {
    ($view:ident, $ahead:expr, $taken:expr, $l:ident, $r:ident, $seen:block) => {{
        let operator = $view.cursor.ahead($ahead);
        match operator.op {
            Op::BinarySubscr => {
                if let Some(item) = item_at($l, $r) {
                    $seen
                    see!(operator, $l);
                    let item = item.clone();
                    $view.stack.drop_last($taken);
                    $view.stack.push(item);
                    settle!($ahead + 1);
                }
            }
            Op::CompareOp => {
                if let Some(truth) = compare(operator.arg, $l, $r) {
                    $seen
                    see_both!(operator, $l, $r);
                    $view.stack.drop_last($taken);
                    deliver_truth!($ahead, truth);
                }
            }
            _ => {
                if let Some(result) = immediate(operator, $l, $r) {
                    $seen
                    see_both!(operator, $l, $r);
                    // Its operands are immediates.
                    $view.stack.forget($taken);
                    deliver!($ahead, result);
                }
            }
        }
    }};
}
pub(super) use fused;

macro_rules! fast_pair {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let right = $view.cursor.ahead(1);
        if let (Some(l), Some(r)) = ($view.locals.get($quick.arg), operand!(right)) {
            fused!($view, 2, 0, l, r, {
                see!($quick, l);
                see!(right, r);
            });
        }
        load_fast!();
    }};
}
pub(super) use fast_pair;

macro_rules! fast_right {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        if let (Some(l), Some(r)) = ($view.stack.peek(1), operand!($quick)) {
            fused!($view, 1, 1, l, r, {
                see!($quick, r);
            });
        }
        match $quick.op {
            Op::ConstRight => load_const!(),
            _ => load_fast!(),
        }
    }};
}
pub(super) use fast_right;

macro_rules! arithmetic {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(l), Some(r)) = ($view.stack.peek(2), $view.stack.peek(1)) else {
            leave!();
        };
        if let Some(result) = immediate($quick, l, r) {
            see_both!($quick, l, r);
            // Its operands are immediates.
            $view.stack.forget(2);
            deliver!(0, result);
        }
        operate!(l, r);
    }};
}
pub(super) use arithmetic;

macro_rules! compare_op {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(l), Some(r)) = ($view.stack.peek(2), $view.stack.peek(1)) else {
            leave!();
        };
        if let Some(truth) = compare($quick.arg, l, r) {
            see_both!($quick, l, r);
            $view.stack.drop_last(2);
            deliver_truth!(0, truth);
        }
        operate!(l, r);
    }};
}
pub(super) use compare_op;

macro_rules! is_op {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(l), Some(r)) = ($view.stack.peek(2), $view.stack.peek(1)) else {
            leave!();
        };
        let truth = ops::is(l, r) == ($quick.arg == 0);
        $view.stack.drop_last(2);
        deliver_truth!(0, truth);
    }};
}
pub(super) use is_op;

macro_rules! contains_op {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(item), Some(container)) = ($view.stack.peek(2), $view.stack.peek(1)) else {
            leave!();
        };
        let Some(found) = quick_contains(container, item) else {
            see!($quick, container);
            if matches!(container, Value::Instance(_)) {
                let cache = $view.state.operators.get($quick.cache as usize);
                let special = Special::Contains($quick.arg == 0);
                by_method!(cache, special, container, Some(item));
            }
            let (Some(container), Some(item)) = ($view.stack.pop(), $view.stack.pop()) else {
                leave!();
            };
            let found = outside!(ops::contains($self, &item, &container));
            $view.stack.push(Value::bool(found == ($quick.arg == 0)));
            item.release();
            container.release();
            rest!($quick);
            go_on!(1);
        };
        see!($quick, container);
        $view.stack.drop_last(2);
        let truth = found == ($quick.arg == 0);
        if let Some(site) = $view.sites.get($quick.site as usize)
            && site.resumes.get()
        {
            $view.stack.push(Value::bool(truth));
            break Stop::Rest;
        }
        deliver_truth!(0, truth);
    }};
}
pub(super) use contains_op;

macro_rules! unary {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(value) = $view.stack.peek(1) else {
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
            $view.stack.forget(1);
            deliver!(0, result);
        }
        let Some(value) = $view.stack.pop() else {
            leave!();
        };
        let result = outside!($self.unary($quick.op, &value));
        $view.stack.push(result);
        value.release();
        go_on!(1);
    }};
}
pub(super) use unary;

// Whether a callable is the built-in that a generator is to be handed to: mostly that of the jump that follows.
macro_rules! is_builtin {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(consumer), Some(callable)) = (
            janus_bytecode::Consumer::from_arg($quick.arg),
            $view.stack.peek(1),
        ) else {
            leave!();
        };
        let is = janus_object::is_builtin(consumer, callable);
        deliver_truth!(0, is);
    }};
}
pub(super) use is_builtin;
