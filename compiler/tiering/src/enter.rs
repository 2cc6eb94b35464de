//! Entering compiled code.
//!
//! In: an entry of a region with versions. Out: the region was run, or not at all. Always: a version
//! whose guard or assert fails leaves nothing behind, so that another one may be tried; a miss leads
//! to at most one compile.

use std::rc::Rc;
use std::time::Instant;

use janus_codegen::{Arg, RunError};
use janus_interp::{Entry, Frame, Interp};
use janus_object::{Value, fields};
use janus_plan::{
    Cause, Commit, DeoptReason, Extent, Load, Plan, ReasonId, Refusal, Relax, holds, int_op,
};
use janus_tensor::Tensor;
use janus_torch::Draw;

use crate::alike::distance;
use crate::observe::less_symbolic;
use crate::random::{Drawn, Generators, Stood};
use crate::region::{Failure, Region, State, Version};
use crate::trace::What;
use crate::{Tiering, add, commit, guard, verify};

/// What running a version came to.
enum Ran {
    Left(Entry),
    Missed,
    Failed(Failure),
    /// A compiler error: the region is given up.
    Broken,
}

impl Tiering {
    pub(crate) fn enter_versions(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Rc<Region>,
    ) -> Entry {
        self.entered.set(self.entered.get() + 1);
        let stressed = self
            .options
            .stress_deopt
            .is_some_and(|n| n > 0 && self.entered.get().is_multiple_of(n));
        let versions = region.versions.borrow().clone();
        let mut failures: Vec<Failure> = Vec::new();
        let mut missed = Vec::new();
        for version in &versions {
            if failures.iter().any(|f| f.is_shared_by(version)) {
                continue;
            }
            match self.run(vm, frame, region, version, stressed) {
                Ran::Left(entry) => {
                    region.missed.set(0);
                    region.rerouted(&failures);
                    region.to_front(version);
                    return entry;
                }
                Ran::Missed => missed.push(version.clone()),
                Ran::Failed(failure) => failures.push(failure),
                Ran::Broken => return Entry::Interpret,
            }
        }
        if let Some(assertion) = failures.first().and_then(Failure::assertion) {
            let (reason, line) = (assertion.reason, assertion.line);
            region.depart(reason, line, assertion.expectation(), "the opposite");
        }
        if stressed {
            return Entry::Interpret;
        }
        if matches!(&*region.state.borrow(), State::Compiling) {
            region.watch(frame);
            return Entry::Interpret;
        }
        match failures.first() {
            Some(first) => {
                if let Some(entry) = self.after_failures(vm, frame, region, &versions, &failures) {
                    return entry;
                }
                if missed.is_empty() {
                    region.judge(first);
                    return Entry::Interpret;
                }
                // The version that goes the right way assumes something else that does not hold.
                self.after_misses(vm, frame, region, &missed)
            }
            None => self.after_misses(vm, frame, region, &versions),
        }
    }

    /// No version went on to its end, and some that fitted failed: compiles one that goes the other
    /// way. `None`: there is one.
    fn after_failures(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Rc<Region>,
        versions: &[Rc<Version>],
        failures: &[Failure],
    ) -> Option<Entry> {
        let known = region.relaxations.borrow().sides.clone();
        let relaxes = |f: &Failure| region.pays(f) && region.relax_assert(f, versions);
        if !region.may_relax(failures) || !failures.iter().any(relaxes) {
            return None;
        }
        let (compiles, held) = (region.compiles.get(), region.hold.get());
        let mut converted = self.convert(vm, frame, region);
        if compiles == region.compiles.get()
            && failures.iter().any(|f| region.part_sides(f, versions))
        {
            converted = self.convert(vm, frame, region);
        }
        if compiles == region.compiles.get() {
            region.relaxations.borrow_mut().apply(Relax::Sides(known));
            region.note_fruitless(failures, held);
        }
        Some(if converted {
            self.enter_newest(vm, frame, region)
        } else {
            Entry::Interpret
        })
    }

    fn enter_newest(&self, vm: &mut Interp, frame: &mut Frame, region: &Rc<Region>) -> Entry {
        let newest = region.versions.borrow().last().cloned();
        match newest.map(|version| self.run(vm, frame, region, &version, false)) {
            Some(Ran::Left(entry)) => entry,
            _ => Entry::Interpret,
        }
    }

