//! Samples: one expression each, with its arguments, and what it gives under CPython + PyTorch once that is known.
//!
//! In: `TOPIC.txt` files: `@key`, then lines `EXPRESSION :: ARGUMENT, ARGUMENT`, each perhaps followed by `= RESULT`.
//! Out: samples, programs that run them. Always: a program prints a sample's number before it runs it.

use std::fmt::Write as _;
use std::path::Path;

use crate::TaskError;
use crate::shell::{read, write};

/// Names that samples are written with.
const HELPERS: &str = include_str!("helpers.py");
/// What runs them and shows what they give.
const DRIVER: &str = include_str!("driver.py");
/// The names of a sample's arguments.
const PARAMETERS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
/// What stands between an expression and its arguments.
const SEPARATOR: &str = " :: ";

/// One sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file it stands in.
    pub topic: String,
    /// What it is about: a function, and how it is used.
    pub key: String,
    /// The expression and its arguments.
    pub source: String,
    /// What CPython + PyTorch print.
    pub golden: Option<String>,
}

impl Sample {
    fn parts(&self) -> (&str, &str) {
        self.source
            .split_once(SEPARATOR)
            .unwrap_or((self.source.as_str(), ""))
    }

    /// How many arguments there are: commas outside of brackets and text.
    fn arity(&self) -> usize {
        let (_, arguments) = self.parts();
        if arguments.is_empty() {
            return 0;
        }
        let (mut depth, mut quote, mut escaped, mut count) = (0, None, false, 1);
        for c in arguments.chars() {
            match (quote, c) {
                (Some(_), _) if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(q), c) if c == q => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => depth -= 1,
                (None, ',') if depth == 0 => count += 1,
                (None, _) => {}
            }
        }
        count
    }

    /// The sample as a program of its own.
    pub fn program(&self) -> String {
        let (expression, arguments) = self.parts();
        let mut text = needed(&self.source);
        if !arguments.is_empty() {
            let names = PARAMETERS[..self.arity().min(PARAMETERS.len())].join(", ");
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{names} = {arguments}");
        }
        let _ = writeln!(text, "print({expression})");
        text
    }
}

/// The helpers that a text names, and those that they name.
fn needed(text: &str) -> String {
    let (imports, rest) = HELPERS.split_once("\n\n").unwrap_or(("", HELPERS));
    let blocks: Vec<&str> = rest
        .split("\n\n\n")
        .flat_map(|b| b.split("\n\ndef ").take(1))
        .collect();
    let name_of = |block: &str| -> Option<String> {
        Some(
            block
                .trim_start()
                .strip_prefix("def ")?
                .split('(')
                .next()?
                .to_owned(),
        )
    };
    let mentions = |text: &str, name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            !text[..at].ends_with(word) && text[at + name.len()..].starts_with('(')
        })
    };
    let mut all = text.to_owned();
    let mut chosen = vec![false; blocks.len()];
    loop {
        let next = blocks
            .iter()
            .enumerate()
            .find(|(k, b)| !chosen[*k] && name_of(b).is_some_and(|n| mentions(&all, &n)));
        let Some((k, block)) = next else { break };
        chosen[k] = true;
        all.push_str(block);
    }
    let mut out = String::new();
    for line in imports.lines() {
        let module = line.rsplit(' ').next().unwrap_or("");
        if !module.is_empty() && all.contains(&format!("{module}.")) {
            out.push_str(line);
            out.push('\n');
        }
    }
    if all.contains("inf") || all.contains("nan") {
        out.push_str("inf, nan = float('inf'), float('nan')\n");
    }
    for (k, block) in blocks.iter().enumerate() {
        if chosen[k] {
            out.push_str(block.trim());
            out.push_str("\n\n");
        }
    }
    out
}

/// A program that runs these samples, each so many times.
pub fn program(samples: &[Sample], calls: u32) -> String {
    let mut text = format!("{HELPERS}\n\n{DRIVER}\n\nsamples = []\n");
    for (n, s) in samples.iter().enumerate() {
        let (expression, arguments) = s.parts();
        let names = PARAMETERS[..s.arity().min(PARAMETERS.len())].join(", ");
        let comma = if arguments.is_empty() { "" } else { "," };
        // Their names are shown where a sample gives a function, so they do not tell its place. Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "def given(): return fresh(({arguments}{comma}))\ndef sample({names}): return {expression}\nsamples.append(({n}, given, sample))"
        );
    }
    let _ = writeln!(text, "survey(samples, {calls})");
    text
}

/// What a change of would change results.
pub fn version() -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in HELPERS.bytes().chain(DRIVER.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The samples of a folder's files, in the order of their names.
pub fn load(folder: &Path) -> Result<Vec<Sample>, TaskError> {
    let io = |source| TaskError::Io {
        path: folder.to_owned(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let listed = path.file_stem().is_some_and(|s| s == "known");
        if path.extension().is_some_and(|e| e == "txt") && !listed {
            paths.push(path);
        }
    }
    paths.sort();
    let mut samples: Vec<Sample> = Vec::new();
    for path in paths {
        let topic = path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut key = String::new();
        for line in read(&path)?.lines() {
            if let Some(k) = line.strip_prefix('@') {
                k.clone_into(&mut key);
            } else if let Some(golden) = line.strip_prefix("= ") {
                if let Some(last) = samples.last_mut() {
                    last.golden = Some(golden.to_owned());
                }
            } else if !line.is_empty() {
                samples.push(Sample {
                    topic: topic.clone(),
                    key: key.clone(),
                    source: line.to_owned(),
                    golden: None,
                });
            }
        }
    }
    Ok(samples)
}

/// Writes samples into a folder, one file a topic.
pub fn store(folder: &Path, samples: &[Sample]) -> Result<(), TaskError> {
    std::fs::create_dir_all(folder).map_err(|source| TaskError::Io {
        path: folder.to_owned(),
        source,
    })?;
    for group in samples.chunk_by(|a, b| a.topic == b.topic) {
        let mut text = String::new();
        let mut key = "";
        for s in group {
            if s.key != key {
                key = &s.key;
                let _ = writeln!(text, "@{key}");
            }
            let _ = writeln!(text, "{}", s.source);
            if let Some(golden) = &s.golden {
                let _ = writeln!(text, "= {golden}");
            }
        }
        write(&folder.join(format!("{}.txt", group[0].topic)), &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn arguments_are_counted_outside_of_brackets_and_text() {
        let of = |source: &str| Sample {
            topic: String::new(),
            key: String::new(),
            source: source.to_owned(),
            golden: None,
        };
        assert_eq!(of("f()").arity(), 0);
        assert_eq!(of("f(a, b) :: T([1, 2]), 'x, \\' y'").arity(), 2);
        assert!(of("f(a) :: T([1.0])").program().contains("def T("));
    }
}
