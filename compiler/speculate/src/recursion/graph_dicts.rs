//! Dicts and texts that a recursion comes to: nodes that are dicts, words as text and their numbers in a vocabulary.
//!
//! In: a dict that the graph came to, or one from outside that is asked for such a text. Out: what it holds there.
//! Always: it is read where the graph runs, like a field (`recursion/graph_objects.rs`), so a vocabulary may grow between two runs; a
//! key that is not there ends the graph, and tier 0 raises.

use janus_bytecode::CompareOp;
use janus_dialect::{Type, ValueId};
use janus_object::fields::{self, Field};
use janus_object::{Name, Value};
use janus_plan::{DeoptReason, ReasonId, ScalarType};

use crate::Res;
use crate::executor::Executor;
use crate::recursion::graph_objects::{is_seen, parts};
use crate::state::sym::{Found, FoundKind, Kind, Sym, SymScalar};

/// Entries at most of a dict of which a graph knows each one.
const MAX_ENTRIES: usize = 16;

/// Whether a dict holds nothing but plain data, which is read where the graph runs.
fn is_plain(dict: &Value) -> bool {
    let is_data = |v: &Value| !matches!(v, Value::Instance(_)) && is_seen(v);
    parts(dict).iter().all(is_data)
}

impl Executor<'_> {
    fn found_text(&self, v: &Sym) -> Option<ValueId> {
        let found = self.found(v)?;
        matches!(found.what, FoundKind::Text).then_some(found.address)
    }

    pub(crate) fn is_found_text(&self, v: &Sym) -> bool {
        self.found_text(v).is_some()
    }

    /// `dict[key]` of a dict of a few things that a graph knows one by one, functions or modules, say, under text that a
    /// recursion comes to; `missing` is what it is where there is no such key.
    pub(crate) fn entry_by_text(
        &mut self,
        dict: &Sym,
        key: &Sym,
        missing: Option<&Sym>,
    ) -> Res<Option<Sym>> {
        let (Some(text), Sym::Obj(obj)) = (self.found_text(key), dict) else {
            return Ok(None);
        };
        let object = &self.state.heap[*obj];
        let is_read = object.origin.as_ref().is_some_and(|o| is_plain(&o.value));
        let Kind::Dict(entries) = &object.kind else {
            return Ok(None);
        };
        let keys = entries.entries.iter().map(|(key, _)| match key {
            Sym::Known(Value::Str(s)) => Some(Name::new(s.as_str())),
            _ => None,
        });
        let Some(keys) = keys.collect::<Option<Vec<Name>>>() else {
            return Ok(None);
        };
        if is_read || keys.is_empty() || keys.len() > MAX_ENTRIES {
            return Ok(None);
        }
        let (mut any, mut things) = (None, Vec::with_capacity(keys.len()));
        for name in keys {
            let is = self.text_is(text, Field::TextIs(name.clone()), None, false)?;
            any = Some(match any {
                Some(before) => self.emit1("arith.ori", &[before, is], &[], Type::I1)?,
                None => is,
            });
            if let Some(v) = self.dict_get(*obj, &Sym::Known(name.to_value()))? {
                things.push((is, v));
            }
        }
        let (mut value, first) = match (missing, things.pop(), any) {
            (Some(missing), Some(last), _) => {
                things.push(last);
                (missing.clone(), None)
            }
            (None, Some((_, last)), Some(any)) => (last, Some(any)),
            _ => return self.defect("bad dict"),
        };
        if let Some(any) = first {
            let at = self.key("key");
            let expected = "the dict has the key".to_owned();
            self.assert(any, DeoptReason::MissingFound, at, expected)?;
        }
        while let Some((condition, then)) = things.pop() {
            value = self.one_or_other(condition, then, value)?;
        }
        Ok(Some(value))
    }

    /// The dict that is to be read as a field under this key: one that the graph came to, or one from outside where
    /// the key is text that it came to.
    pub(crate) fn found_dict(&mut self, dict: &Sym, key: &Sym) -> Res<Option<Found>> {
        let Sym::Obj(obj) = dict else { return Ok(None) };
        let object = &self.state.heap[*obj];
        match &object.kind {
            Kind::Found(found) if matches!(found.what, FoundKind::Dict) => {
                return Ok(Some(found.clone()));
            }
            Kind::Dict(_) | Kind::Open(_) if self.found_text(key).is_some() => {}
            _ => return Ok(None),
        }
        let Some(origin) = &object.origin else {
            return self.refuse(
                ReasonId::Recursion,
                "text that a recursion comes to is looked up in a dict made here",
            );
        };
        let samples = vec![origin.value.clone()].into();
        Ok(Some(Found {
            address: self.object_address(*obj)?,
            what: FoundKind::Dict,
            samples,
        }))
    }

    fn entry_field(&self, key: &Sym) -> Res<(Field, Option<ValueId>)> {
        match key {
            Sym::Known(Value::Str(s)) => Ok((Field::DictEntry(Name::new(s.as_str())), None)),
            _ => match self.found_text(key) {
                Some(text) => Ok((Field::DictUnder, Some(text))),
                None => self.refuse(
                    ReasonId::Recursion,
                    "a key that is no text, of a dict in a recursion",
                ),
            },
        }
    }

    /// What the dicts that are there now hold under the key, or anywhere where that is not known.
    fn values_under(dict: &Found, field: &Field) -> Vec<Value> {
        let samples = dict.samples.iter();
        match field {
            Field::DictEntry(key) => samples
                .filter_map(|d| d.as_dict().and_then(|d| d.get_name(key)))
                .collect(),
            _ => samples.flat_map(parts).collect(),
        }
    }

    /// `dict[key]`
    pub(crate) fn found_entry(&mut self, dict: &Found, key: &Sym) -> Res<Sym> {
        let (field, index) = self.entry_field(key)?;
        let values = Self::values_under(dict, &field);
        let name = format!("the dict{field}");
        self.read_as(dict, (field, index), values, &name)
    }

    /// `key in dict`
    pub(crate) fn found_has(&mut self, dict: &Found, key: &Sym) -> Res<Sym> {
        let (field, index) = self.entry_field(key)?;
        let (kind, _) = self.read_field(dict.address, field, index)?;
        let nothing = self.int(fields::NOTHING)?;
        let id = self.cmpi(CompareOp::Ne, kind, nothing)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Bool,
        }))
    }

    /// `dict.get(key, default)`
    pub(crate) fn found_entry_or(&mut self, dict: &Found, key: &Sym, default: Sym) -> Res<Sym> {
        let (field, index) = self.entry_field(key)?;
        let values = Self::values_under(dict, &field);
        let (name, missing) = (format!("the dict{field}"), Some(default));
        self.read_or(dict, (field, index), values, &name, missing)
    }

    /// `a == b` and the like, where one of them is a container or text that a recursion comes to.
    pub(crate) fn found_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Sym> {
        let negated = match op {
            CompareOp::Eq => false,
            CompareOp::Ne => true,
            _ => return self.refuse(ReasonId::Recursion, "an order of what a recursion comes to"),
        };
        let (text, other) = match (self.found_text(a), self.found_text(b)) {
            (Some(text), _) => (text, b),
            (_, Some(text)) => (text, a),
            _ => {
                return self.refuse(
                    ReasonId::Recursion,
                    "a comparison with a list or dict that a recursion comes to",
                );
            }
        };
        let (field, index) = match other {
            Sym::Known(Value::Str(s)) => (Field::TextIs(Name::new(s.as_str())), None),
            Sym::Known(Value::None) | Sym::Scalar(_) => {
                return Ok(Sym::Known(Value::bool(negated)));
            }
            _ => match self.found_text(other) {
                Some(other) => (Field::TextEquals, Some(other)),
                None => {
                    return self.refuse(
                        ReasonId::Recursion,
                        "a comparison of text that a recursion comes to",
                    );
                }
            },
        };
        let id = self.text_is(text, field, index, negated)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Bool,
        }))
    }

    /// Whether a text is another one.
    fn text_is(
        &mut self,
        text: ValueId,
        field: Field,
        other: Option<ValueId>,
        negated: bool,
    ) -> Res<ValueId> {
        let (_, word) = self.read_field(text, field, other)?;
        let zero = self.int(0)?;
        let op = if negated {
            CompareOp::Eq
        } else {
            CompareOp::Ne
        };
        self.cmpi(op, word, zero)
    }
}