    /// No version fits: relaxes what the nearest one assumed, and compiles again.
    fn after_misses(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Rc<Region>,
        versions: &[Rc<Version>],
    ) -> Entry {
        if region.is_missed_too_often() {
            return Entry::Interpret;
        }
        // What is nearest says what is to be relaxed; where nothing will be, one miss is enough.
        let nearest = if region.compiles_later() {
            let first = versions.first();
            first.map(|v| (guard::first_miss(&v.plan, frame).into_iter().collect(), v))
        } else {
            let all = versions.iter();
            let all = all.map(|v| (guard::all_misses(&v.plan, frame), v));
            // Of those that miss as little the one that was of use last.
            all.min_by_key(|(misses, v)| distance(&v.plan, misses))
        };
        let Some((misses, nearest)) = nearest else {
            return Entry::Interpret;
        };
        let (mut new_value, mut of_object) = (false, false);
        if let Some(miss) = misses.first() {
            of_object = Region::is_of_object(&nearest.plan, miss);
            let node = miss.node.and_then(|n| nearest.plan.nodes.get(n));
            let path = node.map_or(miss.reason.text(), |n| &n.path);
            let line = node.map_or(region.line(), |n| n.line);
            new_value = region.is_new_value(path, miss);
            region.depart(
                miss.reason,
                line,
                &format!("{path}: {}", miss.expected),
                &miss.actual,
            );
            let (id, expected, found) = (region.compile_id(), &miss.expected, &miss.actual);
            tracing::info!(
                "{id}: {}: {path}: expected {expected}; found {found}",
                miss.reason
            );
        }
        region.relax(&nearest.plan, &misses, frame);
        let sides = &nearest.relaxations.sides;
        let sides = Relax::Sides(sides.clone());
        region.relaxations.borrow_mut().apply(sides);
        let relaxed = region.relaxed.get() > nearest.relaxed;
        if !region.may_compile(of_object) {
            return Entry::Interpret;
        }
        if !relaxed {
            // A version for another value of what cannot be relaxed.
            if new_value || !(of_object || region.may_vary()) {
                return Entry::Interpret;
            }
            if !of_object {
                region.variants.set(region.variants.get() + 1);
            }
        }
        let compiles = region.compiles.get();
        let (held, fruitless) = (region.hold.get(), region.fruitless.get());
        let mut converted = self.convert(vm, frame, region);
        let failed = compiles == region.compiles.get();
        if failed && relaxed && region.may_vary() {
            // What moved cannot move in a graph: one version a value.
            region.variants.set(region.variants.get() + 1);
            let strict = &nearest.relaxations;
            let symbolic = region.relaxations.borrow().symbolic.clone();
            let less = less_symbolic(&region.relaxations.borrow(), strict);
            for relaxations in less {
                if compiles == region.compiles.get() {
                    region.relaxations.replace(relaxations);
                    converted = self.convert(vm, frame, region);
                }
            }
            if compiles < region.compiles.get() {
                region.note_immovable(symbolic);
                region.hold.set(held);
                region.fruitless.set(fruitless);
            }
        }
        if of_object && compiles < region.compiles.get() {
            region.met.set(region.met.get() + 1);
        }
        if converted {
            return self.enter_newest(vm, frame, region);
        }
        Entry::Interpret
    }

