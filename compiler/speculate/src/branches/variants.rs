//! One of several kinds of things: `None` or a number, one text or another, a bool or a tensor.
//!
//! In: what a variable is on each side of a branch, or before a loop and after an iteration. Out: one thing for each
//! kind, and conditions that say which of them it is. Always: the kinds stand in one order, so that two variables
//! of the same kinds can be merged, and a loop can carry one; where one is found not to be of a kind, it is of one
//! of those behind it.

use std::rc::Rc;

use janus_bytecode::BinaryOp;
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{ReasonId, ScalarType};

use crate::Res;
use crate::branches::branch::Merge;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Sym};
use crate::state::template::{Template, TensorTemplate};

/// Kinds of one variable at most.
const MAX_KINDS: usize = 6;

/// Kinds of things that can be told apart, in the order in which they stand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    None,
    Bool,
    Int,
    Float,
    Text(Rc<str>),
    Tensor,
}

impl Key {
    fn of_type(ty: ScalarType) -> Key {
        match ty {
            ScalarType::Bool => Key::Bool,
            ScalarType::Int => Key::Int,
            ScalarType::Float => Key::Float,
        }
    }

    fn of_template(template: &Template) -> Option<Key> {
        match template {
            Template::Same(Sym::Known(Value::None)) => Some(Key::None),
            Template::Same(Sym::Known(Value::Str(s))) => Some(Key::Text(s.as_str().into())),
            Template::Scalar(ty) => Some(Key::of_type(*ty)),
            Template::Tensor(_) => Some(Key::Tensor),
            _ => None,
        }
    }
}

/// One of the things that a variable may be.
struct Variant {
    key: Key,
    value: Sym,
    /// A bool that says whether it is this one, where it is none of those before it; the last one has none.
    is: Option<Sym>,
}

fn known(b: bool) -> Sym {
    Sym::Known(Value::bool(b))
}

