//! Two runs that take turns of a tenth of a second.
//!
//! In: a peer's command, and ours. Out: the peer's run, and how many times as fast ours was in pairs of turns. Always:
//! one of them is stopped while the other runs; turns begin when half of a run's steps are over, so that warm-up does
//! not count.
//!
//! What else a machine does comes and goes within seconds: of runs of five seconds, one behind the other, it changes
//! the ratio by a tenth where it changes the median over forty pairs of turns by a fiftieth.

use std::process::Command;
use std::time::Duration;

use crate::BenchError;
use crate::lines::{Counter, Mark};
use crate::process::{Finished, Running};

/// Seconds of a turn at least.
const TURN_S: f64 = 0.1;
/// Turns that a run's second half is divided into, if that makes longer ones.
const TURNS: f64 = 40.0;
/// Seconds of a turn that the end of a run cuts short, for it to count.
const LEAST_S: f64 = 0.02;
/// Runs of ours in a row that may end without a turn.
const VAIN: u32 = 3;

/// A side while it runs.
struct Side {
    running: Running,
    limit: Duration,
    counter: Counter,
    /// Lines that were counted.
    counted: usize,
    turn_s: f64,
}

impl Side {
    fn start(command: &mut Command, limit: Duration) -> Result<Side, BenchError> {
        Ok(Side {
            running: Running::start(command)?,
            limit,
            counter: Counter::default(),
            counted: 0,
            turn_s: TURN_S,
        })
    }

    /// Lets it run until a step is over that is enough; false if the run ends before.
    fn advance(&mut self, enough: impl Fn(Mark) -> bool) -> bool {
        let (counter, counted) = (&mut self.counter, &mut self.counted);
        let mut count = |running: &Running| {
            for (at, line) in running.lines.iter().skip(*counted) {
                counter.count(*at, line);
            }
            *counted = running.lines.len();
            counter.marks.last().is_some_and(|&mark| enough(mark))
        };
        let more = self.running.advance(self.limit, &mut count);
        count(&self.running);
        more
    }

    /// Lets it run until `half` steps are over; false if the run ends before.
    fn warm_up(&mut self, half: f64) -> bool {
        let more = self.advance(|mark| mark.done >= half);
        if let [first, .., last] = &self.counter.marks[..] {
            self.turn_s = TURN_S.max((last.at - first.at) / TURNS);
        }
        more
    }

    /// Its next turn, in steps a second. A run that ends before it has none left.
    fn turn(&mut self) -> Option<f64> {
        let from = *self.counter.marks.last()?;
        let turn_s = self.turn_s;
        self.advance(|mark| mark.at - from.at >= turn_s);
        let to = *self.counter.marks.last()?;
        (to.at - from.at >= LEAST_S && to.done > from.done)
            .then(|| (to.done - from.done) / (to.at - from.at))
    }
}

/// Runs `theirs` to its end, and `ours` beside it, again and again; both do `steps`. Without steps that it could count
/// there are no pairs.
///
/// # Errors
/// One of them cannot be started.
pub fn run(
    theirs: &mut Command,
    ours: &mut Command,
    steps: f64,
    limit: Duration,
) -> Result<(Finished, Vec<f64>), BenchError> {
    let mut them = Side::start(theirs, limit)?;
    let mut pairs = Vec::new();
    if them.warm_up(steps / 2.0) {
        let mut us: Option<Side> = None;
        let (mut vain, mut before) = (0, None);
        while let Some(theirs) = them.turn() {
            if let Some((ours, earlier)) = before.take() {
                // The geometric mean of the turns on both sides.
                pairs.push(ours / f64::sqrt(earlier * theirs));
            }
            while before.is_none() && vain < VAIN {
                if let Some(rate) = us.as_mut().and_then(Side::turn) {
                    before = Some((rate, theirs));
                    vain = 0;
                } else {
                    vain += 1;
                    let mut fresh = Side::start(ours, limit)?;
                    us = fresh.warm_up(steps / 2.0).then_some(fresh);
                }
            }
        }
    }
    Ok((them.running.finish(limit)?, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A script of 40 steps of so many seconds each.
    fn sh(seconds: &str) -> Command {
        let mut command = Command::new("sh");
        let script = format!("for i in $(seq 1 40); do sleep {seconds}; echo step $i; done");
        command.args(["-c", &script]);
        command
    }

    #[test]
    fn turns_give_ratios_and_the_peers_own_time() {
        let limit = Duration::from_secs(60);
        let (run, pairs) = super::run(&mut sh("0.06"), &mut sh("0.02"), 40.0, limit).unwrap();
        assert_eq!((run.lines.len(), run.failure), (40, None));
        // How many depends on the machine.
        assert!(run.stops > 1 && !pairs.is_empty(), "{pairs:?}");
        // Sleeping goes on while a process is stopped, so that this is not the ratio of programs that work.
        assert!(pairs.iter().all(|&p| p.is_finite() && p > 0.0), "{pairs:?}");
    }

    #[test]
    fn without_steps_there_are_no_pairs() {
        let limit = Duration::from_secs(60);
        let mut quiet = Command::new("true");
        let (run, pairs) = super::run(&mut quiet, &mut sh("0.02"), 40.0, limit).unwrap();
        assert!(run.failure.is_none() && pairs.is_empty());
        let (run, pairs) = super::run(&mut sh("0.02"), &mut quiet, 40.0, limit).unwrap();
        assert!(run.lines.len() == 40 && pairs.is_empty());
        // What did not come to half of it was never stopped.
        let (run, pairs) = super::run(&mut sh("0.02"), &mut sh("0.02"), 100.0, limit).unwrap();
        assert!(run.stops == 0 && pairs.is_empty());
    }
}
