//! `--trace` and `--report`.

use serde_json::Value;

use crate::support::Dir;

const SCRIPT: &str = "\
import torch

w = torch.ones(8, 8, requires_grad=True)
scale = 1

def step(x):
    loss = torch.tanh(x @ w).sum() * scale
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.01)
        w.grad = None
    return loss

for i in range(200):
    if i == 150:
        scale = 2
    step(torch.ones(4, 8))

def count(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total

print(count(200000))
";

fn traced(flags: &[&str]) -> (Dir, Vec<Value>) {
    let dir = Dir::new();
    dir.file("script.py", SCRIPT);
    let mut args = vec!["run", "--trace", "trace.json", "--stats", "stats.json"];
    args.extend(flags);
    args.push("script.py");
    let ran = dir.output(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(dir.path().join("trace.json")).unwrap();
    let trace: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["displayTimeUnit"], "ms");
    (dir, trace["traceEvents"].as_array().unwrap().clone())
}

/// What Perfetto and Chrome want of each event.
fn well_formed(event: &Value) {
    let phase = event["ph"].as_str().unwrap();
    assert!(event["name"].is_string() && event["pid"].is_u64() && event["tid"].is_u64());
    match phase {
        "M" => assert!(event["args"]["name"].is_string()),
        "X" => {
            assert!(event["ts"].as_f64().unwrap() >= 0.0);
            assert!(event["dur"].as_f64().unwrap() >= 0.0);
            assert!(event["cat"].is_string());
        }
        "i" => assert_eq!(event["s"], "t"),
        other => panic!("phase {other}"),
    }
}

/// Time of spans on the script's thread that no other is around, in seconds; each of the others
/// must lie within one.
fn covered(events: &[Value]) -> f64 {
    let mut end = 0.0;
    let mut sum = 0.0;
    for e in events.iter().filter(|e| e["ph"] == "X" && e["tid"] == 1) {
        let (from, lasted) = (e["ts"].as_f64().unwrap(), e["dur"].as_f64().unwrap());
        // Clocks are read one after the other.
        if from >= end - 0.5 {
            sum += lasted;
            end = from + lasted;
        } else {
            assert!(from + lasted <= end + 100.0, "{e} sticks out");
        }
    }
    sum / 1e6
}

#[test]
fn events_are_well_formed_and_cover_the_run() {
    for flags in [&["--compile", "sync"][..], &[]] {
        let (dir, events) = traced(flags);
        events.iter().for_each(well_formed);
        let stats = std::fs::read_to_string(dir.path().join("stats.json")).unwrap();
        let stats: Value = serde_json::from_str(&stats).unwrap();
        let wall = stats["wall_s"].as_f64().unwrap();
        let covered = covered(&events);
        assert!((covered / wall - 1.0).abs() < 0.05, "{covered} of {wall}");
    }
}

#[test]
fn every_kind_of_work_is_there() {
    let (_dir, events) = traced(&["--compile", "sync"]);
    let has = |cat: &str| events.iter().any(|e| e["cat"] == cat);
    for cat in [
        "process",
        "interpreter",
        "compile",
        "tier1",
        "tier2",
        "guard",
        "graph",
        "kernel",
        "commit",
        "deopt",
    ] {
        assert!(has(cat), "no {cat}");
    }
    let deopt = events.iter().find(|e| e["cat"] == "deopt").unwrap();
    assert!(deopt["args"]["note"].as_str().unwrap().starts_with("line "));
}

#[test]
fn compiles_are_on_a_thread_of_their_own() {
    let (_dir, events) = traced(&[]);
    let compile =
        |e: &&Value| e["cat"] == "compile" && e["name"].as_str().unwrap().starts_with("compile ");
    assert!(events.iter().filter(compile).all(|e| e["tid"] == 2));
}

#[test]
fn the_report_stands_alone() {
    let dir = Dir::new();
    dir.file("script.py", SCRIPT);
    let ran = dir.output(&[
        "run",
        "--compile",
        "sync",
        "--report",
        "r.html",
        "script.py",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = std::fs::read_to_string(dir.path().join("r.html")).unwrap();
    for part in [
        "Timeline",
        "torch.tanh(x @ w).sum()",
        "guard: ",
        "branch-direction",
        "<summary>",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert!(!page.contains("<script") && !page.contains("src="));
    let ran = dir.output(&["run", "--report", "no/such/dir.html", "script.py"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
}
