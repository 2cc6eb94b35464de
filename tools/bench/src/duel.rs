//! Two runs that take turns of a twentieth of a second.
//!
//! In: a peer's command, and ours. Out: the peer's run, and how long steps took on each side. Always: one of them is
//! stopped while the other runs; turns begin when more than half of a run's steps are over, so that warm-up does not
//! count; both sides' times are of the same steps.
//!
//! What else a machine does only ever makes a step slower, so that it is the faster ones that say what a side can do: see
//! [`Times::ratio`]. A turn waits for a moment in which the cores that it used last are quiet, but not for long.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use crate::BenchError;
use crate::lines::{Counter, Mark};
use crate::measure::Times;
use crate::process::{Finished, Running};
use crate::quiet::Cores;

/// Seconds of a turn at least.
const TURN_S: f64 = 0.05;
/// Turns that the rest of a run is divided into, if that makes longer ones.
const TURNS: f64 = 400.0;
/// The share of a run's steps that is warm-up. Scripts look at the clock when half of their steps are over: a branch that
/// a JIT has not seen taken, so that it leaves its code once and makes another version.
const WARM_UP: f64 = 0.55;
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

    /// Its next turn, in which it adds to the seconds that steps take: whether the cores it used were quiet before and
    /// after it. A run that ends before it has none left.
    fn turn(&mut self, seconds: &mut Vec<f64>, wait: Duration, cores: &mut Cores) -> Option<bool> {
        let first = self.counter.marks.len().checked_sub(1)?;
        let from = *self.counter.marks.get(first)?;
        let turn_s = self.turn_s;
        let mut busy = cores.wait(&self.used, wait);
        let threads = self.running.threads();
        self.advance(|mark| mark.at - from.at >= turn_s);
        busy.append(&mut cores.busy());
        self.used = self.running.threads().cores_since(&threads);
        let before = seconds.len();
        seconds.extend(seconds_a_step(self.counter.marks.get(first..)?));
        let quiet = if self.used.is_empty() {
            busy.is_empty()
        } else {
            busy.is_disjoint(&self.used)
        };
        (seconds.len() > before).then_some(quiet)
    }
}

/// Seconds of a step, between each mark and the next.
fn seconds_a_step(marks: &[Mark]) -> impl Iterator<Item = f64> {
    marks.windows(2).filter_map(|pair| match pair {
        [from, to] if to.done > from.done => Some((to.at - from.at) / (to.done - from.done)),
        _ => None,
    })
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
) -> Result<(Finished, Option<Times>), BenchError> {
    let mut them = Side::start(theirs, limit)?;
    let mut times = (Vec::new(), Vec::new());
    let mut quiet = 0;
    if them.warm_up(steps) {
        let mut us: Option<Side> = None;
        let mut vain = 0;
        loop {
            let plenty = quiet >= PLENTY;
            let wait = if plenty { Duration::ZERO } else { them.wait };
            let Some(undisturbed) = them.turn(&mut times.0, wait, cores) else {
                break;
            };
            quiet += usize::from(undisturbed);
            while vain < VAIN {
                let turn = us
                    .as_mut()
                    .and_then(|us| us.turn(&mut times.1, wait, cores));
                if let Some(undisturbed) = turn {
                    quiet += usize::from(undisturbed);
                    vain = 0;
                    break;
                }
                vain += 1;
                let mut fresh = Side::start(ours, limit)?;
                us = fresh.warm_up(steps).then_some(fresh);
            }
        }
    }
    Ok((them.running.finish(limit)?, Times::of(&times.0, &times.1)))
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
    fn steps_take_what_lies_between_marks() {
        let marks = [(1.0, 2.0), (2.0, 4.0), (2.5, 4.0), (4.5, 5.0)];
        let marks = marks.map(|(at, done)| Mark { at, done });
        assert!(seconds_a_step(&marks).eq([0.5, 2.0]));
        assert_eq!(seconds_a_step(&marks[..1]).count(), 0);
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
        // Sleeping goes on while a process is stopped, so that these are not the times of programs that work.
        let spread = times.unwrap().ratio();
        assert!(ran.stops > 1 && spread.low > 0.0, "{spread:?}");
    }

    #[test]
    fn without_steps_there_are_no_turns() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            super::run(theirs, ours, steps, limit, &mut cores)
        };
        let mut quiet = Command::new("true");
        let (ran, times) = run(&mut quiet, &mut sh("0.02"), 40.0).unwrap();
        assert!(ran.failure.is_none() && times.is_none());
        let (ran, times) = run(&mut sh("0.02"), &mut quiet, 40.0).unwrap();
        assert!(ran.lines.len() == 40 && times.is_none());
        // What did not come to half of it was never stopped.
        let (ran, times) = run(&mut sh("0.02"), &mut sh("0.02"), 200.0).unwrap();
        assert!(ran.stops == 0 && times.is_none());
    }
}
