//! Copies of checkouts in which scripts may write, with the data that they ask for.
//!
//! In: a checkout. Out: a copy of it for each side, and for each script its command lines. Always: the checkout is only read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TaskError;
use crate::shell::{check, write};

const NEEDS: &str = include_str!("needs.txt");
const DATA: &str = include_str!("data.py");

/// The word by which a script asks for a data set, the folder in which that looks, and the one that is made.
const SETS: [(&str, &str, &str); 3] = [
    ("MNIST", "MNIST", "MNIST"),
    ("FashionMNIST", "FashionMNIST", "MNIST"),
    ("CIFAR10", "cifar-10-batches-py", "cifar-10-batches-py"),
];

/// Files beyond this are linked to, not copied.
const LARGE: u64 = 4 << 20;

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> TaskError {
    move |source| TaskError::Io {
        path: path.to_owned(),
        source,
    }
}

fn link(to: &Path, at: &Path) -> Result<(), TaskError> {
    if at.symlink_metadata().is_ok() {
        return Ok(());
    }
    if let Some(folder) = at.parent() {
        fs::create_dir_all(folder).map_err(io(folder))?;
    }
    std::os::unix::fs::symlink(to, at).map_err(io(at))
}

/// Copies a checkout, but for what version control keeps.
pub fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    fs::create_dir_all(to).map_err(io(to))?;
    for entry in fs::read_dir(from).map_err(io(from))? {
        let path = entry.map_err(io(from))?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        let into = to.join(name);
        if name == ".git" || into.symlink_metadata().is_ok() {
            continue;
        }
        let meta = fs::metadata(&path);
        match meta {
            Ok(meta) if meta.is_dir() => copy(&path, &into)?,
            Ok(meta) if meta.len() > LARGE => link(&path, &into)?,
            Ok(_) => {
                fs::copy(&path, &into).map_err(io(&path))?;
            }
            // A link to nothing.
            Err(_) => {}
        }
    }
    Ok(())
}

/// Makes the data sets, once.
pub fn data(python: &Path, folder: &Path) -> Result<(), TaskError> {
    let script = folder.join("data.py");
    let is_made_by_this = fs::read_to_string(&script).is_ok_and(|text| text == DATA);
    if folder.join("text.txt").exists() && is_made_by_this {
        return Ok(());
    }
    // What an interrupted run or an older generator left is no use.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(io(folder))?;
    write(&script, DATA)?;
    check(Command::new(python).arg(&script).arg(folder))
}

/// Lines of the table for a script: arguments, or `data:` and names.
fn needs(script: &Path) -> impl Iterator<Item = &'static str> {
    let path = script.to_string_lossy().into_owned();
    NEEDS.lines().filter_map(move |line| {
        let (end, what) = line.split_once('|')?;
        let end = end.trim();
        let fits = path.ends_with(end) && path[..path.len() - end.len()].ends_with(['/', '+']);
        (!line.starts_with('#') && fits).then(|| what.trim())
    })
}

/// The command lines that a script is run with.
pub fn arguments(script: &Path) -> Vec<Vec<String>> {
    let lines = needs(script).filter(|l| !l.starts_with("data:"));
    let mut all: Vec<Vec<String>> = lines
        .map(|l| l.split_whitespace().map(str::to_owned).collect())
        .collect();
    if all.is_empty() {
        all.push(Vec::new());
    }
    all
}

/// Texts in quotes that look like the name of a folder.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split(['"', '\'']).skip(1).step_by(2);
    let path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    parts.filter(move |p| !p.is_empty() && !p.starts_with('/') && p.chars().all(path))
}

/// What the data of a script is made by: where that changes, it is run again.
pub fn made_by(text: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(text);
    match text.contains("MNIST") || text.contains("CIFAR") {
        true => DATA,
        false => "",
    }
}

/// Puts the data where a script in a copy looks for it.
pub fn place(script: &Path, data: &Path) -> Result<(), TaskError> {
    let Some(folder) = script.parent() else {
        return Ok(());
    };
    for (kind, named, made) in SETS {
        let text = fs::read(script).map_err(io(script))?;
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        if !text.contains(kind) {
            continue;
        }
        let mut roots = vec!["data", "../data"];
        for (at, _) in lines.iter().enumerate().filter(|(_, l)| l.contains(kind)) {
            roots.extend(lines.iter().skip(at).take(3).flat_map(|l| quoted(l)));
        }
        // What a script names may also be one of its files.
        for root in roots.into_iter().filter(|r| !folder.join(r).is_file()) {
            link(&data.join(made), &folder.join(root).join(named))?;
        }
    }
    for names in needs(script).filter_map(|l| l.strip_prefix("data:")) {
        for name in names.split_whitespace() {
            let made = match name.ends_with(".txt") {
                true => data.join("text.txt"),
                false => data.join(name.rsplit('/').next().unwrap_or(name)),
            };
            link(&made, &folder.join(name))?;
        }
    }
    Ok(())
}

/// The copy of a script.
pub fn of(script: &Path, checkout: &Path, copy: &Path) -> PathBuf {
    script
        .strip_prefix(checkout)
        .map_or_else(|_| script.to_owned(), |p| copy.join(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_in_quotes() {
        let found: Vec<&str> =
            quoted("x = MNIST(root='./data/', train=\"a b\", y='/root')").collect();
        assert_eq!(found, ["./data/"]);
    }

    #[test]
    fn a_script_has_a_command_line_for_each_line_of_arguments() {
        assert_eq!(
            arguments(Path::new("/a/word_language_model/main.py")).len(),
            2
        );
        assert_eq!(arguments(Path::new("/a/x+makemore.py")).len(), 1);
        assert_eq!(
            arguments(Path::new("/a/unknown.py")),
            [Vec::<String>::new()]
        );
    }
}
