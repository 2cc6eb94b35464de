//! Makes random programs about lists, dicts, sets and objects: which one a name means, what is in it.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and what it
//! keeps stays small; every loop computes on a tensor, so that it is worth a graph.

use super::random::{Random, Text};

/// Makes one program.
struct Maker {
    random: Random,
    text: Text,
    /// Loops around the current statement, whose variables are `k0`, `k1`, ...
    loops: usize,
}

impl Maker {
    fn line(&mut self, text: &str) {
        self.text.line(text);
    }

    /// A small int.
    fn int(&mut self) -> String {
        if let Some(k) = self.loops.checked_sub(1)
            && self.random.one_in(3)
        {
            return format!("k{k}");
        }
        let choices = [
            "n", "i", "m", "1", "2", "len(p)", "len(q)", "n % 5", "a.v", "len(d)", "i % 3", "c.v",
        ];
        self.random.pick(&choices).to_owned()
    }

    fn list(&mut self) -> &'static str {
        self.random
            .pick(&["p", "q", "r", "r", "a.items", "c.items", "rows[-1]"])
    }

    fn dict(&mut self) -> &'static str {
        self.random.pick(&["d", "e", "d", "a.table"])
    }

    fn object(&mut self) -> &'static str {
        self.random.pick(&["a", "b", "c", "c"])
    }

    fn key(&mut self) -> String {
        match self.random.below(4) {
            0 => "n % 4".to_owned(),
            1 => "i % 3".to_owned(),
            2 => self.random.below(4).to_string(),
            _ => format!("{} % 5", self.int()),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(15) {
            0 => "flag".to_owned(),
            1 => "s.sum() > 0".to_owned(),
            2 => format!("{} % 2 == 0", self.int()),
            3 => format!("{} > {}", self.int(), self.int()),
            4 => format!("{} % 3 == 1", self.int()),
            5 => format!("{} in {}", self.key(), self.dict()),
            6 => format!("{} is {}", self.list(), self.list()),
            7 => format!("{} is {}", self.object(), self.object()),
            8 => self.list().to_owned(),
            9 => format!("{} in {}", self.int(), self.list()),
            10 => format!("{}.next is None", self.object()),
            11 => format!("len({}) > 2", self.list()),
            12 => format!("{} % 7 in z", self.int()),
            13 => "x[0] > 0".to_owned(),
            _ => "not flag".to_owned(),
        }
    }

    fn names(&mut self) {
        let line = match self.random.below(17) {
            0 => format!("r = p if {} else q", self.condition()),
            1 => "p, q = q, p".to_owned(),
            2 => format!("r = {}", self.list()),
            3 => format!("c = a if {} else b", self.condition()),
            4 => format!("c = Node({})", self.int()),
            5 => "a, b = b, a".to_owned(),
            6 => format!("{}.items = {}", self.object(), self.list()),
            7 => format!("rows.append({})", self.list()),
            8 => format!("p = {}.items", self.object()),
            9 => format!("d, e = (e, d) if {} else (d, e)", self.condition()),
            10 => format!("r = pick(p, q, {})", self.condition()),
            11 => format!("{}.next = {}", self.object(), self.object()),
            12 => format!("c = {}.next or a", self.object()),
            13 => format!("q = [{}, {}]", self.int(), self.int()),
            14 => format!("p = {}[:4] + [{}]", self.list(), self.int()),
            15 => format!("a.table = {}", self.dict()),
            _ => format!("c = Node({}) if {} else c", self.int(), self.condition()),
        };
        self.line(&line);
    }

    fn lists(&mut self) {
        let p = self.list();
        let v = self.int();
        let line = match self.random.below(24) {
            0..=5 => format!("{p}.append({v})"),
            6 => format!("if {p}: n += {p}.pop()"),
            7 => format!("if {p}: {p}[0] = {v}"),
            8 => format!("if {p}: {p}[-1] += 1"),
            9 => format!("{p} += [{v}]"),
            10 => format!("{p}.insert(0, {v})"),
            11 => format!("{p}.extend(q[:2])"),
            12 => format!("{p}.sort()"),
            13 => format!("{p}.reverse()"),
            14 => format!("if len({p}) > 2: del {p}[0]"),
            15 => format!("{p}[:] = {p}[-4:]"),
            16 => format!("if {v} in {p}: {p}.remove({v})"),
            17 => format!("push({p}, {v})"),
            18 => format!("n += sum({p}) % 7"),
            19 => format!("if {p}: n += {p}[{v} % len({p})]"),
            20 => format!("m = max({p}, default=0) % 5"),
            21 => format!("if {p} and {}: {p}.pop(0)", self.condition()),
            22 => format!("n += sum(v for v in {p} if v % 2)"),
            _ => format!("{p}.append({v} + 1)"),
        };
        self.line(&line);
    }

    fn others(&mut self) {
        let (d, v, key, o) = (self.dict(), self.int(), self.key(), self.object());
        let line = match self.random.below(24) {
            0 | 1 => format!("{d}[{key}] = {v}"),
            2 | 3 => format!("{d}[{key}] = {d}.get({key}, 0) + 1"),
            4 => format!("g.setdefault({key}, []).append({v})"),
            5 => format!("{d}.pop({key}, None)"),
            6 => format!("if {key} in {d}: n += {d}[{key}]"),
            7 => format!("for key in sorted({d}): n += {d}[key]"),
            8 => format!("for key, v in {d}.items(): n += v % 3"),
            9 => format!("z.add({v} % 7)"),
            10 => format!("z.discard({v} % 7)"),
            11 => "n += len(z)".to_owned(),
            12 | 13 => format!("{o}.v += 1"),
            14 => format!("{o}.v = {v}"),
            15 => format!("{o}.add({v})"),
            16 => "Node.made += 1".to_owned(),
            17 => "push.calls += 1".to_owned(),
            18 => format!("if {key} in g: g[{key}].append({v})"),
            19 => format!("{d}[{key}], m = m, {d}.get({key}, 1)"),
            20 => format!("best = (n, {v}) if best is None or {v} > best[1] else best"),
            21 => "ts.append(s.sum() * 0.5)".to_owned(),
            22 => "s = s + sum(ts[-2:])".to_owned(),
            _ => format!("n = n + m if {} else n - m", self.condition()),
        };
        self.line(&line);
    }

    fn block(&mut self, depth: u32, most: u64) {
        self.text.indent += 1;
        for _ in 0..=self.random.below(most) {
            self.statement(depth);
        }
        self.text.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        if depth > 0 && self.random.one_in(3) {
            self.compound(depth - 1);
            return;
        }
        match self.random.below(8) {
            0 | 1 => self.names(),
            2..=4 => self.lists(),
            5 | 6 => self.others(),
            _ if self.loops > 0 && self.random.one_in(2) => {
                let (condition, word) =
                    (self.condition(), self.random.pick(&["break", "continue"]));
                self.line(&format!("if {condition}: {word}"));
            }
            _ => self.line("s = s * 0.5 + x.mean() + n"),
        }
    }

    fn compound(&mut self, depth: u32) {
        match self.random.below(8) {
            0..=2 => {
                let condition = self.condition();
                self.line(&format!("if {condition}:"));
                self.block(depth, 3);
                if self.random.one_in(4) {
                    let condition = self.condition();
                    self.line(&format!("elif {condition}:"));
                    self.block(depth, 2);
                }
                if self.random.one_in(2) {
                    self.line("else:");
                    self.block(depth, 3);
                }
            }
            3 => {
                self.line("try:");
                self.block(depth, 2);
                self.text.indent += 1;
                let condition = self.condition();
                self.line(&format!("if {condition}: raise ValueError(n)"));
                self.text.indent -= 1;
                self.line("except ValueError:");
                self.block(0, 2);
            }
            _ => self.repeated(depth),
        }
    }

    fn repeated(&mut self, depth: u32) {
        let k = self.loops;
        let v = self.int();
        let line = match self.random.below(10) {
            0..=2 => format!("for k{k} in range(i % 7 + 2):"),
            3 => format!("for k{k} in range({v} % 5):"),
            4 => format!("for k{k} in {}[:6]:", self.list()),
            5 => format!("for k{k}, v in enumerate({}[:5]):", self.list()),
            6 => format!("for k{k} in range(i % 4, 0, -1):"),
            7 => format!("for k{k}, row in enumerate(y):"),
            8 => format!("for k{k}, v in zip(range(n % 5), {}[:6]):", self.list()),
            _ => {
                self.line(&format!("k{k} = -1"));
                format!("while k{k} < {v} % 6:")
            }
        };
        self.line(&line);
        self.text.indent += 1;
        if line.starts_with("while") {
            self.line(&format!("k{k} += 1"));
        }
        self.line(&format!("s = s * 0.5 + x * k{k} + x.mean()"));
        self.text.indent -= 1;
        self.loops += 1;
        self.block(depth, 4);
        self.loops -= 1;
        if self.random.one_in(6) {
            self.text.lines("else:", &["n += 1".to_owned()]);
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut this = Maker {
        random: Random::of(seed),
        text: Text::default(),
        loops: 0,
    };
    this.text.push(PROLOGUE);
    // What lives longer than a step.
    let kept = this
        .random
        .pick(&["", "", "p, d", "a, q", "d, z, rows", "g, a"]);
    this.line("def step(x, y, i, flag):");
    this.text.indent = 1;
    this.line("n, m, s, ts, best = i, i % 3, x * 0.5, [], None");
    for (name, value) in [
        ("p", "[1]"),
        ("q", "[2, 3]"),
        ("a", "Node(1)"),
        ("b", "Node(i)"),
        ("d", "{0: 1, 2: 3}"),
        ("e", "{}"),
        ("g", "{}"),
        ("z", "set()"),
        ("rows", "[[0]]"),
    ] {
        let value = if kept.split(", ").any(|k| k == name) {
            format!("KEPT[{name:?}]")
        } else {
            value.to_owned()
        };
        this.line(&format!("{name} = {value}"));
    }
    this.line("r, c = p, a");
    for _ in 0..3 + this.random.below(5) {
        this.statement(3);
        if this.random.one_in(12) {
            let condition = this.condition();
            this.line(&format!("if {condition}: return p, q, n % 101, s.sum()"));
        }
    }
    this.line("s = (s * x).tanh() + x.mean()");
    this.line("names = p is q, p is r, a is b, a is c, c.items is p, d is e, rows[-1] is r");
    this.line("nodes = [(o.v, o.items[:9], len(o.items), o.next is None) for o in (a, b, c)]");
    this.line(
        "return p[:9], q[:9], r[:9], len(r), nodes, d, e, g, sorted(z), rows[-3:], names, n % 101, best, s.sum()",
    );
    this.text.push(EPILOGUE);
    this.text.finish()
}

const PROLOGUE: &str = "\
import torch

torch.manual_seed(1)


class Node:
    made = 0

    def __init__(self, v):
        self.v = v
        self.items = [v]
        self.next = None
        self.table = {1: v}

    def add(self, v):
        self.items.append(v)
        self.v += v % 3


def push(to, v):
    to.append(v)
    push.calls += 1
    return to


def pick(p, q, first):
    if first:
        return p
    return q


push.calls = 0
KEPT = {'p': [1], 'q': [2, 3], 'a': Node(1), 'd': {0: 1, 2: 3}, 'g': {}, 'z': set(), 'rows': [[0]]}


";

const EPILOGUE: &str = "

for i in range(24):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    try:
        print(i, step(x, y, i, i % 3 == 0))
    except (ValueError, RuntimeError, UnboundLocalError, IndexError, KeyError, TypeError) as e:
        print(i, type(e).__name__, e)
    for kept in (KEPT['p'], KEPT['q'], KEPT['a'].items, KEPT['rows'], *KEPT['rows'], *KEPT['g'].values()):
        del kept[6:]
print(KEPT['p'], KEPT['q'], KEPT['a'].v, KEPT['a'].items, KEPT['d'], KEPT['g'], sorted(KEPT['z']), KEPT['rows'])
print(Node.made, push.calls)
";
