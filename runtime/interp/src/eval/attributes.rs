//! Attributes and methods.

macro_rules! load_attr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let object = pop!();
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        let cache = $active.state.attrs.get($quick.cache as usize);
        let hit = cache.and_then(|c| c.hit(&object));
        let value = match hit {
            Some(Hit::Value(value)) => value,
            Some(Hit::Method(function)) => bound_method(function, object.clone()),
            Some(Hit::ClassMethod(function)) => {
                bound_method(function, Value::Class(class_of(&object)))
            }
            Some(Hit::Getter(Value::Function(getter))) => {
                // The object stays on the stack until the getter returned.
                push!(object.clone());
                let first = $frame.stack.len();
                push!(object);
                operate!($self, $frame, $pc, $active, Special::Get, &getter, first);
            }
            Some(Hit::Getter(getter)) => {
                attempt!(outside!($self.call_one(&getter, object.clone())))
            }
            None => {
                if let Some(cache) = $active.state.attrs.get($quick.cache as usize) {
                    cache.learn(&object, name);
                }
                attempt!(outside!(attr::get($self, &object, name)))
            }
        };
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, &value);
        }
        push!(value);
        drop(object);
        settle!();
    }};
}
pub(super) use load_attr;

macro_rules! load_method {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let object = pop!();
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        let hit = $active
            .state
            .attrs
            .get($quick.cache as usize)
            .and_then(|c| c.hit(&object));
        let (callable, receiver) = match hit {
            Some(Hit::Method(function)) => (function, Some(object)),
            Some(Hit::ClassMethod(function)) => (function, Some(Value::Class(class_of(&object)))),
            Some(Hit::Value(value)) => (value, None),
            Some(Hit::Getter(getter)) => {
                (attempt!(outside!($self.call_one(&getter, object))), None)
            }
            None => {
                if let Some(cache) = $active.state.attrs.get($quick.cache as usize) {
                    cache.learn(&object, name);
                }
                attempt!(outside!(attr::load_method($self, &object, name)))
            }
        };
        if let Some(site) = $active.sites.get($quick.site as usize) {
            saw(site, &callable);
        }
        $frame.stack.push(Some(callable));
        $frame.stack.push(receiver);
        settle!();
    }};
}
pub(super) use load_method;

macro_rules! store_attr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let object = pop!();
        let value = pop!();
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        let cache = $active.state.attrs.get($quick.cache as usize);
        let before = layout_of(&object);
        attempt!(outside!(attr::set($self, &object, name, value)));
        if let Some(cache) = cache {
            cache.learn_store(&object, before, name);
        }
        // It was the frame's own `f_trace`.
        if $frame.steps.is_some() {
            switch!();
        }
        rest!($active.sites.get($quick.site as usize));
        settle!();
    }};
}
pub(super) use store_attr;

macro_rules! delete_attr {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let arg = $quick.arg as usize;
        let object = pop!();
        let Some(name) = $active.code.names.get(arg) else {
            corrupt!()
        };
        attempt!(outside!(attr::del($self, &object, name)));
        settle!();
    }};
}
pub(super) use delete_attr;
