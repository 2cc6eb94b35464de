//! Globals, cells and names that a region keeps in variables, as its code reads and writes them when it runs; and what is due
//! meanwhile.
//!
//! In: words of the context, tags and payloads. Out: status and bits. Always: as in [`crate::runtime`].

use janus_interp::Frame;
use janus_object::{PyCell, PyDict, PyRef, Value, complex_parts, complex_value, heap};

use crate::kind::{tag, tag_byte};
use crate::layout::{INTERRUPT, LENT, SHOWN, WORDS_LENT, payload};
use crate::program::Home;
use crate::runtime::{Alone, NO, Outcome, Session, borrowed, into_bits, session};
use crate::trail;

/// The tag and the bits of a global, with a reference of its own, if its tag is among these; else the tag of what is not set.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn global_get(ctx: *mut u64, index: u64, mask: u64) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let global = session.region.program.memory.get(index as usize);
    let value = global.and_then(|g| g.name.value(&g.dict, Some(&g.builtins)));
    match value {
        Some(value) if mask & 1 << tag_byte(&value) != 0 => Outcome {
            status: u64::from(tag_byte(&value)),
            bits: into_bits(value),
        },
        _ => Outcome {
            status: u64::from(tag::UNSET),
            bits: 0,
        },
    }
}

/// The version of the class in a cell of a unit; 0 if there is none.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn cell_version(ctx: *mut u64, unit: u64, cell: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let cells = match unit {
        0 => Some(session.cells),
        unit => {
            let unit = session.region.program.units.get(unit as usize);
            unit.map(|unit| unit.cells.as_slice())
        }
    };
    let cell = cells.and_then(|cells| cells.get(cell as usize));
    let version = cell.and_then(|cell| match &*cell.value.borrow() {
        Some(Value::Class(class)) => Some(class.version.get()),
        _ => None,
    });
    u64::from(version.unwrap_or(0))
}

/// Assigns a value, with a reference of its own, to a global that there is; status 1: there is none. The bits: whether
/// something is owed.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn global_set(
    ctx: *mut u64,
    index: u64,
    tag: u64,
    bits: u64,
) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(global) = session.region.program.memory.get(index as usize) else {
        return NO;
    };
    if global.name.value(&global.dict, None).is_none() {
        return NO;
    }
    global
        .name
        .set(&global.dict, Value::clone(&borrowed(tag, bits)));
    Outcome {
        status: 0,
        bits: u64::from(heap::is_pending()),
    }
}

/// Writes a name that the region keeps in a variable to the namespace.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn name_set(
    ctx: *mut u64,
    index: u64,
    tag: u64,
    bits: u64,
    more: u64,
) {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(main) = session.region.program.units.first() else {
        return;
    };
    let Some(slot) = main.names.get(index as usize) else {
        return;
    };
    if let Some(value) = named(session, tag, bits, more) {
        put_home(&slot.home, value, &main.globals, session.cells);
    }
}

/// The value of a variable, with a reference of its own; `None` if it is not set or not known.
fn named(session: &Session<'_>, tag: u64, bits: u64, more: u64) -> Option<Value> {
    match tag as u32 {
        tag::KEEP | tag::UNSET => None,
        tag::COMPLEX => Some(complex_value(f64::from_bits(bits), f64::from_bits(more))),
        tag::KNOWN => session.region.program.known.get(bits as usize).cloned(),
        // The variable keeps its reference.
        _ => Some(Value::clone(&borrowed(tag, bits))),
    }
}

/// Writes the names that the region has lent to the function that it calls to where they live, for Python that is about to run.
///
/// # Safety
/// As [`session`]; a call of the region's own code is under way.
pub(crate) unsafe fn show_lent(ctx: *mut u64, session: &Session<'_>) {
    let Some(main) = session.region.program.units.first() else {
        return;
    };
    // SAFETY: the context has this word.
    let shown = unsafe { &mut *ctx.add(SHOWN) };
    if main.names.is_empty() || *shown != 0 {
        return;
    }
    *shown = 1;
    // SAFETY: the word is the address of so many words, which the session keeps.
    let lent = unsafe {
        let words = *ctx.add(LENT) as *const u64;
        std::slice::from_raw_parts(words, main.names.len() * WORDS_LENT)
    };
    for (slot, words) in main.names.iter().zip(lent.chunks_exact(WORDS_LENT)) {
        if let (true, &[tag, bits, more]) = (slot.stored, words)
            && let Some(value) = named(session, tag, bits, more)
        {
            put_home(&slot.home, value, &main.globals, session.cells);
        }
    }
}

