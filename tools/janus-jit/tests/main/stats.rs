//! `--stats`: its schema is a contract, and what it says of the example is what was promised.

use serde_json::Value;

use crate::support::{Dir, repository};

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn has_exactly_the_documented_fields() {
    let dir = Dir::new();
    let script = repository("test/programs/deopt/deopt_mode_flag.py");
    let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        keys(&stats),
        [
            "version",
            "wall_s",
            "startup_s",
            "tiers",
            "main",
            "compile",
            "regions"
        ]
    );
    assert_eq!(stats["version"], 1);
    assert!(stats["wall_s"].as_f64().unwrap() >= stats["startup_s"].as_f64().unwrap());
    assert_eq!(keys(&stats["tiers"]), ["0", "1", "2"]);
    for tier in ["0", "1", "2"] {
        assert_eq!(keys(&stats["tiers"][tier]), ["time_s"]);
        assert!(stats["tiers"][tier]["time_s"].is_f64());
    }
    let main = stats["main"].as_object().unwrap();
    let parts = [
        "tier0_s",
        "kernels_s",
        "tier1_s",
        "tier2_s",
        "graphs_s",
        "compiling_s",
        "waiting_s",
    ];
    assert_eq!(keys(&stats["main"]), parts);
    let all: f64 = main.values().map(|s| s.as_f64().unwrap()).sum();
    let own = stats["wall_s"].as_f64().unwrap() - stats["startup_s"].as_f64().unwrap();
    assert!((all - own).abs() <= 0.1 * own, "{all} of {own}");
    assert_eq!(
        keys(&stats["compile"]),
        ["baseline_s", "optimising_s", "count", "cache_hits"]
    );
    let regions = stats["regions"].as_array().unwrap();
    assert!(!regions.is_empty());
    for region in regions {
        assert_eq!(
            keys(region),
            [
                "id",
                "file",
                "line",
                "function",
                "kind",
                "tier",
                "entries",
                "entries_by_tier",
                "compiles",
                "deopts",
                "graph_ops",
                "not_compiled"
            ]
        );
        assert!(["function", "loop", "rest"].contains(&region["kind"].as_str().unwrap()));
        let by_tier = &region["entries_by_tier"];
        assert_eq!(keys(by_tier), ["0", "1", "2"]);
        let sum: u64 = ["0", "1", "2"]
            .iter()
            .map(|t| by_tier[t].as_u64().unwrap())
            .sum();
        assert_eq!(sum, region["entries"].as_u64().unwrap());
        for deopt in region["deopts"].as_array().unwrap() {
            assert_eq!(keys(deopt), ["reason", "line", "count"]);
        }
        if !region["not_compiled"].is_null() {
            assert_eq!(keys(&region["not_compiled"]), ["reason", "line"]);
        }
    }
}

#[test]
fn training_steps_of_the_example_are_in_tier_2() {
    let dir = Dir::new();
    let script = repository("examples/digits_mlp.py");
    let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let region = |function: &str, kind: &str| {
        stats["regions"]
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["function"] == function && r["kind"] == kind)
            .unwrap()
    };
    // A step that runs in tier 2 is a part of a region: of the loop over batches, or of more.
    let step = region("Trainer.train_step", "function");
    let (all, slow) = (20 * 29, step["entries_by_tier"]["0"].as_u64().unwrap());
    assert!(slow * 100 < all * 5, "{step}");
    let training = region("Trainer.train_epoch", "loop");
    assert!(training["compiles"].as_u64().unwrap() <= 2, "{training}");
    let reasons: Vec<&Value> = training["deopts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| &d["reason"])
        .collect();
    assert_eq!(reasons, ["shape-changed"]);
}

#[test]
fn are_written_when_the_script_raises() {
    let dir = Dir::new();
    let script = dir.file("raises.py", "print('before')\n1 / 0\n");
    let (ran, stats) = dir.stats(&[], &script);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), "before\n"));
    assert_eq!(stats["version"], 1);
    let script = dir.file("exits.py", "import sys\nsys.exit(3)\n");
    let (ran, stats) = dir.stats(&[], &script);
    assert_eq!(ran.code, Some(3));
    assert_eq!(stats["version"], 1);
}

#[test]
fn a_loop_of_few_trips_is_compiled_inside_of_the_one_around_it() {
    let dir = Dir::new();
    let script = dir.file(
        "script.py",
        "def f(n):\n    s = 0\n    for i in range(n):\n        for k in range(8):\n            s += i * k\n    return s\nprint(f(5000))\n",
    );
    let (ran, stats) = dir.stats(&["--compile", "sync"], &script);
    assert_eq!(ran.stdout, "349930000\n", "{}", ran.stderr);
    let compiles = |line: u64| {
        let regions = stats["regions"].as_array().unwrap();
        let mut of = regions.iter().filter(|r| r["line"] == line);
        of.find(|r| r["kind"] == "loop")
            .map(|r| r["compiles"].as_u64())
    };
    assert_eq!(compiles(3), Some(Some(1)));
    assert_eq!(compiles(4), Some(Some(0)));
}
