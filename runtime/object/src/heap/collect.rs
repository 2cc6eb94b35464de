//! The cycle collector.
//!
//! In: generations of objects. Out: [`Garbage`], those that only cycles of garbage refer to. Always: an object
//! counts as reachable unless each of its references is shown by an object that is a candidate itself
//! (trial deletion, as in CPython); finalizers see whole objects, since nothing is cleared before they ran,
//! and what they made reachable again is left alone.

use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use super::{
    CANDIDATE, Counts, Due, FINALIZED, GENERATIONS, HEAP, Head, PENDING, Tracer, WATCHED, trace,
    weak,
};
use crate::Value;

/// Unreachable objects, held until they are cleared.
pub struct Garbage {
    objects: Vec<Value>,
    generation: usize,
}

/// What a collection came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Collection {
    /// The generation.
    pub generation: usize,
    /// Objects that were freed.
    pub collected: usize,
}

/// The generation whose collection is due, if one is. As in CPython, the oldest waits until the objects
/// that are new in it are a quarter of those that survived it.
pub fn collect_due() -> Option<usize> {
    HEAP.with(|heap| {
        if !heap.enabled.get() || heap.collecting.get() || heap.thresholds[0].get() == 0 {
            return None;
        }
        (0..GENERATIONS).rev().find(|&at| {
            heap.counts[at].get() > heap.thresholds[at].get()
                && (at + 1 < GENERATIONS || heap.pending_old.get() >= heap.survived_old.get() / 4)
        })
    })
}

/// Finds the garbage of a generation and of all younger ones; none while another collection runs.
pub fn collect(generation: usize) -> Option<Garbage> {
    HEAP.with(|heap| {
        if heap.collecting.replace(true) {
            return None;
        }
        let generation = generation.min(GENERATIONS - 1);
        let whole = generation + 1 == GENERATIONS;
        if whole {
            crate::class::forget_lookups();
        }
        for (at, count) in heap.counts.iter().enumerate() {
            if at <= generation {
                count.set(0);
            } else if at == generation + 1 {
                count.set(count.get() + 1);
            }
        }
        let mut generations = heap.generations.borrow_mut();
        // The list of the oldest one is gone on with: there are as many objects as the heap has.
        let mut candidates = generations[generation].take();
        for younger in (0..generation).rev() {
            candidates.append(&mut generations[younger].take());
        }
        let survives = find_survivors(&candidates, 0);
        // SAFETY: listed objects are alive, and nothing died since the list was read.
        let heads = |at: &NonNull<Head>| unsafe { at.as_ref() };
        let objects = candidates
            .iter()
            .flatten()
            .zip(&survives)
            .filter(|(_, survives)| !**survives)
            // SAFETY: as above.
            .map(|(head, _)| unsafe { Value::behind(*head) })
            .collect();
        let into = (generation + 1).min(GENERATIONS - 1);
        if into == generation {
            for head in candidates.iter().flatten().map(heads) {
                head.generation.set(into as u8);
            }
            generations[into].objects = candidates;
        } else {
            for head in candidates.iter().flatten().map(heads) {
                generations[into].push(head, into as u8);
            }
        }
        drop(generations);
        let survived = survives.iter().filter(|survives| **survives).count();
        if whole {
            heap.pending_old.set(0);
            heap.survived_old.set(survived);
        } else if into + 1 == GENERATIONS {
            heap.pending_old.set(heap.pending_old.get() + survived);
        }
        Some(Garbage {
            objects,
            generation,
        })
    })
}

/// Which of the candidates, all of which are there, are referred to from outside, or from one that is. `held` of the references to
/// each are the caller's own.
fn find_survivors(candidates: &[Option<NonNull<Head>>], held: usize) -> Vec<bool> {
    let mut outside = Vec::with_capacity(candidates.len());
    for (slot, head) in (0..).zip(candidates.iter().flatten()) {
        // SAFETY: the caller's candidates are alive.
        let head = unsafe { head.as_ref() };
        head.slot.set(slot);
        head.generation.set(CANDIDATE);
        // What has more stays above zero.
        let references = head.strong.get() - held;
        outside.push(u32::try_from(references).unwrap_or(u32::MAX));
    }
    let mut tracer = Tracer::subtract(&mut outside);
    for head in candidates.iter().flatten() {
        // SAFETY: as above. The trace holds a reference of its own, and nobody else's count changes.
        unsafe { trace::trace(*head, &mut tracer) };
    }
    let mut reached = vec![false; candidates.len()];
    let mut next = Vec::new();
    for (slot, head) in candidates.iter().flatten().enumerate() {
        if outside[slot] == 0 || std::mem::replace(&mut reached[slot], true) {
            continue;
        }
        next.push(*head);
        while let Some(head) = next.pop() {
            // SAFETY: as above.
            unsafe { trace::trace(head, &mut Tracer::reach(&mut reached, &mut next)) };
        }
    }
    reached
}

