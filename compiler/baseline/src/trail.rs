//! The calls of compiled code that are running, so that Python that it calls sees the frames that it has none of.
//!
//! In: generated code writes, at the place of its recursion depth, the number of the call that it makes. Out: frames that
//! stand for the activations, with their lines and without locals. Always: there is a place for each depth up to the
//! recursion limit; activations of one thread are at different depths, so that its regions share one trail.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use janus_interp::Activation;
use smallvec::SmallVec;

use crate::layout::{DEPTH, TRAIL};
use crate::region::Inner;

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

/// Activations, the outermost first.
pub(crate) type Activations<'r> = SmallVec<[Activation<'r>; 4]>;

/// The activations of a region that have made the calls up to the one at `depth`, the outermost first.
///
/// # Safety
/// `ctx` is the context of the region's code, which is running.
pub(crate) unsafe fn activations(ctx: *const u64, region: &Inner, depth: u64) -> Activations<'_> {
    // SAFETY: the context has these words; the session keeps the trail, which has a place for each depth of a call.
    let (first, trail) = unsafe { (*ctx.add(DEPTH), *ctx.add(TRAIL) as *const Cell<u64>) };
    (first..depth)
        .filter_map(|at| {
            // SAFETY: as above.
            let call = unsafe { (*trail.add(at as usize)).get() };
            activation(region, *region.tables.callers.get(call as usize)?)
        })
        .collect()
}

/// One activation.
pub(crate) fn activation(region: &Inner, caller: Caller) -> Option<Activation<'_>> {
    let unit = region.program.units.get(caller.unit)?;
    Some(Activation {
        code: &unit.code,
        globals: &unit.globals,
        builtins: &region.program.builtins,
        pc: caller.pc,
    })
}
