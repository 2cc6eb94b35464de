//! `cargo xtask scripts`: other people's PyTorch scripts, here and on CPython + PyTorch.
//!
//! In: checkouts. Out: a table and a page: what ran, what it printed, what it cost, and where the time went. Always: checkouts are
//! only read; both sides have the same seeds, data and packages; what was run is kept, so that a run that was stopped goes
//! on, and a new build of janus-jit runs only its own half again.

mod compare;
mod sandbox;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::TaskError;
use crate::others::{self, AtLimit, Limit, class_of, collect, last_line, without_addresses};
use crate::shell::{target_dir, write};
use compare::Likeness;

const WRAPPER: &str = include_str!("wrapper.py");

/// How many times as long a script may run there that failed here.
const LONGER: u64 = 6;

/// What is kept of a script's output, in bytes.
const KEPT: usize = 200_000;

/// What to run.
pub struct Series<'a> {
    /// Checkouts, or single scripts.
    pub from: &'a [PathBuf],
    /// This janus-jit.
    pub janus_jit: &'a Path,
    /// CPython 3.11 with PyTorch, and the packages that scripts want.
    pub python: &'a Path,
    /// For each script and side; who still runs then is compared by what it printed until then.
    pub seconds: u64,
    /// Only scripts whose path contains this.
    pub only: Option<&'a str>,
    /// Flags of `janus-jit run`.
    pub flags: &'a [String],
    /// Run what is known, too.
    pub again: bool,
    /// Run nothing: make the table of what is known.
    pub known: bool,
}

/// What a script did on one side.
#[derive(Clone, Serialize, Deserialize)]
struct Outcome {
    /// Its exit status; none if it ran out of time or was killed.
    status: Option<i32>,
    /// Whether it ran out of time.
    limited: bool,
    /// What it printed, without addresses.
    printed: String,
    /// The last line of its standard error.
    last: String,
    /// Seconds on the wall and of processors when so many lines had been printed, since the script began.
    marks: Vec<(usize, f64, f64)>,
    /// Seconds on the wall and of processors before the script began.
    startup: (f64, f64),
    /// The same of the script.
    took: (f64, f64),
}

/// What is known of a script.
#[derive(Serialize, Deserialize)]
struct Known {
    /// Of the script and how it was run: a changed one is run again.
    stamp: String,
    theirs: Outcome,
    /// Whether that had more time than usual.
    #[serde(default)]
    longer: bool,
    /// What PyTorch prints with other instructions of the processor, where ours is something else: how far last digits carry.
    narrow: Option<Outcome>,
    /// Of the janus-jit that ran it, what that did, and its statistics.
    ours: Option<(String, Outcome, Option<serde_json::Value>)>,
}

/// What came of a script.
enum Verdict {
    /// PyTorch does not run it, or there is nothing to compare.
    Out(String),
    /// It ran; or it ran as long as the other side did.
    Same(Likeness),
    /// Something else was printed, but not before the line at which PyTorch with other instructions prints something else, too.
    AsItself(usize),
    /// Something else was printed.
    Differs(String),
    /// It raised, or ended otherwise.
    Fails(String),
}

/// A script, with what came of it.
struct Row {
    name: String,
    verdict: Verdict,
    /// Whether a side ran out of time.
    limited: bool,
    /// Seconds on the wall and of processors, there and here, over what both did; start-up left out.
    both: Option<((f64, f64), (f64, f64))>,
    /// The same with start-up.
    whole: Option<((f64, f64), (f64, f64))>,
    stats: Option<serde_json::Value>,
}

fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn bytes(path: &Path) -> Result<Vec<u8>, TaskError> {
    fs::read(path).map_err(|source| TaskError::Io {
        path: path.to_owned(),
        source,
    })
}

/// The folders that this works in.
struct Folders {
    work: PathBuf,
    data: PathBuf,
    wrapper: PathBuf,
}

