//! Scripts that break an assumption in mid-training are left, stay right, and are compiled again.

use serde_json::Value;

use crate::support::{Dir, repository};

struct Deopted {
    stats: Value,
}

/// Runs a program in tier 0 and in tier 2: they print the same bytes.
fn run(name: &str) -> Deopted {
    let dir = Dir::new();
    let script = repository("test/programs").join(name);
    let reference = dir.output(&["run", "--tier", "0", script.to_str().unwrap()]);
    let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        (ran.stdout, ran.stderr),
        (reference.stdout, reference.stderr)
    );
    Deopted { stats }
}

impl Deopted {
    fn region(&self, function: &str, line_after: u64) -> &Value {
        self.stats["regions"]
            .as_array()
            .unwrap()
            .iter()
            .find(|r| {
                r["function"] == function
                    && r["kind"] == "loop"
                    && r["line"].as_u64().unwrap() > line_after
            })
            .unwrap_or_else(|| panic!("no loop in {function}: {}", self.stats))
    }
}

/// Each reason was met, the region was compiled again, and at least this many entries were fast.
fn check(region: &Value, reasons: &[&str], entries: u64) {
    let met: Vec<&str> = region["deopts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|d| d["reason"].as_str())
        .collect();
    for reason in reasons {
        assert!(met.contains(reason), "no {reason}: {region}");
    }
    assert!(region["compiles"].as_u64().unwrap() >= 2, "{region}");
    assert_eq!(region["tier"], 2, "{region}");
    let fast = region["entries_by_tier"]["2"].as_u64().unwrap();
    assert!(fast >= entries, "{fast} of {entries}: {region}");
}

#[test]
fn a_mode_flag_flips() {
    // Four phases of twelve steps; in each but the first some steps, and after it most, are fast.
    let deopted = run("deopt_mode_flag.py");
    check(deopted.region("<module>", 50), &["value-changed"], 30);
}

#[test]
fn a_dtype_changes() {
    let deopted = run("deopt_dtype.py");
    check(deopted.region("run", 0), &["identity-changed"], 15);
}

#[test]
fn a_method_is_rebound() {
    let deopted = run("deopt_rebind.py");
    check(deopted.region("train", 0), &["identity-changed"], 30);
}

#[test]
fn a_branch_goes_the_other_way() {
    let deopted = run("deopt_branch.py");
    check(deopted.region("<module>", 30), &["branch-direction"], 5);
}
