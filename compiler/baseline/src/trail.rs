//! The calls of compiled code that are running, so that Python that it calls sees the frames that it has none of.
//!
//! In: generated code writes, at the place of its recursion depth, the number of the call that it makes. Out: frames that
//! stand for the activations, with their lines and without locals. Always: there is a place for each depth up to the
//! recursion limit; activations of one thread are at different depths, so that its regions share one trail; frames stay
//! while their activations do, as the next call of Python mostly wants the same ones.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use janus_interp::{Activation, Interp};
use smallvec::SmallVec;

use crate::layout::{DEPTH, TRAIL};
use crate::region::Inner;
use crate::runtime::Session;

/// A number of a call for each depth.
pub(crate) type Trail = Rc<[Cell<u64>]>;

/// Places of the first trail; more are made where the recursion limit is higher.
const PLACES: usize = 1 << 10;

/// The running thread's, with a place for each depth up to `limit`.
pub(crate) fn trail(limit: usize) -> Trail {
    thread_local! {
        static TRAIL: RefCell<Trail> = RefCell::new(Rc::new([]));
    }
    TRAIL.with_borrow_mut(|trail| {
        if trail.len() < limit.saturating_add(2) {
            let places = limit.saturating_add(2).max(PLACES);
            *trail = (0..places).map(|_| Cell::new(0)).collect();
        }
        trail.clone()
    })
}

/// A call in generated code: the function that makes it and the place in its code.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    pub unit: usize,
    pub pc: u32,
}

/// The activations of a run that are frames of the interpreter now, above those that were there before.
pub(crate) struct Shown {
    below: usize,
    /// What tells them apart, the outermost first: the number of the call that they have made or, of one that is at an
    /// instruction, [`AT_INSTRUCTION`] and its unit.
    activations: SmallVec<[u64; 2]>,
}

const AT_INSTRUCTION: u64 = 1 << 63;

impl Shown {
    /// None yet.
    #[inline(always)]
    pub fn none(vm: &Interp) -> Shown {
        Shown {
            below: vm.frames().len(),
            activations: SmallVec::new(),
        }
    }

    /// Takes the frames away.
    #[inline]
    pub fn hide(&self, vm: &mut Interp) {
        vm.hide_activations(self.below);
    }
}

/// Shows the activations of a run that have made the calls up to the one at `depth`, and the one that is at an instruction, to
/// Python that is called from now on.
///
/// # Safety
/// `ctx` is the context of the session's code, which is running.
pub(crate) unsafe fn show(
    session: &mut Session<'_>,
    ctx: *const u64,
    depth: u64,
    innermost: Option<Caller>,
) {
    let Session {
        vm, region, shown, ..
    } = session;
    // SAFETY: the context has these words; the session keeps the trail, which has a place for each depth of a call.
    let (first, trail) = unsafe { (*ctx.add(DEPTH), *ctx.add(TRAIL) as *const Cell<u64>) };
    let calls = (first..depth).filter_map(|at| {
        // SAFETY: as above.
        let call = unsafe { (*trail.add(at as usize)).get() };
        Some((call, *region.tables.callers.get(call as usize)?))
    });
    let innermost_too = innermost.map(|caller| (AT_INSTRUCTION | caller.unit as u64, caller));
    let mut count = 0;
    for (key, caller) in calls.chain(innermost_too) {
        if shown.activations.get(count) != Some(&key) {
            vm.hide_activations(shown.below + count);
            shown.activations.truncate(count);
            let Some(activation) = activation(region, caller) else {
                break;
            };
            vm.show_activation(activation);
            shown.activations.push(key);
        }
        count += 1;
    }
    vm.hide_activations(shown.below + count);
    shown.activations.truncate(count);
    let is_there = shown
        .activations
        .last()
        .is_some_and(|last| last & AT_INSTRUCTION != 0);
    if let Some(caller) = innermost.filter(|_| is_there) {
        vm.move_shown(caller.pc);
    }
}

/// One activation.
fn activation(region: &Inner, caller: Caller) -> Option<Activation<'_>> {
    let unit = region.program.units.get(caller.unit)?;
    Some(Activation {
        code: &unit.code,
        globals: &unit.globals,
        builtins: &region.program.builtins,
        pc: caller.pc,
    })
}
