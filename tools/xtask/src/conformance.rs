//! Other people's scripts, here and on CPython.
//!
//! In: folders with scripts. Out: how many print the same, and what the first difference of the others is, by kind. Always:
//! each script runs in its own folder with a time limit; what was run is kept, so that a run that was stopped goes on,
//! and a new build of janus-jit runs only its own half again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::TaskError;
use crate::others::{self, AtLimit, Limit, class_of, collect, last_line, stamp, without_addresses};
use crate::shell::{target_dir, write};

/// What to run.
pub struct Series<'a> {
    /// The folders, or single scripts.
    pub from: &'a [PathBuf],
    /// This janus-jit.
    pub janus_jit: &'a Path,
    /// CPython 3.11.
    pub python: &'a Path,
    /// For each script under CPython; janus-jit has three times as long.
    pub seconds: u64,
    /// Only scripts whose path contains this.
    pub only: Option<&'a str>,
    /// Run what is known, too.
    pub again: bool,
}

/// What a script did.
#[derive(Clone, Serialize, Deserialize)]
struct Outcome {
    /// Its exit status; none if it ran out of time or was killed.
    status: Option<i32>,
    /// What it printed, without addresses.
    printed: String,
    /// The last line of its standard error.
    last: String,
}

/// What is known of a script.
#[derive(Serialize, Deserialize)]
struct Known {
    /// Of the script: a changed one is run again.
    stamp: String,
    cpython: Outcome,
    /// Whether CPython printed the same twice.
    stable: bool,
    /// Of the janus-jit that ran it, and what that did.
    ours: Option<(String, Outcome)>,
}

/// What came of a script.
enum Verdict {
    /// CPython does not run it, or not always alike.
    Out(&'static str),
    Same,
    /// The kind of difference, and the difference.
    Differs(String, String),
}

/// Runs the scripts and prints the table; whether all are the same.
pub fn run(series: &Series) -> Result<bool, TaskError> {
    let mut scripts = Vec::new();
    for from in series.from {
        collect(from, &mut scripts)?;
    }
    scripts.retain(|s| {
        series
            .only
            .is_none_or(|only| s.to_string_lossy().contains(only))
    });
    let file = target_dir().join("conformance.json");
    let mut known: BTreeMap<String, Known> = fs::read_to_string(&file)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let build = stamp(series.janus_jit);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, script) in scripts.iter().enumerate() {
        let key = script.display().to_string();
        let entry = look(series, script, &build, known.remove(&key));
        let verdict = judge(&entry);
        known.insert(key.clone(), entry);
        let word = match verdict {
            Verdict::Out(why) => why,
            Verdict::Same => "same",
            Verdict::Differs(kind, difference) => {
                println!("{key}: {difference}");
                kinds.entry(kind).or_default().push(key);
                "different"
            }
        };
        *counts.entry(word).or_default() += 1;
        if at % 20 == 19 {
            save(&file, &known)?;
        }
    }
    save(&file, &known)?;
    table(scripts.len(), &counts, &kinds);
    Ok(kinds.is_empty())
}

fn save(file: &Path, known: &BTreeMap<String, Known>) -> Result<(), TaskError> {
    let text = serde_json::to_string(known).unwrap_or_default();
    if let Some(folder) = file.parent() {
        let _ = fs::create_dir_all(folder);
    }
    write(file, &text)
}

fn table(found: usize, counts: &BTreeMap<&str, usize>, kinds: &BTreeMap<String, Vec<String>>) {
    let mut order: Vec<_> = kinds.iter().collect();
    order.sort_by_key(|(_, scripts)| std::cmp::Reverse(scripts.len()));
    if !order.is_empty() {
        println!("\nThe first difference, by kind:");
    }
    for (kind, scripts) in order {
        let names: Vec<&str> = scripts
            .iter()
            .take(4)
            .map(|s| s.rsplit('/').next().unwrap_or(s))
            .collect();
        println!("{:6}  {kind}  ({})", scripts.len(), names.join(", "));
    }
    let same = counts.get("same").copied().unwrap_or(0);
    let ran = same + counts.get("different").copied().unwrap_or(0);
    println!(
        "\n{found} scripts, {ran} that CPython runs, {same} the same here ({:.1}%)",
        { 100.0 * same as f64 / ran.max(1) as f64 }
    );
    for (word, count) in counts {
        if !matches!(*word, "same" | "different") {
            println!("{count} {word}");
        }
    }
}

