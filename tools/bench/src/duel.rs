//! Two runs that take turns of a twentieth of a second.
//!
//! In: a peer's command, and ours. Out: the peer's run, and how long its turns took, and ours for the same
//! steps. Always: one of them is stopped while the other runs; turns begin when a quarter of a run's steps are over, so
//! that warm-up does not count; what is compared are the same steps, which may cost more as a script learns.
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
/// Groups of turns at most: so many that the quartiles of their ratios mean something.
const GROUPS: usize = 20;
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

/// What a side did in a turn: the steps from the first mark to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    ours: bool,
    from: Mark,
    to: Mark,
    /// Nothing else ran on the cores it used, before and after it.
    quiet: bool,
}

impl Turn {
    fn seconds(&self) -> f64 {
        self.to.at - self.from.at
    }

    fn steps(&self) -> f64 {
        self.to.done - self.from.done
    }

    fn seconds_a_step(&self) -> f64 {
        self.seconds() / self.steps()
    }

    /// How many steps of another turn are steps of this one, too; if none, how far apart they are, below zero.
    fn common(&self, other: &Turn) -> f64 {
        self.to.done.min(other.to.done) - self.from.done.max(other.from.done)
    }
}

/// Seconds that groups of the peer's turns took, and ours for the same steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// Of all turns.
    pub all: Vec<(f64, f64)>,
    /// Of those in which nothing else ran on the same cores.
    pub quiet: Vec<(f64, f64)>,
}

impl Times {
    fn of(turns: &[Turn]) -> Times {
        let quiet: Vec<Turn> = turns.iter().copied().filter(|turn| turn.quiet).collect();
        Times {
            all: times(turns),
            quiet: times(&quiet),
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
        let turn = Turn {
            ours,
            from,
            to,
            quiet,
        };
        (turn.seconds() >= LEAST_S && turn.steps() > 0.0).then_some(turn)
    }
}

/// Seconds of the peer's turns, and of ours for the same steps. Turns are dealt to [`GROUPS`] in order, so that each is of
/// steps from everywhere.
fn times(turns: &[Turn]) -> Vec<(f64, f64)> {
    let (ours, theirs): (Vec<Turn>, Vec<Turn>) = turns.iter().partition(|turn| turn.ours);
    (0..GROUPS.min(theirs.len()))
        .filter_map(|group| {
            let mut seconds = (0.0, 0.0);
            for turn in theirs.iter().skip(group).step_by(GROUPS) {
                seconds.0 += turn.seconds();
                seconds.1 += turn.steps() * over_steps_of(turn, &ours)?;
            }
            Some(seconds)
        })
        .collect()
}

/// Seconds that a step took in the mean of some turns, each of which counts for as many steps as it has in common with
/// `turn`. Where none has any it is the one whose steps are next to them.
fn over_steps_of(turn: &Turn, turns: &[Turn]) -> Option<f64> {
    let common: Vec<(f64, &Turn)> = turns.iter().map(|t| (t.common(turn), t)).collect();
    let shared: f64 = common.iter().map(|&(steps, _)| steps.max(0.0)).sum();
    if shared > 0.0 {
        let seconds = common
            .iter()
            .map(|&(steps, t)| steps.max(0.0) * t.seconds_a_step());
        return Some(seconds.sum::<f64>() / shared);
    }
    let next = common.iter().max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some(next.1.seconds_a_step())
}

/// Runs `theirs` to its end, and `ours` beside it, again and again; both do `steps`. Without steps that it could count
/// there are no turns.
///
/// # Errors
/// One of them cannot be started.
pub fn run(
    theirs: &mut Command,
    ours: &mut Command,
    steps: f64,
    limit: Duration,
    cores: &mut Cores,
) -> Result<(Finished, Times), BenchError> {
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
    Ok((them.running.finish(limit)?, Times::of(&turns)))
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

    /// A turn that begins at 0 s.
    fn turn(ours: bool, steps: std::ops::Range<u8>, seconds: f64, quiet: bool) -> Turn {
        let mark = |at, done: u8| Mark {
            at,
            done: done.into(),
        };
        Turn {
            ours,
            from: mark(0.0, steps.start),
            to: mark(seconds, steps.end),
            quiet,
        }
    }

    #[test]
    fn the_same_steps_are_compared() {
        // Steps become twice as slow from 20 on.
        let turns = [
            turn(false, 10..20, 40.0, true),
            turn(true, 10..20, 10.0, true),
            turn(false, 20..30, 80.0, true),
            turn(true, 20..40, 40.0, true),
            // A second run of ours.
            turn(true, 0..15, 15.0, true),
            turn(true, 15..20, 5.0, true),
        ];
        assert_eq!(times(&turns), [(40.0, 10.0), (80.0, 20.0)]);
        // Every 20th turn belongs to one group: of steps that cost 1 and 4 times as much as ours.
        let mut many: Vec<Turn> = (0..40)
            .map(|i| turn(false, i..i + 1, if i < 20 { 1.0 } else { 4.0 }, true))
            .collect();
        many.push(turn(true, 0..40, 40.0, true));
        assert_eq!(times(&many), vec![(5.0, 2.0); GROUPS]);
        // The mean of 12..15 at 1 s and 15..18 at 3 s; one that shares nothing; none at all.
        let ours = [
            turn(true, 5..15, 10.0, true),
            turn(true, 15..20, 15.0, true),
        ];
        let over = |steps, ours| over_steps_of(&turn(false, steps, 1.0, true), ours);
        assert_eq!(over(12..18, &ours[..]), Some(2.0));
        assert_eq!(over(22..24, &ours[..]), Some(3.0));
        assert_eq!(over(22..24, &[]), None);
    }

    #[test]
    fn quiet_turns_are_compared_with_quiet_ones() {
        let turns = [
            turn(false, 0..10, 10.0, true),
            turn(true, 0..10, 5.0, false),
            turn(false, 10..20, 60.0, false),
            turn(true, 10..20, 2.0, true),
        ];
        let times = Times::of(&turns);
        assert_eq!(times.all, [(10.0, 5.0), (60.0, 2.0)]);
        assert_eq!(times.quiet, [(10.0, 2.0)]);
        assert_eq!(Times::of(&[]), Times::default());
    }

    #[test]
    fn turns_give_times_and_the_peers_own_run() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            super::run(theirs, ours, steps, limit, &mut cores)
        };
        let (ran, times) = run(&mut sh("0.06"), &mut sh("0.02"), 40.0).unwrap();
        assert_eq!((ran.lines.len(), ran.failure), (40, None));
        // How many depends on the machine.
        let times = times.all;
        assert!(ran.stops > 1 && !times.is_empty(), "{times:?}");
        // Sleeping goes on while a process is stopped, so that these are not the times of programs that work.
        assert!(times.iter().all(|&(a, b)| a > 0.0 && b > 0.0), "{times:?}");
    }

    #[test]
    fn without_steps_there_are_no_turns() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            super::run(theirs, ours, steps, limit, &mut cores)
        };
        let mut quiet = Command::new("true");
        let (ran, times) = run(&mut quiet, &mut sh("0.02"), 40.0).unwrap();
        assert!(ran.failure.is_none() && times.all.is_empty());
        let (ran, times) = run(&mut sh("0.02"), &mut quiet, 40.0).unwrap();
        assert!(ran.lines.len() == 40 && times.all.is_empty());
        // What did not come to a quarter of it was never stopped.
        let (ran, times) = run(&mut sh("0.02"), &mut sh("0.02"), 200.0).unwrap();
        assert!(ran.stops == 0 && times.all.is_empty());
    }
}
