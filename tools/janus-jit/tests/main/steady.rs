//! Which constructs stay in tier 2: programs of `test/programs` whose hot loop, or what it calls, was once kept out. The
//! first line of such a region says how many of its entries may be interpreted.

use crate::support::{Dir, programs};

/// What stands before and after that number.
const EXPECTATION: (&str, &str) = ("# expect: tier 2, at most ", " entries in tier 0");

/// The lines of a program's regions that are hot, with how many of their entries may be interpreted.
fn expected(program: &str) -> Vec<(u64, u64)> {
    let lines = (1..).zip(program.lines());
    let expected = lines.filter_map(|(line, text)| {
        let (_, rest) = text.split_once(EXPECTATION.0)?;
        let number = rest.strip_suffix(EXPECTATION.1).unwrap();
        Some((line, number.parse().unwrap()))
    });
    expected.collect()
}

#[test]
fn hot_loops_stay_in_tier_2() {
    let (mut count, mut wrong) = (0, Vec::new());
    for script in programs() {
        let expected = expected(&std::fs::read_to_string(&script).unwrap());
        if expected.is_empty() {
            continue;
        }
        let program = script.display();
        let dir = Dir::new();
        let flags = ["--compile", "sync", "--profiled", "3", "--cache", "off"];
        let (ran, stats) = dir.stats(&flags, &script);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let regions = stats["regions"].as_array().unwrap();
        for (line, interpreted) in expected {
            let found = regions
                .iter()
                .find(|r| r["line"] == line && r["file"] == *script.to_string_lossy());
            match found {
                None => wrong.push(format!("{program}: no region at line {line}")),
                Some(region) if region["entries_by_tier"]["0"].as_u64().unwrap() > interpreted => {
                    wrong.push(format!("{program}: {region}"));
                }
                Some(_) => count += 1,
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        count > 78,
        "only {count} regions say what is expected of them"
    );
}
