//! Jumps, and loops with their iterators.

macro_rules! jump_backward {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        check_breaker!();
        $pc = arg;
        // A `while` loop's head is executed here when it is jumped to, so
        // that the instruction itself sees only the entries into the loop.
        // Compiled code that resumes there has jumped to it, too.
        while $pc == arg
            && let Some(head) = $active.instrs.get($pc)
            && head.op == Op::LoopHead
        {
            if let Some(site) = $active.sites.get(head.site as usize) {
                site.running.set(site.running.get().saturating_add(1));
                match site.countdown.get() {
                    0 => ask_jit!(enter_loop),
                    left => site.countdown.set(left - 1),
                }
            }
            $pc += 1;
        }
        continue;
    }};
}
pub(super) use jump_backward;

macro_rules! for_iter {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident, $resumed:ident) => {{
        let arg = $quick.arg as usize;
        let Some(Some(top)) = $frame.stack.last() else {
            corrupt!()
        };
        let site = $active.sites.get($quick.site as usize);
        // Compiled code wants the item on the stack; a store that follows does not.
        let asks = match site {
            Some(site) => $self.jit.is_some() && site.countdown.get() == 0,
            None => false,
        };
        macro_rules! deliver_item {
            ($item:expr) => {{
                if let Some(site) = site {
                    site.running.set(site.running.get().saturating_add(1));
                    let left = site.countdown.get();
                    site.countdown.set(left.saturating_sub(1));
                }
                if let Some(following) = $active.instrs.get($pc + 1)
                    && following.op == Op::StoreFast
                    && let Some(local) = $frame.locals.get_mut(following.arg as usize)
                {
                    $item.put(local);
                    $pc += 2;
                    settle_at!();
                }
                push!($item);
                settle!();
            }};
        }
        let mut sent = Sent::Other;
        let next = match (next_item(top), top) {
            (SimpleNext::Other, Value::Generator(generator))
                if $resumed.is_none() && $self.has_code(generator) =>
            {
                let mut value = Value::None;
                sent = $self.send_quickly(generator, &mut value);
                match sent {
                    Sent::Yielded => {
                        if let Some(site) = site {
                            site.drives.set(false);
                        }
                        SimpleNext::Item(value)
                    }
                    Sent::Returned => SimpleNext::End,
                    Sent::Lower | Sent::Other => SimpleNext::Other,
                }
            }
            (next, _) => next,
        };
        let item = match next {
            SimpleNext::Int(i) if asks => Some(Value::Int(i)),
            SimpleNext::Int(i) => deliver_item!(Value::Int(i)),
            SimpleNext::Item(item) if asks => Some(item),
            SimpleNext::Item(item) => deliver_item!(item),
            SimpleNext::End => None,
            SimpleNext::Other if let Some(step) = $resumed.take() => match step {
                Step::Yield(item) => Some(item),
                Step::Return(_) => None,
            },
            SimpleNext::Other => {
                if let Value::Generator(generator) = top
                    && let Some(new) = match sent {
                        Sent::Lower => $self.drive_here(generator),
                        _ => $self.drive(generator),
                    }
                {
                    if let Some(site) = site {
                        site.drives.set(true);
                    }
                    $frame.pc = $pc as u32;
                    push_to(&mut $self.frames, $frame.into_box());
                    let innermost = $self.drive_innermost(new);
                    $frame = Current::new(innermost);
                    switch!();
                    $pc = $frame.pc as usize;
                    continue;
                }
                let iterator = top.clone();
                attempt!(outside!(ops::next($self, &iterator)))
            }
        };
        let Some(item) = item else {
            drop_top(&mut $frame.stack);
            if let Some(site) = site {
                crate::profile::loop_exhausted(site);
            }
            $pc = arg;
            settle_at!();
        };
        if asks {
            if let Some(site) = site {
                site.running.set(site.running.get().saturating_add(1));
            }
            push!(item);
            ask_jit!(enter_loop);
            settle!();
        }
        deliver_item!(item);
    }};
}
pub(super) use for_iter;
