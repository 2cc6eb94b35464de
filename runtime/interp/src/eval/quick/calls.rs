//! Calls and their ends; generators.

macro_rules! callable_global {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(callable) = global!($quick) else {
            leave!();
        };
        see!($quick, callable);
        $view.stack.push(callable.clone());
        $view.stack.push_slot(None);
        next!(2);
    }};
}
pub(super) use callable_global;

macro_rules! call_global {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(callable) = global!($quick) else {
            leave!();
        };
        let (first, second) = ($view.cursor.ahead(2), $view.cursor.ahead(3));
        let call = $view.cursor.ahead(if second.op == Op::Call { 3 } else { 4 });
        if matches!(callable, Value::Native(_) | Value::Class(_))
            && let Some(a) = operand!(first)
        {
            // A quick way runs no Python and changes no namespace: the callable stays where it lies.
            let b = match second.op {
                Op::Call => None,
                _ => operand!(second),
            };
            let answer = match b {
                Some(b) => with_both(a, b, |args| callable.answer(args)),
                None if second.op == Op::Call => {
                    callable.answer(std::slice::from_ref(a))
                }
                None => None,
            };
            if let Some(answer) = answer {
                see!($quick, callable);
                see!(first, a);
                if let Some(b) = b {
                    see!(second, b);
                }
                let site = $view.sites.get(call.site as usize);
                if let Some(site) = site {
                    site.hit();
                    saw_callee(site, callable);
                    saw_result(site, &answer);
                }
                $view.stack.push(answer);
                $view.cursor.advance(if b.is_some() { 4 } else { 3 });
                rest!(call);
                settle!(1);
            }
        }
        see!($quick, callable);
        $view.stack.push(callable.clone());
        $view.stack.push_slot(None);
        next!(2);
    }};
}
pub(super) use call_global;

macro_rules! call {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let count = $quick.arg as usize;
        let Some(callable) = $view.stack.peek(count + 2) else {
            leave!();
        };
        let given = count + usize::from($view.stack.peek(count + 1).is_some());
        if matches!(callable, Value::Native(_) | Value::Class(_))
            && let Some(args) = $view.stack.last_values(given)
            && let Some(answer) = callable.answer(args)
        {
            if let Some(site) = $view.sites.get($quick.site as usize) {
                site.hit();
                saw_callee(site, callable);
                saw_result(site, &answer);
            }
            $view.stack.drop_last(count + 2);
            $view.stack.push(answer);
            rest!($quick);
            settle!(1);
        }
        let native = match callable {
            Value::Native(native)
                if count == 1
                    && native.qualname == "builtins.len"
                    && let Some(object @ Value::Instance(_)) = $view.stack.peek(1) =>
            {
                let cache = $view.state.calls.get($quick.cache as usize);
                let cache = cache.map(|cache| &cache.len);
                by_method!(cache, Special::Len, object, None);
            }
            Value::Native(_) => true,
            // What `super()` gives may not have to be made.
            Value::Class(class) => {
                class.construct.get().is_some() && !PyRef::ptr_eq(class, &types().super_)
            }
            _ => false,
        };
        if native {
            let Some(args) = $view.stack.last_values(given) else {
                leave!();
            };
            let site = $view.sites.get($quick.site as usize);
            if let Some(site) = site {
                site.hit();
                saw_callee(site, callable);
            }
            // SAFETY: it stays on the stack, which nobody else changes, until the call is done.
            let callable = unsafe { &*std::ptr::from_ref(callable) };
            // SAFETY: as above.
            let args = unsafe { &*std::ptr::from_ref(args) };
            let result = outside!($self.call_native(callable, args));
            if let Some(site) = site {
                saw_result(site, &result);
            }
            $view.stack.drop_last(count + 2);
            $view.stack.push(result);
            rest!($quick);
            go_on!(1);
        }
        // SAFETY: the call's operands are there.
        if unsafe {
            $self.enter_called(
                $frame,
                $view.sites,
                $view.cursor.pc(),
                $quick,
                $view.stack.top(),
            )
        } {
            enter!();
        }
        let (pc, top) = ($view.cursor.pc(), $view.stack.top());
        // SAFETY: as above.
        let entered = unsafe { $self.enter_gathering($frame, $view.sites, pc, $quick, top) };
        match entered {
            Ok(Entered::Frame) => enter!(),
            Ok(Entered::Not) => leave!(),
            Ok(Entered::Value(value)) => {
                take_back!();
                if let Some(site) = $view.sites.get($quick.site as usize) {
                    saw_result(site, &value);
                }
                $view.stack.push(value);
                rest!($quick);
                settle!(1);
            }
            Err(raised) => {
                take_back!();
                break Stop::Raise(raised);
            }
        }
    }};
}
pub(super) use call;

