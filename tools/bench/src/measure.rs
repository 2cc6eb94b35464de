//! Figures of one run.
//!
//! In: what a process printed and when, and what it used. Out: [`Run`]. Always: steady state is the
//! second half of the steps, so that warm-up does not count.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::lines::{self, Mark};
use crate::process::Finished;
use crate::stat::{Spread, quantile, rounded};

/// Points of a warm-up curve that are kept.
const POINTS: usize = 60;
/// Steady state counts as reached at this share of it.
const REACHED: f64 = 0.9;

/// Figures of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// Seconds from start to end of the process.
    pub wall_s: f64,
    /// The most memory that it had.
    pub peak_mib: f64,
    /// Seconds until the first step was over.
    pub first_step_s: Option<f64>,
    /// Steps that its output counts.
    #[serde(default)]
    pub steps: f64,
    /// Steps a second over the second half of the steps.
    pub steady: Option<f64>,
    /// Seconds until 90% of that.
    pub ninety_s: Option<f64>,
    /// Seconds of compiling, on whatever thread, where the tool says so.
    pub compile_s: Option<f64>,
    /// The machine's load when it began.
    pub load: f64,
    /// Seconds since the start, and steps a second since the point before.
    pub curve: Vec<(f64, f64)>,
    /// Of a peer's run in turns with ours: what steps took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// Of a peer's run: which of ours came before it; the next one of ours came after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<usize>,
}

/// How long steps took on two sides that took turns: deciles, from the shortest to the longest, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The peer's.
    pub theirs: Deciles,
    /// Ours, of the same steps.
    pub ours: Deciles,
}

/// What no, one, two, … and all ten tenths of the steps stay below.
type Deciles = [f64; 11];

/// The deciles whose mean counts. What disturbs a machine is above them, if it does not for half of the time; and where
/// steps are of several lengths, a mean jumps less than one decile does.
const COUNTED: RangeInclusive<usize> = 2..=4;
/// The deciles that a range is over.
const RANGE: RangeInclusive<usize> = 1..=5;

impl Times {
    /// Of the seconds of steps; `None` if one side has none.
    #[must_use]
    pub fn of(theirs: &[f64], ours: &[f64]) -> Option<Times> {
        Some(Times {
            theirs: deciles(theirs)?,
            ours: deciles(ours)?,
        })
    }

    /// How many times as fast ours is; the range has what each of the deciles from the first to the fifth says.
    #[must_use]
    pub fn ratio(&self) -> Spread {
        let sum = |side: &Deciles| COUNTED.map(|i| side[i]).sum::<f64>();
        let each = || RANGE.map(|i| self.theirs[i] / self.ours[i]);
        Spread {
            median: sum(&self.theirs) / sum(&self.ours),
            low: each().fold(f64::INFINITY, f64::min),
            high: each().fold(0.0, f64::max),
        }
    }
}

fn deciles(seconds: &[f64]) -> Option<Deciles> {
    let mut deciles = Deciles::default();
    for (share, decile) in (0_u32..).zip(&mut deciles) {
        *decile = rounded(quantile(seconds, f64::from(share) / 10.0)?);
    }
    Some(deciles)
}

impl Run {
    /// Of a process that ended well.
    #[must_use]
    pub fn of(finished: &Finished, load: f64) -> Run {
        let marks = lines::marks(&finished.lines);
        let mut printed = finished
            .lines
            .iter()
            .rev()
            .find_map(|(_, l)| lines::printed_rate(l));
        if finished.stops > 0 {
            // It counts the time, too, in which it was stopped.
            printed = None;
        }
        // What the script measured itself knows nothing of pipes; marks are only as good as they are many.
        let steady = printed.or_else(|| steady(&marks));
        let first = marks.first().filter(|m| m.done <= 1.0).map(|m| m.at);
        Run {
            wall_s: finished.wall_s,
            peak_mib: finished.peak_mib,
            first_step_s: first,
            steps: marks.last().map_or(0.0, |m| m.done),
            steady,
            ninety_s: steady.and_then(|rate| ninety(&marks, rate)),
            compile_s: None,
            load,
            curve: curve(&marks),
            times: None,
            beside: None,
        }
    }

    /// Seconds from start to end.
    #[must_use]
    pub fn wall_s(&self) -> f64 {
        self.wall_s
    }

    /// Seconds of a step in the steady state; without one, of the run.
    #[must_use]
    pub fn steady_s(&self) -> f64 {
        self.steady.map_or(self.wall_s, |rate| 1.0 / rate)
    }
}

fn rate(a: &Mark, b: &Mark) -> Option<f64> {
    (b.at > a.at && b.done > a.done).then(|| (b.done - a.done) / (b.at - a.at))
}

fn steady(marks: &[Mark]) -> Option<f64> {
    let last = marks.last()?;
    let half = marks.iter().rev().find(|m| m.done <= last.done / 2.0)?;
    rate(half, last)
}

/// Rates between points that are far enough apart to mean something.
fn curve(marks: &[Mark]) -> Vec<(f64, f64)> {
    let Some(end) = marks.last().map(|m| m.at) else {
        return Vec::new();
    };
    let mut points = Vec::new();
    let mut from = Mark {
        at: 0.0,
        done: 0.0,
        work: 0.0,
    };
    for mark in marks {
        // Early points lie closer together: the scale is logarithmic.
        let apart = (from.at / 12.0)
            .max(end / 2000.0)
            .min(end / POINTS as f64 * 4.0);
        if mark.at - from.at < apart {
            continue;
        }
        if let Some(rate) = rate(&from, mark) {
            points.push((rounded(mark.at), rounded(rate)));
        }
        from = *mark;
    }
    points
}

/// When `REACHED` of the steady rate was first held over two points in a row.
fn ninety(marks: &[Mark], steady: f64) -> Option<f64> {
    let points = curve(marks);
    let enough = |p: &(f64, f64)| p.1 >= steady * REACHED;
    for (i, point) in points.iter().enumerate() {
        if enough(point) && points.get(i + 1).is_none_or(enough) {
            // The interval that is fast enough began with the point before.
            return Some(if i == 0 { point.0 } else { points[i - 1].0 });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(times: &[f64]) -> Finished {
        let lines = times
            .iter()
            .enumerate()
            .map(|(i, t)| (*t, format!("step {} loss", i + 1)))
            .collect();
        Finished {
            lines,
            wall_s: 20.0,
            peak_mib: 1.0,
            ..Finished::default()
        }
    }

    #[test]
    fn a_slow_start_and_then_two_steps_a_second() {
        let times: Vec<f64> = (0..20)
            .map(|i| {
                if i < 5 {
                    f64::from(i + 1)
                } else {
                    5.0 + f64::from(i - 4) * 0.5
                }
            })
            .collect();
        let run = Run::of(&finished(&times), 0.0);
        assert_eq!((run.first_step_s, run.steps), (Some(1.0), 20.0));
        assert!((run.steady.unwrap() - 2.0).abs() < 1e-9, "{run:?}");
        assert!((run.ninety_s.unwrap() - 5.0).abs() < 0.51, "{run:?}");
    }

    #[test]
    fn a_printed_rate_comes_first_and_none_is_none() {
        let mut with = finished(&[1.0, 2.0, 3.0, 4.0]);
        with.lines.push((5.0, "77 steps/s".to_owned()));
        assert_eq!(Run::of(&with, 0.0).steady, Some(77.0));
        assert_eq!(Run::of(&finished(&[]), 0.0).steady, None);
    }
}