impl Garbage {
    /// The unreachable objects.
    pub fn objects(&self) -> &[Value] {
        &self.objects
    }

    fn heads(&self) -> impl Iterator<Item = &Head> {
        self.objects.iter().filter_map(Value::head)
    }

    /// Takes what is owed to the garbage: the callbacks of weak references that are not garbage themselves,
    /// then the finalizers that did not run yet.
    pub fn take_due(&self) -> Vec<Due> {
        let watched: Vec<&Head> = self.heads().filter(|head| head.is(WATCHED)).collect();
        let garbage: std::collections::HashSet<_> = match watched.is_empty() {
            true => Default::default(),
            false => self.heads().map(NonNull::from).collect(),
        };
        let before = HEAP.with(|heap| heap.due.take());
        for head in watched {
            weak::forget(head, true);
        }
        let mut due = HEAP.with(|heap| heap.due.replace(before));
        due.retain(|due| match due {
            Due::Callback(value) | Due::Finalizer(value) => value
                .head()
                .is_none_or(|head| !garbage.contains(&NonNull::from(head))),
        });
        for value in &self.objects {
            let Some(head) = value.head() else { continue };
            // SAFETY: `value` keeps the object alive.
            if !head.is(FINALIZED) && unsafe { trace::needs_finalizer(NonNull::from(head)) } {
                head.set(FINALIZED);
                due.push(Due::Finalizer(value.clone()));
            }
        }
        due
    }

    /// Drops the frames of the generators among it, in which nothing is left to run. What only they held dies by that
    /// and does not count as collected, as in CPython. Tells whether there are any.
    pub fn close_generators(&self) -> bool {
        let mut any = false;
        for value in &self.objects {
            if let Value::Generator(generator) = value {
                any = true;
                crate::heap::Object::clear(&**generator);
            }
        }
        any
    }

    /// Clears what is still unreachable, now that what was owed is done.
    pub fn clear(mut self, finalized: bool) -> Collection {
        let generation = self.generation;
        if finalized {
            self.leave_out_the_risen();
        }
        let mut objects = std::mem::take(&mut self.objects);
        drop(self);
        // What only this list holds any more is dead, and so is what only that held.
        let mut before = usize::MAX;
        while finalized && objects.len() < before {
            before = objects.len();
            objects.retain(|object| object.head().is_some_and(|head| head.strong.get() > 1));
        }
        let collected = objects.len();
        for head in objects.iter().filter_map(Value::head) {
            // SAFETY: `objects` keeps it alive.
            unsafe { trace::clear(NonNull::from(head)) };
        }
        drop(objects);
        HEAP.with(|heap| {
            let stats = &heap.stats[generation];
            let Counts {
                collections,
                collected: before,
            } = stats.get();
            stats.set(Counts {
                collections: collections + 1,
                collected: before + collected as u64,
            });
        });
        Collection {
            generation,
            collected,
        }
    }

    /// Takes out what finalizers made reachable again.
    fn leave_out_the_risen(&mut self) {
        let heads: Vec<_> = self.heads().map(|head| Some(NonNull::from(head))).collect();
        let listed: Vec<(u32, u8)> = self
            .heads()
            .map(|head| (head.slot.get(), head.generation.get()))
            .collect();
        // The objects themselves are held once, by this list.
        let survives = find_survivors(&heads, 1);
        for (head, (slot, generation)) in self.heads().zip(listed) {
            head.slot.set(slot);
            head.generation.set(generation);
        }
        let mut at = 0;
        self.objects.retain(|_| {
            at += 1;
            !survives[at - 1]
        });
    }
}

impl Drop for Garbage {
    fn drop(&mut self) {
        HEAP.with(|heap| heap.collecting.set(false));
        if HEAP.with(|heap| !heap.due.borrow().is_empty()) {
            PENDING.store(true, Ordering::Relaxed);
        }
    }
}
