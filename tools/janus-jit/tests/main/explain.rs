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

const FUSED: &str = "\
import torch

w = torch.ones(8, 8, requires_grad=True)

def step(x):
    y = x @ w
    z = torch.tanh(y * 2.0)
    loss = (z + 1.0).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad * 0.1)
        w.grad = None
    return loss

for i in range(30):
    loss = step(torch.ones(4, 8))
print(loss)
";

/// The code of the newest version of the region that is entered most often.
fn code(report: &Value) -> &Value {
    let regions = report["regions"].as_array().unwrap();
    let hot = regions
        .iter()
        .max_by_key(|r| r["entries_by_tier"]["2"].as_u64());
    &hot.unwrap()["versions"].as_array().unwrap().last().unwrap()["code"]
}

fn used(step: &Value, op: &str, line: u64, gradient: bool) -> bool {
    let ops = step["ops"].as_array().unwrap();
    ops.iter()
        .any(|o| o["op"] == op && o["line"] == line && o["gradient"] == gradient)
}

#[test]
fn tells_what_was_fused_and_allocated_also_from_the_cache() {
    let dir = Dir::new();
    // The entry is made by a script that has other lines: it says nothing of them.
    dir.file("other.py", format!("\n\n\n{FUSED}"));
    dir.file("script.py", FUSED);
    let explain = |script: &str, flags: &[&str]| {
        let mut args = vec!["explain", "--compile", "sync", "--cache", "kept"];
        args.extend(flags);
        args.push(script);
        let ran = dir.output(&args);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let first: Value = serde_json::from_str(&explain("other.py", &["--json"])).unwrap();
    let text = explain("script.py", &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    for (report, shift) in [(&first, 3), (&report, 0)] {
        let function = &code(report)["functions"][0];
        let steps = function["steps"].as_array().unwrap();
        // One loop over elements of y * 2, tanh and what follows, and one of their gradients.
        let fused = steps.iter().any(|s| {
            s["kind"] == "loop"
                && used(s, "tanh", 7 + shift, false)
                && used(s, "mul", 7 + shift, false)
        });
        assert!(fused, "{function}");
        let gradient = steps.iter().any(|s| used(s, "tanh", 7 + shift, true));
        assert!(gradient, "{function}");
        let product = |s: &&Value| s["kind"] == "routine" && used(s, "dot", 6 + shift, false);
        assert_eq!(steps.iter().filter(product).count(), 1, "{function}");
        let buffers = function["buffers"].as_array().unwrap();
        let results: u64 = buffers
            .iter()
            .filter(|b| b["result"] == true)
            .map(|b| b["bytes"].as_u64().unwrap() * b["count"].as_u64().unwrap())
            .sum();
        // The loss, the new w, and perhaps what else of a step stays.
        assert!(results >= 4 + 8 * 8 * 4, "{function}");
        assert!(function["block_bytes"].as_u64().unwrap() > 0, "{function}");
    }
    has(
        &explain("script.py", &[]),
        &[
            "    runs ",
            "      in one loop: line 7 ",
            "    makes ",
            "in one block of ",
            "7 |     z = torch.tanh(y * 2.0)\n",
            "| # one loop: ",
            "| # makes ",
        ],
    );
}

#[test]
fn tells_which_functions_are_graphs_of_their_own() {
    let script = "\
import torch

class Node:
    def __init__(self, left, right, value):
        self.left = left
        self.right = right
        self.value = value

w = torch.ones(4, 4)

def total(node):
    if node.left is None:
        return w * node.value
    return torch.tanh(total(node.left) + total(node.right) @ w)

def tree(depth):
    if depth == 0:
        return Node(None, None, 0.5)
    return Node(tree(depth - 1), tree(depth - 1), 0.0)

trees = [tree(i % 4) for i in range(40)]
out = torch.zeros(4, 4)
for t in trees:
    out = out + total(t)
print(out.sum())
";
    let (_dir, ran) = explain(script, &["--compile", "sync"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    has(
        &ran.stdout,
        &[
            "    total at line 11 calls itself: it is a graph of its own, total#0\n",
            "    function total#0\n",
            "      runs ",
            "11 | def total(node):\n",
            "| # a graph of its own, total#0, which calls itself\n",
            "    2               14 |     return torch.tanh(",
        ],
    );
}

#[test]
fn four_constructs_have_four_reasons() {
    let script = "\
import torch

w = torch.ones(4, 4)

def endless():
    i = 0
    while True:
        yield w * i
        i += 1

source = endless()

class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = 1
        return made

class Thing(metaclass=Meta):
    def __init__(self, x):
        self.x = x

def with_generator(x):
    return next(source) + x

def with_metaclass(x):
    return Thing(x).x * 2

def with_exec(x):
    names = {'x': x}
    exec('y = x * 3', names)
    return names['y'] + 1

def with_extension(x):
    try:
        import fast
    except ImportError:
        return x * 2
    return fast.double(x)

x = torch.ones(4, 4)
for i in range(30):
    y = with_generator(x)
for i in range(30):
    y = with_metaclass(x)
for i in range(30):
    y = with_exec(x)
for i in range(30):
    y = with_extension(x)
import fast
";
    let dir = Dir::new();
    dir.file("script.py", script);
    dir.file("fast.cpython-311-x86_64-linux-gnu.so", "");
    let ran = dir.output(&["explain", "--json", "script.py"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let last = ran.stderr.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("ModuleNotFoundError: 'fast' is a module in C (")
            && last
                .ends_with("fast.cpython-311-x86_64-linux-gnu.so), which janus-jit does not load"),
        "{}",
        ran.stderr
    );
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let regions = report["regions"].as_array().unwrap();
    for (function, line, id) in [
        ("with_generator", 24, "generator"),
        ("with_metaclass", 27, "metaclass"),
        ("with_exec", 31, "exec"),
        ("with_extension", 36, "c-extension"),
        ("Meta.__call__", 15, "metaclass"),
    ] {
        let region = regions
            .iter()
            .find(|r| r["function"] == function && r["kind"] == "function")
            .unwrap_or_else(|| panic!("no {function} in {}", ran.stdout));
        let refusal = &region["refusal"];
        assert_eq!(
            (refusal["id"].as_str(), refusal["line"].as_u64()),
            (Some(id), Some(line))
        );
    }
}
