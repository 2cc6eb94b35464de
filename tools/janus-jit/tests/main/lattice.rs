//! How often a region is compiled, whatever its inputs do.

use serde_json::Value;

use crate::support::Dir;

/// Runs a program at tier 0 and compiled at once, which print the same, and returns the regions.
fn regions(name: &str, source: &str) -> Vec<Value> {
    let dir = Dir::new();
    let script = dir.file(name, source);
    let expected = dir.output(&["run", "--tier", "0", script.to_str().unwrap()]);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let mut found = Vec::new();
    for compile in ["background", "sync"] {
        let (ran, stats) = dir.stats(
            &["--compile", compile, "--profiled", "3", "--cache", "off"],
            &script,
        );
        assert_eq!(ran.stdout, expected.stdout, "{name} {compile}");
        found = stats["regions"].as_array().unwrap().clone();
        for region in &found {
            assert!(region["compiles"].as_u64().unwrap() <= 8, "{region}");
        }
    }
    found
}

/// The region of a function, or of the module's loop where all of that is one region.
fn function<'a>(regions: &'a [Value], name: &str) -> &'a Value {
    let found = regions
        .iter()
        .find(|r| r["function"] == name && r["kind"] == "function");
    let around = regions
        .iter()
        .find(|r| r["function"] == "<module>" && r["kind"] == "loop" && r["tier"] == 2);
    found
        .or(around)
        .unwrap_or_else(|| panic!("no {name} in {regions:?}"))
}

/// Entries that were interpreted. What runs as a part of another region is no entry.
fn interpreted(region: &Value) -> u64 {
    region["entries_by_tier"]["0"].as_u64().unwrap()
}

const LENGTHS: &str = "\
import random
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
lengths = list(range(1, 201, 3))
random.shuffle(lengths)
";

#[test]
fn rnn_over_lengths_that_change_at_every_call() {
    let source = format!(
        "{LENGTHS}
w = (torch.randn(8, 8) * 0.2).requires_grad_()
u = (torch.randn(4, 8) * 0.2).requires_grad_()


def step(xs):
    h = torch.zeros(3, 8)
    for x in xs:
        h = torch.tanh(x @ u + h @ w)
    loss = (h ** 2).mean()
    loss.backward()
    print(loss.item().hex(), w.grad.sum().item().hex(), u.grad.sum().item().hex())
    with torch.no_grad():
        for p in (w, u):
            p -= 0.1 * p.grad
            p.grad = None


for n in lengths:
    step(torch.randn(n, 3, 4))
"
    );
    let regions = regions("rnn.py", &source);
    let step = function(&regions, "step");
    assert!(step["compiles"].as_u64().unwrap() <= 3, "{step}");
    // One graph for all lengths.
    assert!(step["graph_ops"].as_u64().unwrap() < 300, "{step}");
    assert!(interpreted(step) < 10, "{step}");
}

#[test]
fn rnn_module_with_an_optimizer() {
    let source = format!(
        "{LENGTHS}

class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.rec, self.out = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 1)
        self.calls = 0

    def forward(self, xs):
        self.calls += 1
        h = torch.zeros(xs.size(1), 8)
        for t in range(xs.size(0)):
            h = torch.tanh(self.inp(xs[t]) + self.rec(h))
        return self.out(h)


model = RNN()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def train(xs, y):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(xs), y)
    loss.backward()
    opt.step()
    return loss.item()


for i, n in enumerate(lengths):
    b = random.randint(1, 6)
    print(n, b, train(torch.randn(n, b, 4), torch.randn(b, 1)).hex())
print(model.calls)
"
    );
    let regions = regions("rnn_module.py", &source);
    let train = function(&regions, "train");
    assert!(train["compiles"].as_u64().unwrap() <= 3, "{train}");
    assert!(interpreted(train) < 10, "{train}");
}

#[test]
fn random_batches_flags_and_options() {
    let source = "\
import random
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 4)
        self.scale = 1

    def forward(self, x, flip=False, act='relu'):
        h = self.a(x)
        h = torch.relu(h) if act == 'relu' else torch.tanh(h)
        if flip:
            h = -h
        return self.b(h) * self.scale


def options(x, n, flag, opts):
    if flag:
        x = x.relu()
    for _ in range(opts['depth']):
        x = torch.tanh(x * 0.5)
    if opts['mode'] > 2:
        x = x * n
    return x.sum() + n


net = Net()
total = 0.0
for i in range(1500):
    x = torch.randn(random.randint(1, 32), 8)
    net.scale = random.randint(0, 9)
    with torch.no_grad():
        y = net(x, flip=random.random() < 0.5, act=random.choice(['relu', 'tanh']))
    opts = {'depth': random.randint(0, 3), 'mode': random.randint(0, 4)}
    total += options(y, random.randint(-5, 5), random.random() < 0.3, opts).item()
print(total.hex())
";
    let regions = regions("options.py", source);
    for name in ["Net.forward", "options"] {
        let region = function(&regions, name);
        assert!(interpreted(region) < 150, "{region}");
    }
}

#[test]
fn misses_while_a_version_is_compiled_are_none() {
    // Two flags and a string: each combination comes, and the region stays in tier 2.
    let source = "\
import random
import torch

random.seed(1)
w = torch.eye(5)


class Config:
    fast = True
    kind = 'a'


config = Config()


def f(x, flag):
    x = x @ w
    if config.fast:
        x = x * 2
    if config.kind == 'a':
        x = x + 1
    return (x if flag else -x).sum()


total = 0.0
for i in range(1200):
    config.fast = random.random() < 0.5
    config.kind = random.choice(['a', 'b'])
    total += f(torch.ones(random.randint(1, 9), 5), random.random() < 0.5).item()
print(total)
";
    let regions = regions("flags.py", source);
    let f = function(&regions, "f");
    assert!(interpreted(f) < 120, "{f}");
}

#[test]
fn what_never_pays_is_left_alone() {
    // A new class of object each time: no assumption holds twice.
    let source = "\
import torch

w = torch.ones(3)


def f(x, o):
    return (x * w).sum() + o.n


total = 0.0
for i in range(400):
    o = type('C' + str(i), (), {})()
    o.n = i % 7
    total += f(torch.ones(3), o).item()
print(total)
";
    let regions = regions("classes.py", source);
    let f = function(&regions, "f");
    assert!(!f["not_compiled"].is_null() || interpreted(f) > 350, "{f}");
    let deopts: u64 = f["deopts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["count"].as_u64().unwrap())
        .sum();
    assert!(deopts < 100, "{f}");
}