impl Executor<'_> {
    fn kind_key(&self, v: &Sym) -> Option<Key> {
        Some(match v {
            Sym::Known(Value::None) => Key::None,
            Sym::Known(Value::Bool(_)) => Key::Bool,
            Sym::Known(Value::Int(_)) => Key::Int,
            Sym::Known(Value::Float(_)) => Key::Float,
            Sym::Known(Value::Str(s)) => Key::Text(s.as_str().into()),
            Sym::Scalar(s) => Key::of_type(s.ty),
            v if self.is_tensor(v) => Key::Tensor,
            _ => return None,
        })
    }

    fn choice_of(&self, v: &Sym) -> Option<(ValueId, Sym, Sym)> {
        match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Choice {
                    condition,
                    then,
                    otherwise,
                } => Some((*condition, then.clone(), otherwise.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Makes operands of several kinds that of which the branches around here tell: what is kept in a tuple or under
    /// another name is read where they no longer do.
    pub(crate) fn settle_operands(&self, operands: &mut [Sym]) {
        for v in operands {
            while let Some((condition, then, otherwise)) = self.choice_of(v)
                && let Some(side) = self.known_side(condition)
            {
                *v = if side { then } else { otherwise };
            }
        }
    }

    /// The things that a variable may be, some of one kind maybe; `None`: one of them is of another kind.
    fn things(&self, v: &Sym) -> Option<Vec<(Key, Sym)>> {
        match self.choice_of(v) {
            Some((_, then, otherwise)) => {
                let mut things = self.things(&then)?;
                things.extend(self.things(&otherwise)?);
                Some(things)
            }
            None => Some(vec![(self.kind_key(v)?, v.clone())]),
        }
    }

    /// The tensor that a variable of several kinds may be.
    pub(crate) fn tensor_among(&self, v: &Sym) -> Option<Obj> {
        let tensor = self
            .things(v)?
            .into_iter()
            .find(|(key, _)| *key == Key::Tensor);
        match tensor {
            Some((_, Sym::Obj(obj))) => Some(obj),
            _ => None,
        }
    }

    /// What a variable may be, each kind once and in order. `None`: it may be something of another kind, or one of
    /// two tensors.
    fn variants(&mut self, v: &Sym) -> Res<Option<Vec<Variant>>> {
        let Some((condition, then, otherwise)) = self.choice_of(v) else {
            return Ok(self.kind_key(v).map(|key| {
                let value = v.clone();
                vec![Variant {
                    key,
                    value,
                    is: None,
                }]
            }));
        };
        let mut is = Sym::flag(condition);
        let (mut one, mut rest) = (then, otherwise);
        if self.choice_of(&one).is_some() {
            (one, rest) = (rest, one);
            is = self.not(&is)?;
        }
        let (Some(key), Some(mut all)) = (self.kind_key(&one), self.variants(&rest)?) else {
            return Ok(None);
        };
        let at = all.partition_point(|v| v.key < key);
        if at > 0 {
            // What stands before it now is only asked for where it is not this one.
            let not = self.not(&is)?;
            for before in &mut all[..at] {
                let both = match &before.is {
                    Some(is) => self.binary(BinaryOp::And, is, &not)?,
                    None => not.clone(),
                };
                before.is = Some(both);
            }
        }
        match all.get_mut(at) {
            Some(same) if same.key == key => {
                if matches!(key, Key::Tensor) {
                    return Ok(None);
                }
                let (before, was) = (same.value.clone(), same.is.clone());
                if !before.same(&one) {
                    let condition = self.flag_value(&is)?;
                    all[at].value = self.one_or_other(condition, one, before)?;
                }
                if let Some(was) = was {
                    all[at].is = Some(self.binary(BinaryOp::Or, &was, &is)?);
                }
            }
            next => {
                let is = next.is_some().then_some(is);
                let value = one;
                all.insert(at, Variant { key, value, is });
            }
        }
        Ok(Some(all))
    }

    /// A bool as a value of the graph.
    fn flag_value(&mut self, flag: &Sym) -> Res<ValueId> {
        match self.number(flag)? {
            Some(flag) if flag.ty == ScalarType::Bool => Ok(flag.id),
            _ => self.defect("no bool"),
        }
    }

    /// One thing or another, by conditions that say which of them it is; the last one has none.
    fn one_of_variants(&mut self, variants: Vec<(Option<ValueId>, Sym)>) -> Res<Sym> {
        let mut all = variants.into_iter().rev();
        let Some((_, mut value)) = all.next() else {
            return self.defect("a variable of no kind");
        };
        for (is, then) in all {
            let Some(condition) = is else {
                return self.defect("a variable of no kind");
            };
            value = self.alloc(Kind::Choice {
                condition,
                then,
                otherwise: value,
            });
        }
        Ok(value)
    }

    /// What a variable is behind a branch that is of one of several kinds on each side of it. `None`: it is of one
    /// kind, or of others.
    pub(crate) fn merged_variants(
        &mut self,
        merge: &mut Merge,
        a: &Sym,
        b: &Sym,
    ) -> Res<Option<Sym>> {
        if self.region.relaxations.one_kind.contains(&merge.key) {
            return Ok(None);
        }
        let (Some(x), Some(y)) = (self.things(a), self.things(b)) else {
            return Ok(None);
        };
        let mut keys: Vec<Key> = x.into_iter().chain(y).map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        if keys.len() < 2 || keys.len() > MAX_KINDS {
            return Ok(None);
        }
        let mut sides = Vec::with_capacity(2);
        for (context, v) in [(merge.taken, a), (merge.other, b)] {
            let around = std::mem::replace(&mut self.emission.context, context);
            let variants = self.variants(v);
            self.emission.context = around;
            match variants? {
                Some(variants) => sides.push(variants),
                None => return Ok(None),
            }
        }
        let find = |side: &[Variant], key: &Key| {
            let found = side.iter().find(|v| v.key == *key);
            found.map(|v| (v.is.clone().unwrap_or(known(true)), v.value.clone()))
        };
        let mut merged = Vec::with_capacity(keys.len());
        for (i, key) in keys.iter().enumerate() {
            let (p, q) = (find(&sides[0], key), find(&sides[1], key));
            let is =
                |of: &Option<(Sym, Sym)>| of.as_ref().map_or(known(false), |(is, _)| is.clone());
            let flag = match i + 1 < keys.len() {
                true => {
                    let flag = self.merge_sym(merge, &is(&p), &is(&q))?;
                    Some(self.flag_value(&flag)?)
                }
                false => None,
            };
            let value = match (p, q) {
                (Some((_, x)), Some((_, y))) => {
                    if let (Sym::Obj(x), Sym::Obj(y)) = (&x, &y) {
                        let (x, y) = (self.tensor(*x)?, self.tensor(*y)?);
                        if x.dtype != y.dtype
                            || x.device != y.device
                            || x.dims.len() != y.dims.len()
                        {
                            return Ok(None);
                        }
                    }
                    self.merge_sym(merge, &x, &y)?
                }
                (Some((_, x)), None) => self.value_of_side(merge, true, &x)?,
                (None, Some((_, y))) => self.value_of_side(merge, false, &y)?,
                (None, None) => return Ok(None),
            };
            merged.push((flag, value));
        }
        self.branching.choices.insert(merge.key.clone());
        self.one_of_variants(merged).map(Some)
    }

    // ---- loops ---------------------------------------------------------------------------

    /// A template of several kinds that also holds `v`, if either is of several; `None`: neither is. The template
    /// that is there may do.
    pub(crate) fn widen_variants(
        &mut self,
        template: &Template,
        v: &Sym,
    ) -> Res<Option<Option<Template>>> {
        let mut kinds = match template {
            Template::Either(kinds) => kinds.clone(),
            one if self.choice_of(v).is_some() && Key::of_template(one).is_some() => {
                vec![one.clone()]
            }
            _ => return Ok(None),
        };
        let Some(things) = self.things(v) else {
            return self.refuse(
                ReasonId::LoopState,
                "a variable changes its kind, or its object, in a loop",
            );
        };
        let mut changed = false;
        for (key, thing) in things {
            let same = |t: &Template| Key::of_template(t).as_ref() == Some(&key);
            if let Some(at) = kinds.iter().position(same) {
                if let Some(wider) = self.widen(&kinds[at], &thing)? {
                    kinds[at] = wider;
                    changed = true;
                }
                continue;
            }
            let template = match self.template(&thing) {
                // The first iteration sees none.
                Template::Tensor(t) => Template::Tensor(TensorTemplate { shared: false, ..t }),
                Template::Same(Sym::Obj(_)) => {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a variable of several kinds names a parameter in a loop",
                    );
                }
                other => other,
            };
            kinds.push(template);
            changed = true;
        }
        if kinds.len() > MAX_KINDS {
            return self.refuse(ReasonId::LoopState, "a variable is of many kinds in a loop");
        }
        kinds.sort_by_key(Key::of_template);
        Ok(Some(changed.then_some(Template::Either(kinds))))
    }

    /// As [`Self::widen`], for what a call of a graph of its own takes or leaves: of one of several kinds it would not be
    /// known which tensor it may be.
    pub(crate) fn widen_for_call(&mut self, template: &Template, v: &Sym) -> Res<Option<Template>> {
        match self.widen(template, v)? {
            Some(wider) if wider.has_kinds() => self.refuse(
                ReasonId::Recursion,
                "a variable of several kinds in a recursion",
            ),
            wider => Ok(wider),
        }
    }

    /// The values of the graph that make up what is of one of these kinds: the conditions, then each of them.
    pub(crate) fn flatten_variants(
        &mut self,
        v: &Sym,
        kinds: &[Template],
        out: &mut Vec<ValueId>,
    ) -> Res<()> {
        let Some(variants) = self.variants(v)? else {
            return self.refuse(
                ReasonId::LoopState,
                "one of two tensors is carried in a loop",
            );
        };
        let find = |kind: &Template| {
            let key = Key::of_template(kind);
            variants.iter().find(|v| Some(&v.key) == key.as_ref())
        };
        if variants.len() > kinds.iter().filter(|k| find(k).is_some()).count() {
            return self.refuse(ReasonId::LoopState, "a variable changes its kind in a loop");
        }
        for kind in kinds.iter().rev().skip(1).rev() {
            let is = match find(kind) {
                Some(variant) => variant.is.clone().unwrap_or(known(true)),
                None => known(false),
            };
            out.push(self.flag_value(&is)?);
        }
        for kind in kinds {
            match find(kind) {
                Some(variant) => self.flatten(&variant.value, kind, out)?,
                None => self.nothing(kind, out)?,
            }
        }
        Ok(())
    }

    /// What is of one of these kinds, made of such values by `make`, which gets what was there before of the kind.
    pub(crate) fn unflatten_variants(
        &mut self,
        kinds: &[Template],
        values: &mut dyn Iterator<Item = ValueId>,
        before: &Sym,
        make: &mut dyn FnMut(
            &mut Self,
            &Template,
            &mut dyn Iterator<Item = ValueId>,
            &Sym,
        ) -> Res<Sym>,
    ) -> Res<Sym> {
        let flags: Vec<ValueId> = values.take(kinds.len().saturating_sub(1)).collect();
        let first = self.tensor_among(before);
        let mut all = Vec::with_capacity(kinds.len());
        for (i, kind) in kinds.iter().enumerate() {
            let before = match (kind, first) {
                (Template::Tensor(_), Some(first)) => Sym::Obj(first),
                _ => Sym::Null,
            };
            all.push((flags.get(i).copied(), make(self, kind, values, &before)?));
        }
        self.one_of_variants(all)
    }
}
