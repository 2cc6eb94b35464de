//! Calls, and what makes functions, classes and modules.

// What a call gave, or an operation that is one, goes on the stack.
macro_rules! called {
    ($site:expr, $value:expr) => {{
        let (site, value) = ($site, $value);
        if let Some(site) = site {
            saw_result(site, &value);
        }
        push!(value);
        rest!(site);
        settle!();
    }};
}
pub(super) use called;

// Calls machine code with the arguments on the stack, if there is some that takes them as they are.
macro_rules! by_compiled {
    ($self:ident, $frame:ident, $function:expr, $first:expr, $base:expr, $site:expr) => {{
        if $function.code.borrow().jit.compiled.borrow().is_some() {
            let Some(args) = arguments(&$frame.stack, $first) else {
                corrupt!()
            };
            // SAFETY: nobody but this loop changes the frame's stack.
            let args = unsafe { &*args };
            if let Some(result) = outside!($self.call_compiled($function, args)) {
                drop_from(&mut $frame.stack, $base);
                let value = attempt!(result);
                called!($site, value);
            }
        }
    }};
}
pub(super) use by_compiled;

macro_rules! call {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some(base) = $frame.stack.len().checked_sub(arg + 2) else {
            corrupt!()
        };
        let [Some(callable), receiver, ..] = &$frame.stack[base..] else {
            corrupt!()
        };
        let first = base + if receiver.is_some() { 1 } else { 2 };
        let site = $active.sites.get($quick.site as usize);
        if let Some(site) = site {
            site.hit();
            crate::profile::saw_callee(site, callable);
        }
        let result = match callable {
            Value::Function(function) => {
                // SAFETY: it stays on the stack until its arguments are bound.
                let function = unsafe { held(function) };
                by_compiled!($self, $frame, function, first, base, site);
                let bound = $self.bind_stack(function, &mut $frame.stack, first);
                drop_from(&mut $frame.stack, base);
                match attempt!(bound) {
                    Bound::Frame(new) => enter_frame!(new, None),
                    Bound::Suspended(value) => Ok(value),
                }
            }
            Value::Method(method)
                if first == base + 2
                    && let Value::Function(function) = &method.function =>
            {
                // SAFETY: the method, which has the function, stays on the stack as long.
                let (method, function) = unsafe { (held(method), held(function)) };
                if let Some(slot) = $frame.stack.get_mut(base + 1) {
                    *slot = Some(method.receiver.clone());
                }
                by_compiled!($self, $frame, function, base + 1, base, site);
                let bound = $self.bind_stack(function, &mut $frame.stack, base + 1);
                drop_from(&mut $frame.stack, base);
                match attempt!(bound) {
                    Bound::Frame(new) => enter_frame!(new, None),
                    Bound::Suspended(value) => Ok(value),
                }
            }
            Value::Class(class)
                if let Some(init) = $active
                    .state
                    .calls
                    .get($quick.cache as usize)
                    .and_then(|c| c.init_of(class)) =>
            {
                let instance = Instance::with_dict(class.clone());
                if let Some(slot) = $frame.stack.get_mut(base + 1) {
                    *slot = Some(instance.clone());
                }
                let bound = $self.bind_stack(&init, &mut $frame.stack, base + 1);
                drop_from(&mut $frame.stack, base);
                match attempt!(bound) {
                    Bound::Frame(new) => enter_frame!(new, Some(instance)),
                    Bound::Suspended(value) => crate::call::made_by_init(instance, &value),
                }
            }
            Value::Native(native)
                if arg == 1
                    && native.qualname == "builtins.len"
                    && let Some(Some(Value::Instance(_))) = $frame.stack.get(base + 2) =>
            {
                // The quick loop leaves `len` here, whose method is not known yet.
                let cache = $active.state.calls.get($quick.cache as usize);
                let cache = cache.map(|cache| &cache.len);
                by_method!($self, $frame, $pc, $active, cache, Special::Len);
                let callable = callable.clone();
                let args = take_args(&mut $frame.stack, base, first);
                outside!($self.call_args(&callable, args))
            }
            // A method of what `super()` gives, which is not made.
            Value::Class(class)
                if matches!(arg, 0 | 2)
                    && first == base + 2
                    && PyRef::ptr_eq(class, &types().super_)
                    && let Some(following) = $active.instrs.get($pc + 1)
                    && following.op == Op::LoadMethod
                    && let Some(name) = $active.code.names.get(following.arg as usize)
                    && let Some((function, object)) = attempt!(crate::call::super_method(
                        &$frame,
                        $quick.arg,
                        name,
                        $active.state.attrs.get(following.cache as usize)
                    )) =>
            {
                drop_from(&mut $frame.stack, base);
                if let Some(site) = site {
                    saw_result(site, &object);
                }
                if let Some(site) = $active.sites.get(following.site as usize) {
                    saw(site, &function);
                }
                push!(function);
                push!(object);
                $pc += 2;
                continue;
            }
            Value::Class(class) => {
                if let Some(cache) = $active.state.calls.get($quick.cache as usize) {
                    cache.learn(class);
                }
                let callable = Value::Class(class.clone());
                let Some(args) = arguments(&$frame.stack, first) else {
                    corrupt!()
                };
                // SAFETY: nobody but this loop changes the frame's stack.
                let args = unsafe { &*args };
                let result = outside!($self.call_value(&callable, Args::new(args)));
                drop_from(&mut $frame.stack, base);
                result
            }
            callable => {
                let callable = callable.clone();
                let args = take_args(&mut $frame.stack, base, first);
                outside!($self.call_args(&callable, args))
            }
        };
        let value = attempt!(result);
        called!(site, value);
    }};
}
pub(super) use call;

