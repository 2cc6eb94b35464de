//! Quick ways of the built-in classes and their methods.
//!
//! In: arguments by position. Out: what the call gives, or nothing where that needs Python, an exception, or a closer look. Always:
//! what is answered is answered as the function itself would; where nothing is answered, nothing was done.

use crate::{Class, PyDict, PyRange, PyRef, QuickWay, Types, Value, class_of, ops, simple_eq};

/// The quick ways of calls of classes.
pub(crate) fn constructors(all: &Types) -> [(&PyRef<Class>, QuickWay); 9] {
    [
        (&all.type_, type_of),
        (&all.bool, bool),
        (&all.int, int),
        (&all.float, float),
        (&all.str, str),
        (&all.list, list),
        (&all.tuple, tuple),
        (&all.dict, dict),
        (&all.range, range),
    ]
}

fn type_of(args: &[Value]) -> Option<Value> {
    match args {
        [value] => Some(Value::Class(class_of(value))),
        _ => None,
    }
}

fn bool(args: &[Value]) -> Option<Value> {
    match args {
        [value] => ops::truth_simple(value).map(Value::bool),
        _ => None,
    }
}

fn int(args: &[Value]) -> Option<Value> {
    match args {
        [value @ Value::Int(_)] => Some(value.clone()),
        [Value::Bool(b)] => Some(Value::Int(i64::from(b.get()))),
        [Value::Float(f)] => super::float::to_int(f.get()).ok(),
        [Value::Str(digits)] => {
            // Shorter than what overflows; signs, spaces and underscores are for the function.
            let digits = digits.as_str().as_bytes();
            let all = !digits.is_empty() && digits.len() <= 18;
            (all && digits.iter().all(u8::is_ascii_digit)).then(|| {
                let add = |n: i64, digit: &u8| n * 10 + i64::from(digit - b'0');
                Value::Int(digits.iter().fold(0, add))
            })
        }
        _ => None,
    }
}

fn float(args: &[Value]) -> Option<Value> {
    match args {
        [value @ Value::Float(_)] => Some(value.clone()),
        [Value::Int(i)] => Some(Value::float(*i as f64)),
        [Value::Str(digits)] => super::float::parse_float(digits).map(Value::float),
        _ => None,
    }
}

fn str(args: &[Value]) -> Option<Value> {
    match args {
        [text @ Value::Str(_)] => Some(text.clone()),
        _ => None,
    }
}

/// The items of a container that is built in.
fn items(container: &Value) -> Option<Vec<Value>> {
    match container {
        Value::List(list) => Some(list.to_vec()),
        Value::Tuple(tuple) => Some(tuple.items.to_vec()),
        Value::Dict(dict) => Some(dict.keys()),
        Value::Set(set) => Some(set.items()),
        _ => None,
    }
}

fn list(args: &[Value]) -> Option<Value> {
    match args {
        [] => Some(Value::list(Vec::new())),
        [container] => items(container).map(Value::list),
        _ => None,
    }
}

fn tuple(args: &[Value]) -> Option<Value> {
    match args {
        [tuple @ Value::Tuple(_)] => Some(tuple.clone()),
        [container] => items(container).map(Value::tuple),
        _ => None,
    }
}

fn dict(args: &[Value]) -> Option<Value> {
    match args {
        [] => Some(Value::dict(PyDict::new())),
        [Value::Dict(of)] => Some(Value::dict(of.copy())),
        _ => None,
    }
}

fn range(args: &[Value]) -> Option<Value> {
    let (start, stop) = match args {
        [Value::Int(stop)] => (0, *stop),
        [Value::Int(start), Value::Int(stop)] => (*start, *stop),
        _ => return None,
    };
    let step = 1;
    Some(Value::Range(PyRef::new(PyRange { start, stop, step })))
}

/// `list.append`
pub(crate) fn list_append(args: &[Value]) -> Option<Value> {
    match args {
        [Value::List(list), item] => {
            list.push(item.clone());
            Some(Value::None)
        }
        _ => None,
    }
}

/// `list.pop`
pub(crate) fn list_pop(args: &[Value]) -> Option<Value> {
    match args {
        [Value::List(list)] => list.items.borrow_mut().pop(),
        [Value::List(list), Value::Int(index)] => {
            let mut items = list.items.borrow_mut();
            let at = ops::item_offset(*index, items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

/// `list.index`
pub(crate) fn list_index(args: &[Value]) -> Option<Value> {
    let [Value::List(list), item] = args else {
        return None;
    };
    for (at, other) in list.items.borrow().iter().enumerate() {
        if simple_eq(other, item)? {
            return Some(Value::from(at));
        }
    }
    None
}

/// `dict.get`
pub(crate) fn dict_get(args: &[Value]) -> Option<Value> {
    let (dict, key, default) = match args {
        [Value::Dict(dict), key] => (dict, key, &Value::None),
        [Value::Dict(dict), key, default] => (dict, key, default),
        _ => return None,
    };
    let found = dict.get_simple(key)?;
    Some(found.unwrap_or_else(|| default.clone()))
}

/// `dict.setdefault`
pub(crate) fn dict_setdefault(args: &[Value]) -> Option<Value> {
    let [Value::Dict(dict), key, default] = args else {
        return None;
    };
    if let Some(found) = dict.get_simple(key)? {
        return Some(found);
    }
    if dict.is_watched() {
        return None;
    }
    dict.set_simple(key, default.clone()).ok()?;
    Some(default.clone())
}

/// `set.add`
pub(crate) fn set_add(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Set(set), item] if !set.frozen => {
            set.add_simple(item)?;
            Some(Value::None)
        }
        _ => None,
    }
}
