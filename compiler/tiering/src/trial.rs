//! Whether compiled code pays: a few entries are left to the lower tiers, in turns with compiled ones, and timed.
//!
//! In: the times between one entry of a region and the next, which hold what runs in between alike for both. Out: a verdict, once a region.
//! Always: code whose runs are long is not tried, since these have time to gain what entering it costs; entries inside of a
//! run, where a function calls itself, are part of that.

use std::time::{Duration, Instant};

/// Entries of compiled code before it is tried.
const AFTER: u64 = 64;
/// Runs that take longer are not tried.
const LONG: Duration = Duration::from_millis(5);
/// Of shorter ones entering is a part that counts. Of others it has to be plain that they take longer.
const SHORT: Duration = Duration::from_micros(200);
/// Times of each side, in blocks of so many.
const TIMES: usize = 48;
const BLOCK: u32 = 4;
/// Times of a side that suffice once they come to so much.
const LEAST: usize = 4;
const LEAST_LONG: usize = 12;
const ENOUGH: Duration = Duration::from_millis(20);
/// How many percent of the other side's time compiled code may take: not all of it, since that side would do without
/// being asked at each entry.
const AT_MOST: u32 = 97;
const AT_MOST_LONG: u32 = 120;

/// Who runs an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Compiled code.
    Compiled,
    /// The tiers below.
    Lower,
}

/// What a region's trial came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is under way, or was not begun.
    Open,
    /// Compiled code pays.
    Pays,
    /// The tiers below take less time.
    Slower,
}

/// An entry whose time is being taken.
struct Begun {
    at: Instant,
    side: Side,
    /// How many calls of Python it stands in.
    depth: usize,
}

/// A region's trial.
#[derive(Default)]
pub(crate) struct Trial {
    turns: u32,
    last: Option<Begun>,
    compiled: Vec<Duration>,
    lower: Vec<Duration>,
    over: bool,
}

impl Trial {
    /// Whether one is to be made of code that was entered so often, and ran for so long.
    pub fn is_due(&self, entries: u64, spent: Duration) -> bool {
        let short = u32::try_from(entries).is_ok_and(|n| n > 0 && spent / n < LONG);
        !self.over && (self.turns > 0 || entries >= AFTER && short)
    }

    /// Whether one was begun and is not over.
    pub fn is_open(&self) -> bool {
        self.turns > 0 && !self.over
    }

    /// Whether an entry inside of so many calls is part of the one that is under way.
    pub fn is_inside(&self, depth: usize) -> bool {
        self.last.as_ref().is_some_and(|last| depth > last.depth)
    }

    /// Who runs the entry that is under way.
    pub fn side(&self) -> Side {
        self.last.as_ref().map_or(Side::Compiled, |last| last.side)
    }

    /// Who is to run this entry, which came now, inside of so many calls of Python.
    pub fn next(&mut self, now: Instant, depth: usize) -> (Side, Verdict) {
        if self.is_inside(depth) {
            return (Side::Compiled, Verdict::Open);
        }
        if let Some(last) = self.last.take() {
            let times = match last.side {
                Side::Compiled => &mut self.compiled,
                Side::Lower => &mut self.lower,
            };
            times.push(now.saturating_duration_since(last.at));
        }
        if is_enough(&self.compiled) && is_enough(&self.lower) {
            self.over = true;
            let (compiled, lower) = (median(&mut self.compiled), median(&mut self.lower));
            let at_most = match compiled.min(lower) < SHORT {
                true => AT_MOST,
                false => AT_MOST_LONG,
            };
            let slower = compiled * 100 > lower * at_most;
            tracing::debug!(
                "a run of compiled code and what follows took {compiled:?}, without it {lower:?}"
            );
            return match slower {
                true => (Side::Lower, Verdict::Slower),
                false => (Side::Compiled, Verdict::Pays),
            };
        }
        let side = match (self.turns / BLOCK).is_multiple_of(2) {
            true => Side::Compiled,
            false => Side::Lower,
        };
        self.turns += 1;
        let at = now;
        self.last = Some(Begun { at, side, depth });
        (side, Verdict::Open)
    }

    /// The entry was not run by who was to run it.
    pub fn miss(&mut self) {
        self.last = None;
    }
}

fn is_enough(times: &[Duration]) -> bool {
    let all: Duration = times.iter().sum();
    let is_long = u32::try_from(times.len()).is_ok_and(|n| n > 0 && all / n >= SHORT);
    let least = if is_long { LEAST_LONG } else { LEAST };
    times.len() >= TIMES || times.len() >= least && all >= ENOUGH
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(compiled: u64, lower: u64) -> (Verdict, usize) {
        let mut trial = Trial::default();
        let mut now = Instant::now();
        assert!(!trial.is_due(AFTER - 1, Duration::ZERO));
        assert!(!trial.is_due(AFTER, LONG * 1000));
        assert!(trial.is_due(AFTER, Duration::ZERO));
        let mut interpreted = 0;
        for at in 0..1000 {
            let (side, verdict) = trial.next(now, 1);
            if verdict != Verdict::Open {
                assert!(!trial.is_due(AFTER, Duration::ZERO));
                return (verdict, interpreted);
            }
            let micros = match side {
                Side::Compiled => compiled,
                Side::Lower => {
                    interpreted += 1;
                    lower
                }
            };
            // Now and then something else takes long.
            let pause = if at % 7 == 0 { 500 } else { 0 };
            now += Duration::from_micros(micros + pause);
        }
        (Verdict::Open, interpreted)
    }

    #[test]
    fn the_faster_side_is_found() {
        assert_eq!(verdict(10, 40).0, Verdict::Pays);
        assert_eq!(verdict(40, 10).0, Verdict::Slower);
        assert_eq!(verdict(95, 100).0, Verdict::Pays);
        assert_eq!(verdict(100, 100).0, Verdict::Slower);
        // Where runs are long a little is noise.
        assert_eq!(verdict(1_100, 1_000).0, Verdict::Pays);
        assert_eq!(verdict(1_300, 1_000).0, Verdict::Slower);
    }

    #[test]
    fn entries_inside_of_a_run_are_part_of_it() {
        let mut trial = Trial::default();
        let now = Instant::now();
        assert_eq!(trial.next(now, 1), (Side::Compiled, Verdict::Open));
        let later = now + Duration::from_micros(5);
        assert_eq!(trial.next(later, 2), (Side::Compiled, Verdict::Open));
        assert!(trial.compiled.is_empty());
        trial.next(later, 1);
        assert_eq!(trial.compiled, [Duration::from_micros(5)]);
    }

    #[test]
    fn a_few_long_runs_suffice() {
        assert_eq!(verdict(8_000, 10_000), (Verdict::Pays, LEAST_LONG));
    }

    #[test]
    fn few_entries_are_left_to_the_lower_tiers() {
        assert!(verdict(10, 40).1 <= TIMES + BLOCK as usize);
    }
}
