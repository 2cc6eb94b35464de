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
/// Seconds of ours that are looked at as a whole at least: when a line arrives is only known to some tenths of a
/// millisecond, and lines that come fast come several at a time.
const BLOCK_S: f64 = 0.003;
/// Seconds that both sides' turns together wait for a quiet machine, at most.
const WAIT_S: f64 = 30.0;
/// The longest that one turn waits.
const LONGEST: Duration = Duration::from_millis(500);
/// Quiet turns that are enough to wait for no more.
const PLENTY: usize = 50;
/// Runs of ours in a row that may end without a turn.
const VAIN: u32 = 3;

/// What both sides do.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Steps of a run.
    pub steps: f64,
    /// After which a run is given up.
    pub limit: Duration,
    /// The word in front of how much work a step was.
    pub work: Option<&'a str>,
}

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
    fn start(command: &mut Command, plan: &Plan) -> Result<Side, BenchError> {
        Ok(Side {
            running: Running::start(command)?,
            limit: plan.limit,
            counter: Counter::of(plan.work),
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

    /// Its next turn, in which it adds what lay between marks: whether the cores it used were quiet before and after it.
    /// A run that ends before it has none left.
    fn turn(&mut self, spans: &mut Vec<Span>, wait: Duration, cores: &mut Cores) -> Option<bool> {
        let first = self.counter.marks.len().checked_sub(1)?;
        let from = *self.counter.marks.get(first)?;
        let turn_s = self.turn_s;
        let mut busy = cores.wait(&self.used, wait);
        let threads = self.running.threads();
        self.advance(|mark| mark.at - from.at >= turn_s);
        busy.append(&mut cores.busy());
        self.used = self.running.threads().cores_since(&threads);
        let before = spans.len();
        spans.extend(spans_of(self.counter.marks.get(first..)?));
        let quiet = if self.used.is_empty() {
            busy.is_empty()
        } else {
            busy.is_disjoint(&self.used)
        };
        (spans.len() > before).then_some(quiet)
    }
}

/// What lies between two marks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Span {
    /// Steps of the run that are over before it.
    from: f64,
    steps: f64,
    work: f64,
    seconds: f64,
}

/// Between each mark and the next.
fn spans_of(marks: &[Mark]) -> impl Iterator<Item = Span> {
    marks.windows(2).filter_map(|pair| match pair {
        [from, to] if to.done > from.done => Some(Span {
            from: from.done,
            steps: to.done - from.done,
            work: to.work - from.work,
            seconds: to.at - from.at,
        }),
        _ => None,
    })
}

/// Seconds of a step, or of a unit of its work, in each block of a run, which begins and ends at a multiple of so many
/// steps; a block that was not seen as a whole is none.
fn seconds_a_step(spans: &[Span], block: f64) -> Vec<f64> {
    let mut found = Vec::new();
    // What the block has so far; none until the first one begins.
    let mut open: Option<Span> = None;
    for span in spans {
        // Another run of the same steps begins anew.
        open = open.filter(|open| open.from + open.steps == span.from);
        let to = span.from + span.steps;
        if let Some(open) = &mut open {
            open.steps += span.steps;
            open.work += span.work;
            open.seconds += span.seconds;
        } else if span.from % block == 0.0 {
            open = Some(*span);
        }
        if (to / block).floor() > (span.from / block).floor() {
            found.extend(open.filter(|b| b.work > 0.0).map(|b| b.seconds / b.work));
            open = Some(Span {
                from: to,
                ..Span::default()
            });
        }
    }
    found
}

/// Of the same blocks of both sides, which are as short as ours can be told.
fn times(theirs: &[Span], ours: &[Span]) -> Option<Times> {
    let sum = |part: fn(&Span) -> f64| ours.iter().map(part).sum::<f64>();
    let block = (BLOCK_S * sum(|s| s.steps) / sum(|s| s.seconds))
        .ceil()
        .max(1.0);
    let of = |spans| seconds_a_step(spans, if block.is_finite() { block } else { 1.0 });
    Times::of(&of(theirs), &of(ours))
}

/// Runs `theirs` to its end, and `ours` beside it, again and again. Without steps that it could count there are no turns.
///
/// # Errors
/// One of them cannot be started.
pub fn run(
    theirs: &mut Command,
    ours: &mut Command,
    plan: &Plan,
    cores: &mut Cores,
) -> Result<(Finished, Option<Times>), BenchError> {
    let &Plan { steps, limit, .. } = plan;
    let mut them = Side::start(theirs, plan)?;
    let mut spans = (Vec::new(), Vec::new());
    let mut quiet = 0;
    if them.warm_up(steps) {
        let mut us: Option<Side> = None;
        let mut vain = 0;
        loop {
            let plenty = quiet >= PLENTY;
            let wait = if plenty { Duration::ZERO } else { them.wait };
            let Some(undisturbed) = them.turn(&mut spans.0, wait, cores) else {
                break;
            };
            quiet += usize::from(undisturbed);
            while vain < VAIN {
                let turn = us
                    .as_mut()
                    .and_then(|us| us.turn(&mut spans.1, wait, cores));
                if let Some(undisturbed) = turn {
                    quiet += usize::from(undisturbed);
                    vain = 0;
                    break;
                }
                vain += 1;
                let mut fresh = Side::start(ours, plan)?;
                us = fresh.warm_up(steps).then_some(fresh);
            }
        }
    }
    Ok((them.running.finish(limit)?, times(&spans.0, &spans.1)))
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
        let marks = marks.map(|(at, done)| Mark {
            at,
            done,
            work: 2.0 * done,
        });
        let spans: Vec<Span> = spans_of(&marks).collect();
        assert_eq!(seconds_a_step(&spans, 1.0), [0.25, 1.0]);
        assert_eq!(spans_of(&marks[..1]).count(), 0);
    }

    #[test]
    fn blocks_are_of_the_same_steps_in_each_run() {
        let run = |from: u32, to: u32, seconds: f64| {
            (from..to).map(move |i| Span {
                from: f64::from(i),
                steps: 1.0,
                work: 1.0,
                seconds,
            })
        };
        // From 4 and from 8 on; what lies before and behind is a part of a block.
        let spans: Vec<Span> = run(3, 13, 1.0).chain(run(3, 10, 2.0)).collect();
        assert_eq!(seconds_a_step(&spans, 4.0), [1.0, 1.0, 2.0]);
        // Marks that are further apart than a block is long.
        let apart = [5.0, 10.0, 15.0].map(|from| Span {
            from,
            steps: 5.0,
            work: 5.0,
            seconds: 10.0,
        });
        assert_eq!(seconds_a_step(&apart, 4.0), [2.0, 2.0]);
        let times = times(&spans, &spans).unwrap();
        assert_eq!(times.ratio().median, 1.0);
    }

    #[test]
    fn turns_give_times_and_the_peers_own_run() {
        let (limit, mut cores) = (Duration::from_secs(60), Cores::watch());
        let mut run = |theirs: &mut Command, ours: &mut Command, steps| {
            let plan = Plan {
                steps,
                limit,
                work: None,
            };
            super::run(theirs, ours, &plan, &mut cores)
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
            let plan = Plan {
                steps,
                limit,
                work: None,
            };
            super::run(theirs, ours, &plan, &mut cores)
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
