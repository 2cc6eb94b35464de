//! The dialect's text: files of test/lit with changes, which janus-opt reads and verifies, or refuses.
//!
//! In: a janus-opt, how long. Out: the texts that ended it by a signal, kept in target/readers. Always: many texts
//! are read by one process; where that ends by a signal, each is read by one of its own.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::TaskError;
use crate::fuzz::random::Random;
use crate::shell::{bound, read, root, write};

/// Texts that one process reads.
const TOGETHER: u64 = 40;
/// What stands between them.
const BETWEEN: &str = "\n// -----\n";
/// Words that are put where others were, beside those of the files.
const WORDS: &[&str] = &[
    "-1",
    "0",
    "18446744073709551616",
    "-9223372036854775809",
    "1.0e400",
    "0xFFFFFFFFFFFFFFFFFF",
    "?",
    "tensor<?xf32>",
    "tensor<0xf32>",
    "tensor<9223372036854775807x9223372036854775807xf32>",
    "tensor<*xf32>",
    "memref<?xi1>",
    "index",
    "none",
    "i0",
    "i16777215",
    "f64",
    "dense<>",
    "dense<[[]]>",
    "[]",
    "{}",
    "()",
    "<",
    ">",
    "->",
    "@region",
    "%0",
    "#map",
    "loc(unknown)",
    "\"",
    "\\",
    "\u{0}",
    "é",
    "unit",
    "array<i64: 1>",
    "affine_map<(d0) -> (d0)>",
];

/// A line that starts with this says how lit runs a file.
const RUN: &str = "// RUN:";

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "mlir") {
            found.push(path);
        }
    }
}

/// The texts of test/lit, each split where lit's files are, without comments.
fn texts() -> Result<Vec<String>, TaskError> {
    let mut paths = Vec::new();
    files(&root().join("test/lit"), &mut paths);
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let text = read(&path)?;
        for part in text.split("// -----") {
            let lines: Vec<&str> = part
                .lines()
                .filter(|l| !l.trim_start().starts_with("//") && !l.contains(RUN))
                .collect();
            if !lines.is_empty() {
                texts.push(lines.join("\n"));
            }
        }
    }
    Ok(texts)
}

/// Words, numbers, and signs of one character; spaces stay with what is before them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let kind =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '%' | '@' | '#' | '.' | '$' | '!');
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if !(c.is_whitespace() || kind(c) && kind(before)) && at > start {
            words.push(&text[start..at]);
            start = at;
        }
        before = c;
    }
    words.push(&text[start..]);
    words
}

/// What a word is, by its first sign: words of one kind take each other's places and still read.
fn kind_of(word: &str) -> char {
    match word.chars().next() {
        Some('0'..='9') => '0',
        Some(c) if c.is_alphabetic() => 'a',
        Some(c) => c,
        None => ' ',
    }
}

fn changed(random: &mut Random, texts: &[String]) -> String {
    let mut pick = |n: usize| usize::try_from(random.below(n.max(1) as u64)).unwrap_or(0);
    let text = &texts[pick(texts.len())];
    let mut parts = words(text);
    for _ in 0..=pick(2) {
        let at = pick(parts.len());
        match pick(16) {
            0 => {
                parts.remove(at);
            }
            1 => parts.insert(at, parts[pick(parts.len())]),
            2 => parts[at] = WORDS[pick(WORDS.len())],
            3 => parts.truncate(at),
            _ => {
                let other = words(&texts[pick(texts.len())]);
                let from = if pick(2) == 0 { &other } else { &parts };
                let kind = kind_of(parts[at]);
                let alike = (0..40)
                    .map(|_| from[pick(from.len())])
                    .find(|word| kind_of(word) == kind && *word != parts[at]);
                if let Some(word) = alike {
                    parts[at] = word;
                }
            }
        }
        if parts.is_empty() {
            break;
        }
    }
    parts.concat()
}

/// Whether reading these texts ends janus-opt by a signal.
fn ends_it(janus_opt: &Path, file: &Path, text: &str) -> Result<bool, TaskError> {
    write(file, text)?;
    let out = bound("timeout")
        .args(["-s", "KILL", "20"])
        .arg(janus_opt)
        .args([
            "--split-input-file",
            "--canonicalize",
            "--allow-unregistered-dialect",
            "-o",
            "/dev/null",
        ])
        .arg(file)
        .output()
        .map_err(|source| TaskError::Start {
            command: janus_opt.display().to_string(),
            source,
        })?;
    // `timeout` says 128 and the signal's number.
    Ok(out.status.signal().is_some() || out.status.code().is_some_and(|c| c >= 124))
}

/// Reads changed texts for so long; where those lie that ended it.
pub fn run(
    janus_opt: &Path,
    dir: &Path,
    seed: u64,
    time: Duration,
) -> Result<Vec<PathBuf>, TaskError> {
    let texts = texts()?;
    let mut random = Random::of(seed);
    let start = Instant::now();
    let mut found = Vec::new();
    let mut count = 0;
    let file = dir.join("dialect.mlir");
    while start.elapsed() < time {
        let group: Vec<String> = (0..TOGETHER)
            .map(|_| changed(&mut random, &texts))
            .collect();
        count += TOGETHER;
        if !ends_it(janus_opt, &file, &group.join(BETWEEN))? {
            continue;
        }
        for text in group {
            if ends_it(janus_opt, &file, &text)? {
                let kept = dir.join(format!("dialect-{}.mlir", found.len()));
                write(&kept, &text)?;
                found.push(kept);
            }
        }
    }
    println!("dialect: {count} texts");
    Ok(found)
}