    fn run(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Region,
        version: &Rc<Version>,
        stressed: bool,
    ) -> Ran {
        let start = Instant::now();
        // A nested entry (a print that runs Python code) needs values of its own.
        let mut values = self
            .values
            .try_borrow_mut()
            .map(|mut v| std::mem::take(&mut *v))
            .unwrap_or_default();
        let plan = &version.plan;
        let fits = guard::check(plan, frame, &mut values);
        self.span(
            What::Guard,
            || format!("guards {}", region.compile_id()),
            start,
        );
        if fits.is_err() {
            self.give_back(values);
            return Ran::Missed;
        }
        if stressed && self.entered.get().is_multiple_of(2) {
            region.depart(DeoptReason::Stress, region.line(), "", "");
            self.give_back(values);
            return Ran::Missed;
        }
        // Where the region is left, the numbers it drew were never drawn.
        let generators = Generators::of(plan, &values);
        let stood = Rc::new(generators.stand());
        let put_back = || stood.put_back();
        let began = Instant::now();
        let ran = run_compiled(vm, version, plan, &values, (&generators, &stood));
        self.span(
            What::Graph,
            || format!("graph {}", region.compile_id()),
            began,
        );
        if ran.is_err() || stressed {
            put_back();
        }
        let ran = match ran {
            Ok(mut ran) => {
                if self.options.stress_fault == Some(self.entered.get()) {
                    verify::spoil(&mut ran.outs);
                }
                ran
            }
            Err(RunError::AssertFailed { id }) => {
                self.give_back(values);
                version.failures.set(version.failures.get() + 1);
                return Ran::Failed(Failure {
                    version: version.clone(),
                    assert: id,
                });
            }
            // Parameters that no distribution has: tier 0 raises.
            Err(RunError::Draws) => {
                let reason = DeoptReason::ArithmeticError;
                region.depart(
                    reason,
                    region.line(),
                    "a distribution's parameters",
                    "none such",
                );
                self.give_back(values);
                return Ran::Missed;
            }
            Err(e) => {
                tracing::error!("{}: {e}", region.compile_id());
                self.give_back(values);
                region.give_up(Cause::defect(format!("compiler error: {e}")), region.line());
                return Ran::Broken;
            }
        };
        if stressed {
            region.depart(DeoptReason::Stress, region.line(), "", "");
            self.give_back(values);
            return Ran::Missed;
        }
        if self.options.verify {
            put_back();
            version.hits.set(version.hits.get() + 1);
            region.note_served();
            let entry = self.verify(vm, frame, region, version, &values, ran);
            self.give_back(values);
            return Ran::Left(entry);
        }
        let began = Instant::now();
        let Some(entry) = commit::commit(vm, frame, version, &values, ran) else {
            put_back();
            self.give_back(values);
            let reason = DeoptReason::ObjectMetTwice;
            region.depart(
                reason,
                region.line(),
                "each object once",
                "one of them again",
            );
            let refusal = Refusal::new(ReasonId::Recursion, reason.text());
            region.give_up(refusal, region.line());
            return Ran::Broken;
        };
        self.span(
            What::Commit,
            || format!("commit {}", region.compile_id()),
            began,
        );
        version.hits.set(version.hits.get() + 1);
        region.note_served();
        self.give_back(values);
        let time = start.elapsed();
        add(&self.tier2_time, time);
        add(&region.compiled_time, time);
        self.span(
            What::Tier2,
            || format!("tier 2 {}", region.compile_id()),
            start,
        );
        Ran::Left(entry)
    }

    fn give_back(&self, mut values: guard::Values) {
        values.clear();
        if let Ok(mut kept) = self.values.try_borrow_mut() {
            *kept = values;
        }
    }
}

/// What a run of a region made.
pub(crate) struct Run {
    pub outs: Vec<janus_codegen::Out>,
    /// The random numbers that it was given.
    pub draws: Vec<Tensor>,
    /// Those that the graph drew itself.
    pub drawn: Option<Drawn>,
}

/// Calls inside of one another that compiled code makes at most: its stack is that of the thread.
const MAX_CALLS: usize = 10_000;