/// Runs the scripts and prints the table; whether all are the same.
pub fn run(series: &Series) -> Result<bool, TaskError> {
    let work = target_dir().join("scripts");
    let folders = Folders {
        data: work.join("data"),
        wrapper: work.join("wrapper.py"),
        work,
    };
    sandbox::data(series.python, &folders.data)?;
    write(&folders.wrapper, WRAPPER)?;
    let file = target_dir().join("scripts.json");
    let mut known: BTreeMap<String, Known> = fs::read_to_string(&file)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let build = hash(&[&bytes(series.janus_jit)?, series.flags.join(" ").as_bytes()]);
    let mut rows = Vec::new();
    for from in series.from {
        let checkout = from.canonicalize().map_err(|source| TaskError::Io {
            path: from.clone(),
            source,
        })?;
        let mut scripts = Vec::new();
        collect(&checkout, &mut scripts)?;
        let root = match checkout.is_dir() {
            true => checkout.clone(),
            false => checkout.parent().unwrap_or(&checkout).to_owned(),
        };
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        let wanted = |s: &PathBuf| series.only.is_none_or(|o| s.to_string_lossy().contains(o));
        for script in scripts.into_iter().filter(wanted) {
            for args in sandbox::arguments(&script) {
                let inside = script.strip_prefix(&root).unwrap_or(&script);
                let mut key = format!("{name}/{}", inside.display());
                if !args.is_empty() {
                    key = format!("{key} {}", args.join(" "));
                }
                let one = Script {
                    script: &script,
                    root: &root,
                    name: &name,
                    args: &args,
                };
                let entry = one.look(series, &folders, &build, known.remove(&key))?;
                if let Some(entry) = entry {
                    let row = judge(&key, &entry);
                    println!("{}", table::line(&row));
                    rows.push(row);
                    known.insert(key, entry);
                    let text = serde_json::to_string(&known).unwrap_or_default();
                    write(&file, &text)?;
                }
            }
        }
    }
    println!("\n{}", table::summary(&rows));
    let page = target_dir().join("scripts.html");
    write(&page, &table::page(&rows))?;
    write(&target_dir().join("scripts.md"), &table::markdown(&rows))?;
    println!("{}", page.display());
    Ok(rows
        .iter()
        .all(|r| !matches!(r.verdict, Verdict::Differs(_) | Verdict::Fails(_))))
}

/// Who runs a script.
enum Side<'a> {
    /// CPython + PyTorch.
    There,
    /// They with other instructions of the processor, so that sums are added up in another order.
    Narrow,
    /// janus-jit, with a file for its statistics.
    Here(&'a Path),
}

impl Side<'_> {
    fn folder(&self) -> &'static str {
        match self {
            Side::There => "there",
            Side::Narrow => "narrow",
            Side::Here(_) => "here",
        }
    }
}

/// A script of a checkout, and its command line.
struct Script<'a> {
    script: &'a Path,
    root: &'a Path,
    name: &'a str,
    args: &'a [String],
}

