//! Groups of differences, the list of known ones, and the report.
//!
//! In: differences. Out: `report.md`, and what is not in the list. Always: a group shows its smallest sample as a program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::compare::Kind;
use super::sample::Sample;
use crate::TaskError;
use crate::shell::{read, write};

/// One sample that differs.
pub struct Difference {
    pub sample: Sample,
    pub kind: Kind,
    pub expected: String,
    pub actual: String,
}

/// An entry of the list: a pattern of keys, one of kinds, and why.
pub struct Known {
    key: String,
    kind: String,
    reason: String,
}

/// Whether a text is what a pattern says, in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut rest = rest;
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    match last {
        None => rest.is_empty(),
        Some(last) => last.is_empty() || rest.is_empty() || text.ends_with(last),
    }
}

/// Reads the list: `KEY | KIND | REASON` a line.
pub fn known(path: &Path) -> Result<Vec<Known>, TaskError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut list = Vec::new();
    for line in read(path)?.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.splitn(3, '|').map(|p| p.trim().to_owned());
        match (parts.next(), parts.next(), parts.next()) {
            (Some(key), Some(kind), Some(reason)) if !reason.is_empty() => {
                list.push(Known { key, kind, reason });
            }
            _ => {
                return Err(TaskError::Needs(format!(
                    "{}: not KEY | KIND | REASON: {line}",
                    path.display()
                )));
            }
        }
    }
    Ok(list)
}

struct Group<'a> {
    key: &'a str,
    kind: Kind,
    of: Vec<&'a Difference>,
    reason: Option<&'a str>,
}

/// Writes the report; how many groups are not in the list, and the entries of the list that none is of.
pub fn report(
    path: &Path,
    differences: &[Difference],
    list: &[Known],
) -> Result<(usize, Vec<String>), TaskError> {
    let mut by_kind: BTreeMap<(Kind, &str), Vec<&Difference>> = BTreeMap::new();
    for d in differences {
        by_kind.entry((d.kind, &d.sample.key)).or_default().push(d);
    }
    let mut needed = vec![false; list.len()];
    let mut groups: Vec<Group> = Vec::new();
    for ((kind, key), mut of) in by_kind {
        of.sort_by_key(|d| d.sample.source.len());
        let mut reason = None;
        for (k, entry) in list.iter().enumerate() {
            if matches(&entry.key, key) && matches(&entry.kind, kind.name()) {
                needed[k] = true;
                reason = reason.or(Some(entry.reason.as_str()));
            }
        }
        groups.push(Group {
            key,
            kind,
            of,
            reason,
        });
    }
    groups.sort_by_key(|g| g.reason.is_some());
    let new = groups.iter().filter(|g| g.reason.is_none()).count();
    let mut text = format!(
        "# What differs\n\n{} samples in {} groups; {new} groups are not in the list.\n",
        differences.len(),
        groups.len()
    );
    for g in &groups {
        let Some(smallest) = g.of.first() else {
            continue;
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\n## {} | {} ({})\n",
            g.key,
            g.kind.name(),
            g.of.len()
        );
        if let Some(reason) = g.reason {
            let _ = writeln!(text, "known: {reason}\n");
        }
        let _ = writeln!(text, "```python\n{}```\n", smallest.sample.program());
        let _ = writeln!(
            text,
            "    expected: {}\n    actual:   {}",
            smallest.expected, smallest.actual
        );
    }
    write(path, &text)?;
    for g in groups.iter().filter(|g| g.reason.is_none()).take(40) {
        if let Some(d) = g.of.first() {
            println!(
                "DIFFERS {} | {} ({}): {}\n  - {}\n  + {}",
                g.key,
                g.kind.name(),
                g.of.len(),
                d.sample.source,
                d.expected,
                d.actual
            );
        }
    }
    let unneeded = list.iter().zip(&needed).filter(|(_, n)| !**n);
    let unneeded = unneeded.map(|(k, _)| format!("{} | {}", k.key, k.kind));
    Ok((new, unneeded.collect()))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("*", "x") && matches("torch.*", "torch.add"));
        assert!(matches("torch.*d grad", "torch.add grad") && matches("a", "a"));
        assert!(!matches("a", "ab") && !matches("*b", "bc"));
    }
}
