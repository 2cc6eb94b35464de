//! The calls of compiled code that are running, so that Python that it calls sees the frames that it has none of.
//!
//! In: generated code writes, at the place of its recursion depth, the number of the call that it makes. Out: frames that
//! stand for the activations, with their lines and without locals. Always: there is a place for each depth up to the
//! recursion limit; activations of one thread are at different depths, so that its regions share one trail.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use janus_interp::Frame;

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

/// The frames of the activations of a region that have made the calls up to the one at `depth`, the outermost first.
///
/// # Safety
/// `ctx` is the context of the region's code, which is running.
#[allow(clippy::vec_box, reason = "frames lie in boxes where they go")]
pub(crate) unsafe fn views(ctx: *const u64, region: &Inner, depth: u64) -> Vec<Box<Frame>> {
    // SAFETY: the context has these words; the session keeps the trail, which has a place for each depth of a call.
    let (first, trail) = unsafe { (*ctx.add(DEPTH), *ctx.add(TRAIL) as *const Cell<u64>) };
    (first..depth)
        .filter_map(|at| {
            // SAFETY: as above.
            let call = unsafe { (*trail.add(at as usize)).get() };
            view(region, *region.tables.callers.get(call as usize)?)
        })
        .collect()
}

/// The frame of one activation.
pub(crate) fn view(region: &Inner, caller: Caller) -> Option<Box<Frame>> {
    let unit = region.program.units.get(caller.unit)?;
    Some(Frame::at(
        unit.code.clone(),
        unit.globals.clone(),
        region.program.builtins.clone(),
        Vec::new(),
        caller.pc,
    ))
}