/// Does what is due: 0 if the code may go on, 1 if it is to be left. `index` is the number of the place among the callers.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn settle(ctx: *mut u64, index: u64, depth: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let breaker = janus_gil::pending::eval_breaker();
    let here = session.region.tables.callers.get(index as usize).copied();
    let Some(here) = here.filter(|_| {
        // Signals and other threads are tier 0's.
        !session.is_to_leave
            && session.alone == Alone::No
            && !breaker.load(std::sync::atomic::Ordering::Relaxed)
    }) else {
        return 1;
    };
    if here.unit != 0 {
        // SAFETY: it is the context of the region that runs, and calls this function.
        unsafe { show_lent(ctx, session) };
    }
    // SAFETY: it is the context of the region that runs.
    unsafe { trail::show(session, ctx, depth, Some(here)) };
    let (outer, ran) = (session.vm.recursion_depth(), session.vm.frames_begun());
    session.vm.set_recursion_depth(depth as usize);
    session.vm.settle_due();
    session.vm.set_recursion_depth(outer);
    // SAFETY: the context has this word.
    unsafe { *ctx.add(INTERRUPT) = breaker.as_ptr() as u64 };
    let ran = session.vm.frames_begun() != ran;
    let unit = session.region.program.units.get(here.unit);
    let has_names = unit.is_none_or(|unit| !unit.names.is_empty());
    u64::from(ran && (has_names || !session.region.guards_hold()))
}

/// Whether a name is what the variable says in which the region keeps it: Python that ran meanwhile may have assigned it.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn name_is(
    ctx: *mut u64,
    index: u64,
    tag: u64,
    bits: u64,
    more: u64,
) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let main = session.region.program.units.first();
    let Some((main, slot)) = main.and_then(|m| Some((m, m.names.get(index as usize)?))) else {
        return 0;
    };
    let now = match &slot.home {
        Home::Global(name) => {
            let builtins = &session.region.program.builtins;
            name.value(&main.globals, Some(builtins))
        }
        Home::Cell(at) => session
            .cells
            .get(*at)
            .and_then(|c| c.value.borrow().clone()),
    };
    let same = match (tag as u32, named(session, tag, bits, more), now) {
        // Nobody reads the variable.
        (tag::KEEP, ..) => true,
        (_, None, None) => true,
        (tag::COMPLEX, Some(a), Some(b)) => {
            let bits = |v: &Value| complex_parts(v).map(|(re, im)| (re.to_bits(), im.to_bits()));
            bits(&a).is_some() && bits(&a) == bits(&b)
        }
        (_, Some(a), Some(b)) => tag_byte(&a) == tag_byte(&b) && payload(&a) == payload(&b),
        _ => false,
    };
    u64::from(same)
}

/// A variable of the region that lives in the namespace or in a cell.
pub(crate) fn home_value(home: &Home, frame: &Frame) -> Option<Value> {
    value_at_home(home, &frame.globals, &frame.builtins, &frame.cells)
}

/// The same, of a frame that is not made.
pub(crate) fn value_at_home(
    home: &Home,
    globals: &PyDict,
    builtins: &PyDict,
    cells: &[PyRef<PyCell>],
) -> Option<Value> {
    match home {
        Home::Global(name) => name.value(globals, Some(builtins)),
        Home::Cell(at) => cells.get(*at)?.value.borrow().clone(),
    }
}

pub(crate) fn put_home(home: &Home, value: Value, globals: &PyDict, cells: &[PyRef<PyCell>]) {
    match home {
        Home::Global(name) => name.set(globals, value),
        Home::Cell(at) => {
            let old = cells.get(*at).and_then(|c| c.value.replace(Some(value)));
            drop(old);
        }
    }
}
