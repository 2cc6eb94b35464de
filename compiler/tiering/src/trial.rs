//! Whether compiled code pays: a few entries are left to the lower tiers, in turns with compiled ones, and timed.
//!
//! In: the times between one entry of a region and the next, which hold what runs in between alike for both. Out: a verdict, once a region.
//! Always: only code whose runs are short is tried, since a long one has time to gain what entering it costs.

use std::time::{Duration, Instant};

/// Entries of compiled code before it is tried.
const AFTER: u64 = 64;
/// Runs that take longer are not tried.
const SHORT: Duration = Duration::from_micros(200);
/// Times of each side, in blocks of so many.
const TIMES: usize = 24;
const BLOCK: u32 = 4;
/// How many percent of the other side's time compiled code may take.
const AT_MOST: u32 = 103;

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

/// A region's trial.
#[derive(Default)]
pub(crate) struct Trial {
    turns: u32,
    last: Option<(Instant, Side)>,
    compiled: Vec<Duration>,
    lower: Vec<Duration>,
    over: bool,
}

impl Trial {
    /// Whether one is to be made of code that was entered so often, and ran for so long.
    pub fn is_due(&self, entries: u64, spent: Duration) -> bool {
        let short = u32::try_from(entries).is_ok_and(|n| n > 0 && spent / n < SHORT);
        !self.over && (self.turns > 0 || entries >= AFTER && short)
    }

    /// Who is to run this entry, which came now.
    pub fn next(&mut self, now: Instant) -> (Side, Verdict) {
        if let Some((then, side)) = self.last.take() {
            let times = match side {
                Side::Compiled => &mut self.compiled,
                Side::Lower => &mut self.lower,
            };
            times.push(now.saturating_duration_since(then));
        }
        if self.compiled.len() >= TIMES && self.lower.len() >= TIMES {
            self.over = true;
            let (compiled, lower) = (median(&mut self.compiled), median(&mut self.lower));
            let slower = compiled * 100 > lower * AT_MOST;
            tracing::debug!(
                "a run of tier 2 and what follows took {compiled:?}, without it {lower:?}"
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
        self.last = Some((now, side));
        (side, Verdict::Open)
    }

    /// The entry was not run by who was to run it.
    pub fn miss(&mut self) {
        self.last = None;
    }
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
        assert!(!trial.is_due(AFTER, SHORT * 1000));
        assert!(trial.is_due(AFTER, Duration::ZERO));
        let mut interpreted = 0;
        for at in 0..1000 {
            let (side, verdict) = trial.next(now);
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
            let pause = if at % 7 == 0 { 5000 } else { 0 };
            now += Duration::from_micros(micros + pause);
        }
        (Verdict::Open, interpreted)
    }

    #[test]
    fn the_faster_side_is_found() {
        assert_eq!(verdict(10, 40).0, Verdict::Pays);
        assert_eq!(verdict(40, 10).0, Verdict::Slower);
        assert_eq!(verdict(10, 10).0, Verdict::Pays);
    }

    #[test]
    fn few_entries_are_left_to_the_lower_tiers() {
        assert!(verdict(10, 40).1 <= TIMES + BLOCK as usize);
    }
}
