//! The repository's pages: links and paths lead somewhere, the two that everybody reads are short, and listings are
//! what the compiler prints.
//!
//! A page shows what the Python example before it becomes in a block behind one of these comments:
//!
//! - `<!-- emit STAGE FUNCTION -->`: what `--emit STAGE --emit-filter FUNCTION` prints, without its heading.
//!   `STAGE/2` is the second version that was made.
//! - `<!-- emit STAGE FUNCTION: WORD | WORD -->`: of that the lines with one of the words.
//! - `<!-- output -->`: what the example prints.
//!
//! `JANUS_BLESS=1 cargo nextest run -p janus-jit listings` writes the blocks anew.

use std::path::{Path, PathBuf};

use crate::support::{Dir, repository};

/// Every page: those of the root, and all below docs/.
fn pages() -> Vec<PathBuf> {
    fn below(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, out);
            } else if path.extension().is_some_and(|e| e == "md") {
                out.push(path);
            }
        }
    }
    let mut out = vec![repository("README.md"), repository("ARCHITECTURE.md")];
    below(&repository("docs"), &mut out);
    // The dialect's reference is made from ODS, whose attributes look like links.
    out.retain(|page| !page.ends_with("dialect.md"));
    out.sort();
    out
}

/// Where a page's links to files lead.
fn links(text: &str) -> Vec<&str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    targets
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let target = page.parent().unwrap().join(link);
            assert!(target.exists(), "{}: {link}", page.display());
            count += 1;
        }
    }
    assert!(count > 100, "only {count} links were found");
}

/// The words in backticks that are paths from the repository's root: of sources, and of folders of these.
fn paths(text: &str) -> Vec<&str> {
    const ROOTS: [&str; 5] = ["compiler/", "dialects/", "runtime/", "tools/", "test/"];
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| ROOTS.iter().any(|root| word.starts_with(root)))
        .filter(|word| {
            word.chars()
                .all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c))
        })
        .filter(|word| !word.chars().any(|c| c.is_ascii_uppercase()) || word.contains('.'))
        .collect()
}

#[test]
fn paths_are_there() {
    let mut pages = vec![repository("ARCHITECTURE.md"), repository("docs/adding.md")];
    let design = std::fs::read_dir(repository("docs/design")).unwrap();
    pages.extend(design.map(|entry| entry.unwrap().path()));
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for path in paths(&text) {
            assert!(repository(path).exists(), "{}: {path}", page.display());
            count += 1;
        }
    }
    assert!(count > 60, "only {count} paths were found");
}

#[test]
fn pages_for_everybody_are_short() {
    for (page, most) in [("README.md", 120), ("ARCHITECTURE.md", 250)] {
        let text = std::fs::read_to_string(repository(page)).unwrap();
        let lines = text.lines().count();
        assert!(lines <= most, "{page} has {lines} lines");
    }
}

/// What `--emit STAGE` prints of a function of a script, without the heading.
fn emitted(script: &str, what: &str) -> String {
    let (what, words) = what.split_once(": ").unwrap_or((what, ""));
    let (stage, function) = what.split_once(' ').unwrap();
    let (stage, number) = stage.split_once('/').unwrap_or((stage, "1"));
    let dir = Dir::new();
    dir.file("script.py", script);
    let flags = [
        "run",
        "--compile",
        "sync",
        "--cache",
        "off",
        "--emit",
        stage,
    ];
    let ran = dir.output(&[&flags[..], &["--emit-filter", function, "script.py"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let heading = format!("// ---- {stage} of ");
    let shown = ran.stdout.split(&heading).nth(number.parse().unwrap());
    let (_, text) = shown
        .unwrap_or_default()
        .split_once('\n')
        .unwrap_or_default();
    assert!(
        !text.is_empty(),
        "no {stage} of {function}:\n{script}\n{}",
        ran.stdout
    );
    let place = dir.path().display().to_string() + "/";
    let text = text.trim_end().replace(&place, "");
    if words.is_empty() {
        return text;
    }
    let words: Vec<&str> = words.split(" | ").collect();
    let is_kept = |line: &&str| words.iter().any(|word| line.contains(word));
    let kept: Vec<&str> = text.lines().filter(is_kept).map(str::trim).collect();
    for word in words {
        let is_there = kept.iter().any(|line| line.contains(word));
        assert!(
            is_there,
            "no line of the {stage} of {function} has `{word}`:\n{text}"
        );
    }
    kept.join("\n")
}

/// What a script prints.
fn printed(script: &str) -> String {
    let dir = Dir::new();
    dir.file("script.py", script);
    let ran = dir.output(&["run", "--compile", "sync", "--cache", "off", "script.py"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout.trim_end().to_owned()
}

/// A page with what the last Python example before each comment really becomes; how many there are.
fn with_listings(page: &str) -> (String, usize) {
    let (mut out, mut example, mut count) = (String::new(), String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line == "```python" {
            example.clear();
            for code in lines.by_ref().take_while(|l| *l != "```") {
                example.push_str(code);
                example.push('\n');
            }
            out.push_str(&example);
            out.push_str("```\n");
        }
        let wanted = line.strip_prefix("<!-- ");
        let text = match wanted.and_then(|l| l.strip_suffix(" -->")) {
            Some("output") => printed(&example),
            Some(wanted) => match wanted.strip_prefix("emit ") {
                Some(what) => emitted(&example, what),
                None => continue,
            },
            None => continue,
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no block behind {line}");
        out.push_str(fence);
        out.push('\n');
        out.push_str(&text);
        out.push_str("\n```\n");
        while lines.next().is_some_and(|l| l != "```") {}
        count += 1;
    }
    (out, count)
}

#[test]
fn listings_are_what_is_printed() {
    let mut all = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let (now, count) = with_listings(&text);
        all += count;
        if now != text && std::env::var_os("JANUS_BLESS").is_some() {
            std::fs::write(&page, now).unwrap();
        } else {
            assert!(
                now == text,
                "{} is not what is printed; JANUS_BLESS=1 writes it anew:\n{}",
                page.display(),
                difference(&text, &now)
            );
        }
    }
    assert!(all >= 14, "only {all} listings");
}

/// The first line in which two texts differ.
fn difference(a: &str, b: &str) -> String {
    let mut pairs = a.lines().zip(b.lines());
    let pair = pairs.find(|(a, b)| a != b);
    pair.map_or_else(String::new, |(a, b)| format!("-{a}\n+{b}"))
}