macro_rules! call_kw {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let count = $quick.arg as usize;
        let Some(Value::Tuple(names)) = $view.stack.peek(1) else {
            leave!();
        };
        let Some(Value::Function(function)) = $view.stack.peek(count + 3) else {
            leave!();
        };
        // SAFETY: both stay on the stack until the arguments are bound.
        let (function, names) = unsafe { (held(function), held(names)) };
        if !$self.may_enter(&function.code.borrow()) {
            leave!();
        }
        let given = count + usize::from($view.stack.peek(count + 2).is_some());
        let args = $view.stack.last_mut(given + 1);
        let args = args.get_mut(..given).unwrap_or_default();
        let new = match $self.bind_named(function, args, &names.items) {
            Ok(Some(new)) => new,
            Ok(None) => leave!(),
            Err(raised) => break Stop::Raise(raised),
        };
        if let (Some(site), Some(callable)) = (
            $view.sites.get($quick.site as usize),
            $view.stack.peek(count + 3),
        ) {
            site.hit();
            saw_callee(site, callable);
        }
        $view.stack.drop_last(count + 3);
        give_back!();
        $self.run_here($frame, new, Purpose::Call);
        enter!();
    }};
}
pub(super) use call_kw;

macro_rules! yield_value {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let Some(caller) = $self.frames.last() else {
            leave!();
        };
        let waits = matches!($frame.purpose, Purpose::Generator(_));
        let is_traced = caller.steps.is_some() || $frame.steps.is_some();
        if !waits || $self.frames.len() <= $view.callers || is_traced {
            leave!();
        }
        let (Some(value), Some(caller)) = ($view.stack.pop(), $self.frames.pop()) else {
            corrupt!();
        };
        give_back!();
        $frame.pc += 1;
        let purpose = std::mem::take(&mut $frame.purpose);
        let suspended = std::mem::replace($frame, Current::new(caller));
        if let Purpose::Generator(driven) = purpose {
            $self.park(suspended.into_box(), driven);
        }
        $self.depth -= 1;
        if yields_what_is_sent($frame) {
            // SAFETY: another one takes its place.
            let caller = unsafe { $frame.lend() };
            *$frame = Current::new($self.hand_on(caller, $view.callers));
        }
        open!($frame.pc as usize);
        // The caller's instruction was not executed whole: it goes on with the value.
        let head = $view.cursor.ahead(0);
        let site = $view.sites.get(head.site as usize);
        let asks = $view.compiles && site.is_some_and(|site| site.countdown.get() == 0);
        if head.op != Op::ForIter || asks {
            break Stop::Resume(Step::Yield(value));
        }
        count_item(site);
        deliver!(0, value);
    }};
}
pub(super) use yield_value;

macro_rules! return_value {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(value), Some(caller)) = ($view.stack.peek(1), $self.frames.last()) else {
            leave!();
        };
        let result = match &$frame.purpose {
            Purpose::Call | Purpose::Generator(_) => None,
            Purpose::Init(made) if matches!(value, Value::None) => Some(made.clone()),
            Purpose::Init(_) => leave!(),
            Purpose::Operator(special) => match special.of_result(value) {
                Some(result) => Some(result),
                None => leave!(),
            },
        };
        let is_seen = $frame.object.get().is_some() || caller.steps.is_some();
        if is_seen || $self.frames.len() <= $view.callers {
            leave!();
        }
        if $self.profiling && matches!($frame.purpose, Purpose::Call | Purpose::Init(_)) {
            let call = known(&$self.code_state(&caller.code).ops, caller.pc);
            if let Some(site) = caller.code.profile.sites.get(call.site as usize) {
                saw_result(site, result.as_ref().unwrap_or(value));
            }
        }
        let (Some(value), Some(caller)) = ($view.stack.pop(), $self.frames.pop()) else {
            corrupt!();
        };
        let value = result.unwrap_or(value);
        give_back!();
        $self.depth -= 1;
        let purpose = match $frame.purpose {
            Purpose::Call => Purpose::Call,
            _ => std::mem::take(&mut $frame.purpose),
        };
        let ended = std::mem::replace($frame, Current::new(caller));
        $self.recycle(ended.into_box());
        open!($frame.pc as usize);
        match purpose {
            Purpose::Operator(special) => $view.stack.drop_last(special.taken()),
            Purpose::Generator(driven) => {
                $self.end_driven(driven, None);
                break Stop::Resume(Step::Return(value));
            }
            Purpose::Call | Purpose::Init(_) => {
                $view.stack.push(value);
                rest!($view.cursor.ahead(0));
                settle!(1);
            }
        }
        $view.stack.push(value);
        settle!(1);
    }};
}
pub(super) use return_value;