macro_rules! call_prepared {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let site = $active.sites.get($quick.site as usize);
        if $quick.op == Op::CallKw
            && let Some(base) = $frame.stack.len().checked_sub(arg + 3)
            && let [Some(callable), receiver, .., Some(Value::Tuple(names))] = &$frame.stack[base..]
            && let Value::Function(function) = callable
        {
            let first = base + if receiver.is_some() { 1 } else { 2 };
            // SAFETY: both stay on the stack until the arguments are bound.
            let (function, names) = unsafe { (held(function), held(names)) };
            let args = $frame.stack.len() - 1;
            if let Some(args) = $frame.stack.get_mut(first..args)
                && let Some(new) = attempt!($self.bind_named(function, args, &names.items))
            {
                if let (Some(site), Some(Some(callable))) = (site, $frame.stack.get(base)) {
                    site.hit();
                    crate::profile::saw_callee(site, callable);
                }
                drop_from(&mut $frame.stack, base);
                let value = attempt!(enter_frame!(new, None));
                called!(site, value);
            }
        }
        let spread = 3 + (arg & 1);
        if $quick.op == Op::CallEx
            && let Some(base) = $frame.stack.len().checked_sub(spread)
            && let Some(Some(callable)) = $frame.stack.get(base)
        {
            let callable = callable.clone();
            if let Some(new) = attempt!($self.bind_spread(&mut $frame.stack, arg)) {
                if let Some(site) = site {
                    site.hit();
                    crate::profile::saw_callee(site, &callable);
                }
                drop(callable);
                let value = attempt!(enter_frame!(new, None));
                called!(site, value);
            }
        }
        let call = attempt!($self.prepare_call(&mut $frame, $quick.op, arg, site, $pc));
        let value = attempt!(outside!($self.call_prepared(call)));
        called!(site, value);
    }};
}
pub(super) use call_prepared;

macro_rules! make_function {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let (globals, stack) = ($frame.globals.clone(), &mut $frame.stack);
        let operands = std::iter::from_fn(|| stack.pop().flatten());
        let function = attempt!($self.make_function(&globals, $quick.arg, operands));
        push!(function);
        settle!();
    }};
}
pub(super) use make_function;

macro_rules! load_build_class {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        push!($self.class_builder());
        settle!();
    }};
}
pub(super) use load_build_class;

macro_rules! import_name {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        let from_list = pop!();
        let level = pop!();
        let globals = $frame.globals.clone();
        push!(attempt!(outside!(
            $self.import_statement(name, &globals, &from_list, &level)
        )));
        settle!();
    }};
}
pub(super) use import_name;

macro_rules! import_from {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        let module = peek!(1).clone();
        push!(attempt!(outside!($self.import_from(&module, name))));
        settle!();
    }};
}
pub(super) use import_from;

macro_rules! import_star {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let module = pop!();
        let namespace = $frame.locals_dict();
        attempt!(outside!($self.import_star(&module, &namespace)));
        settle!();
    }};
}
pub(super) use import_star;
