//! Jumps, and loops with their iterators.

macro_rules! get_iter {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(iterable) = $view.stack.peek(1) else {
            leave!();
        };
        let iterator = ops::iter_simple(iterable);
        let head = $view.cursor.ahead(1);
        if head.op == Op::ForIter
            && let Some(site) = $view.sites.get(head.site as usize)
        {
            loop_entered(site);
        }
        match iterator {
            Some(iterator) => {
                iterator.put($view.stack.slot_mut(1));
                settle!(1);
            }
            None => {
                let Some(iterable) = $view.stack.pop() else {
                    leave!();
                };
                let iterator = outside!(ops::iter($self, &iterable));
                iterable.release();
                $view.stack.push(iterator);
                go_on!(1);
            }
        }
    }};
}
pub(super) use get_iter;

macro_rules! jump_backward {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        if janus_gil::pending::is_break_due() {
            leave!();
        }
        let head = $view.cursor.target($quick.arg);
        if head.op == Op::LoopHead {
            if let Some(site) = $view.sites.get(head.site as usize) {
                let left = site.countdown.get();
                if left == 0 && $view.compiles {
                    leave!();
                }
                count_item(Some(site));
            }
            $view.cursor.jump($quick.arg + 1);
        } else {
            $view.cursor.jump($quick.arg);
        }
    }};
}
pub(super) use jump_backward;

macro_rules! pop_jump_if {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let truth = truth!();
        $view.stack.drop_last(1);
        branch!($quick, truth == ($quick.op == Op::PopJumpIfTrue));
        if heap::is_pending() {
            break Stop::Settle;
        }
    }};
}
pub(super) use pop_jump_if;

macro_rules! pop_jump_if_none {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let is_none = matches!($view.stack.peek(1), Some(Value::None));
        $view.stack.drop_last(1);
        branch!($quick, is_none == ($quick.op == Op::PopJumpIfNone));
        if heap::is_pending() {
            break Stop::Settle;
        }
    }};
}
pub(super) use pop_jump_if_none;

macro_rules! jump_or_pop {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let truth = truth!();
        let taken = truth == ($quick.op == Op::JumpIfTrueOrPop);
        if !taken {
            $view.stack.drop_last(1);
        }
        branch!($quick, taken);
        if heap::is_pending() {
            break Stop::Settle;
        }
    }};
}
pub(super) use jump_or_pop;

macro_rules! for_iter {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(iterator) = $view.stack.peek(1) else {
            leave!();
        };
        let site = $view.sites.get($quick.site as usize);
        // Who compiles wants the item on the stack.
        if $view.compiles && site.is_some_and(|site| site.countdown.get() == 0) {
            leave!();
        }
        let item = match next_item(iterator) {
            SimpleNext::Int(i) => Value::Int(i),
            SimpleNext::Item(item) => item,
            SimpleNext::End => {
                if let Some(site) = site {
                    loop_exhausted(site);
                }
                $view.stack.drop_last(1);
                $view.cursor.jump($quick.arg);
                if heap::is_pending() {
                    break Stop::Settle;
                }
                continue;
            }
            // A pair that is taken apart at once is not made.
            SimpleNext::Other => {
                let following = $view.cursor.ahead(1);
                if following.op == Op::UnpackSequence
                    && following.arg == 2
                    && !describes()
                    && let Some((first, second)) = next_pair(iterator)
                {
                    count_item(site);
                    if let Some(site) = $view.sites.get(following.site as usize) {
                        saw_bits(site, TypeTag::Tuple as u32);
                    }
                    $view.stack.push(second);
                    $view.stack.push(first);
                    next!(2);
                }
                if let Value::Generator(generator) = iterator {
                    let Some(new) = $self.drive(generator) else {
                        leave!();
                    };
                    if let Some(site) = site {
                        site.drives.set(true);
                    }
                    give_back!();
                    $self.step_out($frame);
                    *$frame = Current::new($self.drive_innermost(new));
                    open!($frame.pc as usize);
                    continue;
                }
                let iterator = iterator.clone();
                match outside!(ops::next($self, &iterator)) {
                    Some(item) => item,
                    None => {
                        if let Some(site) = site {
                            loop_exhausted(site);
                        }
                        iterator.release();
                        $view.stack.drop_last(1);
                        $view.cursor.jump($quick.arg);
                        go_on!(0);
                    }
                }
            }
        };
        count_item(site);
        deliver!(0, item);
    }};
}
pub(super) use for_iter;
