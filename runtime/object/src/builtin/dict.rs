//! `dict`.
//!
//! In: arguments of calls. Out: constructor and methods. Always: `d[key]` of a subclass asks
//! `__missing__`.

use crate::native::wrong_self;
use crate::ops::{call_special, special};
use crate::{
    Args, DictPart, DictView, NativeDef, Payload, PyDict, PyRef, PyResult, Raised, Signature,
    Value, Vm, attr, name, ops, types,
};

use super::int::class_argument;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("dict.__new__", new),
    NativeDef::method("dict.__init__", init),
    NativeDef::method("dict.__getitem__", get_item),
    NativeDef::method("dict.get", get).quick(super::quick::dict_get),
    NativeDef::method("dict.setdefault", setdefault).quick(super::quick::dict_setdefault),
    NativeDef::method("dict.pop", pop).quick(super::quick::dict_pop),
    NativeDef::method("dict.popitem", popitem),
    NativeDef::method("dict.keys", keys),
    NativeDef::method("dict.values", values),
    NativeDef::method("dict.items", items),
    NativeDef::method("dict.update", update),
    NativeDef::method("dict.clear", clear),
    NativeDef::method("dict.copy", copy).quick(super::quick::dict_copy),
    NativeDef::class_method("dict.fromkeys", fromkeys),
    NativeDef::class_method("dict.__class_getitem__", super::alias::class_getitem),
];

#[inline]
fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PyDict>> {
    v.as_dict().ok_or_else(|| wrong_self(method, "dict", v))
}

/// `dict(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let dict = PyDict::new();
    fill(vm, &dict, args, "dict")?;
    Ok(Value::dict(dict))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, _) = class_argument(args, "dict.__new__")?;
    if PyRef::ptr_eq(class, &types().dict) {
        return Ok(Value::dict(PyDict::new()));
    }
    if class.has_metaclass() {
        super::object::check_abstract(class)?;
    }
    Ok(Value::instance(
        class,
        Payload::Dict(PyRef::new(PyDict::new())),
    ))
}

fn init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("dict.__init__")?;
    fill(vm, own(this, "__init__")?, rest, "dict")
}

fn update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("dict.update")?;
    fill(vm, own(this, "update")?, rest, "update")
}

fn fill(vm: &mut dyn Vm, dict: &PyDict, args: Args<'_>, method: &'static str) -> PyResult {
    if let [source] = Args::new(args.pos).between(method, 0, 1)? {
        update_from(vm, dict, source)?;
    }
    for (key, value) in args.kw {
        dict.set_name(key, value.clone());
    }
    Ok(Value::None)
}

/// The dict whose entries a mapping has: of a derived class's if that iterates as a dict does, whatever its other
/// methods are.
pub fn entries(mapping: &Value) -> Option<PyRef<PyDict>> {
    if let Value::Dict(dict) = mapping {
        return Some(dict.clone());
    }
    let dict = mapping.as_dict()?;
    let is_native = |name| special(mapping, name).is_some_and(|m| matches!(m, Value::Native(_)));
    if !is_native(name!("__iter__")) {
        return None;
    }
    // An ordered dict has an iterator of its own, so what derives from it is asked for its keys.
    let ordered = special(mapping, name!("move_to_end")).is_some();
    let asked = ordered && !(is_native(name!("keys")) && is_native(name!("__getitem__")));
    (!asked).then(|| dict.clone())
}

/// `dict.update(source)`: a mapping, or an iterable of pairs.
pub(crate) fn update_from(vm: &mut dyn Vm, dict: &PyDict, source: &Value) -> PyResult<()> {
    if let Some(other) = entries(source) {
        return dict.update(vm, &other);
    }
    if let Some(keys) = attr::get_opt(vm, source, name!("keys"))? {
        let keys = vm.call(&keys, Args::new(&[]))?;
        let it = ops::iter(vm, &keys)?;
        while let Some(key) = ops::next(vm, &it)? {
            let value = ops::get_item(vm, source, &key)?;
            dict.set(vm, key, value)?;
        }
        return Ok(());
    }
    let it = ops::iter(vm, source)?;
    let mut i = 0;
    while let Some(pair) = ops::next(vm, &it)? {
        let parts = ops::collect(vm, &pair).map_err(|raised| {
            if raised.is(crate::ExcKind::TypeError) && special(&pair, name!("__iter__")).is_none() {
                return Raised::type_error(format!(
                    "cannot convert dictionary update sequence element #{i} to a sequence"
                ));
            }
            raised
        })?;
        let [key, value] = <[Value; 2]>::try_from(parts).map_err(|parts| {
            Raised::value_error(format!(
                "dictionary update sequence element #{i} has length {}; 2 is required",
                parts.len()
            ))
        })?;
        dict.set(vm, key, value)?;
        i += 1;
    }
    Ok(())
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("dict.__getitem__")?;
    if let Some(value) = own(this, "__getitem__")?.get(vm, key)? {
        return Ok(value);
    }
    if matches!(this, Value::Instance(_))
        && let Some(method) = special(this, name!("__missing__"))
    {
        return call_special(vm, &method, this, std::slice::from_ref(key));
    }
    Err(Raised::key_error(key.clone()))
}