impl Script<'_> {
    /// What it does, as far as it is not known.
    fn look(
        &self,
        series: &Series,
        folders: &Folders,
        build: &str,
        known: Option<Known>,
    ) -> Result<Option<Known>, TaskError> {
        if series.known {
            return Ok(known);
        }
        let seconds = series.seconds.to_string();
        let args = self.args.join(" ");
        let text = bytes(self.script)?;
        let stamp = hash(&[
            &text,
            args.as_bytes(),
            seconds.as_bytes(),
            WRAPPER.as_bytes(),
            sandbox::made_by(&text).as_bytes(),
        ]);
        let known = known.filter(|known| known.stamp == stamp && !series.again);
        let mut known = match known {
            Some(known) => known,
            None => {
                let theirs = self.execute(series, folders, &Side::There, series.seconds)?;
                Known {
                    stamp,
                    theirs,
                    longer: false,
                    narrow: None,
                    ours: None,
                }
            }
        };
        let done = known.ours.as_ref().is_some_and(|(by, ..)| by == build);
        if !done && without_use(&known.theirs).is_none() {
            let stats = folders.work.join("stats.json");
            // It is only there if this run writes it.
            let _ = fs::remove_file(&stats);
            let ours = self.execute(series, folders, &Side::Here(&stats), series.seconds)?;
            let stats = fs::read_to_string(&stats).ok();
            let stats = stats.and_then(|text| serde_json::from_str(&text).ok());
            known.ours = Some((build.to_owned(), ours, stats));
        }
        // It may only be later than ours: a failure is one here alone if that side does not come to it with more time.
        if matches!(judge("", &known).verdict, Verdict::Fails(_))
            && known.theirs.limited
            && !known.longer
        {
            known.theirs = self.execute(series, folders, &Side::There, LONGER * series.seconds)?;
            known.longer = true;
        }
        if known.narrow.is_none() && matches!(judge("", &known).verdict, Verdict::Differs(_)) {
            known.narrow = Some(self.execute(series, folders, &Side::Narrow, series.seconds)?);
        }
        Ok(Some(known))
    }

    /// Runs it in its folder of a copy.
    fn execute(
        &self,
        series: &Series,
        folders: &Folders,
        side: &Side,
        seconds: u64,
    ) -> Result<Outcome, TaskError> {
        let copy = folders.work.join(side.folder()).join(self.name);
        sandbox::copy(self.root, &copy)?;
        let script = sandbox::of(self.script, self.root, &copy);
        sandbox::place(&script, &folders.data)?;
        let times = folders.work.join("times");
        // It is only there if this run writes it.
        let _ = fs::remove_file(&times);
        let mut command = match side {
            Side::There => Command::new(series.python),
            Side::Narrow => {
                let mut command = Command::new(series.python);
                command
                    .env("ATEN_CPU_CAPABILITY", "default")
                    .env("ONEDNN_MAX_CPU_ISA", "SSE41")
                    .env("MKL_ENABLE_INSTRUCTIONS", "SSE4_2");
                command
            }
            Side::Here(stats) => {
                let mut command = Command::new(series.janus_jit);
                command.args(["run", "--stats"]).arg(stats);
                command.args(series.flags);
                command
            }
        };
        // The packages beside the interpreter are those of both sides.
        let environment = series.python.ancestors().nth(2).unwrap_or(Path::new("/"));
        command
            .arg(&folders.wrapper)
            .arg(&script)
            .args(self.args)
            .env("JANUS_SCRIPTS_TIMES", &times)
            .env("VIRTUAL_ENV", environment)
            .env("PYTHONPATH", &copy)
            .env("PYTHONHASHSEED", "0")
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("MPLBACKEND", "Agg")
            .env("OMP_NUM_THREADS", "1")
            .env("JANUS_CACHE", "off");
        if let Some(folder) = script.parent() {
            command.current_dir(folder);
        }
        let limit = Limit {
            time: Duration::from_secs(seconds),
            at: AtLimit::Interrupt,
            from: Some(&times),
        };
        let begun = std::time::SystemTime::now();
        let ran = others::run(&mut command, limit).map_err(|source| {
            let command = command.get_program().to_string_lossy().into_owned();
            TaskError::Start { command, source }
        })?;
        let begun = begun
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let since = begun.as_secs_f64();
        let noted = fs::read_to_string(&times).unwrap_or_default();
        let noted: Vec<Noted> = noted
            .lines()
            .filter_map(|line| Noted::read(line, since))
            .collect();
        Ok(outcome(&ran, &noted))
    }
}

/// What the wrapper notes at the script's beginning, and at its end.
#[derive(Clone, Copy)]
struct Noted {
    wall_s: f64,
    cpu_s: f64,
    status: i32,
}

