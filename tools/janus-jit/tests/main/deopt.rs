//! Scripts that break an assumption in mid-training are left, stay right, and are compiled again.

use serde_json::Value;

use crate::support::{Dir, repository};

struct Deopted {
    stats: Value,
}

/// Runs a program in tier 0 and in tier 2: they print the same bytes.
fn run(name: &str) -> Deopted {
    let dir = Dir::new();
    let script = repository("test/programs/deopt").join(name);
    let reference = dir.output(&["run", "--tier", "0", script.to_str().unwrap()]);
    let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        (ran.stdout, ran.stderr),
        (reference.stdout, reference.stderr)
    );
    Deopted { stats }
}

/// The function that is one step ran in tier 0 this often at most, since the other steps ran in
/// tier 2 as part of some region; each reason was met, and what was left was compiled again.
fn check(deopted: &Deopted, step: &str, interpreted: u64, reasons: &[&str]) {
    let stats = &deopted.stats;
    let regions = stats["regions"].as_array().unwrap();
    let tier_0: u64 = regions
        .iter()
        .filter(|r| r["function"] == step && r["kind"] == "function")
        .filter_map(|r| r["entries_by_tier"]["0"].as_u64())
        .sum();
    assert!(
        tier_0 <= interpreted,
        "{tier_0} steps in tier 0, not {interpreted}: {stats}"
    );
    let met: Vec<&str> = regions
        .iter()
        .flat_map(|r| r["deopts"].as_array().unwrap())
        .filter_map(|d| d["reason"].as_str())
        .collect();
    for reason in reasons {
        assert!(met.contains(reason), "no {reason}: {stats}");
    }
    let again = regions.iter().any(|r| {
        r["tier"] == 2
            && r["compiles"].as_u64() >= Some(2)
            && !r["deopts"].as_array().unwrap().is_empty()
    });
    assert!(again, "{stats}");
}

#[test]
fn a_mode_flag_flips() {
    // Four phases of twelve steps.
    check(&run("deopt_mode_flag.py"), "step", 16, &["value-changed"]);
}

#[test]
fn a_dtype_changes() {
    // Three runs of ten steps, and one that raises.
    check(&run("deopt_dtype.py"), "step", 18, &["identity-changed"]);
}

#[test]
fn a_method_is_rebound() {
    // Eight runs of ten steps.
    check(&run("deopt_rebind.py"), "step", 50, &["identity-changed"]);
}

#[test]
fn a_branch_goes_the_other_way() {
    // Two loops of twenty steps.
    check(
        &run("deopt_branch.py"),
        "Accumulator.add",
        22,
        &["branch-direction"],
    );
}
