//! Two runs that take turns of a twentieth of a second.
//!
//! In: a peer's command, and ours. Out: the peer's run, and how many times as fast ours was in pairs of turns. Always:
//! one of them is stopped while the other runs; turns begin when a quarter of a run's steps are over, so that warm-up does
//! not count.
//!
//! Each side's rate moves by a quarter from turn to turn on a machine that others use, and by a fiftieth among turns in
//! which it is quiet: those count, if there are enough of them. A turn waits for such a moment, but not for long.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use crate::BenchError;
use crate::lines::{Counter, Mark};
use crate::process::{Finished, Running};
use crate::quiet::Cores;

/// Seconds of a turn at least.
const TURN_S: f64 = 0.05;
/// Turns that the rest of a run is divided into, if that makes longer ones.
const TURNS: f64 = 400.0;
/// Seconds of a turn that the end of a run cuts short, for it to count.
const LEAST_S: f64 = 0.02;
/// The share of a run's steps that is warm-up.
const WARM_UP: f64 = 0.25;
/// Seconds that both sides' turns together wait for a quiet machine, at most.
const WAIT_S: f64 = 30.0;
/// The longest that one turn waits.
const LONGEST: Duration = Duration::from_millis(500);
/// Quiet turns that are enough to wait for no more.
const PLENTY: usize = 50;
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
    wait: Duration,
    /// The cores it used in its last turn.
    used: BTreeSet<usize>,
}

/// What a side did in a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    ours: bool,
    /// Steps a second.
    rate: f64,
    /// Nothing else ran on the cores it used, before and after it.
    quiet: bool,
}

/// How many times as fast ours was, for each of its turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    /// Of all turns.
    pub all: Vec<f64>,
    /// Of those in which nothing else ran on the same cores.
    pub quiet: Vec<f64>,
}

impl Pairs {
    fn of(turns: &[Turn]) -> Pairs {
        let quiet: Vec<Turn> = turns.iter().copied().filter(|turn| turn.quiet).collect();
        Pairs {
            all: ratios(turns),
            quiet: ratios(&quiet),
        }
    }
}

impl Side {
    fn start(command: &mut Command, limit: Duration) -> Result<Side, BenchError> {
        Ok(Side {
            running: Running::start(command)?,
            limit,
            counter: Counter::default(),
            counted: 0,
            turn_s: TURN_S,
            wait: Duration::ZERO,
            used: BTreeSet::new(),
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

    /// Lets it run until its first turn of a run of so many steps; false if the run ends before.
    fn warm_up(&mut self, steps: f64) -> bool {
        let more = self.advance(|mark| mark.done >= steps * WARM_UP);
        if let [first, .., last] = &self.counter.marks[..] {
            let left = (last.at - first.at) * (1.0 / WARM_UP - 1.0);
            self.turn_s = TURN_S.max(left / TURNS);
            let turns = 2.0 * (left / self.turn_s).max(1.0);
            self.wait = Duration::from_secs_f64(WAIT_S / turns).min(LONGEST);
        }
        more
    }

    /// Its next turn. A run that ends before it has none left.
    fn turn(&mut self, ours: bool, wait: Duration, cores: &mut Cores) -> Option<Turn> {
        let from = *self.counter.marks.last()?;
        let turn_s = self.turn_s;
        let mut busy = cores.wait(&self.used, wait);
        let threads = self.running.threads();
        self.advance(|mark| mark.at - from.at >= turn_s);
        busy.append(&mut cores.busy());
        self.used = self.running.threads().cores_since(&threads);
        let quiet = if self.used.is_empty() {
            busy.is_empty()
        } else {
            busy.is_disjoint(&self.used)
        };
        let to = *self.counter.marks.last()?;
        (to.at - from.at >= LEAST_S && to.done > from.done).then(|| Turn {
            ours,
            rate: (to.done - from.done) / (to.at - from.at),
            quiet,
        })
    }
}

/// Each turn of ours by the geometric mean of the peer's before and after it.
fn ratios(turns: &[Turn]) -> Vec<f64> {
    let theirs = |turn: &&Turn| !turn.ours;
    (turns.iter().enumerate().filter(|(_, turn)| turn.ours))
        .filter_map(|(i, turn)| {
            let before = turns[..i].iter().rfind(theirs)?;
            let after = turns[i..].iter().find(theirs)?;
            Some(turn.rate / f64::sqrt(before.rate * after.rate))
        })
        .collect()
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
    cores: &mut Cores,
) -> Result<(Finished, Pairs), BenchError> {
    let mut them = Side::start(theirs, limit)?;
    let mut turns: Vec<Turn> = Vec::new();
    if them.warm_up(steps) {
        let mut us: Option<Side> = None;
        let mut vain = 0;
        loop {
            let plenty = turns.iter().filter(|turn| turn.quiet).count() >= PLENTY;
            let wait = if plenty { Duration::ZERO } else { them.wait };
            let Some(theirs) = them.turn(false, wait, cores) else {
                break;
            };
            turns.push(theirs);
            while vain < VAIN {
                if let Some(turn) = us.as_mut().and_then(|us| us.turn(true, wait, cores)) {
                    turns.push(turn);
                    vain = 0;
                    break;
                }
                vain += 1;
                let mut fresh = Side::start(ours, limit)?;
                us = fresh.warm_up(steps).then_some(fresh);
            }
        }
    }
    Ok((them.running.finish(limit)?, Pairs::of(&turns)))
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
    fn pairs_of_quiet_turns_skip_the_others() {
        let turn = |ours, rate, quiet| Turn { ours, rate, quiet };
        let turns = [
            turn(true, 7.0, true),
            turn(false, 1.0, true),
            turn(true, 4.0, true),
            turn(false, 0.25, false),
            turn(true, 9.0, false),
            turn(false, 4.0, true),
            turn(true, 2.0, true),
            turn(false, 1.0, true),
            turn(true, 7.0, true),
        ];
        let pairs = Pairs::of(&turns);
        assert_eq!(
            (pairs.all, pairs.quiet),
            (vec![8.0, 9.0, 1.0], vec![2.0, 1.0])
        );
        assert_eq!(Pairs::of(&[]), Pairs::default());
    }

    #[test]
    fn turns_give_ratios_and_the_peers_own_time() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            super::run(theirs, ours, steps, limit, &mut cores)
        };
        let (ran, pairs) = run(&mut sh("0.06"), &mut sh("0.02"), 40.0).unwrap();
        assert_eq!((ran.lines.len(), ran.failure), (40, None));
        // How many depends on the machine.
        let ratios = pairs.all;
        assert!(ran.stops > 1 && !ratios.is_empty(), "{ratios:?}");
        // Sleeping goes on while a process is stopped, so that this is not the ratio of programs that work.
        assert!(
            ratios.iter().all(|&p| p.is_finite() && p > 0.0),
            "{ratios:?}"
        );
    }

    #[test]
    fn without_steps_there_are_no_pairs() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            super::run(theirs, ours, steps, limit, &mut cores)
        };
        let mut quiet = Command::new("true");
        let (ran, pairs) = run(&mut quiet, &mut sh("0.02"), 40.0).unwrap();
        assert!(ran.failure.is_none() && pairs.all.is_empty());
        let (ran, pairs) = run(&mut sh("0.02"), &mut quiet, 40.0).unwrap();
        assert!(ran.lines.len() == 40 && pairs.all.is_empty());
        // What did not come to a quarter of it was never stopped.
        let (ran, pairs) = run(&mut sh("0.02"), &mut sh("0.02"), 200.0).unwrap();
        assert!(ran.stops == 0 && pairs.all.is_empty());
    }
}