fn get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("dict.get")?;
    let dict = own(this, "get")?;
    match rest.between("get", 1, 2)? {
        [key] => Ok(dict.get(vm, key)?.unwrap_or(Value::None)),
        [key, default, ..] => Ok(dict.get(vm, key)?.unwrap_or_else(|| default.clone())),
        [] => Ok(Value::None),
    }
}

fn setdefault(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("dict.setdefault")?;
    let dict = own(this, "setdefault")?;
    let rest = rest.between("setdefault", 1, 2)?;
    let key = rest.first().unwrap_or(&Value::None);
    let hash = ops::hash(vm, key)?;
    if let Some(found) = dict.get_hashed(vm, key, hash)? {
        return Ok(found);
    }
    let default = rest.get(1).cloned().unwrap_or(Value::None);
    dict.set_hashed(vm, key.clone(), hash, default.clone())?;
    Ok(default)
}

fn pop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("dict.pop")?;
    let dict = own(this, "pop")?;
    let rest = rest.between("pop", 1, 2)?;
    let key = rest.first().unwrap_or(&Value::None);
    match (dict.remove(vm, key)?, rest.get(1)) {
        (Some(value), _) => Ok(value),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(Raised::key_error(key.clone())),
    }
}

fn popitem(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("dict.popitem")?;
    match own(this, "popitem")?.pop_last() {
        Some((key, value)) => Ok(Value::tuple(vec![key, value])),
        None => Err(Raised::key_error(Value::from(
            "popitem(): dictionary is empty",
        ))),
    }
}

/// The class of a view, of an ordered dict's (`odict_keys`) or any dict's (`dict_keys`).
pub fn view_class(part: DictPart, ordered: bool) -> &'static PyRef<crate::Class> {
    let t = types();
    match (part, ordered) {
        (DictPart::Keys, false) => &t.dict_keys,
        (DictPart::Values, false) => &t.dict_values,
        (DictPart::Items, false) => &t.dict_items,
        (DictPart::Keys, true) => &t.odict_keys,
        (DictPart::Values, true) => &t.odict_values,
        (DictPart::Items, true) => &t.odict_items,
    }
}

/// The method that gives a view: `OrderedDict.keys` or `dict.keys`.
pub fn view_method(part: DictPart, ordered: bool) -> Value {
    match (part, ordered) {
        (DictPart::Keys, false) => NativeDef::method("dict.keys", keys),
        (DictPart::Values, false) => NativeDef::method("dict.values", values),
        (DictPart::Items, false) => NativeDef::method("dict.items", items),
        (DictPart::Keys, true) => NativeDef::method("OrderedDict.keys", ordered_keys),
        (DictPart::Values, true) => NativeDef::method("OrderedDict.values", ordered_values),
        (DictPart::Items, true) => NativeDef::method("OrderedDict.items", ordered_items),
    }
    .to_value()
}

fn view(args: Args<'_>, method: &'static str, part: DictPart, ordered: bool) -> PyResult {
    let (this, []) = args.method::<0>(method)?;
    let (dict, of) = (own(this, method)?.clone(), this.clone());
    Ok(Value::instance(
        view_class(part, ordered),
        Payload::DictView(Box::new(DictView { dict, part, of })),
    ))
}

fn keys(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "dict.keys", DictPart::Keys, false)
}

fn values(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "dict.values", DictPart::Values, false)
}

fn items(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "dict.items", DictPart::Items, false)
}

fn ordered_keys(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "OrderedDict.keys", DictPart::Keys, true)
}

fn ordered_values(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "OrderedDict.values", DictPart::Values, true)
}

fn ordered_items(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args, "OrderedDict.items", DictPart::Items, true)
}

fn clear(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("dict.clear")?;
    own(this, "clear")?.clear();
    Ok(Value::None)
}

fn copy(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("dict.copy")?;
    let dict = own(this, "copy")?;
    if entries(this).is_some() {
        return Ok(Value::dict(dict.copy()));
    }
    let made = PyDict::new();
    update_from(vm, &made, this)?;
    Ok(Value::dict(made))
}

static FROMKEYS: Signature<2> =
    Signature::positional("fromkeys", ["iterable", "value"]).required(1);

fn fromkeys(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [iterable, value]) = FROMKEYS.parse_method(args)?;
    let value = value.unwrap_or(Value::None);
    let made = vm.call(class, Args::new(&[]))?;
    let it = ops::iter(vm, &iterable.unwrap_or(Value::None))?;
    while let Some(key) = ops::next(vm, &it)? {
        ops::set_item(vm, &made, &key, value.clone())?;
    }
    Ok(made)
}
