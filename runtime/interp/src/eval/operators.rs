//! Operators of values: arithmetic, comparisons, tests of membership.

// Puts the result of the operator at `$at` where the following instruction wants
// it, and executes that too if it is a store or a conditional jump.
macro_rules! deliver {
    ($self:ident, $frame:ident, $pc:ident, $result:expr, $following:expr, $at:expr) => {{
        let (result, following) = ($result, $following);
        let at = $at;
        match following.op {
            Op::StoreFast => {
                match $frame.locals.get_mut(following.arg as usize) {
                    Some(local) => result.put(local),
                    None => corrupt!(),
                }
                $pc = at + 2;
                settle_at!();
            }
            Op::PopJumpIfFalse | Op::PopJumpIfTrue if let Value::Bool(truth) = result => {
                $pc = at + 1;
                jump_if!(
                    following,
                    truth.get() == (following.op == Op::PopJumpIfTrue)
                );
            }
            _ => {
                push!(result);
                $pc = at + 1;
                continue;
            }
        }
    }};
}
pub(super) use deliver;

// The method of an operator gave a value; the operands are on the stack.
macro_rules! finish_operator {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $value:expr) => {{
        let mut value = $value;
        if let Value::NotImplemented = value {
            let [.., Some(l), Some(r)] = $frame.stack.as_slice() else {
                corrupt!()
            };
            let (l, r) = (l.clone(), r.clone());
            let op = $active
                .instrs
                .get($pc)
                .and_then(|q| janus_bytecode::BinaryOp::from_arg(q.arg));
            let Some(op) = op else { corrupt!() };
            value = attempt!(outside!(ops::binary_after($self, op, &l, &r)));
        }
        drop_top(&mut $frame.stack);
        drop_top(&mut $frame.stack);
        push!(value);
        settle!();
    }};
}
pub(super) use finish_operator;

macro_rules! binary {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let [.., Some(l), Some(r)] = $frame.stack.as_slice() else {
            corrupt!()
        };
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, l);
            saw(site, r);
        }
        if let Some(result) = immediate($quick, l, r) {
            drop_top(&mut $frame.stack);
            drop_top(&mut $frame.stack);
            let Some(following) = $active.instrs.get($pc + 1) else {
                corrupt!()
            };
            deliver!($self, $frame, $pc, result, following, $pc);
        }
        if let (Value::Instance(_), Some(cache)) =
            (l, $active.state.operators.get($quick.cache as usize))
        {
            if let Some(method) = cache.method(l, r) {
                let (l, r) = (l.clone(), r.clone());
                let first = $frame.stack.len();
                $frame.stack.extend([Some(l), Some(r)]);
                let bound = $self.bind_stack(&method, &mut $frame.stack, first);
                let value = match attempt!(bound) {
                    Bound::Suspended(value) => value,
                    Bound::Frame(mut new) => {
                        check_breaker!();
                        let asks = $self.count_entry(&new);
                        if asks || $self.depth >= $self.limit {
                            attempt!(outside!($self.run_asking(new, asks)))
                        } else {
                            new.purpose = Purpose::Operator;
                            $self.depth += 1;
                            $frame.pc = $pc as u32;
                            push_to(&mut $self.frames, $frame);
                            $frame = new;
                            switch!();
                            $pc = 0;
                            continue;
                        }
                    }
                };
                finish_operator!($self, $frame, $pc, $active, value);
            }
            cache.learn($quick.arg, l, r);
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

macro_rules! is_op {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let [.., Some(left), Some(right)] = $frame.stack.as_slice() else {
            corrupt!()
        };
        let is = ops::is(left, right);
        drop_top(&mut $frame.stack);
        drop_top(&mut $frame.stack);
        push!(Value::bool(is == (arg == 0)));
        settle!();
    }};
}
pub(super) use is_op;

macro_rules! is_builtin {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let Some(consumer) = janus_bytecode::Consumer::from_arg($quick.arg) else {
            corrupt!()
        };
        let is = janus_object::is_builtin(consumer, peek!(1));
        push!(Value::bool(is));
        next!();
    }};
}
pub(super) use is_builtin;

macro_rules! contains_op {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        if let [.., Some(item), Some(container)] = $frame.stack.as_slice()
            && let Some(found) = quick_contains(container, item)
        {
            drop_top(&mut $frame.stack);
            drop_top(&mut $frame.stack);
            push!(Value::bool(found == (arg == 0)));
            rest!($active.sites.get($quick.site as usize));
            settle!();
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

macro_rules! unary_not {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let truth = pop_truth!($self, $frame);
        push!(Value::bool(!truth));
        settle!();
    }};
}
pub(super) use unary_not;

macro_rules! unary_negative {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let value = pop!();
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, &value);
        }
        let result = match value {
            Value::Float(x) => Value::float(-x.get()),
            Value::Int(i) if i != i64::MIN => Value::Int(-i),
            value => attempt!(outside!($self.unary($quick.op, &value))),
        };
        push!(result);
        settle!();
    }};
}
pub(super) use unary_negative;

macro_rules! unary {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let value = pop!();
        push!(attempt!(outside!($self.unary($quick.op, &value))));
        drop(value);
        settle!();
    }};
}
pub(super) use unary;
