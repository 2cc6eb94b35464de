//! Methods of lists, tuples, dicts and sets, also of instances of classes derived from them.
//!
//! In: a method, by its qualified name, and arguments. Out: the result. Always: of an instance with a built-in
//! base the base's own method is meant, which works on what the base stores.

use janus_object::{DictPart, ExcKind, Name, Value};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::sym::{Kind, Sym};

impl Executor<'_> {
    /// `None`: not known with these arguments.
    #[allow(clippy::too_many_lines, reason = "one arm a method")]
    pub(crate) fn container_method(
        &mut self,
        name: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let none = || Ok(Some(Sym::Known(Value::None)));
        if name.starts_with("tuple.") && args.iter().all(|v| v.known().is_some()) {
            return Ok(None);
        }
        if let ("dict.__getitem__", [this, key]) = (name, args)
            && let Some(obj) = self.container(this)
        {
            return self.dict_item(this, obj, key).map(Some);
        }
        if let ("dict.__init__" | "dict.update", Some(this)) = (name, args.first()) {
            self.check_sets_itself(this)?;
        }
        let mut args = args.to_vec();
        if let Some(this) = args.first_mut()
            && let Sym::Obj(o) = this
            && let Kind::Instance(instance) = &self.state.heap[*o].kind
            && let Some(payload) = instance.container()
        {
            *this = Sym::Obj(payload);
        }
        Ok(Some(match (name, args.as_slice()) {
            ("list.__init__" | "dict.__init__", [this, rest @ ..]) => {
                self.fill(this, rest.to_vec(), kwargs.to_vec())?;
                return none();
            }
            ("list.__len__" | "dict.__len__" | "tuple.__len__", [this]) => self.len(this)?,
            ("list.__iter__" | "dict.__iter__" | "tuple.__iter__", [this]) => self.iter(this)?,
            ("list.__contains__" | "dict.__contains__" | "tuple.__contains__", [this, item]) => {
                self.contains(item, this)?
            }
            ("list.__getitem__" | "tuple.__getitem__", [this, key]) => self.get_item(this, key)?,
            ("list.__setitem__" | "dict.__setitem__", [this, key, v]) => {
                self.set_item(this, key, Some(v.clone()))?;
                return none();
            }
            ("list.__delitem__" | "dict.__delitem__", [this, key]) => {
                self.set_item(this, key, None)?;
                return none();
            }
            ("list.index" | "tuple.index", [list, item]) => match self.index_of(list, item)? {
                Some(at) => Sym::Known(Value::Int(i64::try_from(at).unwrap_or(i64::MAX))),
                None => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: the item is not there",
                    );
                }
            },
            ("list.remove", [list, item]) => {
                let (Some(at), Some(obj)) = (self.index_of(list, item)?, self.container(list))
                else {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: the item is not there",
                    );
                };
                let mut items = self.items_of(obj)?;
                items.remove(at);
                self.rewrite_list(obj, items);
                return none();
            }
            ("list.count" | "tuple.count", [list, item]) => {
                let mut count = 0;
                for v in self.collect(list)? {
                    count += i64::from(self.is_equal_item(&v, item)?);
                }
                Sym::Known(Value::Int(count))
            }
            ("list.append", [list, v]) => {
                self.append(list, v.clone())?;
                return none();
            }
            ("list.extend", [list, from]) => {
                self.extend(list, from)?;
                return none();
            }
            ("list.pop", [list, rest @ ..]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                if let [Sym::Known(Value::Int(0))] = rest
                    && let Some(first) = self.drop_first(obj)?
                {
                    return self.load_slot(&first);
                }
                let mut items = self.items_of(obj)?;
                let at = match rest {
                    [] => items.len().checked_sub(1),
                    [Sym::Known(i)] => i.as_int().and_then(|i| {
                        let len = i64::try_from(items.len()).ok()?;
                        usize::try_from(if i < 0 { i + len } else { i }).ok()
                    }),
                    _ => return self.refuse(ReasonId::MovingValue, "pop at an index that moves"),
                };
                let Some(at) = at.filter(|&at| at < items.len()) else {
                    let empty = items.is_empty();
                    let what = if empty {
                        "pop from empty list"
                    } else {
                        "pop index out of range"
                    };
                    return self.raise_index(what.to_owned());
                };
                let v = items.remove(at);
                self.rewrite_list(obj, items);
                v
            }
            ("list.insert", [list, Sym::Known(Value::Int(0)), v]) if self.grown(list).is_some() => {
                if let Some((obj, _)) = self.grown(list) {
                    self.grow(obj, v.clone(), true)?;
                }
                return none();
            }
            ("list.insert", [list, Sym::Known(i), v]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let mut items = self.items_of(obj)?;
                let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
                let i = i.as_int().unwrap_or(0);
                let at = (if i < 0 { i + len } else { i }).clamp(0, len);
                items.insert(usize::try_from(at).unwrap_or(0), v.clone());
                self.rewrite_list(obj, items);
                return none();
            }
            ("list.clear", [list]) => {
                let Some(obj) = self.list_or_container(list) else {
                    return Ok(None);
                };
                self.rewrite_list(obj, Vec::new());
                return none();
            }
            ("list.reverse", [list]) if self.grown(list).is_some() => {
                if let Some((obj, _)) = self.grown(list) {
                    self.reverse_grown(obj)?;
                }
                return none();
            }
            ("list.reverse", [list]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let mut items = self.items_of(obj)?;
                items.reverse();
                self.rewrite_list(obj, items);
                return none();
            }
            ("list.copy", [list]) if self.grown(list).is_some() => {
                let list = list.clone();
                self.listed(&list)?
            }
            ("list.copy", [list]) => {
                let items = self.collect(list)?;
                self.list(items)
            }
            ("set.add", [set, item]) => {
                self.set_add(set, item.clone())?;
                return none();
            }
            ("set.discard", [set, item]) => {
                self.set_remove(set, item)?;
                return none();
            }
            ("set.remove", [set, item]) => {
                if !self.set_remove(set, item)? {
                    return self.raise_kind(ExcKind::KeyError, vec![item.clone()]);
                }
                return none();
            }
            ("set.update", [set, others @ ..]) => {
                for from in others {
                    for v in self.collect(from)? {
                        self.set_add(set, v)?;
                    }
                }
                return none();
            }
            ("dict.get", [dict, key, rest @ ..]) => {
                if let Some(owner) = self.dict_owner(dict) {
                    let Sym::Known(Value::Str(s)) = key else {
                        return Ok(None);
                    };
                    let found = self.own_attr(owner, &Name::new(s.as_str()))?;
                    return Ok(Some(
                        found
                            .or_else(|| rest.first().cloned())
                            .unwrap_or(Sym::Known(Value::None)),
                    ));
                }
                let default = rest.first().cloned().unwrap_or(Sym::Known(Value::None));
                if let Some(entry) = self.entry_by_text(dict, key, Some(&default))? {
                    return Ok(Some(entry));
                }
                if let Some(found) = self.found_dict(dict, key)? {
                    return self.found_entry_or(&found, key, default).map(Some);
                }
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                if let (Sym::Scalar(key), Some(default)) = (key, rest.first())
                    && self.entry_int_node(*key).is_none()
                    && let Some(v) = self.count_under(obj, *key, Some(default))?
                {
                    return Ok(Some(v));
                }
                let found = self.dict_get(obj, key)?;
                found
                    .or_else(|| rest.first().cloned())
                    .unwrap_or(Sym::Known(Value::None))
            }
            ("dict.setdefault", [dict, key, default @ ..]) => {
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                match self.dict_get(obj, key)? {
                    Some(v) => v,
                    None => {
                        let v = default.first().cloned().unwrap_or(Sym::Known(Value::None));
                        self.set_item(dict, key, Some(v.clone()))?;
                        v
                    }
                }
            }
            ("dict.pop", [dict, key, default @ ..]) => {
                let Some(obj) = self.container(dict) else {
                    return Ok(None);
                };
                match (self.dict_get(obj, key)?, default) {
                    (Some(v), _) => {
                        self.set_item(dict, key, None)?;
                        v
                    }
                    (None, [default]) => default.clone(),
                    (None, _) => return self.raise_kind(ExcKind::KeyError, vec![key.clone()]),
                }
            }
            ("dict.update", [dict, from @ ..]) if from.len() <= 1 => {
                for from in from {
                    for (k, v) in self.pairs(from)? {
                        self.set_item(dict, &k, Some(v))?;
                    }
                }
                for (k, v) in kwargs {
                    self.set_item(dict, &Sym::Known(k.to_value()), Some(v.clone()))?;
                }
                return none();
            }
            ("dict.clear", [dict]) => {
                for (k, _) in self.entries(dict)? {
                    self.set_item(dict, &k, None)?;
                }
                return none();
            }
            (
                "dict.keys" | "dict.values" | "dict.items" | "OrderedDict.keys"
                | "OrderedDict.values" | "OrderedDict.items",
                [dict],
            ) => {
                let part = match name {
                    "dict.keys" | "OrderedDict.keys" => DictPart::Keys,
                    "dict.values" | "OrderedDict.values" => DictPart::Values,
                    _ => DictPart::Items,
                };
                let (dict, ordered) = (dict.clone(), name.starts_with("OrderedDict."));
                self.alloc(Kind::View {
                    dict,
                    part,
                    ordered,
                })
            }
            ("dict.copy", [dict]) => self.copied_dict(dict)?,
            ("list.sort", [list]) => {
                let Some(obj) = self.container(list) else {
                    return Ok(None);
                };
                let items = self.items_of(obj)?;
                match self.sorted(items, kwargs)? {
                    Some(items) => self.rewrite_list(obj, items),
                    None => return Ok(None),
                }
                return none();
            }
            _ => return Ok(None),
        }))
    }

    /// Where an item of a list or tuple is.
    fn index_of(&mut self, list: &Sym, item: &Sym) -> Res<Option<usize>> {
        for (at, v) in self.collect(list)?.iter().enumerate() {
            if self.is_equal_item(v, item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether an item is this one or equal to it.
    fn is_equal_item(&mut self, v: &Sym, item: &Sym) -> Res<bool> {
        let equal = self.is_same_item(v, item)?;
        match self.truth(&equal)? {
            Truth::Known(equal) => Ok(equal),
            Truth::Dynamic(_) => self.refuse(
                ReasonId::MovingValue,
                "which item of a list is meant depends on what moves",
            ),
        }
    }
}