/// What a script does, as far as it is not known.
fn look(series: &Series, script: &Path, build: &str, known: Option<Known>) -> Known {
    let stamp = stamp(script);
    let known = known.filter(|known| known.stamp == stamp && !series.again);
    let mut known = known.unwrap_or_else(|| {
        let first = execute(series.python, &[], script, series.seconds);
        let stable = first.status.is_some() && {
            let second = execute(series.python, &[], script, series.seconds);
            second.printed == first.printed && second.status == first.status
        };
        Known {
            stamp,
            cpython: first,
            stable,
            ours: None,
        }
    });
    let done = known.ours.as_ref().is_some_and(|(by, _)| by == build);
    if known.stable && !done {
        let ours = execute(series.janus_jit, &["run"], script, 3 * series.seconds);
        known.ours = Some((build.to_owned(), ours));
    }
    known
}

fn judge(known: &Known) -> Verdict {
    let expected = &known.cpython;
    if expected.status.is_none() {
        return Verdict::Out("that never end under CPython, or are killed");
    }
    if !known.stable {
        return Verdict::Out("that CPython runs in two ways");
    }
    if class_of(&expected.last) == "ModuleNotFoundError" && expected.status != Some(0) {
        return Verdict::Out("that import what CPython has not here");
    }
    let Some((_, ours)) = &known.ours else {
        return Verdict::Out("not run");
    };
    let Some(status) = ours.status else {
        let difference = "runs out of time, or is killed".to_owned();
        return Verdict::Differs(difference.clone(), difference);
    };
    if Some(status) != expected.status {
        let kind = if ours.last.is_empty() {
            format!("exit status {status}")
        } else {
            ours.last.clone()
        };
        return Verdict::Differs(kind.clone(), kind);
    }
    if ours.printed != expected.printed {
        let pairs = ours.printed.lines().zip(expected.printed.lines());
        let at = pairs.take_while(|(a, b)| a == b).count();
        let line = |text: &str| text.lines().nth(at).unwrap_or("the end").to_owned();
        let difference = format!(
            "line {}: {:?} in place of {:?}",
            at + 1,
            line(&ours.printed),
            line(&expected.printed)
        );
        return Verdict::Differs("another text".to_owned(), difference);
    }
    if status != 0 && class_of(&ours.last) != class_of(&expected.last) {
        let difference = format!("{} in place of {}", ours.last, expected.last);
        return Verdict::Differs("another exception".to_owned(), difference);
    }
    Verdict::Same
}

/// Runs a script in its folder.
fn execute(program: &Path, before: &[&str], script: &Path, seconds: u64) -> Outcome {
    let mut command = Command::new(program);
    command
        .args(before)
        .arg(script)
        .env("PYTHONHASHSEED", "0")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("JANUS_CACHE", "off");
    if let Some(folder) = script.parent() {
        command.current_dir(folder);
    }
    let limit = Limit {
        time: Duration::from_secs(seconds),
        at: AtLimit::Kill,
        from: None,
    };
    match others::run(&mut command, limit) {
        Ok(ran) if ran.limited => Outcome {
            status: None,
            printed: String::new(),
            last: String::new(),
        },
        Ok(ran) => Outcome {
            status: ran.status,
            printed: without_addresses(&String::from_utf8_lossy(&ran.out)),
            last: last_line(&ran.err),
        },
        Err(e) => Outcome {
            status: None,
            printed: String::new(),
            last: e.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: i32, printed: &str, last: &str) -> Outcome {
        Outcome {
            status: Some(status),
            printed: printed.to_owned(),
            last: last.to_owned(),
        }
    }

    fn known(cpython: Outcome, ours: Outcome) -> Known {
        Known {
            stamp: String::new(),
            cpython,
            stable: true,
            ours: Some((String::new(), ours)),
        }
    }

    #[test]
    fn what_differs_first_is_told() {
        let judged = judge(&known(outcome(0, "a\nb\n", ""), outcome(0, "a\nc\n", "")));
        assert!(matches!(judged, Verdict::Differs(_, d) if d.starts_with("line 2")));
        let judged = judge(&known(
            outcome(1, "", "ValueError: x"),
            outcome(1, "", "ValueError: y"),
        ));
        assert!(matches!(judged, Verdict::Same));
        let judged = judge(&known(outcome(0, "", ""), outcome(1, "", "KeyError: 1")));
        assert!(matches!(judged, Verdict::Differs(kind, _) if kind == "KeyError: 1"));
    }
}
