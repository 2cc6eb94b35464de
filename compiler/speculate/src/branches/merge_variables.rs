//! What names are where the two sides of a branch meet.
//!
//! In: variables, globals and gradients as both sides leave them. Out: what they are behind the branch. Always: a name
//! that only one side sets is there on a condition, which whoever reads it asserts.

use janus_dialect::{Type, ValueId};
use janus_object::{Bool, Value};
use janus_plan::{DeoptReason, ReasonId, ScalarType};

use crate::Res;
use crate::branches::branch::Merge;
use crate::executor::Executor;
use crate::state::cfg;
use crate::state::sym::{Kind, Slot, Sym, SymFrame};

/// When something is there on a side, as a bool of the graph, and what it is, if it ever is.
type Partial = (ValueId, Option<Sym>);

impl Executor<'_> {
    pub(crate) fn merge_frames(
        &mut self,
        merge: &mut Merge,
        a: &SymFrame,
        b: &SymFrame,
    ) -> Res<SymFrame> {
        if a.pc != b.pc || a.stack.len() != b.stack.len() {
            return self.refuse(
                ReasonId::BranchSides,
                "the two sides of a branch meet with different stacks",
            );
        }
        let mut frame = a.clone();
        let mut live: Option<Vec<bool>> = None;
        for (i, (x, y)) in a.locals.iter().zip(&b.locals).enumerate() {
            if self.is_partial(x) != self.is_partial(y) {
                let live = live.get_or_insert_with(|| cfg::live_locals(&a.code.code, a.pc));
                if !live.get(i).copied().unwrap_or(true) {
                    frame.locals[i] = Slot::Empty;
                    continue;
                }
            }
            frame.locals[i] = match self.merge_name(merge, x, y) {
                Ok(slot) => slot,
                Err(e) => {
                    let live = live.get_or_insert_with(|| cfg::live_locals(&a.code.code, a.pc));
                    if live.get(i).copied().unwrap_or(true) {
                        return Err(e);
                    }
                    Slot::Empty
                }
            };
        }
        for (i, (x, y)) in a.stack.iter().zip(&b.stack).enumerate() {
            frame.stack[i] = self.merge_sym(merge, x, y)?;
        }
        frame.written.extend(b.written.iter().copied());
        Ok(frame)
    }

    /// Locals that a side sets which leaves the loop, where the other one goes on: they are read behind the loop,
    /// which is not left otherwise, and there the side was taken.
    pub(crate) fn set_when_left(
        &mut self,
        merge: &mut Merge,
        frame: &mut SymFrame,
        sides: [(&SymFrame, &Sym); 2],
        exit: u32,
    ) -> Res<()> {
        let natural = self.looping.loops.last().and_then(|l| l.natural);
        let code = frame.code.clone();
        let live = |at: u32, i: usize| {
            let live = cfg::live_locals(&code.code, at);
            live.get(i).copied().unwrap_or(true)
        };
        for i in 0..frame.locals.len() {
            if !matches!(frame.locals[i], Slot::Empty) {
                continue;
            }
            for (side, taken) in [(0, true), (1, false)] {
                let (leaving, going) = (sides[side], sides[1 - side]);
                if let (Slot::Loaded(v), Slot::Empty) = (&leaving.0.locals[i], &going.0.locals[i])
                    && matches!(going.1, Sym::Known(Value::Bool(Bool::True)))
                    && live(exit, i)
                    && !natural.is_some_and(|natural| live(natural, i))
                {
                    let v = self.value_of_side(merge, taken, v)?;
                    frame.locals[i] = Slot::Loaded(v);
                }
            }
        }
        Ok(())
    }

    /// Whether a name is not set, or not for sure.
    pub(crate) fn is_partial(&self, slot: &Slot) -> bool {
        match slot {
            Slot::Empty => true,
            Slot::Loaded(Sym::Obj(o)) => matches!(self.state.heap[*o].kind, Kind::Maybe { .. }),
            _ => false,
        }
    }

    /// What a name is behind a branch, which may set it on one side only.
    pub(crate) fn merge_name(&mut self, merge: &mut Merge, a: &Slot, b: &Slot) -> Res<Slot> {
        let unset = matches!((a, b), (Slot::Empty, Slot::Empty));
        let partial = self.is_partial(a) || self.is_partial(b);
        // What a loop carries is set for sure.
        if unset || !partial || !self.looping.loops.is_empty() {
            return self.merge_slot(merge, a, b);
        }
        let sides = [self.parts_of_name(a)?, self.parts_of_name(b)?];
        Ok(match self.merge_partial(merge, sides)? {
            Some((condition, value)) => Slot::Loaded(self.alloc(Kind::Maybe { condition, value })),
            None => Slot::Empty,
        })
    }

    /// What is there on some sides only: when, and what it is.
    fn merge_partial(
        &mut self,
        merge: &mut Merge,
        [(c, x), (d, y)]: [Partial; 2],
    ) -> Res<Option<(ValueId, Sym)>> {
        let value = match (x, y) {
            (Some(x), Some(y)) => self.merge_sym(merge, &x, &y)?,
            (Some(x), None) => self.value_of_side(merge, true, &x)?,
            (None, Some(y)) => self.value_of_side(merge, false, &y)?,
            (None, None) => return Ok(None),
        };
        Ok(Some((self.merge_values(merge, c, d, Type::I1)?, value)))
    }

    /// When a name is set, and to what.
    fn parts_of_name(&mut self, slot: &Slot) -> Res<Partial> {
        if let Slot::Loaded(Sym::Obj(o)) = slot
            && let Kind::Maybe { condition, value } = self.state.heap[*o].kind.clone()
        {
            return Ok((condition, Some(value)));
        }
        let value = self.load_for_merge(slot)?;
        let set = self.constant(ScalarType::Bool, u64::from(value.is_some()))?;
        Ok((set, value))
    }

    /// `.grad` behind a branch: a tensor, or one that is there on one side only.
    pub(crate) fn merge_grad(&mut self, merge: &mut Merge, a: &Slot, b: &Slot) -> Res<Slot> {
        let maybe = |this: &Self, slot: &Slot| match slot {
            Slot::Empty => true,
            Slot::Loaded(Sym::Obj(o)) => matches!(this.state.heap[*o].kind, Kind::Choice { .. }),
            Slot::Loaded(v) => matches!(v, Sym::Known(Value::None)),
            Slot::Unloaded(_) => false,
        };
        let unset = matches!((a, b), (Slot::Empty, Slot::Empty));
        if unset || !(maybe(self, a) || maybe(self, b)) {
            return self.merge_slot(merge, a, b);
        }
        let sides = [self.parts_of_grad(a)?, self.parts_of_grad(b)?];
        Ok(match self.merge_partial(merge, sides)? {
            Some((condition, then)) => Slot::Loaded(self.alloc(Kind::Choice {
                condition,
                then,
                otherwise: Sym::Known(Value::None),
            })),
            None => Slot::Empty,
        })
    }

    /// When a gradient is there, and what it is.
    fn parts_of_grad(&mut self, slot: &Slot) -> Res<Partial> {
        let value = match self.load_slot(slot)? {
            Some(Sym::Obj(o)) => match self.state.heap[o].kind.clone() {
                Kind::Choice {
                    condition,
                    then,
                    otherwise: Sym::Known(Value::None),
                } => return Ok((condition, Some(then))),
                _ => Some(Sym::Obj(o)),
            },
            _ => None,
        };
        let there = self.constant(ScalarType::Bool, u64::from(value.is_some()))?;
        Ok((there, value))
    }

    /// What a name is that is read: where it is not set, tier 0 raises.
    pub(crate) fn set_for_sure(&mut self, v: Sym) -> Res<Sym> {
        let Sym::Obj(o) = v else { return Ok(v) };
        let Kind::Maybe { condition, value } = self.state.heap[o].kind.clone() else {
            return Ok(v);
        };
        let key = self.key("set");
        let expected = "the name is set".to_owned();
        self.assert(condition, DeoptReason::MissingFound, key, expected)?;
        Ok(value)
    }

    pub(crate) fn merge_slot(&mut self, merge: &mut Merge, a: &Slot, b: &Slot) -> Res<Slot> {
        match (a, b) {
            (Slot::Unloaded(_), Slot::Unloaded(_)) | (Slot::Empty, Slot::Empty) => Ok(a.clone()),
            (Slot::Empty, _) | (_, Slot::Empty) => self.refuse(
                ReasonId::BranchSides,
                "a variable is set on one side of a branch only",
            ),
            _ => {
                let (Some(x), Some(y)) = (self.load_for_merge(a)?, self.load_for_merge(b)?) else {
                    return self.defect("bad variable");
                };
                Ok(Slot::Loaded(self.merge_sym(merge, &x, &y)?))
            }
        }
    }

    /// What a side does not look at may be any text.
    fn load_for_merge(&mut self, slot: &Slot) -> Res<Option<Sym>> {
        match slot {
            Slot::Unloaded(u) if matches!(u.value, Value::Str(_)) => Ok(Some(self.wrap_told(u))),
            _ => self.load_slot(slot),
        }
    }

    pub(crate) fn merge_slots(
        &mut self,
        merge: &mut Merge,
        a: &[Slot],
        b: &[Slot],
    ) -> Res<Vec<Slot>> {
        if a.len() != b.len() {
            return self.refuse(
                ReasonId::BranchSides,
                "a list or tuple has different lengths after a branch",
            );
        }
        a.iter()
            .zip(b)
            .map(|(x, y)| self.merge_slot(merge, x, y))
            .collect()
    }
}
