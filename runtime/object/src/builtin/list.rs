//! `list`.
//!
//! In: arguments of calls. Out: constructor, methods, sorting. Always: sorting is stable; while a
//! list is sorted it is empty for everyone else, as in CPython.

use std::cmp::Ordering;

use janus_bytecode::CompareOp;

use crate::native::wrong_self;
use crate::{
    Args, NativeDef, Payload, PyList, PyRef, PyResult, Raised, Signature, Value, Vm, ops, types,
};

use super::int::{class_argument, no_keywords_unless};
use super::sort::sort_by;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("list.__new__", new),
    NativeDef::method("list.__init__", init),
    NativeDef::method("list.append", append).quick(super::quick::list_append),
    NativeDef::method("list.extend", extend).quick(super::quick::list_extend),
    NativeDef::method("list.insert", insert).quick(super::quick::list_insert),
    NativeDef::method("list.pop", pop).quick(super::quick::list_pop),
    NativeDef::method("list.remove", remove),
    NativeDef::method("list.clear", clear),
    NativeDef::method("list.copy", copy).quick(super::quick::list_copy),
    NativeDef::method("list.count", count),
    NativeDef::method("list.index", index).quick(super::quick::list_index),
    NativeDef::method("list.reverse", reverse).quick(super::quick::list_reverse),
    NativeDef::method("list.sort", sort),
    NativeDef::class_method("list.__class_getitem__", super::alias::class_getitem),
];

#[inline]
fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyList>> {
    v.as_list().ok_or_else(|| wrong_self(method, "list", v))
}

/// `list(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    items(vm, args).map(Value::list)
}

/// What a call of `list` is given.
fn items(vm: &mut dyn Vm, args: Args<'_>) -> PyResult<Vec<Value>> {
    match args.between("list", 0, 1)? {
        [iterable] => ops::collect(vm, iterable),
        _ => Ok(Vec::new()),
    }
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, _) = class_argument(args, "list.__new__")?;
    if PyRef::ptr_eq(class, &types().list) {
        return Ok(Value::list(Vec::new()));
    }
    if class.has_metaclass() {
        super::object::check_abstract(class)?;
    }
    Ok(Value::instance(
        class,
        Payload::List(PyRef::new(PyList::new(Vec::new()))),
    ))
}

fn init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("list.__init__")?;
    let list = own(this, "__init__")?;
    no_keywords_unless(
        crate::name!("__new__"),
        &crate::class_of(this),
        &types().list,
        &rest,
    )?;
    let items = items(vm, Args::new(rest.pos))?;
    let old = list.items.replace(items);
    drop(old);
    Ok(Value::None)
}

fn append(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("list.append")?;
    own(this, "append")?.push(item.clone());
    Ok(Value::None)
}

fn extend(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [iterable]) = args.method::<1>("list.extend")?;
    ops::extend_list(vm, own(this, "extend")?, iterable)?;
    Ok(Value::None)
}

fn insert(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [index, item]) = args.method::<2>("list.insert")?;
    let index = ops::as_index(vm, index)?;
    let mut items = own(this, "insert")?.items.borrow_mut();
    let len = items.len() as i64;
    let at = if index < 0 {
        (index + len).max(0)
    } else {
        index.min(len)
    };
    items.insert(at as usize, item.clone());
    Ok(Value::None)
}

fn pop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("list.pop")?;
    let list = own(this, "pop")?;
    let index = match rest.between("pop", 0, 1)? {
        [index] => ops::as_index(vm, index)?,
        _ => {
            return list
                .items
                .borrow_mut()
                .pop()
                .ok_or_else(|| Raised::index_error("pop from empty list"));
        }
    };
    let mut items = list.items.borrow_mut();
    if items.is_empty() {
        return Err(Raised::index_error("pop from empty list"));
    }
    let len = items.len() as i64;
    let at = if index < 0 { index + len } else { index };
    if !(0..len).contains(&at) {
        return Err(Raised::index_error("pop index out of range"));
    }
    Ok(items.remove(at as usize))
}

fn position(
    vm: &mut dyn Vm,
    list: &PyList,
    item: &Value,
    from: usize,
    to: usize,
) -> PyResult<Option<usize>> {
    let mut i = from;
    while i < to {
        let Some(other) = list.get(i) else { break };
        if ops::eq(vm, &other, item)? {
            return Ok(Some(i));
        }
        i += 1;
    }
    Ok(None)
}

fn remove(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("list.remove")?;
    let list = own(this, "remove")?;
    match position(vm, list, item, 0, usize::MAX)? {
        Some(at) => {
            let mut items = list.items.borrow_mut();
            if at < items.len() {
                let old = items.remove(at);
                drop(items);
                drop(old);
            }
            Ok(Value::None)
        }
        None => Err(Raised::value_error("list.remove(x): x not in list")),
    }
}

fn clear(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("list.clear")?;
    crate::sequence::drop_backwards(own(this, "clear")?.items.take());
    Ok(Value::None)
}

fn copy(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("list.copy")?;
    Ok(Value::list(own(this, "copy")?.to_vec()))
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("list.count")?;
    let list = own(this, "count")?;
    let (mut n, mut i) = (0, 0);
    while let Some(other) = list.get(i) {
        n += i64::from(ops::eq(vm, &other, item)?);
        i += 1;
    }
    Ok(Value::Int(n))
}

