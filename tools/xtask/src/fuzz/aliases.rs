//! Makes random programs about names of tensors: several of one tensor, views, and writes in place that all of them
//! see, where branches and loops decide which tensor a name means.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, says which names mean one
//! object and which tensors share memory, and its numbers stay small.

use super::random::{Draft, Statements};

/// Makes one program.
struct Maker(Draft);

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.0
    }

    fn trips(&mut self) -> String {
        let count = self.0.random.pick(&["2", "3", "1 + i % 3", "len(h[:3])"]);
        format!("range({count})")
    }

    fn condition(&mut self) -> String {
        if let Some(k) = self.0.loops.checked_sub(1)
            && self.0.random.one_in(4)
        {
            return format!("(k{k} + i) % 2 == {}", self.0.random.below(2));
        }
        self.0
            .random
            .pick(&[
                "x[0] > 0",
                "x[1] > 0.2",
                "x.sum() > 0",
                "i % 3 == 0",
                "random.random() < 0.5",
                "a[0] > b[1]",
                "float(c.sum()) > 0.5",
                "i % 2 == 0 and x[2] > 0",
                "a is b",
                "c is box.t",
                "len(h) > 1",
                "h and h[-1] is d",
            ])
            .to_owned()
    }

    fn simple(&mut self) {
        let v = self.variable();
        let line = match self.0.random.below(20) {
            0..=7 => format!("{v} = {}", self.value()),
            8..=11 => self.write(),
            12 => format!("h.append({})", self.value()),
            13 => format!("if h: {v} = h[-1]"),
            14 => format!("box.t = {}", self.value()),
            15 => format!("{v} = {} = {}", self.variable(), self.value()),
            16 => format!("{v}, {} = {}, {v}", self.variable(), self.variable()),
            17 => format!("table['k'] = {}", self.value()),
            18 => format!("pair = ({v}, {})", self.value()),
            _ => format!(
                "{v} = {} if {} else {}",
                self.value(),
                self.condition(),
                self.value()
            ),
        };
        self.line(&line);
    }
}

impl Maker {
    fn variable(&mut self) -> &'static str {
        self.0.random.pick(&["a", "b", "c", "d"])
    }

    /// A tensor that is there: its names are other names of it.
    fn known(&mut self) -> String {
        let (v, u) = (self.variable(), self.variable());
        match self.0.random.below(12) {
            0 => "box.t".to_owned(),
            1 => "outer[i % 3]".to_owned(),
            2 => "table['k']".to_owned(),
            3 => format!("itself({v})"),
            4 => format!("either({v}, {u}, {})", self.condition()),
            5 => format!("({v} if {} else {u})", self.condition()),
            6 => "pair[0]".to_owned(),
            _ => v.to_owned(),
        }
    }

    /// A tensor, or a view.
    fn value(&mut self) -> String {
        let v = self.known();
        match self.0.random.below(16) {
            0 => format!("{v} + 1.0"),
            1 => format!("{v} + x"),
            2 => format!("{v} * 0.5"),
            3 => format!("{v}[:]"),
            4 => format!("{v}.view(3)"),
            5 => format!("{v}.detach()"),
            6 => format!("{v}[0:3]"),
            7 => format!("{v}.clone()"),
            8 => format!("{v}.reshape(3)"),
            9 => format!("{v}.contiguous()"),
            10 => format!("torch.stack([{v}, x]).t()[:, 0]"),
            _ => v,
        }
    }

    fn write(&mut self) -> String {
        let v = self.variable();
        match self.0.random.below(12) {
            0 => format!("{v}.add_(0.5)"),
            1 => format!("{v}.mul_(0.9)"),
            2 => format!("{v}.add_(x)"),
            3 => format!("{v}[0] = 0.25"),
            4 => format!("{v}[i % 3] = 1.5"),
            5 => format!("{v}[1:] = 0.5"),
            6 => format!("{v}[1:].mul_(0.5)"),
            7 => format!("{v} *= 0.75"),
            8 => format!("{v}.copy_({})", self.value()),
            9 => format!("shifted({v})"),
            10 => "box.t.mul_(0.5)".to_owned(),
            _ => format!("if h: h[0].add_({}.sum() * 0.1)", self.variable()),
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut this = Maker(Draft::of(seed));
    this.0.text.push(PROLOGUE);
    this.line("def step(x, i):");
    this.0.text.indent = 1;
    this.line("a, b, c, d = x, x * 0.5, torch.ones(3), x + 1");
    this.line("h, table, pair = [], {'k': x * 2}, (c, b)");
    for _ in 0..4 + this.0.random.below(6) {
        this.statement(3);
    }
    this.line("s = sum((t * w).sum().item() for t in (a, b, c, d)) + len(h)");
    this.line("known = (a, b, c, d, x, box.t, table['k'], pair[0], outer[i % 3], *h[:2])");
    if this.0.random.one_in(2) {
        this.line("s += sum(t is u for t, u in ((a, b), (a, c), (b, c), (c, d), (a, x)))");
    }
    this.line("return s, known");
    this.0.text.push(EPILOGUE);
    this.0.text.finish()
}

const PROLOGUE: &str = "\
import random
import torch

torch.manual_seed(1)
random.seed(1)
w = torch.randn(3)


class Box:
    pass


def itself(v):
    return v


def either(p, q, first):
    if first:
        return p
    return q


def shifted(v):
    v.sub_(0.25)
    return v


box = Box()
box.t = torch.ones(3)
outer = [torch.zeros(3), torch.ones(3), torch.full((3,), 2.0)]


";

const EPILOGUE: &str = "

for i in range(24):
    x = torch.randn(3)
    s, known = step(x, i)
    same = [m for m, t in enumerate(known) for u in known[:m] if t is u]
    print(i, round(s, 3), same, [round(t.sum().item(), 3) for t in (x, box.t, *outer)])
    for t in known:
        t.add_(0.125)
    print([round(t.sum().item(), 3) for t in known])
    if i % 5 == 4:
        box.t = torch.ones(3)
        outer[i % 3] = x * 0.5
    for t in (box.t, *outer):
        t.clamp_(-4.0, 4.0)
";
