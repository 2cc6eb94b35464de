//! Loops whose trip count moves or is large: one frame of the graph, whatever the count.
//!
//! In: the frame at a loop's head. Out: the frame after the loop, or a refusal, after which the
//! loop is unrolled where its count is known. Always: what an iteration changes is carried by the
//! frame's merges, found by running the body again until nothing new turns up; what a body cannot
//! carry (a print, a list that grows, an object made anew) is refused.
//!
//! A variable that changes its kind in the first iteration (`total = 0`, then a tensor) is settled
//! by running that iteration before the frame.

use std::rc::Rc;

use janus_dialect::{Attr, Type, ValueId};
use janus_object::{Class, Name, Value};
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Dim};

use crate::exec::{ActiveLoop, ContextKind, Executor, Flow, Leave};
use crate::heap::element;
use crate::plan::{DeoptReason, ScalarType};
use crate::scalar::Truth;
use crate::sym::{Kind, Obj, Slot, State, Sym, SymFrame, SymIter, SymScalar, SymTensor};
use crate::{Res, Stop, cfg};

/// Trips up to which a loop of a known count is unrolled.
pub(crate) const UNROLLED: i64 = 24;
/// Times that a body is run to find out what it changes.
const MAX_ROUNDS: usize = 10;

/// Something that an iteration changes.
#[derive(Clone, PartialEq)]
enum Place {
    Local(usize),
    Cell(Obj),
    Attr(Obj, Name),
    /// An entry of a dict, or an item of a list, by position.
    Item(Obj, usize),
    Global(usize, Name),
    /// The elements of a tensor.
    Elements(Obj),
    Grad(Obj),
    /// The position of an iterator.
    Position(Obj),
}

/// How a value is carried.
#[derive(Clone)]
enum Template {
    Scalar(ScalarType),
    Tensor(TensorTemplate),
    /// A tuple or list of these.
    Sequence(bool, Vec<Template>),
    /// It does not change.
    Same(Sym),
}

#[derive(Clone)]
struct TensorTemplate {
    dtype: DType,
    /// `None`: it moves from one iteration to the next.
    dims: Vec<Option<Dim>>,
    class: Rc<Class>,
    requires_grad: bool,
    cut: bool,
    leaves: Vec<(Obj, ValueId)>,
    /// The first iteration sees an object that others know, too.
    shared: bool,
    /// A leaf that requires grad, written in place.
    leaf: bool,
}

#[derive(Clone)]
struct Carried {
    place: Place,
    template: Template,
}

/// What a loop is.
#[derive(Clone)]
enum Head {
    /// `for`: its iterator, and where it leads when that ends.
    For(Obj, u32),
    /// `while`: whether the test at its head is the frame's condition.
    While { test: bool },
}

/// What an attempt came to.
enum Attempt {
    Done(Looped),
    /// More is carried, or in another way.
    Again,
}

/// What became of a loop at its head.
pub(crate) enum Looped {
    /// It is no frame: its next iteration is run.
    Not,
    /// The symbolic frame is behind it.
    Done,
    /// The code ends with it.
    Ended(Flow),
}

/// Where an attempt began.
struct Here {
    frame: SymFrame,
    context: u32,
    loops: usize,
    active: usize,
}

/// What is known of a loop before an attempt.
#[derive(Clone, Default)]
struct Knowledge {
    carried: Vec<Carried>,
    /// The loop is left by a `break`.
    breaks: bool,
    /// It is relied on that there is a first iteration.
    enters: bool,
    /// It is left by a `return` of this.
    returns: Option<Template>,
}

