//! Scripts that use packages which pip installs, here and on CPython.
//!
//! In: a virtual environment, and the scripts of `test/packages`. Out: which print the same. Always: a script whose packages
//! the environment lacks is left out and named; numbers may differ by what rounding comes to.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::TaskError;
use crate::others::{self, AtLimit, Limit, last_line, without_addresses};
use crate::shell::{output, read, root};

/// What to run.
pub struct Series<'a> {
    /// The environment.
    pub venv: &'a Path,
    /// This janus-jit.
    pub janus_jit: &'a Path,
    /// Only scripts whose name contains this.
    pub only: Option<&'a str>,
    /// Flags of `janus-jit run`.
    pub flags: &'a [String],
    /// For each script and side.
    pub seconds: u64,
}

/// How far numbers may be apart, relative to the greater one or to 1: scripts print what they computed with a few digits,
/// and the last of them may be rounded the other way.
const TOLERANCE: f64 = 2e-3;

/// Runs the scripts; whether all are the same.
pub fn run(series: &Series) -> Result<bool, TaskError> {
    let folder = root().join("test/packages");
    let mut scripts: Vec<PathBuf> = Vec::new();
    others::collect(&folder, &mut scripts)?;
    scripts.sort();
    let python = series.venv.join("bin/python3");
    let (mut same, mut different, mut absent) = (0, 0, 0);
    for script in &scripts {
        let name = script.file_stem().unwrap_or_default().to_string_lossy();
        if series.only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let text = read(script)?;
        if let Some(missing) = missing(&python, &text) {
            println!("{name}: left out, {missing} is not installed");
            absent += 1;
            continue;
        }
        let expected = execute(series, &mut Command::new(&python), script);
        let mut ours = Command::new(series.janus_jit);
        ours.arg("run").args(series.flags);
        let ours = execute(series, &mut ours, script);
        match difference(&expected, &ours) {
            None => {
                println!("{name}: the same");
                same += 1;
            }
            Some(what) => {
                println!("{name}: {what}");
                different += 1;
            }
        }
    }
    println!("\n{same} the same, {different} different, {absent} left out");
    Ok(different == 0)
}

/// The first package that a script's line `# needs:` names and the environment lacks.
fn missing(python: &Path, text: &str) -> Option<String> {
    let line = text.lines().find_map(|l| l.strip_prefix("# needs:"))?;
    let is_there = |name: &&str| {
        let look =
            "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";
        output(Command::new(python).args(["-c", look, name])).is_some()
    };
    line.split_whitespace()
        .find(|name| !is_there(name))
        .map(str::to_owned)
}

/// What a script printed, or what stopped it.
fn execute(series: &Series, command: &mut Command, script: &Path) -> Result<String, String> {
    command
        .arg(script)
        .env("VIRTUAL_ENV", series.venv)
        .env("PYTHONHASHSEED", "0")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HF_HUB_OFFLINE", "1")
        .env("JANUS_CACHE", "off");
    let limit = Limit {
        time: Duration::from_secs(series.seconds),
        at: AtLimit::Kill,
        from: None,
    };
    match others::run(command, limit) {
        Ok(ran) if ran.limited => Err("runs out of time".to_owned()),
        Ok(ran) if ran.status == Some(0) => {
            Ok(without_addresses(&String::from_utf8_lossy(&ran.out)))
        }
        Ok(ran) => Err(last_line(&ran.err)),
        Err(e) => Err(e.to_string()),
    }
}

fn difference(expected: &Result<String, String>, ours: &Result<String, String>) -> Option<String> {
    let expected = match expected {
        Ok(text) => text,
        Err(e) => return Some(format!("fails under CPython: {e}")),
    };
    let ours = match ours {
        Ok(text) => text,
        Err(e) => return Some(e.clone()),
    };
    let (a, b): (Vec<&str>, Vec<&str>) = (ours.lines().collect(), expected.lines().collect());
    for at in 0..a.len().max(b.len()) {
        let (x, y) = (a.get(at).copied(), b.get(at).copied());
        if x != y && !x.zip(y).is_some_and(|(x, y)| close(x, y)) {
            let (x, y) = (x.unwrap_or("the end"), y.unwrap_or("the end"));
            return Some(format!("line {}: {x:?} in place of {y:?}", at + 1));
        }
    }
    None
}

/// Whether two lines differ in decimal fractions alone, and those by little.
fn close(a: &str, b: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut in_number = false;
        for c in text.chars() {
            let numeric = c.is_ascii_digit() || c == '.' || (c == '-' && !in_number);
            if numeric != in_number {
                parts.push(String::new());
                in_number = numeric;
            }
            if let Some(last) = parts.last_mut() {
                last.push(c);
            }
        }
        parts
    };
    let (a, b) = (parts(a), parts(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(x, y)| {
            x == y
                || x.contains('.')
                    && y.contains('.')
                    && matches!((x.parse::<f64>(), y.parse::<f64>()), (Ok(x), Ok(y))
                        if (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()).max(1.0))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_rounded_the_other_way() {
        assert!(close("loss 1.2345 x", "loss 1.2346 x"));
        assert!(!close("loss 1.2345", "loss 1.3346"));
        assert!(!close("step 1", "step 2"));
        assert!(!close("[1, 2]", "[1, 2, 3]"));
        let same = difference(&Ok("a\n".to_owned()), &Ok("a\n".to_owned()));
        assert_eq!(same, None);
        let longer = difference(&Ok("a\n".to_owned()), &Ok("a\nb\n".to_owned()));
        assert_eq!(
            longer.as_deref(),
            Some("line 2: \"b\" in place of \"the end\"")
        );
    }
}