impl Noted {
    fn read(line: &str, since: f64) -> Option<Noted> {
        let mut parts = line.split_whitespace();
        let cpu_s = parts.next()?.parse().ok()?;
        let at: f64 = parts.next()?.parse().ok()?;
        let status = parts.next()?.parse().ok()?;
        Some(Noted {
            wall_s: at - since,
            cpu_s,
            status,
        })
    }
}

fn outcome(ran: &others::Ran, noted: &[Noted]) -> Outcome {
    let whole = Noted {
        wall_s: ran.wall_s,
        cpu_s: ran.cpu_s,
        status: 0,
    };
    let begin = noted.first().copied().unwrap_or(whole);
    // Where the end was noted, running out of time behind it is nothing.
    let end = noted.get(1).filter(|end| end.wall_s <= ran.wall_s);
    let limited = ran.limited && end.is_none();
    let status = match end {
        Some(end) if ran.limited => Some(end.status),
        _ => ran.status,
    };
    let end = end.copied().unwrap_or(whole);
    // Each mark with the lines until then, counted from the mark before it.
    let mut marks: Vec<(usize, f64, f64)> = Vec::new();
    let (mut lines, mut from) = (0, 0);
    for mark in &ran.marks {
        let to = mark.bytes.min(ran.out.len());
        let piece = ran.out.get(from..to).unwrap_or_default();
        lines += piece.iter().filter(|b| **b == b'\n').count();
        from = to;
        marks.push((lines, mark.wall_s - begin.wall_s, mark.cpu_s - begin.cpu_s));
    }
    // A few hundred tell as much; the last one is among them.
    let every = marks.len() / 500 + 1;
    marks.reverse();
    let mut marks: Vec<_> = marks.into_iter().step_by(every).collect();
    marks.reverse();
    let mut printed = without_addresses(&String::from_utf8_lossy(&ran.out));
    if printed.len() > KEPT {
        let ends = printed.match_indices('\n').map(|(at, _)| at + 1);
        let end = ends.take_while(|at| *at <= KEPT).max().unwrap_or(0);
        printed.truncate(end);
    }
    Outcome {
        status,
        limited,
        printed,
        last: last_line(&ran.err),
        marks,
        startup: (begin.wall_s, begin.cpu_s),
        took: (end.wall_s - begin.wall_s, end.cpu_s - begin.cpu_s),
    }
}

/// Why nothing can be compared with this, if so.
fn without_use(theirs: &Outcome) -> Option<String> {
    if theirs.limited {
        return None;
    }
    match theirs.status {
        Some(0) if theirs.printed.is_empty() && theirs.took.1 < 0.05 => {
            Some("does nothing by itself".to_owned())
        }
        Some(0) => None,
        _ if theirs.last.is_empty() => Some("PyTorch: killed".to_owned()),
        _ => Some(format!("PyTorch: {}", theirs.last)),
    }
}

fn judge(name: &str, known: &Known) -> Row {
    let theirs = &known.theirs;
    let mut row = Row {
        name: name.to_owned(),
        verdict: Verdict::Out(String::new()),
        limited: false,
        both: None,
        whole: None,
        stats: None,
    };
    if let Some(why) = without_use(theirs) {
        row.verdict = Verdict::Out(why);
        return row;
    }
    let Some((_, ours, stats)) = &known.ours else {
        row.verdict = Verdict::Out("not run".to_owned());
        return row;
    };
    row.stats.clone_from(stats);
    row.limited = theirs.limited || ours.limited;
    let cut = theirs.printed.len() + 1000 > KEPT || ours.printed.len() + 1000 > KEPT;
    row.verdict = if !ours.limited && ours.status != Some(0) {
        Verdict::Fails(match ours.last.as_str() {
            "" => "killed".to_owned(),
            last => last.to_owned(),
        })
    } else {
        match compare::compare(&theirs.printed, &ours.printed, row.limited || cut) {
            Likeness::Differs(line, ..) if differs_from_itself(known, line) => {
                Verdict::AsItself(line)
            }
            Likeness::Differs(line, expected, actual) => Verdict::Differs(format!(
                "line {line}: {:?} in place of {:?}",
                short(&actual),
                short(&expected)
            )),
            alike => Verdict::Same(alike),
        }
    };
    if !matches!(row.verdict, Verdict::Fails(_)) {
        row.both = over_both(theirs, ours);
        row.whole = row.both.map(|(a, b)| {
            let with = |x: (f64, f64), of: &Outcome| (x.0 + of.startup.0, x.1 + of.startup.1);
            (with(a, theirs), with(b, ours))
        });
    }
    row
}