fn run_compiled(
    vm: &Interp,
    version: &Rc<Version>,
    plan: &Plan,
    values: &guard::Values,
    (generators, stood): (&Rc<Generators>, &Rc<Stood>),
) -> Result<Run, RunError> {
    let calls_left = vm.recursion_limit().saturating_sub(vm.recursion_depth());
    let calls_left = i64::try_from(calls_left.min(MAX_CALLS)).unwrap_or(0);
    for (id, condition) in &plan.early {
        let fails = match extent(condition, values) {
            Some(holds) => holds == 0,
            // What a division by zero or an overflow leaves open, the graph would compute with.
            None => has_leaves(condition, values),
        };
        if fails {
            return Err(RunError::AssertFailed { id: i64::from(*id) });
        }
    }
    let value = |id: janus_plan::NodeId| values.get(id.0 as usize).and_then(Option::as_ref);
    // Tensors whose elements do not lie in row-major order are copied; the copies live here.
    let mut tensors: Vec<(Tensor, janus_tensor::shape::Shape)> =
        Vec::with_capacity(plan.loads.len());
    let mut draws = Vec::with_capacity(plan.draws.len());
    for (index, load) in plan.loads.iter().enumerate() {
        let unfit = || RunError::Argument { index };
        let dense = match load {
            Load::Tensor(id) => {
                let tensor = value(*id)
                    .and_then(|v| v.foreign::<Tensor>())
                    .ok_or_else(unfit)?;
                tensor.contiguous_data().map_err(|_| unfit())?
            }
            // It may be large, and lie otherwise.
            Load::Extents(id) => {
                let tensor = value(*id).and_then(|v| v.foreign::<Tensor>());
                tensor.ok_or_else(unfit)?.clone()
            }
            Load::Draw(n) => {
                let planned = plan.draws.get(*n as usize).ok_or_else(unfit)?;
                let shape = planned
                    .shape
                    .iter()
                    // A negative extent fails an assert of the graph.
                    .map(|e| extent(e, values).map(|n| n.max(0)))
                    .collect::<Option<Vec<i64>>>()
                    .ok_or_else(unfit)?;
                let draw = planned
                    .draw
                    .try_map(|e| extent(e, values))
                    .ok_or_else(unfit)?;
                let draw = match draw {
                    // Bounds with nothing between them fail an assert of the graph.
                    Draw::Int(low, high) if low >= high => Draw::Int(0, 1),
                    other => other,
                };
                let drawn = janus_torch::draws::random(&draw, &shape, planned.dtype, None)
                    .map_err(|_| unfit())?;
                draws.push(drawn.clone());
                drawn
            }
            Load::Scalar(..)
            | Load::Address(_)
            | Load::Fields
            | Load::CallsLeft
            | Load::Drawing => continue,
        };
        let shape = dense.shape();
        tensors.push((dense, shape));
    }
    let drawn = plan.drawn.map(|_| Drawn::begin(version, generators, stood));
    let mut args: Vec<Arg<'_>> = Vec::with_capacity(plan.loads.len());
    let mut next = tensors.iter();
    for (index, load) in plan.loads.iter().enumerate() {
        args.push(match load {
            Load::Tensor(_) | Load::Extents(_) | Load::Draw(_) => {
                let (tensor, shape) = next.next().ok_or(RunError::Argument { index })?;
                Arg::Tensor {
                    ptr: tensor.data_ptr(),
                    sizes: shape.as_slice(),
                }
            }
            Load::Scalar(id, _) => match value(*id) {
                Some(Value::Float(f)) => Arg::F64(f.get()),
                Some(Value::Int(i)) => Arg::I64(*i),
                Some(Value::Bool(b)) => Arg::Bool(b.get()),
                _ => return Err(RunError::Argument { index }),
            },
            Load::Address(id) => Arg::I64(value(*id).map_or(0, fields::address)),
            Load::Fields => {
                if plan.reads_tensors {
                    plan.fields.written.replace(written(plan, values));
                }
                Arg::I64(std::ptr::from_ref(&*plan.fields) as i64)
            }
            Load::CallsLeft => Arg::I64(calls_left),
            Load::Drawing => Arg::I64(match &drawn {
                Some(drawn) => Rc::as_ptr(&drawn.drawing) as i64,
                None => 0,
            }),
        });
    }
    // SAFETY: each pointer is that of a live, row-major tensor of these sizes, which `tensors`
    // keeps alive, or of one of which the graph reads no element; nothing else runs on this thread
    // meanwhile; the guard checked every extent that the graph takes for known. Addresses are those of objects that `values` keeps alive,
    // and of the plan's table and the run's draws.
    let outs = unsafe { version.compiled.run(&args) }?;
    if let (Some(drawn), Some(n)) = (&drawn, plan.drawn) {
        match outs.get(n as usize) {
            Some(janus_codegen::Out::I64(made)) if drawn.drawing.borrow_mut().finish(*made) => {}
            _ => return Err(RunError::Draws),
        }
    }
    Ok(Run { outs, draws, drawn })
}

/// The memory blocks of the tensors that a region gives new content.
fn written(plan: &Plan, values: &guard::Values) -> Vec<usize> {
    let updated = plan.commits.iter().filter_map(|commit| match commit {
        Commit::UpdateTensor { tensor, .. } => values.get(tensor.0 as usize)?.as_ref(),
        _ => None,
    });
    let tensors = updated.filter_map(|v| v.foreign::<Tensor>());
    tensors.map(Tensor::storage_id).collect()
}

/// Whether all that an extent is computed from is there.
fn has_leaves(e: &Extent, values: &guard::Values) -> bool {
    match e {
        Extent::Op(_, a, b) | Extent::IntOp(_, a, b) | Extent::Compare(_, a, b) => {
            has_leaves(a, values) && has_leaves(b, values)
        }
        leaf => extent(leaf, values).is_some(),
    }
}

/// An extent at entry.
pub(crate) fn extent(e: &Extent, values: &guard::Values) -> Option<i64> {
    match e {
        Extent::Known(n) => Some(*n),
        Extent::Of(node, axis) => {
            let value = values.get(node.0 as usize)?.as_ref()?;
            value.foreign::<Tensor>()?.shape().get(*axis).copied()
        }
        Extent::Int(node) => match values.get(node.0 as usize)?.as_ref()? {
            Value::Int(n) => Some(*n),
            Value::Bool(b) => Some(i64::from(b.get())),
            _ => None,
        },
        Extent::Op(op, a, b) => op.eval(extent(a, values)?, extent(b, values)?),
        Extent::IntOp(op, a, b) => int_op(*op, extent(a, values)?, extent(b, values)?),
        Extent::Compare(op, a, b) => {
            let holds = holds(*op, extent(a, values)?, extent(b, values)?);
            Some(i64::from(holds))
        }
    }
}
