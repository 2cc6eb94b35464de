//! The ops of a loop's frame: what is carried enters, meets what comes round, and leaves.
//!
//! In: values around a loop and at the end of an iteration. Out: values at its head and behind it. Always: a
//! merge gets its value for the next iteration once.

use std::rc::Rc;

use janus_dialect::{Attr, Type, ValueId};
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::Dim;

use crate::Res;
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::loops::carried::{Carried, Knowledge};
use crate::loops::framed::Round;
use crate::loops::templates::template_type;
use crate::state::place::Place;
use crate::state::sym::{Obj, State, Sym, SymFrame};
use crate::state::template::Template;

/// The frame of a loop, entered by an attempt.
pub(crate) struct Entered {
    /// Where the loop begins.
    pub head: u32,
    /// The frame's name and context, and the context around it.
    pub name: Rc<str>,
    pub outer: u32,
    pub parent: u32,
    /// Dimensions from before the loop.
    pub dims: usize,
    /// Objects from before the loop, and with those that make room for what lists get.
    pub rooms: usize,
    pub before: usize,
    /// How many iterations there are at most, where lists grow.
    pub trips: Option<Dim>,
    /// What meets at the head: the flags, what is carried, and what is returned, from `returned` on.
    pub merges: Vec<Merged>,
    pub flags: Flags,
    pub returned: usize,
    /// Which merges belong to what is carried, and its values before the loop.
    pub ranges: Vec<std::ops::Range<usize>>,
    pub firsts: Vec<Sym>,
    /// How long lists were before it.
    pub counts: Vec<(Obj, Dim)>,
    /// At the head.
    pub start: (State, SymFrame),
}

/// Merges that are bools of the frame's own.
#[derive(Clone, Copy, Default)]
pub(crate) struct Flags {
    /// No `break` was met.
    pub goes_on: Option<usize>,
    /// There was an iteration.
    pub entered: Option<usize>,
}

/// A merge of a frame.
pub(crate) struct Merged {
    /// At the head, in every iteration.
    pub merged: ValueId,
    /// Before the first one.
    init: ValueId,
    back: ValueId,
    context: u32,
}

