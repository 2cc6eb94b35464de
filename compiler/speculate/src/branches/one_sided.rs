//! What one side of a branch made, as it is seen behind the branch.
//!
//! In: a value of one side. Out: one that exists where the sides meet, and means nothing unless that
//! side was taken. Always: an object that can be changed stays the one object that it is.

use std::collections::HashMap;
use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_plan::ReasonId;
use janus_tensor::Dim;
use janus_tensor::ops::Dims;

use crate::Res;
use crate::branches::branch::Merge;
use crate::executor::Executor;
use crate::state::sym::{
    Condition, Effect, GradName, HeapObject, Kind, Obj, OneOf, Piece, Slot, Stored, Sym, SymList,
    SymScalar, View, ViewMap,
};
use crate::state::types::{tensor_type, type_of};

impl Executor<'_> {
    /// What decides, within one side, which of two objects a tensor is becomes known behind it, and so does where a
    /// view lies.
    pub(crate) fn lift_one_of(&mut self, merge: &Merge, side: bool, obj: Obj) -> Res<()> {
        self.lift_place(merge, side, obj)?;
        if let Some(shown) = self.tensor(obj)?.view.as_ref().map(View::parent) {
            self.lift_one_of(merge, side, shown)?;
        }
        let Some(one_of) = self.tensor(obj)?.identity.one_of else {
            return Ok(());
        };
        if self.is_visible(one_of.condition) {
            return Ok(());
        }
        let condition = self.condition_of_side(merge, side, Some(one_of.condition))?;
        self.tensor_mut(obj)?.identity.one_of = Some(OneOf {
            condition,
            ..one_of
        });
        self.lift_one_of(merge, side, one_of.then)?;
        self.lift_one_of(merge, side, one_of.otherwise)
    }

    /// The extents that say where a view lies become known behind the side that computed them.
    fn lift_place(&mut self, merge: &Merge, side: bool, view: Obj) -> Res<()> {
        let Some((parent, prim)) = self.tensor(view)?.view.as_ref().and_then(|v| match &v.map {
            ViewMap::Prim(parent, prim) => Some((*parent, prim.clone())),
            ViewMap::Same => None,
        }) else {
            return Ok(());
        };
        self.lift_place(merge, side, parent)?;
        let mut lifted = HashMap::new();
        for s in prim.symbols() {
            let Dim::Sym(of) = self.resolve(Dim::Sym(s)) else {
                continue;
            };
            let (id, hint) = (
                self.extents.dims[of as usize].id,
                self.extents.dims[of as usize].hint,
            );
            if self.is_visible(id) {
                continue;
            }
            let nothing = self.dim_value(Dim::Known(0))?;
            let (a, b) = if side { (id, nothing) } else { (nothing, id) };
            let id = self.merge_values(merge, a, b, Type::Index)?;
            lifted.insert(s, self.new_dim(id, hint));
        }
        if !lifted.is_empty() {
            let prim = prim.with_symbols(&|s| lifted.get(&s).copied().unwrap_or(Dim::Sym(s)));
            if let Some(v) = &mut self.tensor_mut(view)?.view {
                v.map = ViewMap::Prim(parent, Rc::new(prim));
            }
        }
        Ok(())
    }

    pub(crate) fn lift_name(
        &mut self,
        merge: &Merge,
        side: bool,
        name: &GradName,
    ) -> Res<GradName> {
        Ok(match name {
            GradName::Either(condition, names) if !self.is_visible(*condition) => {
                let condition = self.condition_of_side(merge, side, Some(*condition))?;
                let names = (
                    self.lift_name(merge, side, &names.0)?,
                    self.lift_name(merge, side, &names.1)?,
                );
                GradName::Either(condition, Rc::new(names))
            }
            _ => name.clone(),
        })
    }

    pub(crate) fn effect_of_side(
        &mut self,
        merge: &mut Merge,
        side: bool,
        effect: &Effect,
    ) -> Res<Effect> {
        let condition = Some(self.condition_of_side(merge, side, effect.condition)?);
        let args = effect
            .args
            .iter()
            .map(|v| self.value_of_side(merge, side, v))
            .collect::<Res<Vec<_>>>()?;
        let kwargs = effect
            .kwargs
            .iter()
            .map(|(k, v)| Ok((k.clone(), self.value_of_side(merge, side, v)?)))
            .collect::<Res<Vec<_>>>()?;
        Ok(Effect {
            condition,
            function: effect.function.clone(),
            args,
            kwargs,
        })
    }

    /// Whether a side is taken and what happens on it on a condition happens.
    pub(crate) fn condition_of_side(
        &mut self,
        merge: &Merge,
        side: bool,
        condition: Condition,
    ) -> Res<ValueId> {
        let inner = match condition {
            Some(c) => c,
            None => self.constant(janus_plan::ScalarType::Bool, 1)?,
        };
        let otherwise = self.constant(janus_plan::ScalarType::Bool, 0)?;
        let (a, b) = if side {
            (inner, otherwise)
        } else {
            (otherwise, inner)
        };
        self.merge_values(merge, a, b, Type::I1)
    }

    /// A value of one side as it is seen after the branch, where it means nothing unless that
    /// side was taken.
    pub(crate) fn value_of_side(&mut self, merge: &mut Merge, side: bool, v: &Sym) -> Res<Sym> {
        let outside = |this: &Self, id: ValueId| {
            let home = this.emission.value_context.get(&id).copied().unwrap_or(0);
            home != merge.taken && home != merge.other
        };
        let pair = |value: ValueId, nothing: ValueId| {
            if side {
                (value, nothing)
            } else {
                (nothing, value)
            }
        };
        let obj = match v {
            Sym::Scalar(s) if outside(self, s.id) => return Ok(v.clone()),
            Sym::Scalar(s) => {
                let nothing = self.constant(s.ty, 0)?;
                let (a, b) = pair(s.id, nothing);
                let id = self.merge_values(merge, a, b, type_of(s.ty))?;
                return Ok(Sym::Scalar(SymScalar { id, ty: s.ty }));
            }
            Sym::Obj(obj) => *obj,
            _ => return Ok(v.clone()),
        };
        let object = self.state.heap[obj].clone();
        let kind = match object.kind {
            _ if object.origin.is_some() => return Ok(v.clone()),
            // What it is behind the branch is seen to where both sides are told of it.
            Kind::Tensor(_) if obj < merge.common => return Ok(v.clone()),
            Kind::Tensor(_) => {
                // Which of two objects it is, and what made it, is asked for where it ends up.
                self.lift_one_of(merge, side, obj)?;
                let name = self.tensor(obj)?.tape.grad_name.clone();
                self.tensor_mut(obj)?.tape.grad_name = self.lift_name(merge, side, &name)?;
                let t = self.tensor(obj)?.clone();
                let value = self.current(obj)?;
                if outside(self, value) {
                    return Ok(v.clone());
                }
                let dims: Dims = t.dims.iter().map(|&d| self.resolve(d)).collect();
                let ty = tensor_type(t.dtype, &dims);
                let mut operands = vec![self.constant(janus_plan::ScalarType::Int, 0)?];
                operands.extend(self.dynamic_sizes(&dims)?);
                let nothing = self.emit1("janus.full", &operands, &[], ty.clone())?;
                let (a, b) = pair(value, nothing);
                let mut t = t;
                t.value = self.merge_values(merge, a, b, ty)?;
                // Another variable may name it behind the branch, too, or what it is a view of.
                t.identity.ambiguous = true;
                t.identity.parts = match t.view.take() {
                    Some(view) => [&t.identity.parts[..], &[obj, view.base]].concat().into(),
                    None => [&t.identity.parts[..], &[obj]].concat().into(),
                };
                Kind::Tensor(t)
            }
            Kind::Text(pieces) => {
                let mut made = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    made.push(match piece {
                        Piece::Text(t) => Piece::Text(t),
                        Piece::Format {
                            value,
                            conversion,
                            spec,
                        } => Piece::Format {
                            value: self.value_of_side(merge, side, &value)?,
                            conversion,
                            spec,
                        },
                    });
                }
                Kind::Text(made)
            }
            Kind::Later {
                function,
                mut args,
                class,
            } => {
                for v in &mut args {
                    *v = self.value_of_side(merge, side, v)?;
                }
                Kind::Later {
                    function,
                    args,
                    class,
                }
            }
            Kind::Choice {
                condition,
                then,
                otherwise,
            } => Kind::Choice {
                condition: self.condition_of_side(merge, side, Some(condition))?,
                then: self.value_of_side(merge, side, &then)?,
                otherwise: self.value_of_side(merge, side, &otherwise)?,
            },
            Kind::Raised(exception) => Kind::Raised(self.value_of_side(merge, side, &exception)?),
            Kind::Tuple(items) => Kind::Tuple(self.slots_of_side(merge, side, &items)?),
            // A named tuple: what can be changed must stay the one object that it is.
            Kind::Instance(_) if self.new_items(v).is_some() => {
                let Some((form, items)) = self.new_items(v) else {
                    return self.defect("bad sequence");
                };
                let items = items.to_vec();
                let items = self.slots_of_side(merge, side, &items)?;
                return Ok(self.derived(form.class(), Kind::Tuple(items)));
            }
            kind if kind.can_change() => {
                if !self.is_new(merge, obj) || merge.stands_for.get(&obj) == Some(&obj) {
                    return Ok(v.clone());
                }
                self.stand_for(merge, obj, obj)?;
                let Some(kind) = self.lifted(merge, side, kind)? else {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "an object made on one side of a branch escapes from there",
                    );
                };
                self.state.heap[obj].kind = kind;
                let there = (merge.predicate, side == merge.first);
                self.state.only_on.insert(obj, there);
                return Ok(v.clone());
            }
            _ => {
                return self.refuse(
                    ReasonId::BranchSides,
                    "an object made on one side of a branch escapes from there",
                );
            }
        };
        Ok(self.alloc(kind))
    }

    /// What an object that can be changed is behind the branch, if one side alone made it. `None`:
    /// this cannot be told.
    pub(crate) fn lifted(
        &mut self,
        merge: &mut Merge,
        side: bool,
        kind: Kind,
    ) -> Res<Option<Kind>> {
        Ok(Some(match kind {
            Kind::List(list)
                if list.dropped == 0 && list.appended.iter().all(|(_, c)| c.is_none()) =>
            {
                let Some(mut items) = list.base else {
                    return Ok(None);
                };
                items.extend(list.appended.into_iter().map(|(v, _)| Slot::Loaded(v)));
                Kind::List(SymList {
                    base: Some(self.slots_of_side(merge, side, &items)?),
                    appended: Vec::new(),
                    rewritten: list.rewritten,
                    dropped: 0,
                })
            }
            Kind::Filtered(items) => Kind::Filtered(self.lifted_items(merge, side, &items)?),
            Kind::Dict(mut dict) => {
                for (key, slot) in &mut dict.entries {
                    *key = self.value_of_side(merge, side, key)?;
                    *slot = self.slot_of_side(merge, side, slot)?;
                }
                Kind::Dict(dict)
            }
            Kind::Set(mut set) => {
                for item in &mut set.items {
                    *item = self.value_of_side(merge, side, item)?;
                }
                Kind::Set(set)
            }
            Kind::Instance(mut instance) => {
                for slot in instance.attrs.values_mut() {
                    *slot = self.slot_of_side(merge, side, slot)?;
                }
                if let Some(payload) = &instance.payload {
                    let there = self.value_of_side(merge, side, &payload.sym())?;
                    instance.payload = Some(match (payload, there) {
                        (Stored::Container(_), Sym::Obj(there)) => Stored::Container(there),
                        (Stored::Value(_), there) => Stored::Value(there),
                        _ => return Ok(None),
                    });
                }
                Kind::Instance(instance)
            }
            _ => return Ok(None),
        }))
    }

    /// The content behind the branch of an object that is only there on one side of it, since an
    /// earlier branch on the same condition made it.
    pub(crate) fn only_side(
        &mut self,
        merge: &mut Merge,
        obj: Obj,
        taken: &Kind,
        other: &Kind,
    ) -> Res<Option<Kind>> {
        match self.state.only_on.get(&obj) {
            Some(&(predicate, there)) if predicate == merge.predicate => {
                let side = there == merge.first;
                let kind = if side { taken } else { other };
                self.lifted(merge, side, kind.clone())
            }
            _ => Ok(None),
        }
    }

    /// Whether one side of the branch made an object.
    pub(crate) fn is_new(&self, merge: &Merge, obj: Obj) -> bool {
        obj >= merge.common && !self.entry.pristine.contains_key(&obj)
    }

    /// Whether nothing but one variable or place of one side names an object there: it was made there, or it is
    /// a list of the region that the other side has put something else in the place of.
    pub(crate) fn is_only(&self, merge: &Merge, obj: Obj, side: bool) -> bool {
        if self.is_new(merge, obj) {
            return true;
        }
        let Some(ends) = &merge.ends else {
            return false;
        };
        let (here, there) = match side {
            true => (&ends[0], &ends[1]),
            false => (&ends[1], &ends[0]),
        };
        let is_list = |object: &HeapObject| {
            matches!(&object.kind, Kind::List(list) if list.base.is_some())
                && object.origin.is_none()
        };
        here.0.heap.get(obj).is_some_and(is_list)
            && self.names_of(obj, (&here.0, &here.1)) == Some(1)
            && self.names_of(obj, (&there.0, &there.1)) == Some(0)
    }

    /// What an object is where a side ends.
    pub(crate) fn of_side(&self, merge: &Merge, obj: Obj, side: bool) -> HeapObject {
        let ends = merge.ends.as_ref().filter(|_| !self.is_new(merge, obj));
        let end = ends.map(|ends| &ends[usize::from(!side)].0.heap);
        let there = end.and_then(|heap| heap.get(obj));
        there.unwrap_or(&self.state.heap[obj]).clone()
    }

    /// Notes what an object of one side is behind the branch: it must not be two things.
    pub(crate) fn stand_for(&self, merge: &mut Merge, obj: Obj, is: Obj) -> Res<()> {
        match merge.stands_for.insert(obj, is) {
            Some(before) if before != is => {
                self.undecided("an object has several names on one side of a branch")
            }
            _ => Ok(()),
        }
    }

    fn slot_of_side(&mut self, merge: &mut Merge, side: bool, slot: &Slot) -> Res<Slot> {
        Ok(match slot {
            Slot::Loaded(v) => Slot::Loaded(self.value_of_side(merge, side, v)?),
            other => other.clone(),
        })
    }

    fn slots_of_side(&mut self, merge: &mut Merge, side: bool, slots: &[Slot]) -> Res<Vec<Slot>> {
        slots
            .iter()
            .map(|slot| self.slot_of_side(merge, side, slot))
            .collect()
    }
}
