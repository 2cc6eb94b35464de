//! Attributes and methods.

macro_rules! fast_attr {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let access = $view.cursor.ahead(1);
        if let Some(object) = $view.locals.get($quick.arg)
            && let Some(cache) = $view.state.attrs.get(access.cache as usize)
            && let Some(value) = cache.slot(object)
        {
            see!($quick, object);
            see!(access, value);
            $view.stack.push(value.clone());
            next!(2);
        }
        load_fast!();
    }};
}
pub(super) use fast_attr;

macro_rules! fast_method {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let access = $view.cursor.ahead(1);
        if let Some(object) = $view.locals.get($quick.arg)
            && let Some(cache) = $view.state.attrs.get(access.cache as usize)
            && let Some(function) = cache.method(object)
        {
            see!($quick, object);
            see!(access, function);
            $view.stack.push(function.clone());
            $view.stack.push(object.clone());
            next!(2);
        }
        load_fast!();
    }};
}
pub(super) use fast_method;

macro_rules! load_attr {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(object), Some(cache)) = (
            $view.stack.peek(1),
            $view.state.attrs.get($quick.cache as usize),
        ) else {
            leave!();
        };
        let value = match cache.slot(object) {
            Some(value) => value.clone(),
            None => match cache.hit_apart(object) {
                Some(Hit::Value(value)) => value,
                Some(Hit::Getter(Value::Function(getter))) => {
                    // The object stays on the stack until the getter returned.
                    enter_method!(&getter, Special::Get, object, None);
                }
                _ => leave!(),
            },
        };
        see!($quick, &value);
        value.put($view.stack.slot_mut(1));
        settle!(1);
    }};
}
pub(super) use load_attr;

macro_rules! load_method {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(object), Some(cache)) = (
            $view.stack.peek(1),
            $view.state.attrs.get($quick.cache as usize),
        ) else {
            leave!();
        };
        let function = match cache.method(object) {
            Some(function) => function.clone(),
            None => match cache.hit_apart(object) {
                Some(Hit::Method(function)) => function,
                Some(Hit::Value(value)) => {
                    see!($quick, &value);
                    value.put($view.stack.slot_mut(1));
                    $view.stack.push_slot(None);
                    settle!(1);
                }
                _ => leave!(),
            },
        };
        see!($quick, &function);
        let object = $view.stack.pop();
        $view.stack.push(function);
        $view.stack.push_slot(object);
        next!(1);
    }};
}
pub(super) use load_method;

macro_rules! store_attr {
    ($self:ident, $frame:ident, $view:ident, $quick:ident) => {{
        let (Some(cache), Some(name)) = (
            $view.state.attrs.get($quick.cache as usize),
            $frame.code.names.get($quick.arg as usize),
        ) else {
            leave!();
        };
        match ($view.stack.pop(), $view.stack.pop()) {
            (Some(object), Some(value)) => {
                if let Err(value) = cache.store_known(&object, name, value) {
                    $view.stack.push(value);
                    $view.stack.push(object);
                    leave!();
                }
                object.release();
                rest!($quick);
                settle!(1);
            }
            (object, value) => {
                $view.stack.push_slot(value);
                $view.stack.push_slot(object);
                leave!();
            }
        }
    }};
}
pub(super) use store_attr;