impl Executor<'_> {
    /// Refuses a frame whose iterations all use what is carried into the first one: on the tape its gradient from
    /// there comes before the rest of that of the first iteration, and not behind the loop's. With the first iteration
    /// run before, it is another tensor.
    pub(crate) fn check_first_uses(&self, known: &Knowledge, at: &Entered) -> Res<()> {
        for (c, first) in known.carried.iter().zip(&at.firsts) {
            let (t, obj) = match (&c.template, first) {
                (Template::Tensor(t), Sym::Obj(obj)) => (t, *obj),
                (Template::Either(kinds), _) => match (kinds.last(), self.tensor_among(first)) {
                    (Some(Template::Tensor(t)), Some(obj)) => (t, obj),
                    _ => continue,
                },
                _ => continue,
            };
            let given = self.tensor(obj)?;
            if !t.requires_grad || !given.requires_grad || !self.state.mode.grad_enabled {
                continue;
            }
            if self.was_brought_into(at.outer, given.value) {
                return self.refuse(
                    ReasonId::LoopState,
                    "a tensor that a loop begins with is used in each iteration",
                );
            }
        }
        Ok(())
    }

    /// Enters a frame: what is carried meets there what comes round.
    pub(crate) fn enter_frame(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        iterator: Option<Obj>,
        known: &mut Knowledge,
    ) -> Res<Entered> {
        let parent = self.emission.context;
        let dims = self.extents.dims.len();
        let rooms = self.state.heap.len();
        let trips = self.make_rooms(known, iterator)?;
        let before = self.state.heap.len();
        self.looping.frames += 1;
        let name: Rc<str> = format!("loop{}", self.looping.frames).into();
        let outer = self.new_context(ContextKind::Frame(name.clone()));
        let mut merges: Vec<Merged> = Vec::new();
        let mut flags = Flags::default();
        for (wanted, at_first, flag) in [
            (known.breaks, true, &mut flags.goes_on),
            (known.enters, false, &mut flags.entered),
        ] {
            if wanted {
                let init = self.constant(ScalarType::Bool, u64::from(at_first))?;
                *flag = Some(merges.len());
                merges.push(self.enter(&name, outer, init)?);
            }
        }
        let mut ranges = Vec::with_capacity(known.carried.len());
        let mut firsts: Vec<Sym> = Vec::with_capacity(known.carried.len());
        // New elements first: what shows them is as it is then.
        known.carried.sort_by_key(|c| match c.place {
            Place::Elements(_) => 0,
            Place::Growth(_) => 3,
            _ if c.with.is_some() => 2,
            _ => 1,
        });
        let mut merged: Vec<(Place, Sym)> = Vec::new();
        for i in 0..known.carried.len() {
            let (done, rest) = known.carried.split_at_mut(i);
            if let Some(Carried {
                place: Place::Growth(obj),
                template: Template::Grown(t),
                ..
            }) = rest.first_mut()
            {
                let place_of = |p: &Place| done.iter().position(|c| c.place == *p);
                self.begin_sharing(*obj, t, &|p| firsts.get(place_of(p)?).cloned())?;
            }
            let c = known.carried[i].clone();
            let mut values = Vec::new();
            let init = if c.fresh {
                self.nothing(&c.template, &mut values)?;
                Sym::Null
            } else {
                let init = self.read(frame, &c.place)?;
                self.flatten(&init, &c.template, &mut values)?;
                init
            };
            let first = merges.len();
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
            let mut inside = merges[first..].iter().map(|m| m.merged);
            self.emission.context = outer;
            let sym = match &c.with {
                Some(place) => self.named(&merged, place),
                None => self.unflatten(&c.template, &mut inside, &init),
            };
            let sym = sym.and_then(|sym| {
                if let Some(i) = flags.entered {
                    self.not_at_first(&c.template, &sym, merges[i].merged)?;
                }
                Ok(sym)
            });
            self.emission.context = parent;
            let sym = sym?;
            merged.push((c.place.clone(), sym.clone()));
            if let (Template::Sequence(form, _), Sym::Obj(obj)) = (&c.template, &sym)
                && form.shared
            {
                self.looping.known_elsewhere.push(*obj);
            }
            if !c.fresh {
                self.write(frame, &c.place, sym)?;
            }
            if let Some((obj, t)) = c.growing() {
                self.begins_to_grow(obj)?;
                self.share(obj, t, &|p| {
                    let at = merged.iter().position(|(place, _)| place == p)?;
                    let template = known.carried.get(at)?.template.clone();
                    Some((merged[at].1.clone(), template))
                })?;
            }
            firsts.push(init);
            ranges.push(first..merges.len());
        }
        let counts = self.count_anew();
        // What is returned means nothing before.
        let returned = merges.len();
        if let Some(template) = known.returns.clone() {
            let mut values = Vec::new();
            self.nothing(&template, &mut values)?;
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
        }
        Ok(Entered {
            head,
            name,
            outer,
            parent,
            dims,
            rooms,
            before,
            trips,
            merges,
            flags,
            returned,
            ranges,
            firsts,
            counts,
            start: (self.state.clone(), frame.clone()),
        })
    }

    /// Sends what is carried round again. Returns what leaves the frame, merge by merge.
    pub(crate) fn go_round(
        &mut self,
        known: &Knowledge,
        at: &Entered,
        round: &Round,
    ) -> Res<Vec<ValueId>> {
        for c in &known.carried {
            let after = self.read_of(&round.end, &c.place)?;
            self.check_kept(&after, &at.start.0, at.before)?;
        }
        let mut next = Vec::with_capacity(at.merges.len());
        if at.flags.goes_on.is_some() {
            match self.number(&round.again)? {
                Some(v) => next.push(v.id),
                None => return self.defect("bad condition"),
            }
        }
        if at.flags.entered.is_some() {
            next.push(self.constant(ScalarType::Bool, 1)?);
        }
        for c in &known.carried {
            let after = self.read_of(&round.end, &c.place)?;
            self.flatten(&after, &c.template, &mut next)?;
        }
        if let (Some(v), Some(template)) = (&round.returned, &known.returns) {
            self.flatten(v, template, &mut next)?;
        }
        let mut left: Vec<ValueId> = Vec::with_capacity(at.merges.len());
        for (merged, &value) in at.merges.iter().zip(&next) {
            let out = self.close(merged, value, round.condition, at.parent)?;
            left.push(out);
            self.note_count(at, &next, &left);
        }
        Ok(left)
    }

    /// Notes that two ints which get as much more in each iteration are as far apart behind a loop as they were before
    /// it: lists to which each iteration adds one item are of one length.
    fn note_count(&mut self, at: &Entered, next: &[ValueId], left: &[ValueId]) {
        let step = |this: &Self, i: usize| this.more_than(at.merges[i].merged, next[i]);
        let last = left.len() - 1;
        let Some(more) = step(self, last) else { return };
        for i in (0..last).filter(|&i| step(self, i) == Some(more)) {
            let apart = self.apart(at.merges[last].init, at.merges[i].init);
            if let Some(apart) = apart {
                self.note_apart(left[last], left[i], apart);
                return;
            }
        }
    }

    /// Values of the graph that stand for one that is not there yet.
    pub(crate) fn nothing(&mut self, template: &Template, out: &mut Vec<ValueId>) -> Res<()> {
        match template {
            Template::Same(Sym::Known(_)) => Ok(()),
            Template::Same(_) => self.refuse(
                ReasonId::LoopState,
                "an object is returned from inside a loop",
            ),
            Template::Scalar(ty) => {
                out.push(self.constant(*ty, 0)?);
                Ok(())
            }
            Template::Sequence(_, items) => items.iter().try_for_each(|t| self.nothing(t, out)),
            Template::Either(kinds) => {
                for _ in kinds.iter().skip(1) {
                    out.push(self.constant(ScalarType::Bool, 0)?);
                }
                kinds.iter().try_for_each(|t| self.nothing(t, out))
            }
            Template::Grown(_) => self.refuse(
                ReasonId::LoopState,
                "a list that grew is returned from inside a loop",
            ),
            Template::Tensor(t) => {
                let mut operands = vec![self.int(0)?];
                for d in &t.dims {
                    match d {
                        Some(d) if d.known().is_some() => {}
                        Some(d) => operands.push(self.dim_value(*d)?),
                        None => operands.push(self.dim_value(Dim::Known(0))?),
                    }
                }
                out.push(self.emit1("janus.full", &operands, &[], template_type(t))?);
                t.decided.iter().try_for_each(|_| {
                    out.push(self.constant(ScalarType::Bool, 0)?);
                    Ok(())
                })
            }
        }
    }

    fn raw(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        results: &[Type],
        context: u32,
    ) -> Res<Vec<ValueId>> {
        let loc = self.loc();
        let results = self.graph().op(name, operands, attrs, results, &loc)?;
        for &r in &results {
            self.emission.value_context.insert(r, context);
        }
        Ok(results)
    }

    pub(crate) fn enter(&mut self, name: &Rc<str>, context: u32, init: ValueId) -> Res<Merged> {
        let init = self.use_value(init)?;
        let ty = self.emission.builder.type_of(init);
        let loc = self.loc();
        let attrs = [("frame", Attr::Str(name.to_string()))];
        let entered = self.raw(
            "janus.enter",
            &[init],
            &attrs,
            std::slice::from_ref(&ty),
            context,
        )?;
        let back = self.graph().forward(ty.clone(), &loc)?;
        self.emission.value_context.insert(back, context);
        let merged = self.raw(
            "janus.merge",
            &[entered[0], back],
            &[],
            &[ty, Type::I64],
            context,
        )?;
        Ok(Merged {
            merged: merged[0],
            init,
            back,
            context,
        })
    }

    /// Gives a merge its value for the next iteration; what it is when the loop is left.
    pub(crate) fn close(
        &mut self,
        merged: &Merged,
        next: ValueId,
        condition: ValueId,
        parent: u32,
    ) -> Res<ValueId> {
        let next = self.use_value(next)?;
        let ty = self.emission.builder.type_of(merged.merged);
        let types = [ty.clone()];
        let round = self.raw("janus.next_iteration", &[next], &[], &types, merged.context)?;
        self.graph().resolve(merged.back, round[0])?;
        let sides = self.raw(
            "janus.switch",
            &[condition, merged.merged],
            &[],
            &[ty.clone(), ty],
            merged.context,
        )?;
        let out = self.raw("janus.exit", &[sides[1]], &[], &types, parent)?;
        Ok(out[0])
    }
}