impl Executor<'_> {
    /// A `for` at its head.
    pub(crate) fn for_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        exit: u32,
        it: &Sym,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let Sym::Obj(it) = it else {
            return Ok(Looped::Not);
        };
        let it = *it;
        let trips = match self.iter_state(it) {
            Some(_) => match self.more(it)? {
                Truth::Known(false) => return Ok(Looped::Not),
                Truth::Known(true) => self.trips_left(it),
                Truth::Dynamic(_) => None,
            },
            // A generator.
            None => return Ok(Looped::Not),
        };
        if trips.is_some_and(|n| n <= UNROLLED) {
            return Ok(Looped::Not);
        }
        let key = self.key("loop");
        if trips.is_some() && self.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        match self.frame_loop(frame, head, &Head::For(it, exit), stop) {
            Ok(done) => Ok(done),
            Err(stop @ Stop::Restart(_)) => Err(stop),
            Err(stop) if trips.is_some() => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.unframed.insert(key, not.reason);
                Ok(Looped::Not)
            }
            Err(stop) => Err(stop),
        }
    }

    /// A `while` at its head.
    pub(crate) fn while_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let key = self.key("loop");
        if self.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        let test = self.has_head_test(frame, head);
        match self.frame_loop(frame, head, &Head::While { test }, stop) {
            Ok(done) => Ok(done),
            Err(stop @ Stop::Restart(_)) => Err(stop),
            Err(stop) => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.unframed.insert(key, not.reason);
                Ok(Looped::Not)
            }
        }
    }

    /// Whether the first conditional jump of a `while` leaves it.
    fn has_head_test(&self, frame: &SymFrame, head: u32) -> bool {
        let code = &frame.code.code;
        let Some(end) = cfg::last_back_edge(code, head) else {
            return false;
        };
        code.instrs
            .iter()
            .skip(head as usize + 1)
            .take((end - head) as usize)
            .find(|i| i.op.operand_kind() == janus_bytecode::OperandKind::Target)
            .is_some_and(|i| i.arg < head || i.arg > end)
    }

    /// Items that an iterator still has, where that is known.
    fn trips_left(&mut self, it: Obj) -> Option<i64> {
        match self.iter_state(it)? {
            SymIter::Items { of, next } => {
                let n = self.items_of(of).ok()?.len();
                i64::try_from(n.saturating_sub(next)).ok()
            }
            SymIter::Values { items, next } => i64::try_from(items.len().saturating_sub(next)).ok(),
            SymIter::Range { next, stop, step } => {
                let next = next.known()?.as_int()?;
                let stop = stop.known()?.as_int()?;
                Some(stop.checked_sub(next)?.checked_add(step - step.signum())? / step)
            }
            SymIter::Rows { of, next } => {
                let extent = self.dims_of(of).ok()?.first()?.known()?;
                Some(extent - next.known()?.as_int()?)
            }
            SymIter::Enumerate { inner, .. } => self.trips_left(inner),
            SymIter::Zip { inner } | SymIter::Map { inner, .. } => {
                inner.iter().filter_map(|&i| self.trips_left(i)).min()
            }
        }
    }

    /// The dynamic test at a loop's head, when that is all that is run.
    pub(crate) fn loop_test(
        &mut self,
        next: u32,
        target: u32,
        predicate: ValueId,
        jump_on: bool,
    ) -> Res<Option<Flow>> {
        let depth = self.active.len();
        let Some(l) = self.loops.last().filter(|l| l.testing && l.depth == depth) else {
            return Ok(None);
        };
        if (l.head..=l.end).contains(&target) {
            return self.fail("a loop whose test has several parts");
        }
        let predicate = SymScalar {
            id: predicate,
            ty: ScalarType::Bool,
        };
        let stays = if jump_on {
            self.not(&Sym::Scalar(predicate))?
        } else {
            Sym::Scalar(predicate)
        };
        match stays {
            Sym::Scalar(s) => Ok(Some(Flow::Test {
                go_on: s.id,
                stay: next,
                exit: target,
            })),
            _ => self.fail("a test that is known"),
        }
    }

    // ---- the frame -----------------------------------------------------------------------

    /// Makes a loop a frame: as it is, or after its first iteration.
    fn frame_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &Head,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let start = self.checkpoint();
        let saved = self.here(frame);
        let first = match self.settle(frame, head, kind, stop) {
            Ok(done) => return Ok(done),
            Err(stop @ Stop::Restart(_)) => return Err(stop),
            Err(stop) => Stop::Not(Box::new(self.not_converted(stop))),
        };
        self.back(frame, &saved);
        self.forget(start.clone());
        let tentative = std::mem::replace(&mut self.tentative, true);
        let peeled = self.peel(frame, head, kind);
        self.tentative = tentative;
        let peeled = match peeled {
            Ok(()) => self.settle(frame, head, kind, stop),
            Err(stop) => Err(stop),
        };
        match peeled {
            Ok(done) => Ok(done),
            Err(stop @ Stop::Restart(_)) => Err(stop),
            Err(stop) => {
                tracing::debug!(
                    "not after its first iteration: {}",
                    self.not_converted(stop)
                );
                self.back(frame, &saved);
                self.forget(start);
                Err(first)
            }
        }
    }

    fn here(&self, frame: &SymFrame) -> Here {
        Here {
            frame: frame.clone(),
            context: self.context,
            loops: self.loops.len(),
            active: self.active.len(),
        }
    }

    fn back(&mut self, frame: &mut SymFrame, to: &Here) {
        *frame = to.frame.clone();
        self.context = to.context;
        self.loops.truncate(to.loops);
        self.active.truncate(to.active);
    }

    /// Runs the first iteration on its own.
    fn peel(&mut self, frame: &mut SymFrame, head: u32, kind: &Head) -> Res<()> {
        let stack = frame.stack.clone();
        frame.pc = head + 1;
        if let Head::For(it, _) = kind {
            match self.more(*it)? {
                Truth::Known(true) => {}
                Truth::Known(false) => return self.fail("a loop without an iteration"),
                Truth::Dynamic(m) => self.assert_entered(m)?,
            }
            let item = self.advance(*it)?;
            frame.stack.push(item);
        }
        self.begin(frame, head, stack.len(), false)?;
        let flow = self.run(frame, None)?;
        self.loops.pop();
        match flow {
            Flow::LoopEnd {
                go_on: Sym::Known(Value::Bool(true)),
                ..
            } => {}
            _ => return self.fail("a loop that may be left in its first iteration"),
        }
        frame.stack = stack;
        frame.pc = head + 1;
        Ok(())
    }

    fn assert_entered(&mut self, entered: ValueId) -> Res<()> {
        let key = self.key("loop-entered");
        let expected = "the loop runs at least once".to_owned();
        self.assert(entered, DeoptReason::TripCount, key, expected)
    }

    fn begin(&mut self, frame: &SymFrame, head: u32, depth: usize, testing: bool) -> Res<()> {
        let Some(end) = cfg::last_back_edge(&frame.code.code, head) else {
            return self.fail("a loop that never goes round");
        };
        self.loops.push(ActiveLoop {
            depth: self.active.len(),
            head,
            end,
            base: depth,
            testing,
        });
        Ok(())
    }

    /// Runs the body until what is carried is known, then for good.
    fn settle(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &Head,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let mut known = Knowledge::default();
        let mut kind = kind.clone();
        for _ in 0..MAX_ROUNDS {
            let start = self.checkpoint();
            let saved = self.here(frame);
            match self.attempt(frame, head, &mut kind, &mut known, stop)? {
                Attempt::Done(done) => return Ok(done),
                Attempt::Again => {
                    let met = self.state.clone();
                    self.back(frame, &saved);
                    self.forget(start.clone());
                    self.state = self.padded(start.state, &met);
                }
            }
        }
        self.fail("a loop whose variables do not settle")
    }

    fn attempt(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &mut Head,
        known: &mut Knowledge,
        stop: Option<u32>,
    ) -> Res<Attempt> {
        let parent = self.context;
        self.frames += 1;
        let name: Rc<str> = format!("loop{}", self.frames).into();
        let outer = self.new_context(ContextKind::Frame(name.clone()));
        // What is carried enters the frame and meets what comes round.
        let mut merges: Vec<Merged> = Vec::new();
        let flags = [(known.breaks, true), (known.enters, false)];
        let mut flag_values = [None, None];
        for (i, (wanted, at_first)) in flags.into_iter().enumerate() {
            if wanted {
                let init = self.constant(ScalarType::Bool, u64::from(at_first))?;
                flag_values[i] = Some(merges.len());
                merges.push(self.enter(&name, outer, init)?);
            }
        }
        let mut ranges = Vec::with_capacity(known.carried.len());
        for c in &known.carried.clone() {
            let init = self.read(frame, &c.place)?;
            let mut values = Vec::new();
            self.flatten(&init, &c.template, &mut values)?;
            let first = merges.len();
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
            let mut inside = merges[first..].iter().map(|m| m.merged);
            self.context = outer;
            let sym = self.unflatten(&c.template, &mut inside, &init);
            self.context = parent;
            self.write(frame, &c.place, sym?)?;
            ranges.push(first..merges.len());
        }
        // What is returned means nothing before.
        let returned_at = merges.len();
        if let Some(template) = known.returns.clone() {
            let mut values = Vec::new();
            self.nothing(&template, &mut values)?;
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
        }
        let start = (self.state.clone(), frame.clone());
        // The head: whether there is another iteration.
        self.context = outer;
        let (natural, stay, leave) = match kind {
            Head::For(it, exit) => {
                let more = match self.more(*it)? {
                    Truth::Dynamic(m) => m,
                    Truth::Known(m) => self.constant(ScalarType::Bool, u64::from(m))?,
                };
                (Some(more), head + 1, Some(*exit))
            }
            Head::While { test: true } => {
                frame.pc = head + 1;
                self.begin(frame, head, frame.stack.len(), true)?;
                let flow = self.run(frame, None)?;
                self.loops.pop();
                let changed = self.changes(&start, &(self.state.clone(), frame.clone()))?;
                match flow {
                    Flow::Test { go_on, stay, exit } if changed.is_empty() => {
                        (Some(go_on), stay, Some(exit))
                    }
                    _ => {
                        *kind = Head::While { test: false };
                        known.breaks = true;
                        return Ok(Attempt::Again);
                    }
                }
            }
            Head::While { test: false } => (None, head + 1, None),
        };
        let go_on = flag_values[0].map(|i| merges[i].merged);
        let condition = match (natural, go_on) {
            (Some(n), Some(g)) => self.emit1("arith.andi", &[n, g], &[], Type::I1)?,
            (Some(v), None) | (None, Some(v)) => v,
            (None, None) => {
                known.breaks = true;
                return Ok(Attempt::Again);
            }
        };
        let condition = self.emit1("janus.loop_cond", &[condition], &[], Type::I1)?;
        let body = self.new_context(ContextKind::Side {
            predicate: condition,
            side: true,
        });
        self.context = body;
        // The body.
        let depth = frame.stack.len();
        let iterator = frame.stack.clone();
        frame.pc = stay;
        if let Head::For(it, _) = kind {
            let item = self.advance(*it)?;
            frame.stack.push(item);
        }
        let base = match kind {
            Head::For(..) => depth.saturating_sub(1),
            Head::While { .. } => depth,
        };
        self.begin(frame, head, base, false)?;
        let flow = self.run(frame, None)?;
        self.loops.pop();
        let Flow::LoopEnd {
            go_on: again,
            leave: broke,
            returned,
        } = flow
        else {
            return self.fail("a loop whose trip count moves is left in the midst");
        };
        if self.state.effects.len() != start.0.effects.len() {
            return self.fail("a loop whose trip count moves prints");
        }
        // A local that was unset at the head and is not read there is the iteration's own.
        let mut end = (self.state.clone(), frame.clone());
        end.1.stack = iterator;
        let breaks = !matches!(again, Sym::Known(Value::Bool(true)));
        if breaks != known.breaks && !known.breaks {
            known.breaks = true;
            return Ok(Attempt::Again);
        }
        let mut settled = true;
        for place in self.changes(&start, &end)? {
            if known.carried.iter().any(|c| c.place == place) {
                continue;
            }
            settled = false;
            let before = self.read_of(&start, &place)?;
            let template = match &place {
                Place::Elements(obj) => Template::Tensor(self.tensor_template(self.tensor(*obj)?)),
                _ => self.template(&before),
            };
            known.carried.push(Carried { place, template });
        }
        for i in 0..known.carried.len() {
            let after = self.read_of(&end, &known.carried[i].place.clone())?;
            let template = known.carried[i].template.clone();
            if let Some(wider) = self.widen(&template, &after)? {
                known.carried[i].template = wider;
                settled = false;
            }
        }
        if let Some(v) = &returned {
            let template = match known.returns.clone() {
                Some(t) => t,
                None => {
                    settled = false;
                    self.template(v)
                }
            };
            let wider = self.widen(&template, v)?;
            settled &= wider.is_none();
            known.returns = Some(wider.unwrap_or(template));
        }
        let shared = known.carried.iter().any(|c| is_shared(&c.template));
        if shared && !known.enters {
            known.enters = true;
            settled = false;
        }
        if !settled {
            return Ok(Attempt::Again);
        }
        // Round again, and out.
        let mut next = Vec::with_capacity(merges.len());
        if flag_values[0].is_some() {
            match self.number(&again)? {
                Some(v) => next.push(v.id),
                None => return self.fail("bad condition"),
            }
        }
        if flag_values[1].is_some() {
            next.push(self.constant(ScalarType::Bool, 1)?);
        }
        for c in &known.carried.clone() {
            let after = self.read_of(&end, &c.place)?;
            self.flatten(&after, &c.template, &mut next)?;
        }
        if let (Some(v), Some(template)) = (&returned, &known.returns) {
            self.flatten(v, &template.clone(), &mut next)?;
        }
        let mut left = Vec::with_capacity(merges.len());
        for (merged, value) in merges.iter().zip(next) {
            left.push(self.close(merged, value, condition, parent)?);
        }
        self.context = parent;
        *frame = end.1;
        for (c, range) in known.carried.iter().zip(ranges) {
            let mut values = left[range].iter().copied();
            let before = self.read_of(&start, &c.place)?;
            let sym = self.unflatten(&c.template, &mut values, &before)?;
            self.write(frame, &c.place, sym)?;
        }
        if let Some(i) = flag_values[1] {
            self.assert_entered(left[i])?;
        }
        frame.stack.truncate(base);
        let result = match (&known.returns.clone(), &returned) {
            (Some(template), Some(v)) => {
                let mut values = left[returned_at..].iter().copied();
                Some(self.unflatten(template, &mut values, v)?)
            }
            _ => None,
        };
        let exit = match (leave, broke) {
            (Some(a), Some(Leave::To(b))) if a != b => {
                return self.fail("a loop with an else, left by a break, whose trip count moves");
            }
            (None, Some(Leave::Return)) => {
                let Some(v) = result else {
                    return self.fail("a loop without a result");
                };
                let flow = self.returning(frame, v);
                return Ok(Attempt::Done(Looped::Ended(flow)));
            }
            (Some(pc), _) | (None, Some(Leave::To(pc))) => pc,
            (None, None) => return self.fail("a loop without an end"),
        };
        self.drop_iteration_locals(frame, &start.1, exit)?;
        frame.pc = exit;
        if let (Some(v), Some(i)) = (result, flag_values[0]) {
            let flow = self.goes_on_or_returns(frame, left[i], v, stop)?;
            return Ok(Attempt::Done(Looped::Ended(flow)));
        }
        Ok(Attempt::Done(Looped::Done))
    }

    /// Values of the graph that stand for one that is not there yet.
    fn nothing(&mut self, template: &Template, out: &mut Vec<ValueId>) -> Res<()> {
        match template {
            Template::Same(Sym::Known(_)) => Ok(()),
            Template::Same(_) => self.fail("an object is returned from inside a loop"),
            Template::Scalar(ty) => {
                out.push(self.constant(*ty, 0)?);
                Ok(())
            }
            Template::Sequence(_, items) => items.iter().try_for_each(|t| self.nothing(t, out)),
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
                Ok(())
            }
        }
    }

    /// Locals that only the body sets mean nothing behind the loop.
    fn drop_iteration_locals(
        &mut self,
        frame: &mut SymFrame,
        start: &SymFrame,
        exit: u32,
    ) -> Res<()> {
        let live = cfg::live_locals(&frame.code.code, exit);
        for i in 0..frame.locals.len() {
            if matches!(start.locals[i], Slot::Empty) && !matches!(frame.locals[i], Slot::Empty) {
                if live.get(i).copied().unwrap_or(true) {
                    let name = frame.code.code.varnames[i].clone();
                    return self.fail(format!("{name} is first set inside a loop"));
                }
                frame.locals[i] = Slot::Empty;
            }
        }
        Ok(())
    }

    // ---- merges --------------------------------------------------------------------------

    fn raw(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        results: &[Type],
        context: u32,
    ) -> Res<Vec<ValueId>> {
        let loc = self.loc();
        let results = self.builder.op(name, operands, attrs, results, &loc)?;
        for &r in &results {
            self.value_context.insert(r, context);
        }
        Ok(results)
    }

    fn enter(&mut self, name: &Rc<str>, context: u32, init: ValueId) -> Res<Merged> {
        let init = self.use_value(init)?;
        let ty = self.builder.type_of(init);
        let loc = self.loc();
        let attrs = [("frame", Attr::Str(name.to_string()))];
        let entered = self.raw(
            "janus.enter",
            &[init],
            &attrs,
            std::slice::from_ref(&ty),
            context,
        )?;
        let back = self.builder.forward(ty.clone(), &loc)?;
        self.value_context.insert(back, context);
        let merged = self.raw(
            "janus.merge",
            &[entered[0], back],
            &[],
            &[ty, Type::I64],
            context,
        )?;
        Ok(Merged {
            merged: merged[0],
            back,
            context,
        })
    }

    /// Gives a merge its value for the next iteration; what it is when the loop is left.
    fn close(
        &mut self,
        merged: &Merged,
        next: ValueId,
        condition: ValueId,
        parent: u32,
    ) -> Res<ValueId> {
        let next = self.use_value(next)?;
        let ty = self.builder.type_of(merged.merged);
        let types = [ty.clone()];
        let round = self.raw("janus.next_iteration", &[next], &[], &types, merged.context)?;
        self.builder.resolve(merged.back, round[0])?;
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

    // ---- templates -----------------------------------------------------------------------

    fn template(&self, v: &Sym) -> Template {
        match v {
            Sym::Scalar(s) => Template::Scalar(s.ty),
            Sym::Known(Value::Int(_)) => Template::Scalar(ScalarType::Int),
            Sym::Known(Value::Float(_)) => Template::Scalar(ScalarType::Float),
            Sym::Known(Value::Bool(_)) => Template::Scalar(ScalarType::Bool),
            Sym::Obj(o) => {
                let object = &self.state.heap[*o];
                match &object.kind {
                    Kind::Tensor(t) if !(t.leaf && t.requires_grad) => {
                        Template::Tensor(TensorTemplate {
                            shared: object.origin.is_some() || t.view.is_some(),
                            ..self.tensor_template(t)
                        })
                    }
                    Kind::Tuple(items) if object.origin.is_none() => match self.templates(items) {
                        Some(items) => Template::Sequence(false, items),
                        None => Template::Same(v.clone()),
                    },
                    Kind::List(list) if object.origin.is_none() && list.appended.is_empty() => {
                        match self.templates(list.base.as_deref().unwrap_or_default()) {
                            Some(items) => Template::Sequence(true, items),
                            None => Template::Same(v.clone()),
                        }
                    }
                    _ => Template::Same(v.clone()),
                }
            }
            _ => Template::Same(v.clone()),
        }
    }

    fn tensor_template(&self, t: &SymTensor) -> TensorTemplate {
        TensorTemplate {
            dtype: t.dtype,
            dims: t.dims.iter().map(|&d| Some(self.resolve(d))).collect(),
            class: t.class.clone(),
            requires_grad: t.requires_grad,
            cut: t.cut,
            leaves: t.leaves.to_vec(),
            shared: false,
            leaf: t.leaf && t.requires_grad,
        }
    }

    fn templates(&self, items: &[Slot]) -> Option<Vec<Template>> {
        items
            .iter()
            .map(|s| match s {
                Slot::Loaded(v) => Some(self.template(v)),
                _ => None,
            })
            .collect()
    }

    /// A template that also holds `v`; `None`: this one does.
    fn widen(&mut self, template: &Template, v: &Sym) -> Res<Option<Template>> {
        match template {
            Template::Same(old) if old.same(v) => Ok(None),
            Template::Same(_) => self.fail("a variable changes its kind, or its object, in a loop"),
            Template::Scalar(ty) => match self.number(v)? {
                Some(s) if s.ty == *ty => Ok(None),
                _ => self.fail("a number changes its type in a loop"),
            },
            Template::Sequence(list, items) => {
                let Some(obj) = self.container(v) else {
                    return self.fail("a list or tuple becomes something else in a loop");
                };
                let is_list = matches!(self.state.heap[obj].kind, Kind::List(_));
                let now = self.items_of(obj)?;
                if is_list != *list || now.len() != items.len() {
                    return self.fail("a list or tuple changes its length in a loop");
                }
                let (mut wider, mut changed) = (Vec::with_capacity(items.len()), false);
                for (t, v) in items.iter().zip(&now) {
                    let w = self.widen(t, v)?;
                    changed |= w.is_some();
                    wider.push(w.unwrap_or_else(|| t.clone()));
                }
                Ok(changed.then_some(Template::Sequence(*list, wider)))
            }
            Template::Tensor(t) => {
                let Sym::Obj(obj) = v else {
                    return self.fail("a tensor becomes something else in a loop");
                };
                let now = self.tensor(*obj)?.clone();
                if now.dtype != t.dtype || now.dims.len() != t.dims.len() {
                    return self.fail("a tensor changes its dtype or rank in a loop");
                }
                if t.leaf != (now.leaf && now.requires_grad) {
                    return self.fail("a variable names one parameter after another in a loop");
                }
                let mut wider = t.clone();
                let mut changed = false;
                for (d, &e) in wider.dims.iter_mut().zip(&now.dims) {
                    if d.is_some_and(|d| self.resolve(d) != self.resolve(e)) {
                        *d = None;
                        changed = true;
                    }
                }
                if t.leaf {
                    return Ok(changed.then_some(Template::Tensor(wider)));
                }
                changed |= (now.requires_grad && !t.requires_grad) || (now.cut && !t.cut);
                wider.requires_grad |= now.requires_grad;
                wider.cut |= now.cut;
                for leaf in now.leaves.iter() {
                    if !wider.leaves.contains(leaf) {
                        wider.leaves.push(*leaf);
                        changed = true;
                    }
                }
                Ok(changed.then_some(Template::Tensor(wider)))
            }
        }
    }

    /// The values of the graph that make up `v`.
    fn flatten(&mut self, v: &Sym, template: &Template, out: &mut Vec<ValueId>) -> Res<()> {
        match template {
            Template::Same(_) => Ok(()),
            Template::Scalar(_) => match self.number(v)? {
                Some(s) => {
                    out.push(s.id);
                    Ok(())
                }
                None => self.fail("bad number"),
            },
            Template::Sequence(_, templates) => {
                let Some(obj) = self.container(v) else {
                    return self.fail("bad sequence");
                };
                let items = self.items_of(obj)?;
                for (item, t) in items.iter().zip(templates) {
                    self.flatten(item, t, out)?;
                }
                Ok(())
            }
            Template::Tensor(t) => {
                let Sym::Obj(obj) = v else {
                    return self.fail("bad tensor");
                };
                let ty = template_type(t);
                let value = self.current(*obj)?;
                let value = if self.builder.type_of(value) == ty {
                    value
                } else {
                    let dims = self.dims_of(*obj)?;
                    let mut operands = vec![value];
                    for (d, known) in dims.iter().zip(&t.dims) {
                        if known.and_then(|k| k.known()).is_none() {
                            operands.push(self.dim_value(*d)?);
                        }
                    }
                    self.emit1("janus.reshape", &operands, &[], ty)?
                };
                let cut = {
                    let now = self.tensor(*obj)?;
                    now.cut && !now.requires_grad && t.requires_grad
                };
                let value = if cut {
                    let ty = self.builder.type_of(value);
                    self.emit1("janus.detach", &[value], &[], ty)?
                } else {
                    value
                };
                out.push(value);
                Ok(())
            }
        }
    }

    /// A value made of these values of the graph.
    fn unflatten(
        &mut self,
        template: &Template,
        values: &mut dyn Iterator<Item = ValueId>,
        before: &Sym,
    ) -> Res<Sym> {
        match template {
            Template::Same(v) => Ok(v.clone()),
            Template::Scalar(ty) => match values.next() {
                Some(id) => Ok(Sym::Scalar(SymScalar { id, ty: *ty })),
                None => self.fail("a carried value is missing"),
            },
            Template::Sequence(list, templates) => {
                let before = match self.container(before) {
                    Some(obj) => self.items_of(obj)?,
                    None => Vec::new(),
                };
                let mut items = Vec::with_capacity(templates.len());
                for (i, t) in templates.iter().enumerate() {
                    let b = before.get(i).cloned().unwrap_or(Sym::Null);
                    items.push(self.unflatten(t, values, &b)?);
                }
                Ok(if *list {
                    self.list(items)
                } else {
                    self.tuple(items)
                })
            }
            Template::Tensor(t) => {
                let Some(value) = values.next() else {
                    return self.fail("a carried value is missing");
                };
                let mut dims = Dims::new();
                for (axis, d) in t.dims.iter().enumerate() {
                    dims.push(match d {
                        Some(d) => *d,
                        None => self.dim_of(value, axis, None)?,
                    });
                }
                let obj = self.new_tensor(value, t.dtype, dims);
                let inputs: Rc<[Obj]> = match before {
                    Sym::Obj(o) => Rc::new([*o]),
                    _ => Rc::new([]),
                };
                if let Kind::Tensor(tensor) = &mut self.state.heap[obj].kind {
                    *tensor = SymTensor {
                        class: t.class.clone(),
                        requires_grad: t.requires_grad,
                        cut: t.cut,
                        leaves: t.leaves.clone().into(),
                        inputs,
                        ambiguous: true,
                        ..tensor.clone()
                    };
                }
                Ok(Sym::Obj(obj))
            }
        }
    }

    // ---- places --------------------------------------------------------------------------

    fn slot_of(state: &State, frame: &SymFrame, place: &Place) -> Option<Slot> {
        match place {
            Place::Local(i) => frame.locals.get(*i).cloned(),
            Place::Cell(o) => match &state.heap[*o].kind {
                Kind::Cell(c) => Some(c.content.clone()),
                _ => None,
            },
            Place::Attr(o, name) => match &state.heap[*o].kind {
                Kind::Instance(i) => i.attrs.get(name).cloned(),
                _ => None,
            },
            Place::Item(o, i) => match &state.heap[*o].kind {
                Kind::List(l) => l.base.as_ref()?.get(*i).cloned(),
                Kind::Dict(d) => d.entries.get(*i).map(|(_, s)| s.clone()),
                _ => None,
            },
            Place::Global(address, name) => state
                .namespaces
                .get(address)
                .and_then(|n| n.entries.get(name))
                .cloned(),
            Place::Grad(o) => match &state.heap[*o].kind {
                Kind::Tensor(t) => Some(t.grad.clone()),
                _ => None,
            },
            Place::Position(o) => match &state.heap[*o].kind {
                Kind::Iter(
                    SymIter::Range { next, .. }
                    | SymIter::Rows { next, .. }
                    | SymIter::Enumerate { next, .. },
                ) => Some(Slot::Loaded(next.clone())),
                _ => None,
            },
            Place::Elements(o) => Some(Slot::Loaded(Sym::Obj(*o))),
        }
    }

    fn read(&mut self, frame: &SymFrame, place: &Place) -> Res<Sym> {
        let slot = match (Self::slot_of(&self.state, frame, place), place) {
            (Some(slot), _) => slot,
            // Not looked at so far: it is as it was at entry.
            (None, Place::Attr(o, name)) => {
                return match self.own_attr(*o, &name.clone())? {
                    Some(v) => Ok(v),
                    None => self.fail("an attribute is first set inside a loop"),
                };
            }
            (None, Place::Global(address, name)) => {
                let Some(dict) = self.state.namespaces.get(address).map(|n| n.dict.clone()) else {
                    return self.fail("a namespace that is not known");
                };
                return match self.load_namespace(&dict, &name.clone())? {
                    Some(v) => Ok(v),
                    None => self.fail(format!("{} is first set inside a loop", name.as_str())),
                };
            }
            (None, _) => return self.fail("a place that is first there inside a loop"),
        };
        match self.load_slot(&slot)? {
            Some(v) => Ok(v),
            None => self.fail("a variable is first set inside a loop"),
        }
    }

    /// As [`Self::read`], of a state that is not the current one.
    fn read_of(&mut self, at: &(State, SymFrame), place: &Place) -> Res<Sym> {
        if let Some(Slot::Loaded(v)) = Self::slot_of(&at.0, &at.1, place) {
            return Ok(v);
        }
        let now = std::mem::replace(&mut self.state, at.0.clone());
        let padded = self.padded(at.0.clone(), &now);
        self.state = padded;
        let v = self.read(&at.1, place);
        let mut met = std::mem::replace(&mut self.state, now);
        // What was looked at just now is known from now on.
        for obj in self.state.heap.len()..met.heap.len() {
            self.state.heap.push(met.heap[obj].clone());
        }
        for (address, obj) in met.by_address.drain() {
            self.state.by_address.entry(address).or_insert(obj);
        }
        v
    }

    fn write(&mut self, frame: &mut SymFrame, place: &Place, v: Sym) -> Res<()> {
        match place {
            Place::Local(i) => {
                frame.locals[*i] = Slot::Loaded(v);
                frame.written.insert(*i);
            }
            Place::Cell(o) => {
                if let Kind::Cell(c) = &mut self.state.heap[*o].kind {
                    c.content = Slot::Loaded(v);
                    c.written = true;
                }
            }
            Place::Attr(o, name) => {
                if let Kind::Instance(i) = &mut self.state.heap[*o].kind {
                    i.attrs.insert(name.clone(), Slot::Loaded(v));
                    i.written.insert(name.clone());
                }
            }
            Place::Item(o, at) => match &mut self.state.heap[*o].kind {
                Kind::List(l) => {
                    if let Some(slot) = l.base.as_mut().and_then(|b| b.get_mut(*at)) {
                        *slot = Slot::Loaded(v);
                        l.rewritten = true;
                    }
                }
                Kind::Dict(d) => {
                    if let Some((key, slot)) = d.entries.get_mut(*at) {
                        *slot = Slot::Loaded(v);
                        let key = key.clone();
                        if !d.written.iter().any(|k| k.same(&key)) {
                            d.written.push(key);
                        }
                    }
                }
                _ => return self.fail("bad item"),
            },
            Place::Global(address, name) => {
                let Some(dict) = self.state.namespaces.get(address).map(|n| n.dict.clone()) else {
                    return self.fail("bad name");
                };
                self.store_namespace(&dict, name, Slot::Loaded(v));
            }
            Place::Grad(o) => {
                if let Kind::Tensor(t) = &mut self.state.heap[*o].kind {
                    t.grad = Slot::Loaded(v);
                    t.grad_written = true;
                }
            }
            Place::Position(o) => {
                if let Kind::Iter(
                    SymIter::Range { next, .. }
                    | SymIter::Rows { next, .. }
                    | SymIter::Enumerate { next, .. },
                ) = &mut self.state.heap[*o].kind
                {
                    *next = v;
                }
            }
            Place::Elements(o) => {
                let Sym::Obj(made) = v else {
                    return self.fail("bad tensor");
                };
                let made = self.tensor(made)?.clone();
                if let Kind::Tensor(t) = &mut self.state.heap[*o].kind {
                    t.value = made.value;
                    t.dims = made.dims;
                    t.version += 1;
                    t.written = true;
                    if t.leaf && t.requires_grad {
                        t.leaves = Rc::new([(*o, made.value)]);
                        return Ok(());
                    }
                    t.requires_grad = made.requires_grad;
                    t.cut = made.cut;
                    t.leaf &= !made.requires_grad;
                    t.leaves = made.leaves;
                    t.inputs = made.inputs;
                }
            }
        }
        Ok(())
    }

    /// What differs between the start of an iteration and its end.
    fn changes(&mut self, start: &(State, SymFrame), end: &(State, SymFrame)) -> Res<Vec<Place>> {
        let mut places = Vec::new();
        let live = cfg::live_locals(&end.1.code.code, start.1.pc.saturating_sub(1));
        for (i, (a, b)) in start.1.locals.iter().zip(&end.1.locals).enumerate() {
            match (a, b) {
                (Slot::Empty, Slot::Loaded(_)) if !live.get(i).copied().unwrap_or(true) => {}
                (Slot::Unloaded(_), Slot::Loaded(_)) if !end.1.written.contains(&i) => {}
                _ if differ(a, b) => places.push(Place::Local(i)),
                _ => {}
            }
        }
        let common = start.0.heap.len().min(end.0.heap.len());
        for obj in 0..end.0.heap.len() {
            let pristine;
            let a = if obj < common && !is_padding(&start.0.heap[obj]) {
                &start.0.heap[obj]
            } else if let Some((_, object)) = self.pristine.get(&obj) {
                pristine = object.clone();
                &pristine
            } else {
                continue;
            };
            match (&a.kind, &end.0.heap[obj].kind) {
                (Kind::Cell(a), Kind::Cell(b)) => {
                    let loaded = matches!(a.content, Slot::Unloaded(_)) && !b.written;
                    if !loaded && differ(&a.content, &b.content) {
                        places.push(Place::Cell(obj));
                    }
                }
                (Kind::Instance(a), Kind::Instance(b)) => {
                    for name in &b.written {
                        let (x, y) = (a.attrs.get(name), b.attrs.get(name));
                        let same = a.written.contains(name)
                            && match (x, y) {
                                (Some(x), Some(y)) => !differ(x, y),
                                (x, y) => x.is_none() && y.is_none(),
                            };
                        if !same {
                            places.push(Place::Attr(obj, name.clone()));
                        }
                    }
                }
                (Kind::List(a), Kind::List(b)) => {
                    if a.appended.len() != b.appended.len() {
                        return self.fail("a list grows in a loop whose trip count moves");
                    }
                    let (x, y) = (a.base.as_deref(), b.base.as_deref());
                    match (x, y) {
                        (Some(x), Some(y)) if x.len() == y.len() => {
                            for (i, (p, q)) in x.iter().zip(y).enumerate() {
                                let loaded = matches!(p, Slot::Unloaded(_)) && !b.rewritten;
                                if !loaded && differ(p, q) {
                                    places.push(Place::Item(obj, i));
                                }
                            }
                        }
                        (None, Some(_)) if !b.rewritten => {}
                        (None, None) => {}
                        _ => return self.fail("a list grows in a loop whose trip count moves"),
                    }
                }
                (Kind::Dict(a), Kind::Dict(b)) => {
                    if a.entries.len() != b.entries.len() {
                        return self.fail("a dict gets other keys in a loop");
                    }
                    for (i, ((k, p), (l, q))) in a.entries.iter().zip(&b.entries).enumerate() {
                        if !k.same(l) {
                            return self.fail("a dict gets other keys in a loop");
                        }
                        let written = b.written.iter().any(|w| w.same(k));
                        let loaded = matches!(p, Slot::Unloaded(_)) && !written;
                        if !loaded && differ(p, q) {
                            places.push(Place::Item(obj, i));
                        }
                    }
                }
                (Kind::Tensor(a), Kind::Tensor(b)) => {
                    if b.view.is_none() && b.version != a.version {
                        places.push(Place::Elements(obj));
                    }
                    let loaded = matches!(a.grad, Slot::Unloaded(_)) && !b.grad_written;
                    if !loaded && differ(&a.grad, &b.grad) {
                        places.push(Place::Grad(obj));
                    }
                    if a.consumed != b.consumed && obj < common {
                        return self.fail("a graph from before a loop is consumed inside it");
                    }
                }
                (Kind::Iter(a), Kind::Iter(b)) => match (a, b) {
                    (SymIter::Range { next: p, .. }, SymIter::Range { next: q, .. })
                    | (SymIter::Rows { next: p, .. }, SymIter::Rows { next: q, .. })
                    | (SymIter::Enumerate { next: p, .. }, SymIter::Enumerate { next: q, .. }) => {
                        if !p.same(q) {
                            places.push(Place::Position(obj));
                        }
                    }
                    (SymIter::Items { next: p, .. }, SymIter::Items { next: q, .. })
                    | (SymIter::Values { next: p, .. }, SymIter::Values { next: q, .. }) => {
                        if p != q {
                            return self.fail("items of a list or tuple differ in kind");
                        }
                    }
                    _ => {}
                },
                (Kind::Generator(a), Kind::Generator(b)) => {
                    let at = |g: &Option<Box<SymFrame>>| g.as_ref().map(|f| f.pc);
                    if at(a) != at(b) {
                        return self.fail("a generator moves on in a loop");
                    }
                }
                (Kind::Set(a), Kind::Set(b)) if a.len() != b.len() => {
                    return self.fail("a set grows in a loop whose trip count moves");
                }
                _ => {}
            }
        }
        for (address, b) in &end.0.namespaces {
            let a = start.0.namespaces.get(address);
            for name in &b.written {
                let same = a.is_some_and(|a| {
                    a.written.contains(name)
                        && match (a.entries.get(name), b.entries.get(name)) {
                            (Some(x), Some(y)) => !differ(x, y),
                            _ => false,
                        }
                });
                if !same {
                    places.push(Place::Global(*address, name.clone()));
                }
            }
        }
        Ok(places)
    }

    /// A state that also knows the objects which another one met since.
    pub(crate) fn padded(&self, mut state: State, met: &State) -> State {
        for obj in state.heap.len()..met.heap.len() {
            match self.pristine.get(&obj) {
                Some((address, object)) => {
                    state.heap.push(object.clone());
                    state.by_address.insert(*address, obj);
                }
                None => state.heap.push(crate::sym::HeapObject {
                    origin: None,
                    kind: Kind::Tuple(Vec::new()),
                }),
            }
        }
        for (address, namespace) in &met.namespaces {
            state
                .namespaces
                .entry(*address)
                .or_insert_with(|| crate::sym::SymNamespace {
                    dict: namespace.dict.clone(),
                    entries: indexmap::IndexMap::new(),
                    written: indexmap::IndexSet::new(),
                });
        }
        state
    }
}

/// A merge of a frame.
struct Merged {
    merged: ValueId,
    back: ValueId,
    context: u32,
}

fn is_padding(object: &crate::sym::HeapObject) -> bool {
    object.origin.is_none() && matches!(&object.kind, Kind::Tuple(items) if items.is_empty())
}

fn is_shared(template: &Template) -> bool {
    match template {
        Template::Tensor(t) => t.shared,
        Template::Sequence(_, items) => items.iter().any(is_shared),
        _ => false,
    }
}

fn template_type(t: &TensorTemplate) -> Type {
    Type::Tensor {
        dtype: element(t.dtype),
        dims: t.dims.iter().map(|d| d.and_then(|d| d.known())).collect(),
    }
}

/// Whether two slots hold different things.
fn differ(a: &Slot, b: &Slot) -> bool {
    match (a, b) {
        (Slot::Loaded(x), Slot::Loaded(y)) => !x.same(y),
        (Slot::Empty, Slot::Empty) | (Slot::Unloaded(_), Slot::Unloaded(_)) => false,
        _ => true,
    }
}
