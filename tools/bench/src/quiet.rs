//! On which cores something else runs.
//!
//! In: the cores that this process may use. Out: which of them are slower than ever, now or soon. Always: nothing else of
//! the harness runs meanwhile.
//!
//! On a machine that others share, a core becomes slower by more than a half for some hundredths of a second at a time,
//! while what runs beside it (on the other thread of the same physical core, say) is busy. It costs large programs
//! more than small ones, so that ratios move, too. Cycles that are stolen show nowhere but in how long work takes.

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Cores that are watched at most: of a machine with more, most have nothing to do anyway.
const CORES: usize = 8;
/// How much longer than at best a probe may take on a quiet core.
const TOLERANCE: f64 = 1.5;
/// How long cores are watched at first, to see what is best.
const CALIBRATION: Duration = Duration::from_secs(1);
/// Rounds of the work of a probe.
const WORK: usize = 1500;

/// The cores, and the least seconds that a probe took on each of them.
pub struct Cores {
    best: Vec<(usize, f64)>,
}

impl Cores {
    /// Those of this machine.
    #[must_use]
    pub fn watch() -> Cores {
        let mut cores = Cores {
            best: usable().map(|core| (core, f64::INFINITY)).collect(),
        };
        let start = Instant::now();
        while start.elapsed() < CALIBRATION {
            cores.probe();
        }
        cores
    }

    /// Seconds that a fixed piece of work takes on each core now, all at the same time.
    fn probe(&mut self) -> Vec<f64> {
        let seconds: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (self.best.iter())
                .map(|&(core, _)| {
                    scope.spawn(move || {
                        stay_on(core);
                        // The first one fills caches; the better one of two had no interrupt.
                        let [_, one, other] = [work(), work(), work()];
                        one.min(other)
                    })
                })
                .collect();
            (threads.into_iter())
                .map(|t| t.join().unwrap_or(f64::INFINITY))
                .collect()
        });
        for ((_, best), &now) in self.best.iter_mut().zip(&seconds) {
            *best = best.min(now);
        }
        seconds
    }

    /// Milliseconds that a probe takes now, in the mean of the cores.
    pub fn probe_ms(&mut self) -> f64 {
        let seconds = self.probe();
        seconds.iter().sum::<f64>() / seconds.len().max(1) as f64 * 1e3
    }

    /// Those on which something else runs now.
    pub fn busy(&mut self) -> BTreeSet<usize> {
        let seconds = self.probe();
        (self.best.iter().zip(seconds))
            .filter(|&(&(_, best), now)| now > best * TOLERANCE)
            .map(|(&(core, _), _)| core)
            .collect()
    }

    /// Waits until nothing else runs on the cores that are wanted, but not for longer than `limit`; what is busy then.
    pub fn wait(&mut self, wanted: &BTreeSet<usize>, limit: Duration) -> BTreeSet<usize> {
        let start = Instant::now();
        loop {
            let busy = self.busy();
            if busy.is_disjoint(wanted) || start.elapsed() >= limit {
                return busy;
            }
        }
    }
}

/// What an interpreter does: branches, small allocations, lookups. Of all work it suffers most from a busy neighbour.
fn work() -> f64 {
    let start = Instant::now();
    let mut map = BTreeMap::new();
    let mut length = 0;
    for i in 0..WORK {
        map.insert(black_box(i % 64), length);
        length += black_box(i).to_string().len();
    }
    black_box(&map);
    start.elapsed().as_secs_f64()
}

/// The first of the cores that this process may use.
fn usable() -> impl Iterator<Item = usize> {
    // SAFETY: a set of cores is plain bits, which the call only writes to.
    let allowed = unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut allowed);
        allowed
    };
    let highest = usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    (0..highest)
        // SAFETY: the number is below the size of the set.
        .filter(move |&core| unsafe { libc::CPU_ISSET(core, &allowed) })
        .take(CORES)
}

/// Keeps this thread on a core.
fn stay_on(core: usize) {
    // SAFETY: a set of cores is plain bits; the core is one of `usable`, which are below its size.
    unsafe {
        let mut only: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut only);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const only);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slower_than_at_best_is_busy() {
        let mut cores = Cores::watch();
        assert!(!cores.best.is_empty() && cores.best.len() <= CORES);
        assert!(cores.best.iter().all(|&(_, s)| s > 0.0 && s.is_finite()));
        let set = |seconds, cores: &mut Cores| {
            cores.best.iter_mut().for_each(|(_, best)| *best = seconds);
        };
        let all: BTreeSet<usize> = cores.best.iter().map(|&(core, _)| core).collect();
        // No core can be as fast as that.
        set(1e-12, &mut cores);
        assert_eq!(cores.busy(), all);
        assert_eq!(cores.wait(&all, Duration::ZERO), all);
        assert_eq!(cores.wait(&BTreeSet::new(), Duration::MAX), all);
        // And none is slower than that.
        set(1e3, &mut cores);
        assert_eq!(cores.wait(&all, Duration::MAX), BTreeSet::new());
        assert!(cores.best.iter().all(|&(_, best)| best < 1e3));
    }
}
