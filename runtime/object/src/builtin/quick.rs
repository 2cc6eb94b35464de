//! Quick ways of the built-in classes and their methods.
//!
//! In: arguments by position. Out: what the call gives, or nothing where that needs Python, an exception, or a closer look. Always:
//! what is answered is answered as the function itself would; where nothing is answered, nothing was done.

use std::rc::Rc;

use crate::{
    Class, DictPart, IterState, Payload, PyDict, PyIter, PyRange, PyRef, PySet, PyStr, QuickWay,
    Types, Value, class_of, ops, simple_eq, text::unicode,
};

/// The quick ways of calls of classes.
pub(crate) fn constructors(all: &Types) -> [(&PyRef<Class>, QuickWay); 14] {
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
        (&all.set, set),
        (&all.frozenset, frozenset),
        (&all.reversed, reversed),
        (&all.enumerate, enumerate),
        (&all.zip, zip),
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
        Value::Instance(instance) => match &instance.payload {
            Payload::DictView(view) => Some(match view.part {
                DictPart::Keys => view.dict.keys(),
                DictPart::Values => view.dict.values(),
                DictPart::Items => {
                    let pair = |(key, value)| Value::tuple(vec![key, value]);
                    view.dict.items().into_iter().map(pair).collect()
                }
            }),
            _ => None,
        },
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
    let (start, stop, step) = match args {
        [Value::Int(stop)] => (0, *stop, 1),
        [Value::Int(start), Value::Int(stop)] => (*start, *stop, 1),
        [Value::Int(start), Value::Int(stop), Value::Int(step)] if *step != 0 => {
            (*start, *stop, *step)
        }
        _ => return None,
    };
    Some(Value::Range(PyRef::new(PyRange { start, stop, step })))
}

/// A set of the items of a container that is built in, if their equality takes no Python.
fn set_of(args: &[Value], frozen: bool) -> Option<Value> {
    let set = PySet::new(frozen);
    match args {
        [] => {}
        [Value::Set(of)] => return Some(Value::Set(PyRef::new(of.copy(frozen)))),
        [Value::List(list)] => list
            .items
            .borrow()
            .iter()
            .try_for_each(|item| set.add_simple(item))?,
        [Value::Tuple(tuple)] => tuple
            .items
            .iter()
            .try_for_each(|item| set.add_simple(item))?,
        [Value::Range(range)] if range.len() <= MOST_OF_RANGE => {
            let items = (0..range.len()).filter_map(|at| range.get(at));
            items.map(Value::Int).try_for_each(|i| set.add_simple(&i))?;
        }
        _ => return None,
    }
    Some(Value::Set(PyRef::new(set)))
}

/// Sets of larger ranges are made where that can be interrupted.
const MOST_OF_RANGE: usize = 1 << 16;

fn set(args: &[Value]) -> Option<Value> {
    set_of(args, false)
}

fn frozenset(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Set(of)] if of.frozen => None,
        args => set_of(args, true),
    }
}

fn reversed(args: &[Value]) -> Option<Value> {
    match args {
        [of] => ops::reversed_simple(of),
        _ => None,
    }
}

fn enumerate(args: &[Value]) -> Option<Value> {
    let (of, count) = match args {
        [of] => (of, Value::Int(0)),
        [of, count @ Value::Int(_)] => (of, count.clone()),
        _ => return None,
    };
    let iter = ops::iter_simple(of)?;
    Some(PyIter::value(IterState::Enumerate { iter, count }))
}

