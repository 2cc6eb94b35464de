//! `janus-jit explain`: the story of each region, in text and as JSON.

use serde_json::Value;

use crate::support::{Dir, Ran};

fn explain(source: &str, flags: &[&str]) -> (Dir, Ran) {
    let dir = Dir::new();
    let script = dir.file("script.py", source);
    let mut args = vec!["explain"];
    args.extend(flags);
    args.push(script.to_str().unwrap());
    let ran = dir.output(&args);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    (dir, ran)
}

#[track_caller]
fn has(text: &str, lines: &[&str]) {
    let mut rest = text;
    for line in lines {
        let Some(at) = rest.find(line) else {
            panic!("no '{line}' (in this order) in\n{text}");
        };
        rest = &rest[at + line.len()..];
    }
}

const FLAG: &str = "\
import torch

class Config:
    def __init__(self):
        self.scale = 2

config = Config()
w = torch.ones(4, 3)

def step(x):
    y = (x @ w) * config.scale
    if y.sum() > 1000.0:
        y = y * 0.5
    return y.sum()

def run():
    for i in range(30):
        step(torch.ones(2, 4))

run()
config.scale = 3
run()
print('never to be seen')
";

#[test]
fn tells_of_assumptions_and_departures() {
    let (_dir, ran) = explain(FLAG, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // The script's own output is not part of the report.
    assert!(!ran.stdout.contains("never to be seen"));
    // Which of the loop and the function becomes the region is not the point here.
    has(
        &ran.stdout,
        &[
            "  tier 2: entered 60 times",
            "compiled 2 times",
            "  version 1, made after ",
            "executions in tier 0",
            "    line 11: config.scale is 2\n",
            "w is tensor float32[4, 3]",
            "    line 12: the condition is false, as ",
            " times before\n",
            "  left once at line 11: a value that had been constant changed\n",
            "11 | y = (x @ w) * config.scale\n",
            "    expected config.scale: 2; found 3\n",
            "    hint: ",
        ],
    );
    has(
        &ran.stdout,
        &[
            "script.py:10: function step\n",
            "     10 | def step(x):\n  tier ",
        ],
    );
}

#[test]
fn tells_what_is_inlined_where() {
    let (dir, ran) = explain(
        "\
import torch

def step(x):
    return x * 2

x = torch.ones(3)
for i in range(60):
    x = step(x) - step(x) * 0.75
print(x)
",
        &[],
    );
    let script = dir.path().join("script.py");
    let script = script.display();
    has(
        &ran.stdout,
        &[
            &format!("{script}:7: loop <module>\n"),
            "  tier 2: entered 60 times",
            &format!("{script}:3: function step\n"),
            &format!("  inlined into {script}:7\n"),
        ],
    );
}

#[test]
fn names_what_is_not_converted() {
    let (_dir, ran) = explain(
        "\
import torch

def items(n):
    for i in range(n):
        yield torch.ones(3) * i

total = torch.zeros(3)
items = items(40)
while True:
    x = next(items, None)
    if x is None:
        break
    total = total + x
print(total)
",
        &[],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    has(&ran.stdout, &["  not in tier 2: ", " | ", "    hint: "]);
}

#[test]
fn leaves_out_what_was_never_hot() {
    let (_dir, ran) = explain("def f():\n    return 1\n\nf()\nf()\n", &[]);
    assert_eq!(ran.stdout, "nothing ran often enough to be compiled\n");
}

#[test]
fn says_the_same_as_json() {
    let (_dir, ran) = explain(FLAG, &["--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["version"], 1);
    let region = &report["regions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["tier"] == 2)
        .unwrap();
    assert_eq!(region["entries"], 60);
    let departure = &region["departures"][0];
    assert_eq!(departure["reason"], "value-changed");
    assert_eq!(departure["expected"], "config.scale: 2");
    assert_eq!(departure["actual"], "3");
    assert_eq!(region["versions"].as_array().unwrap().len(), 2);
    assert_eq!(
        region["versions"][0]["assumptions"][0]["text"],
        "config.scale is 2"
    );
}

#[test]
fn a_script_that_raises_is_explained_too() {
    let (_dir, ran) = explain(&FLAG.replace("print(", "raise ValueError("), &[]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.ends_with("ValueError: never to be seen\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("loop run\n"), "{}", ran.stdout);
}
