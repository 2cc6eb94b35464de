//! Calls of compiled functions without a frame.
//!
//! In: a function and its arguments as they are. Out: its result. Always: the arguments stay the caller's; a frame is made only where
//! the code is left.

use std::time::Instant;

use janus_interp::{Frame, Interp};
use janus_object::{PyFunction, PyRef, PyResult, Value};

use crate::emit::Exit;
use crate::kind::{Kind, tag, tag_byte};
use crate::layout::{SLOTS, payload};
use crate::program::Unit;
use crate::region::{CALLS_TIMED, CallRun, CompiledRegion, SHORT, breaker, fill_head};
use crate::runtime::{self, Alone, Session};
use crate::trail::Shown;

impl CompiledRegion {
    /// Calls the function without a frame, which is made if the code is left. The arguments stay the caller's; `run` is told what
    /// became of the call. `None`: they, or what the code relies on, are not as it assumes, and nothing happened.
    // What is large is written where it is to be, and not handed over: each call would wait for the memory.
    pub fn call(
        &self,
        vm: &mut Interp,
        function: &PyFunction,
        args: &[Value],
        run: &mut CallRun,
    ) -> Option<PyResult> {
        let region = &self.inner;
        let unit = region.program.units.first()?;
        if args.len() != unit.code.code.argcount as usize
            || !PyRef::ptr_eq(&function.globals, &unit.globals)
            || function.globals.has_own_builtins()
            || (self.calls_python() && vm.looks_at_variables())
            || region.program.look_again().is_err()
        {
            return None;
        }
        let depth = runtime::entry_depth(vm, true)?;
        let mut context = self.spare.take();
        let words = region.tables.words;
        if context.len() < words {
            context.resize(words, 0);
        }
        let Some(count) = self.put_arguments(unit, args, context.get_mut(SLOTS..)) else {
            self.spare.set(context);
            return None;
        };
        // The code has references of its own.
        for (kind, value) in unit.entry.locals.iter().zip(args) {
            if kind.is_counted() {
                std::mem::forget(value.clone());
            }
        }
        // Only what calls something, and what Python is called by, looks at it.
        let is_leaf = region.tables.callers.is_empty() && region.tables.effects.is_empty();
        let trail = (!is_leaf).then(|| crate::trail::trail(vm.recursion_limit()));
        fill_head(&mut context, vm, depth, breaker(), (trail.as_ref(), &[]));
        if unit.takes_cells
            && let Some(slot) = context.get_mut(SLOTS + count)
        {
            *slot = function.closure.as_ptr() as u64;
        }
        let entries = region.entries.get().saturating_add(1);
        region.entries.set(entries);
        let start = entries.is_multiple_of(CALLS_TIMED).then(Instant::now);
        let mut session = Session {
            shown: Shown::none(vm),
            vm,
            region,
            pending: None,
            raised: None,
            cells: &function.closure,
            is_to_leave: false,
            alone: Alone::No,
            _lent: &[],
        };
        // SAFETY: as in `enter`.
        let status = unsafe { runtime::run(self.entry, &mut context, &mut session) };
        session.shown.hide(session.vm);
        if start.is_some() {
            run.took = start.map(|start| start.elapsed());
            self.timed(start);
        }
        let words = context.get(SLOTS..).unwrap_or_default();
        let result = match region.exit(status) {
            None => {
                let kind = unit.result.as_ref().unwrap_or(&Kind::None);
                Ok(runtime::result(kind, words, &mut session))
            }
            Some(exit) => {
                run.left = true;
                if run.took.is_some_and(|took| took < SHORT) {
                    let short = region.short.get().saturating_add(CALLS_TIMED);
                    region.short.set(short);
                }
                self.finish(unit, exit, words, args, session)
            }
        };
        self.spare.set(context);
        Some(result)
    }

    /// Finishes a call that left the code in tier 0.
    #[cold]
    fn finish(
        &self,
        unit: &Unit,
        exit: &Exit,
        words: &[u64],
        args: &[Value],
        mut session: Session<'_>,
    ) -> PyResult {
        let locals = vec![None; unit.code.code.varnames.len()];
        let builtins = self.inner.program.builtins.clone();
        let globals = unit.globals.clone();
        let mut frame = Frame::at(unit.code.clone(), globals, builtins, locals, exit.pc);
        frame.cells.extend(session.cells.iter().cloned());
        // What the code did not take over.
        let kinds = unit.entry.locals.iter().zip(args);
        for (local, (kind, value)) in frame.locals.iter_mut().zip(kinds) {
            if !kind.is_counted() {
                *local = Some(value.clone());
            }
        }
        runtime::rebuild(exit, words, &mut frame, &mut session, true);
        self.inner.note(exit);
        let raised = session.raised.take().filter(|_| exit.raise);
        session.vm.resume_frame(frame, raised)
    }

    /// Writes arguments into words, if they are what the code assumes; how many words these are.
    #[inline]
    fn put_arguments(
        &self,
        unit: &Unit,
        args: &[Value],
        words: Option<&mut [u64]>,
    ) -> Option<usize> {
        let mut words = words?.iter_mut();
        let mut count = 0;
        for (at, (kind, value)) in unit.entry.locals.iter().zip(args).enumerate() {
            let mut put = |word: u64| {
                *words.next()? = word;
                count += 1;
                Some(())
            };
            let tag = u32::from(tag_byte(value));
            match kind {
                Kind::Dyn { mask, .. } if mask & 1 << tag != 0 => {
                    put(u64::from(tag))?;
                    put(payload(value))?;
                }
                Kind::Int if tag == tag::INT => put(payload(value))?,
                Kind::Object(of) if tag == *of => put(payload(value))?,
                Kind::Float if tag == tag::FLOAT => put(payload(value))?,
                Kind::Known(known) if self.is_known(unit, at, *known, value) => {}
                // Its state is the caller's.
                Kind::Known(_) => return None,
                kind if kind.is_iterator() => return None,
                kind if kind.admits(Some(value)) => {
                    let mut leaves = Vec::new();
                    runtime::flatten(kind, Some(value), &mut leaves);
                    leaves.into_iter().try_for_each(&mut put)?;
                }
                _ => return None,
            }
        }
        Some(count)
    }
}