fn zip(args: &[Value]) -> Option<Value> {
    let iters = args
        .iter()
        .map(ops::iter_simple)
        .collect::<Option<Rc<[_]>>>()?;
    let strict = false;
    Some(PyIter::value(IterState::Zip { iters, strict }))
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

/// `list.insert`
pub(crate) fn list_insert(args: &[Value]) -> Option<Value> {
    let [Value::List(list), Value::Int(index), item] = args else {
        return None;
    };
    let mut items = list.items.borrow_mut();
    let count = items.len();
    let at = match *index < 0 {
        true => index.saturating_add(count as i64).max(0),
        false => *index,
    };
    items.insert(
        usize::try_from(at).map_or(count, |at| at.min(count)),
        item.clone(),
    );
    Some(Value::None)
}

/// `list.extend`
pub(crate) fn list_extend(args: &[Value]) -> Option<Value> {
    match args {
        [Value::List(list), Value::List(other)] if !PyRef::ptr_eq(list, other) => {
            list.items
                .borrow_mut()
                .extend_from_slice(&other.items.borrow());
        }
        [Value::List(list), Value::Tuple(other)] => {
            list.items.borrow_mut().extend_from_slice(&other.items);
        }
        _ => return None,
    }
    Some(Value::None)
}

/// `list.copy`
pub(crate) fn list_copy(args: &[Value]) -> Option<Value> {
    match args {
        [Value::List(list)] => Some(Value::list(list.to_vec())),
        _ => None,
    }
}

/// `list.reverse`
pub(crate) fn list_reverse(args: &[Value]) -> Option<Value> {
    match args {
        [Value::List(list)] => {
            list.items.borrow_mut().reverse();
            Some(Value::None)
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

/// `dict.pop`, of a key that is there or with a default.
pub(crate) fn dict_pop(args: &[Value]) -> Option<Value> {
    let (Value::Dict(dict), key, default) = (match args {
        [dict, key] => (dict, key, None),
        [dict, key, default] => (dict, key, Some(default)),
        _ => return None,
    }) else {
        return None;
    };
    if dict.is_watched() {
        return None;
    }
    match dict.find_simple(key)? {
        Some(at) => dict.remove_index(at).map(|(_, value)| value),
        None => default.cloned(),
    }
}

/// `dict.copy`
pub(crate) fn dict_copy(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Dict(dict)] => Some(Value::dict(dict.copy())),
        _ => None,
    }
}

/// What a method gives that takes nothing but a string.
fn of_text(args: &[Value], method: impl FnOnce(&PyRef<PyStr>) -> Value) -> Option<Value> {
    match args {
        [Value::Str(text)] => Some(method(text)),
        _ => None,
    }
}

/// What a method gives that takes two strings.
fn of_texts(args: &[Value], method: impl FnOnce(&str, &str) -> Value) -> Option<Value> {
    match args {
        [Value::Str(text), Value::Str(other)] => Some(method(text, other)),
        _ => None,
    }
}

/// `str.lower`
pub(crate) fn str_lower(args: &[Value]) -> Option<Value> {
    of_text(args, |text| Value::from(unicode::to_lower(text)))
}

/// `str.upper`
pub(crate) fn str_upper(args: &[Value]) -> Option<Value> {
    of_text(args, |text| Value::from(unicode::to_upper(text)))
}

/// `str.isdigit`
pub(crate) fn str_isdigit(args: &[Value]) -> Option<Value> {
    of_text(args, |text| super::string::all_of(text, unicode::is_digit))
}

/// `str.isalpha`
pub(crate) fn str_isalpha(args: &[Value]) -> Option<Value> {
    of_text(args, |text| {
        super::string::all_of(text, unicode::is_alphabetic)
    })
}

/// `str.isalnum`
pub(crate) fn str_isalnum(args: &[Value]) -> Option<Value> {
    of_text(args, |text| {
        super::string::all_of(text, unicode::is_alphanumeric)
    })
}

/// `str.isspace`
pub(crate) fn str_isspace(args: &[Value]) -> Option<Value> {
    of_text(args, |text| super::string::all_of(text, unicode::is_space))
}

/// `str.startswith`
pub(crate) fn str_startswith(args: &[Value]) -> Option<Value> {
    of_texts(args, |text, prefix| Value::bool(text.starts_with(prefix)))
}

/// `str.endswith`
pub(crate) fn str_endswith(args: &[Value]) -> Option<Value> {
    of_texts(args, |text, suffix| Value::bool(text.ends_with(suffix)))
}

/// `str.strip`
pub(crate) fn str_strip(args: &[Value]) -> Option<Value> {
    of_text(args, |text| {
        super::string_split::stripped(text, None, (true, true))
    })
}

/// `str.lstrip`
pub(crate) fn str_lstrip(args: &[Value]) -> Option<Value> {
    of_text(args, |text| {
        super::string_split::stripped(text, None, (true, false))
    })
}

/// `str.rstrip`
pub(crate) fn str_rstrip(args: &[Value]) -> Option<Value> {
    of_text(args, |text| {
        super::string_split::stripped(text, None, (false, true))
    })
}

/// `str.join`
pub(crate) fn str_join(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Str(sep), Value::List(list)] => {
            super::string_split::joined(sep, &list.items.borrow()).ok()
        }
        [Value::Str(sep), Value::Tuple(tuple)] => {
            super::string_split::joined(sep, &tuple.items).ok()
        }
        _ => None,
    }
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

/// `set.discard`, of an element that is there.
pub(crate) fn set_discard(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Set(set), item] if !set.frozen => {
            set.remove_simple(item)?;
            Some(Value::None)
        }
        _ => None,
    }
}

/// `set.remove`, likewise.
pub(crate) fn set_remove(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Set(set), item] if !set.frozen && set.remove_simple(item)? => Some(Value::None),
        _ => None,
    }
}
