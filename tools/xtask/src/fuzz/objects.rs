//! Makes random programs about objects: classes with operators of their own, calls with keywords and defaults, comprehensions
//! and generators that natives go through, in loops that run long enough to be compiled.
//!
//! In: a seed. Out: the text of a program. Always: it ends, and prints the same on every run.

use super::expressions::{Rule, expression};
use super::random::{Draft, Statements};

/// `$i` is an int, `$n` an instance.
const RULES: &[Rule] = &[
    Rule {
        name: 'i',
        leaves: &["a", "b", "i", "p", "a", "b", "1", "3", "-2", "7"],
        forms: &[
            "$i + $i",
            "$i - $i",
            "len([q for q in range(4) if q != $i])",
            "sum(q * 2 for q in some(5, $i % 3))",
            "sum([*(q for q in range(3)), *[$i]])",
            "max(q ^ 1 for q in both(3))",
            "keyed($i, c=$i)",
            "keyed(b=$i, a=$i)",
            "keyed(*(1, $i), **{'c': $i})",
            "number($n + $n)",
            "number($n - $i)",
            "number($i * $n)",
            "number($n % $n)",
            "number($n & $i)",
            "number($i + $n)",
            "len('%r|%5s' % ($i, $i))",
            "len(f'{a}|{b!r:>4}|{i:03d}')",
            "len({*range(3), $i})",
            "len({**{q: $i for q in range(2)}, 5: 0})",
            "any(q == $i for q in range(5)) + all(q for q in some(3, $i % 3))",
            "$i if $i % 2 else $i",
            "-$i if not $i else ~$i",
            "o.v if o is not $n else 0",
            "[a, b, i, p][$i % 4]",
        ],
    },
    Rule {
        name: 'n',
        leaves: &["o", "N(i)", "N(2.5)", "D(a)"],
        forms: &["N($i)", "N($i, k=$i % 4)", "D($i, t=1)", "N(t=$i, v=b)"],
    },
];

/// What operators may do, by the names of their methods.
const BODIES: &[&str] = &[
    "return N(self.v + (other.v if isinstance(other, N) else other) or 1)",
    "return self.v * 3 - (other.v if isinstance(other, N) else 2)",
    "return N(other.v - self.v, t=self.t + 1) if isinstance(other, N) else NotImplemented",
    "self.k += 1; return N(self.v + self.k, k=self.k) if self.k % 50 else self.k",
    "return sum(q * self.k for q in range(3))",
    "raise KeyError(self.k)",
];

const METHODS: &[&str] = &[
    "def __radd__(self, other): return N(other, k=7)",
    "def __rmul__(self, other): return other * 2",
    "def __iadd__(self, other): self.t += 1; return self",
    "def __isub__(self, other): return NotImplemented",
    "def __neg__(self): return N(0)",
    "def __bool__(self): return self.k > 0",
    "def __del__(self): N.gone += 1",
];

struct Maker {
    draft: Draft,
}

impl Maker {
    fn expression(&mut self, name: char, depth: u32) -> String {
        match RULES.iter().find(|r| r.name == name) {
            Some(rule) => expression(&mut self.draft, RULES, rule, depth),
            None => String::new(),
        }
    }

    fn class(&mut self, head: &str) {
        self.draft.text.indent = 0;
        for line in head.split('\n') {
            self.draft.text.line(line);
        }
        self.draft.text.indent = 1;
        self.draft.text.line("gone = 0");
        for name in ["add", "sub", "mul", "mod", "and"] {
            if !self.draft.random.one_in(4) {
                let body = self.draft.random.pick(BODIES);
                let line = format!("def __{name}__(self, other): {body}");
                self.draft.text.line(&line);
            }
        }
        for _ in 0..self.draft.random.below(3) {
            let line = self.draft.random.pick(METHODS);
            self.draft.text.line(line);
        }
    }
}

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn simple(&mut self) {
        let (x, y) = (self.expression('i', 3), self.expression('i', 1));
        let object = self.expression('n', 1);
        let lines = match self.draft.random.below(8) {
            0 => vec![format!("a = {x}")],
            1 => vec![format!("b = ({x}) % 1009")],
            2 => vec![
                format!("out.append({y})"),
                "if len(out) > 5: del out[0]".to_owned(),
            ],
            3 => {
                let operator = self.draft.random.pick(&["+=", "-=", "*="]);
                vec![
                    "try:".to_owned(),
                    format!("    o {operator} {object}"),
                    "except (TypeError, KeyError) as e: out.append(str(e))".to_owned(),
                    "if not isinstance(o, N): o = N(number(o))".to_owned(),
                ]
            }
            4 => vec![format!(
                "b += sum({{q: v + {y} for q, v in zip(range(3), [{y}, i, b])}}.values()) % 97"
            )],
            5 => vec![format!("a, b = b, {y}")],
            6 => vec![format!("o = {object}")],
            _ => vec![format!("a ^= {y} == {x}")],
        };
        for line in lines {
            self.line(&line);
        }
    }

    fn condition(&mut self) -> String {
        let of = self
            .draft
            .random
            .pick(&["i % 5 == 1", "a > b", "i == n - 2", "o.t % 3", "p"]);
        of.to_owned()
    }

    fn trips(&mut self) -> String {
        self.draft
            .random
            .pick(&[
                "range(3)",
                "some(4, 1)",
                "out[:2]",
                "[q for q in range(b % 3)]",
            ])
            .to_owned()
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut maker = Maker {
        draft: Draft::of(seed),
    };
    maker.class("class N:");
    maker.draft.text.push(CLASS);
    let derived =
        maker
            .draft
            .random
            .pick(&["class D(N):", "class D(N):", "class D(N): pass\nclass E:"]);
    maker.class(derived);
    maker.draft.text.push(PROLOGUE);
    for f in 0..3 {
        maker.draft.text.indent = 0;
        maker.line(&format!("def f{f}(n, p):"));
        maker.draft.text.indent = 1;
        maker.line("a, b, out, o = 1, p, [], N(3)");
        maker.line("for i in range(n):");
        maker.block(2);
        maker.draft.text.indent = 2;
        maker.line("a, b = a % 100003, b % 100003");
        maker.draft.text.indent = 1;
        maker.line("return a, b, out[-3:], o, o.gone");
    }
    maker.draft.text.push(EPILOGUE);
    maker.draft.text.finish()
}

const CLASS: &str = "
    def __init__(self, v, k=1, *, t=0): self.v, self.k, self.t = v, k, t
    def __repr__(self): return f'{type(self).__name__}({self.v}, {self.k}, {self.t})'
    def __eq__(self, other): return isinstance(other, N) and self.v == other.v
    def __hash__(self): return hash(self.v)

";

const PROLOGUE: &str = "
def keyed(a, b=2, *, c=3): return a * 100 + b * 10 + c

def some(n, m):
    for i in range(n):
        if i % 3 == m: continue
        yield i * m
    return n

def both(n):
    x = yield from some(n, 2)
    yield x

def number(x):
    if isinstance(x, N): x = x.v
    return x % 100003 if isinstance(x, int) else len(str(x))

";

const EPILOGUE: &str = "
for n in (3, 90, 500):
    for p in (0, 1, 5):
        for f in (f0, f1, f2):
            try:
                print(f(n, p))
            except Exception as e:
                print(type(e).__name__, e)
";
