//! What became slower since older results.

use std::fmt::Write as _;

use super::figure;
use crate::peer::OURS;
use crate::results::{BenchResult, Results};
use crate::stat::Spread;

/// A change smaller than this is none, whatever the spread was.
const LEAST: f64 = 0.10;

/// A figure that changed by more than both spreads.
#[derive(Debug, PartialEq)]
pub struct Change {
    /// The script.
    pub bench: String,
    /// The figure.
    pub what: String,
    /// Before, now.
    pub from: f64,
    /// Now.
    pub to: f64,
    /// It became worse.
    pub worse: bool,
}

/// Figures of ours with their direction: true where more is better.
fn figures(bench: &BenchResult) -> Vec<(String, Option<Spread>, bool)> {
    let Some(ours) = bench.entry(OURS) else {
        return Vec::new();
    };
    let mut all = vec![
        ("steps/s".to_owned(), ours.long(|r| r.steady), true),
        (
            "first step, s".to_owned(),
            ours.long(|r| r.first_step_s),
            false,
        ),
        ("run, s".to_owned(), ours.long(|r| Some(r.wall_s)), false),
        (
            "short run, s".to_owned(),
            ours.short(|r| Some(r.wall_s)),
            false,
        ),
        (
            "peak, MiB".to_owned(),
            ours.long(|r| Some(r.peak_mib)),
            false,
        ),
    ];
    // Ratios: they hold on a machine that is slower now than then, too.
    for entry in bench
        .entries
        .iter()
        .filter(|e| !e.peer.starts_with("janus"))
    {
        all.push((
            format!("ratio to {}", entry.peer),
            bench.ratio(&entry.peer),
            true,
        ));
    }
    all
}

/// Figures that differ by a tenth at least and by more than their spreads.
#[must_use]
pub fn compare(old: &Results, new: &Results) -> Vec<Change> {
    let mut changes = Vec::new();
    for bench in &new.benches {
        let Some(before) = old.benches.iter().find(|b| b.name == bench.name) else {
            continue;
        };
        let before = figures(before);
        for (what, now, more_is_better) in figures(bench) {
            let then = before
                .iter()
                .find(|(w, ..)| *w == what)
                .and_then(|(_, s, _)| *s);
            let (Some(then), Some(now)) = (then, now) else {
                continue;
            };
            let apart = now.low > then.high || now.high < then.low;
            if apart && then.median > 0.0 && (now.median / then.median - 1.0).abs() >= LEAST {
                let worse = (now.median < then.median) == more_is_better;
                changes.push(Change {
                    bench: bench.name.clone(),
                    what,
                    from: then.median,
                    to: now.median,
                    worse,
                });
            }
        }
    }
    changes.sort_by_key(|c| !c.worse);
    changes
}

/// The comparison in words.
#[must_use]
pub fn compared(old: &Results, new: &Results, changes: &[Change]) -> String {
    let mut out = String::new();
    if old.machine.cpu != new.machine.cpu || old.machine.cores != new.machine.cores {
        let _ = writeln!(
            out,
            "the older results are of another machine ({}, {} cores): only ratios can be compared",
            old.machine.cpu, old.machine.cores
        );
    }
    let median = |r: &Results| r.noise().map(|(median, _)| median * 100.0);
    if let (Some(then), Some(now)) = (median(old), median(new))
        && then.max(now) >= LEAST * 100.0
    {
        let _ = writeln!(
            out,
            "the machine was not quiet: the same work took {then:.0}% and now {now:.0}% longer than at best, in the median"
        );
    }
    for c in changes {
        let _ = writeln!(
            out,
            "{}: {}, {}: {} -> {} ({:+.0}%)",
            if c.worse { "WORSE" } else { "better" },
            c.bench,
            c.what,
            figure(c.from),
            figure(c.to),
            (c.to / c.from - 1.0) * 100.0
        );
    }
    if changes.is_empty() {
        out.push_str("nothing changed by more than a tenth and the spread\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Run;
    use crate::results::Entry;
    use crate::spec::Kind;

    fn results(rates: &[f64]) -> Results {
        let runs = |rates: &[f64]| {
            rates
                .iter()
                .map(|r| Run {
                    steady: Some(*r),
                    wall_s: 1.0,
                    ..Run::default()
                })
                .collect()
        };
        let entry = |peer: &str, rates: &[f64]| Entry {
            peer: peer.into(),
            long: runs(rates),
            ..Entry::default()
        };
        let entries = vec![entry(OURS, rates), entry("torch-1", &[10.0, 10.0, 10.0])];
        let bench = BenchResult {
            name: "b".into(),
            kind: Kind::Torch,
            entries,
        };
        Results {
            version: 1,
            started: 0,
            machine: Default::default(),
            rounds: 3,
            probes_ms: vec![],
            peers: vec![],
            skipped: vec![],
            benches: vec![bench],
        }
    }

    #[test]
    fn only_what_is_outside_the_spread_is_told() {
        let old = results(&[100.0, 110.0, 90.0]);
        assert!(compare(&old, &results(&[95.0, 85.0, 105.0])).is_empty());
        let slower = compare(&old, &results(&[50.0, 55.0, 45.0]));
        assert!(
            slower.iter().all(|c| c.worse) && slower.len() == 2,
            "{slower:?}"
        );
        let faster = compare(&old, &results(&[200.0, 210.0, 190.0]));
        assert!(
            faster.iter().all(|c| !c.worse) && faster.len() == 2,
            "{faster:?}"
        );
        let text = compared(&old, &old, &slower);
        assert!(
            text.contains("WORSE: b, steps/s: 100 -> 50.0 (-50%)"),
            "{text}"
        );
    }

    #[test]
    fn a_machine_that_is_not_quiet_is_told() {
        let with = |probes: &[f64]| Results {
            probes_ms: probes.to_vec(),
            ..results(&[100.0])
        };
        let quiet = with(&[1.0, 1.02, 1.01, 1.03]);
        let told = |new: &Results| compared(&quiet, new, &[]).contains("was not quiet");
        assert!(!told(&quiet) && told(&with(&[1.0, 1.3, 1.4, 2.0])));
        let text = super::super::text(&with(&[1.0, 1.3, 1.4, 2.0]));
        assert!(text.contains("took 40% longer than at best"), "{text}");
    }

    #[test]
    fn no_ratio_where_outputs_differ() {
        let mut r = results(&[100.0]);
        assert_eq!(r.benches[0].ratio("torch-1").unwrap().median, 10.0);
        r.benches[0].entries[1].differs = Some("line 3".into());
        assert_eq!(r.benches[0].ratio("torch-1"), None);
        let text = super::super::text(&r);
        assert!(
            text.contains("output differs") && text.contains("line 3"),
            "{text}"
        );
    }
}
