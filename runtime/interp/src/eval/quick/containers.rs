//! Items, and containers that are built or taken apart.

// A slice that is used at once is no object, where what it is used on is built in.
macro_rules! build_slice {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let step = match $quick.arg {
            3 => $view.stack.pop(),
            _ => Some(Value::None),
        };
        let (Some(step), Some(stop), Some(start)) = (step, $view.stack.pop(), $view.stack.pop())
        else {
            corrupt!();
        };
        let slice = PySlice { start, stop, step };
        let following = $view.cursor.ahead(1);
        match following.op {
            Op::BinarySubscr => {
                let Some(container) = $view.stack.pop() else {
                    corrupt!();
                };
                see!(following, &container);
                $view.cursor.advance(1);
                let part = outside!(ops::get_slice($self, &container, slice));
                $view.stack.push(part);
                container.release();
                go_on!(1);
            }
            Op::StoreSubscr => {
                let (Some(container), Some(value)) = ($view.stack.pop(), $view.stack.pop()) else {
                    corrupt!();
                };
                $view.cursor.advance(1);
                outside!(ops::set_slice($self, &container, slice, &value));
                container.release();
                value.release();
                rest!(following);
                go_on!(1);
            }
            _ => {
                $view.stack.push(Value::Slice(PyRef::new(slice)));
                settle!(1);
            }
        }
    }};
}
pub(super) use build_slice;

// What is built of values that lie side by side.
macro_rules! build {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(instr) = $frame.code.code.instrs.get($view.cursor.pc()) else {
            leave!();
        };
        let (op, arg) = (instr.op, instr.arg);
        let takes = crate::build::shape(op, arg).map_or(0, |shape| shape.takes);
        let Some(operands) = $view.stack.last_values(takes) else {
            leave!();
        };
        // SAFETY: they stay on the stack, which nobody else changes, until it is built.
        let operands = unsafe { &*std::ptr::from_ref(operands) };
        let made = outside!($self.build(op, arg, operands));
        $view.stack.drop_last(takes);
        $view.stack.push_slot(made);
        go_on!(1);
    }};
}
pub(super) use build;

macro_rules! binary_subscr {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(container), Some(key)) = ($view.stack.peek(2), $view.stack.peek(1)) else {
            leave!();
        };
        let item = match item_at(container, key).or_else(|| entry_of(container, key)) {
            Some(item) => item.clone(),
            None => match element_of(container, key) {
                Some(item) => item,
                None => {
                    see!($quick, container);
                    if matches!(container, Value::Instance(_)) {
                        let cache = $view.state.operators.get($quick.cache as usize);
                        by_method!(cache, Special::Item, container, Some(key));
                    }
                    let (Some(key), Some(container)) = ($view.stack.pop(), $view.stack.pop())
                    else {
                        leave!();
                    };
                    let item = outside!(ops::get_item($self, &container, &key));
                    $view.stack.push(item);
                    container.release();
                    key.release();
                    go_on!(1);
                }
            },
        };
        see!($quick, container);
        $view.stack.drop_last(1);
        item.put($view.stack.slot_mut(1));
        settle!(1);
    }};
}
pub(super) use binary_subscr;

macro_rules! store_subscr {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(value), Some(container), Some(key)) = (
            $view.stack.peek(3),
            $view.stack.peek(2),
            $view.stack.peek(1),
        ) else {
            leave!();
        };
        see!($quick, container);
        if !store_simple(container, key, value) {
            leave!();
        }
        $view.stack.drop_last(3);
        rest!($quick);
        settle!(1);
    }};
}
pub(super) use store_subscr;

macro_rules! list_append {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(Value::List(list)), Some(_)) = (
            $view.stack.peek($quick.arg as usize + 1),
            $view.stack.peek(1),
        ) else {
            leave!();
        };
        let list = std::ptr::from_ref::<PyList>(list);
        if let Some(value) = $view.stack.pop() {
            // SAFETY: the list lies on the stack still.
            unsafe { &*list }.push(value);
        }
        next!(1);
    }};
}
pub(super) use list_append;

macro_rules! set_add {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(Value::Set(set)), Some(item)) = (
            $view.stack.peek($quick.arg as usize + 1),
            $view.stack.peek(1),
        ) else {
            leave!();
        };
        if set.add_simple(item).is_none() {
            leave!();
        }
        $view.stack.drop_last(1);
        settle!(1);
    }};
}
pub(super) use set_add;

macro_rules! map_add {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(Value::Dict(dict)), Some(key), Some(value)) = (
            $view.stack.peek($quick.arg as usize + 2),
            $view.stack.peek(2),
            $view.stack.peek(1),
        ) else {
            leave!();
        };
        if dict.set_simple(key, value.clone()).is_err() {
            leave!();
        }
        $view.stack.drop_last(2);
        settle!(1);
    }};
}
pub(super) use map_add;

macro_rules! unpack_sequence {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let count = $quick.arg as usize;
        match $view.stack.peek(1) {
            Some(Value::Tuple(tuple)) if tuple.items.len() == count => {}
            Some(Value::List(list)) if list.len() == count => {}
            _ => leave!(),
        }
        let Some(sequence) = $view.stack.pop() else {
            leave!();
        };
        see!($quick, &sequence);
        match &sequence {
            Value::Tuple(tuple) => {
                for item in tuple.items.iter().rev() {
                    $view.stack.push(item.clone());
                }
            }
            Value::List(list) => {
                for item in list.items.borrow().iter().rev() {
                    $view.stack.push(item.clone());
                }
            }
            _ => {}
        }
        sequence.release();
        settle!(1);
    }};
}
pub(super) use unpack_sequence;
