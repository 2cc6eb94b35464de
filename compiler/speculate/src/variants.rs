//! `None` or a number: whatever branches made one of the two, it is one condition and one number.
//!
//! In: what a variable is on each side of a branch. Out: a choice that `None` stands first in. Always: where it is
//! found not to be `None`, it is that number.

use janus_object::Value;

use crate::Res;
use crate::branch::Merge;
use crate::exec::Executor;
use crate::plan::ScalarType;
use crate::sym::{Kind, Sym, SymScalar};

/// Whether something is `None`, and the number that it is otherwise, if it may be one.
type Optional = (Sym, Option<Sym>);

impl Executor<'_> {
    /// `None`: it may be something else than `None` or a number.
    fn optional(&mut self, v: &Sym) -> Res<Option<Optional>> {
        let is = |b| Sym::Known(Value::Bool(b));
        if let Sym::Known(Value::None) = v {
            return Ok(Some((is(true), None)));
        }
        if self.number(v)?.is_some() {
            return Ok(Some((is(false), Some(v.clone()))));
        }
        let Sym::Obj(o) = v else { return Ok(None) };
        let Kind::Choice {
            condition,
            then: Sym::Known(Value::None),
            otherwise,
        } = &self.state.heap[*o].kind
        else {
            return Ok(None);
        };
        let (condition, otherwise) = (*condition, otherwise.clone());
        let ty = ScalarType::Bool;
        let is_none = Sym::Scalar(SymScalar { id: condition, ty });
        let number = self.number(&otherwise)?.is_some();
        Ok(number.then_some((is_none, Some(otherwise))))
    }

    /// What a variable is behind a branch that is `None` or a number on each side of it.
    pub(crate) fn merged_optional(
        &mut self,
        merge: &mut Merge,
        a: &Sym,
        b: &Sym,
    ) -> Res<Option<Sym>> {
        if self.relaxations.one_kind.contains(&merge.key) {
            return Ok(None);
        }
        let (Some((p, x)), Some((q, y))) = (self.optional(a)?, self.optional(b)?) else {
            return Ok(None);
        };
        let number = match (x, y) {
            (Some(x), Some(y)) => {
                let types = (self.number(&x)?, self.number(&y)?);
                if types.0.map(|n| n.ty) != types.1.map(|n| n.ty) {
                    return Ok(None);
                }
                self.merge_sym(merge, &x, &y)?
            }
            (Some(x), None) => self.value_of_side(merge, true, &x)?,
            (None, Some(y)) => self.value_of_side(merge, false, &y)?,
            (None, None) => return Ok(None),
        };
        let Sym::Scalar(is_none) = self.merge_sym(merge, &p, &q)? else {
            return Ok(None);
        };
        self.choices.insert(merge.key.clone());
        Ok(Some(self.alloc(Kind::Choice {
            condition: is_none.id,
            then: Sym::Known(Value::None),
            otherwise: number,
        })))
    }
}
