//! The order of the layers holds: a folder names only those below it.
//!
//! What a file names by a path is checked strictly. What it calls of the executor, whose methods are spread over all
//! layers, may go up where `upward_calls.txt` counts it; these numbers can only shrink.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders, from the lowest one on.
const LAYERS: &[&str] = &[
    "state",
    "emit",
    "entry",
    "numbers",
    "tensors",
    "objects",
    "branches",
    "lists",
    "loops",
    "recursion",
    "finish",
    "interpreter",
    "attempts",
];

/// Files that belong to no layer, since all of them work on it: the executor, and what the crate says of itself.
const TOP_LEVEL: usize = 12;

/// Paths that go up, as `file: path`. There are none; there shall be none.
const EXCEPTIONS: &[&str] = &[];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A file's path below `src`, and its text without comments.
fn sources() -> BTreeMap<String, String> {
    fn collect(folder: &Path, out: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.lines().map(|l| l.split("//").next().unwrap_or(""));
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                out.insert(name, code.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    let mut out = BTreeMap::new();
    collect(&root(), &mut out);
    out
}

fn layer(file: &str) -> Option<usize> {
    let folder = file.split_once('/')?.0;
    LAYERS.iter().position(|l| *l == folder)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(text: &str) -> &str {
    text.split(|c| !is_word(c)).next().unwrap_or("")
}

/// What stands behind `crate::` in a file: the first name of each path.
fn named(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, path) in text.match_indices("crate::") {
        let rest = &text[at + path.len()..];
        match rest.strip_prefix('{') {
            None => names.push(word(rest).to_owned()),
            Some(group) => {
                // The names at this level of braces.
                let (mut depth, mut part) = (0, String::new());
                for c in group.chars() {
                    match c {
                        '}' if depth == 0 => break,
                        ',' if depth == 0 => {
                            names.push(word(part.trim()).to_owned());
                            part.clear();
                        }
                        _ => {
                            depth += i32::from(c == '{') - i32::from(c == '}');
                            part.push(c);
                        }
                    }
                }
                names.push(word(part.trim()).to_owned());
            }
        }
    }
    names
}

#[test]
fn folders_are_layers() {
    let mut folders = BTreeSet::new();
    let mut files = 0;
    for entry in fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => _ = folders.insert(path.file_name().unwrap().display().to_string()),
            false => files += 1,
        }
    }
    let known: BTreeSet<String> = LAYERS.iter().map(|l| (*l).to_owned()).collect();
    assert_eq!(folders, known, "a folder of src without a place in LAYERS");
    assert!(files <= TOP_LEVEL, "{files} files lie in no layer");
}

#[test]
fn paths_lead_down() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let Some(own) = layer(&file) else { continue };
        assert!(
            !text.contains("super::"),
            "{file}: paths begin with `crate`, so that this test sees them"
        );
        for name in named(&text) {
            let above = LAYERS.iter().position(|l| *l == name);
            let line = format!("{file}: {name}");
            if above.is_some_and(|at| at > own) && !EXCEPTIONS.contains(&line.as_str()) {
                wrong.push(line);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these name a layer above their own:\n{}",
        wrong.join("\n")
    );
}

/// The executor's methods: name and file, where there is one of that name.
fn methods(sources: &BTreeMap<String, String>) -> HashMap<&str, &str> {
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    for (file, text) in sources {
        let mut inside = false;
        for line in text.lines() {
            if line.starts_with("impl") && line.contains("Executor<") {
                inside = true;
            } else if line.starts_with('}') {
                inside = false;
            }
            let method = line.strip_prefix("    ").and_then(|l| {
                let l = l
                    .strip_prefix("pub(crate) ")
                    .or(l.strip_prefix("pub "))
                    .unwrap_or(l);
                l.strip_prefix("fn ")
            });
            if let (true, Some(method)) = (inside, method) {
                all.entry(word(method)).or_default().push(file);
            }
        }
    }
    let single = all.into_iter().filter(|(_, files)| files.len() == 1);
    single.map(|(name, files)| (name, files[0])).collect()
}

/// The code of a file's `impl Executor` blocks, with one space for each gap and none before a dot.
fn executor_code(text: &str) -> String {
    let mut inside = false;
    let mut code = String::new();
    for line in text.lines() {
        if line.starts_with("impl") {
            inside = line.contains("Executor<");
        }
        if inside {
            code.extend(line.split_whitespace().flat_map(|word| [word, " "]));
        }
    }
    code.replace(" .", ".")
}

#[test]
fn calls_lead_down() {
    let sources = sources();
    let methods = methods(&sources);
    let mut up: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (file, text) in &sources {
        let Some(own) = layer(file) else { continue };
        let joined = executor_code(text);
        for receiver in ["self.", "this.", "me."] {
            for (at, _) in joined.match_indices(receiver) {
                if joined[..at].ends_with(|c| is_word(c) || c == '.') {
                    continue;
                }
                let rest = &joined[at + receiver.len()..];
                let name = word(rest);
                let is_call = rest[name.len()..].starts_with('(');
                if let (true, Some(home)) = (is_call, methods.get(name))
                    && let Some(above) = layer(home)
                    && above > own
                {
                    *up.entry((own, above)).or_default() += 1;
                }
            }
        }
    }
    let shown: String = up
        .iter()
        .map(|(&(from, to), n)| format!("{} calls {}: {n}\n", LAYERS[from], LAYERS[to]))
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upward_calls.txt");
    let written = fs::read_to_string(&path).unwrap_or_default();
    if shown == written {
        return;
    }
    let count = |text: &str| -> usize {
        let number = |l: &str| l.rsplit_once(": ")?.1.parse::<usize>().ok();
        text.lines().filter_map(number).sum()
    };
    let (now, before) = (count(&shown), count(&written));
    assert!(
        written.is_empty() || now <= before,
        "{now} calls lead up, and {before} did: move what is called down, or hand it over as data:\n{shown}"
    );
    if std::env::var_os("JANUS_BLESS").is_some() {
        fs::write(&path, shown).unwrap();
        return;
    }
    panic!(
        "other calls lead up than before, and no more; write that down with JANUS_BLESS=1:\n{shown}"
    );
}