/// Whether PyTorch with other instructions prints something else, not much later than at this line.
fn differs_from_itself(known: &Known, line: usize) -> bool {
    let Some(narrow) = &known.narrow else {
        return false;
    };
    let prefix = known.theirs.limited || narrow.limited;
    match compare::compare(&known.theirs.printed, &narrow.printed, prefix) {
        Likeness::Differs(at, ..) => at <= line + line / 2 + 1,
        Likeness::Text | Likeness::Numbers(_) => false,
    }
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(90).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// What both sides did took so long: all of it, or until the last line that both printed.
fn over_both(theirs: &Outcome, ours: &Outcome) -> Option<((f64, f64), (f64, f64))> {
    if !theirs.limited && !ours.limited {
        // What is over at once says nothing.
        return (theirs.took.1 > 0.05).then_some((theirs.took, ours.took));
    }
    let at = |of: &Outcome, lines: usize| {
        let mark = of.marks.iter().find(|m| m.0 >= lines)?;
        Some((mark.1, mark.2))
    };
    let lines = |of: &Outcome| of.marks.last().map_or(0, |m| m.0);
    let last = lines(theirs).min(lines(ours));
    // A line that comes at once says nothing.
    (last > 0)
        .then(|| Some((at(theirs, last)?, at(ours, last)?)))
        .flatten()
        .filter(|(a, _)| a.1 > 0.2)
}

/// The kind of a failure: its class, and what it is about.
fn kind(last: &str) -> String {
    let class = class_of(last);
    let rest = last
        .get(class.len()..)
        .unwrap_or("")
        .trim_start_matches(": ");
    format!("{class}: {}", short(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(printed: &str, limited: bool) -> Outcome {
        Outcome {
            status: (!limited).then_some(0),
            limited,
            printed: printed.to_owned(),
            last: String::new(),
            marks: vec![(1, 1.0, 1.0), (2, 2.0, 2.0)],
            startup: (1.0, 1.0),
            took: (5.0, 5.0),
        }
    }

    fn judged(theirs: Outcome, ours: Outcome) -> Row {
        let ours = Some((String::new(), ours, None));
        judge(
            "a",
            &Known {
                stamp: String::new(),
                theirs,
                longer: false,
                narrow: None,
                ours,
            },
        )
    }

    #[test]
    fn who_runs_out_of_time_is_compared_until_then() {
        let row = judged(outcome("1\n2\n", true), outcome("1\n2\n3\n", false));
        assert!(matches!(row.verdict, Verdict::Same(_)));
        assert_eq!(row.both, Some(((2.0, 2.0), (2.0, 2.0))));
        let row = judged(outcome("1\n2\n", false), outcome("1\n", false));
        assert!(matches!(row.verdict, Verdict::Differs(_)));
    }

    #[test]
    fn a_failure_says_what_failed() {
        let mut ours = outcome("1\n", false);
        ours.status = Some(1);
        ours.last = "KeyError: 3".to_owned();
        let row = judged(outcome("1\n", false), ours);
        assert!(matches!(row.verdict, Verdict::Fails(why) if why == "KeyError: 3"));
        assert!(row.both.is_none());
    }
}