/// The optional bounds of `index(x, start, end)`, as offsets.
pub(crate) fn search_range(
    vm: &mut dyn Vm,
    args: &[Value],
    len: usize,
) -> PyResult<(usize, usize)> {
    let mut bound = |at: usize, default: usize| -> PyResult<usize> {
        let Some(v) = args.get(at).filter(|v| !v.is_none()) else {
            return Ok(default);
        };
        let i = ops::slice_index(vm, v)?;
        let i = if i < 0 {
            i.saturating_add(len as i64).max(0)
        } else {
            i
        };
        Ok(usize::try_from(i).unwrap_or(usize::MAX))
    };
    // A start behind the end stays there: not even what is empty is found from it.
    Ok((bound(1, 0)?, bound(2, len)?.min(len)))
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("list.index")?;
    let rest = rest.between("index", 1, 3)?;
    let list = own(this, "index")?;
    let (start, end) = search_range(vm, rest, list.len())?;
    let item = rest.first().unwrap_or(&Value::None);
    match position(vm, list, item, start, end)? {
        Some(at) => Ok(Value::from(at)),
        None => {
            let shown = crate::text::repr(vm, item)?;
            Err(Raised::value_error(format!("{shown} is not in list")))
        }
    }
}

fn reverse(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("list.reverse")?;
    own(this, "reverse")?.items.borrow_mut().reverse();
    Ok(Value::None)
}

static SORT: Signature<2> = Signature::new("sort", ["key", "reverse"])
    .required(0)
    .keyword_only(0);

fn sort(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("list.sort")?;
    if !rest.pos.is_empty() {
        return Err(Raised::type_error("sort() takes no positional arguments"));
    }
    let [key, reverse] = SORT.parse(rest)?;
    let reverse = match reverse {
        Some(v) => ops::as_index(vm, &v)? != 0,
        None => false,
    };
    let list = own(this, "sort")?;
    let items = list.items.take();
    let sorted = sort_values(vm, items, key.as_ref(), reverse);
    // Also where what was put in was taken out again.
    let modified = list.items.borrow().capacity() != 0;
    let (items, outcome) = match sorted {
        Ok(items) => (items, Ok(Value::None)),
        Err((items, raised)) => (items, Err(raised)),
    };
    let old = list.items.replace(items);
    drop(old);
    if modified && outcome.is_ok() {
        return Err(Raised::value_error("list modified during sort"));
    }
    outcome
}

/// `sorted(items, key=key, reverse=reverse)`. On an error the items are handed back, in some
/// order.
pub fn sort_values(
    vm: &mut dyn Vm,
    mut items: Vec<Value>,
    key: Option<&Value>,
    reverse: bool,
) -> Result<Vec<Value>, (Vec<Value>, Raised)> {
    let outcome = match key.filter(|k| !k.is_none()) {
        None => sort_keyed(vm, &mut items, |v| v, reverse),
        Some(key) => {
            let mut pairs = Vec::with_capacity(items.len());
            for item in &items {
                match vm.call(key, Args::new(std::slice::from_ref(item))) {
                    Ok(k) => pairs.push((k, item.clone())),
                    Err(raised) => return Err((items, raised)),
                }
            }
            let outcome = sort_keyed(vm, &mut pairs, |p| &p.0, reverse);
            items = pairs.into_iter().map(|(_, item)| item).collect();
            outcome
        }
    };
    match outcome {
        Ok(()) => Ok(items),
        Err(raised) => Err((items, raised)),
    }
}

fn sort_keyed<T: Clone>(
    vm: &mut dyn Vm,
    items: &mut [T],
    key: impl Fn(&T) -> &Value + Copy,
    reverse: bool,
) -> PyResult<()> {
    // Equal elements keep their order also when reversed.
    if reverse {
        items.reverse();
    }
    let outcome = if sort_native(items, key) {
        Ok(())
    } else {
        sort_by(items, |a, b| less(vm, key(a), key(b)))
    };
    if reverse {
        items.reverse();
    }
    outcome
}

/// Sorts without calling Python if all keys are ints, all floats or all strings.
fn sort_native<T>(items: &mut [T], key: impl Fn(&T) -> &Value) -> bool {
    let all = |test: fn(&Value) -> bool| items.iter().all(|item| test(key(item)));
    if all(|v| matches!(v, Value::Int(_))) {
        items.sort_by(|a, b| match (key(a), key(b)) {
            (Value::Int(x), Value::Int(y)) => x.cmp(y),
            _ => Ordering::Equal,
        });
    } else if all(|v| matches!(v, Value::Float(f) if !f.get().is_nan())) {
        items.sort_by(|a, b| match (key(a), key(b)) {
            (Value::Float(x), Value::Float(y)) => {
                x.get().partial_cmp(&y.get()).unwrap_or(Ordering::Equal)
            }
            _ => Ordering::Equal,
        });
    } else if all(|v| matches!(v, Value::Str(_))) {
        items.sort_by(|a, b| match (key(a), key(b)) {
            (Value::Str(x), Value::Str(y)) => x.as_str().cmp(y.as_str()),
            _ => Ordering::Equal,
        });
    } else {
        return false;
    }
    true
}

fn less(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult<bool> {
    match ops::compare(vm, CompareOp::Lt, a, b)? {
        Value::Bool(b) => Ok(b.get()),
        other => ops::truth(vm, &other),
    }
}
