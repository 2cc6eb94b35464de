//! Makes random programs about exceptions: functions that raise in branches and loops, and callers that catch some of
//! it.
//!
//! In: a seed. Out: the text of a program. Always: it ends and prints the same on every run; a function calls only
//! those above it.

use super::random::{Draft, Statements};

/// Functions of a program.
const FUNCTIONS: u64 = 3;

/// Makes one program.
struct Maker {
    draft: Draft,
    /// The function that is being made; of the step all functions are above it.
    function: u64,
    /// Blocks of `try` around the current statement.
    tries: u32,
}

impl Maker {
    fn int(&mut self) -> String {
        if let Some(k) = self.draft.loops.checked_sub(1)
            && self.draft.random.one_in(3)
        {
            return format!("k{k}");
        }
        let choices = ["n", "n", "i", "box.n", "2", "len(box.log)", "n % 5"];
        self.draft.random.pick(&choices).to_owned()
    }

    fn tensor(&mut self) -> &'static str {
        let choices = ["t", "t", "x", "t * 0.5", "torch.tanh(t)", "t + w", "box.t"];
        self.draft.random.pick(&choices)
    }

    /// A call of a function above this one, or of the module.
    fn call(&mut self) -> String {
        let (t, v) = (self.tensor(), self.int());
        let f = self.draft.random.below(self.function + 1);
        match f.checked_sub(1) {
            None => format!("net({t}, {v} % 7)"),
            Some(f) => match self.draft.random.below(3) {
                0 => format!("box.run(f{f}, {t}, {v} % 9)"),
                _ => format!("f{f}({t}, {v} % 9, i)"),
            },
        }
    }

    fn raised(&mut self) -> String {
        let v = self.int();
        match self.draft.random.below(8) {
            0 => "ValueError".to_owned(),
            1 => format!("ValueError({v} % 5)"),
            2 => format!("ValueError('v', {v} % 3)"),
            3 => format!("ValueError(f'at {{{v}}}')"),
            4 => format!("KeyError({v} % 4)"),
            5 | 6 => format!("Problem({}, {v} % 5)", self.tensor()),
            _ => "Small(t, 1)".to_owned(),
        }
    }

    fn handler(&mut self) {
        let kinds = [
            "ValueError as e",
            "ValueError as e",
            "Problem as e",
            "Problem as e",
            "(KeyError, Small) as e",
            "KeyError",
            "Exception as e",
        ];
        let kind = self.draft.random.pick(&kinds);
        let mut ends = false;
        self.line(&format!("except {kind}:"));
        self.draft.text.indent += 1;
        if kind == "Problem as e" && self.draft.random.below(3) > 0 {
            let uses = ["t = e.t * 0.5 + x", "n += e.n", "t, n = e.t, e.n + 1"];
            let line = self.draft.random.pick(&uses);
            self.line(line);
        } else if kind != "KeyError" {
            let uses = [
                "n += len(e.args)",
                "box.log.append(type(e).__name__)",
                "box.log.append(str(e)[:12])",
                "n += isinstance(e, Small)",
                "box.last = e.args[:0]",
                "raise",
            ];
            let line = self.draft.random.pick(&uses);
            if line != "raise" {
                self.line(line);
            }
            ends = line == "raise";
        }
        self.simple();
        if ends {
            self.line("raise");
        }
        self.draft.text.indent -= 1;
    }

    fn guarded(&mut self, depth: u32) {
        self.line("try:");
        self.tries += 1;
        self.block(depth);
        self.draft.text.indent += 1;
        let call = self.call();
        self.line(&format!("t = {call}"));
        self.draft.text.indent -= 1;
        self.tries -= 1;
        let handlers = self.draft.random.below(3);
        for _ in 0..handlers {
            self.handler();
        }
        if handlers > 0 && self.draft.random.one_in(3) {
            self.line("else:");
            self.block(0);
        }
        if handlers == 0 || self.draft.random.one_in(3) {
            self.draft.text.lines(
                "finally:",
                &["box.n = (box.n + 1) % 13".to_owned(), "n += 1".to_owned()],
            );
        }
    }

    /// A function's body, without its result.
    fn body(&mut self, least: u64) {
        for _ in 0..least + self.draft.random.below(3) {
            self.statement(2);
            if self.draft.random.one_in(3) {
                self.guarded(1);
            }
        }
    }
}

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn simple(&mut self) {
        let line = match self.draft.random.below(16) {
            0..=2 => format!("t = torch.tanh({} + x * 0.25)", self.tensor()),
            3 => format!("t = {}", self.tensor()),
            4 => format!("n += {} % 4", self.int()),
            5 => "box.n = (box.n + n) % 11".to_owned(),
            6 => format!("box.t = ({}).detach()", self.tensor()),
            7 => format!("box.log.append({} % 8)", self.int()),
            8..=10 => format!("if {}: raise {}", self.condition(), self.raised()),
            11 if self.function < FUNCTIONS => {
                format!("if {}: return {}", self.condition(), self.tensor())
            }
            12 if self.draft.loops > 0 => {
                let word = self.draft.random.pick(&["break", "continue"]);
                format!("if {}: {word}", self.condition())
            }
            13 if self.tries > 0 => format!("t = {} + t", self.call()),
            _ => format!("n = {} % 17", self.int()),
        };
        self.line(&line);
    }

    fn condition(&mut self) -> String {
        let v = self.int();
        match self.draft.random.below(8) {
            0 | 1 => "t.sum() > 0.8".to_owned(),
            2 => "t[0] < -0.4".to_owned(),
            3 => format!("{v} % 3 == 1"),
            4 => format!("{v} % 7 > 4"),
            5 => "t.abs().max() > 1.2 and n % 2".to_owned(),
            6 => format!("len(box.log) % 5 == {v} % 5"),
            _ => "i % 4 == 3".to_owned(),
        }
    }

    fn trips(&mut self) -> String {
        match self.draft.random.below(4) {
            0 => "range(3)".to_owned(),
            1 => "range(i % 6)".to_owned(),
            2 => format!("range({} % 5 + 1)", self.int()),
            _ => "range(2 + i % 12)".to_owned(),
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut this = Maker {
        draft: Draft::of(seed),
        function: 0,
        tries: 0,
    };
    this.draft.text.push(PROLOGUE);
    for f in 0..FUNCTIONS {
        this.function = f;
        this.line(&format!("def f{f}(x, n, i):"));
        this.draft.text.indent = 1;
        this.line("t = x * 0.9 + 0.1");
        this.body(1);
        this.line("return t + n * 0.01");
        this.draft.text.indent = 0;
        this.draft.text.push("\n\n");
    }
    this.function = FUNCTIONS;
    this.line("def step(x, i):");
    this.draft.text.indent = 1;
    this.line("t, n = x + w, i");
    this.guarded(1);
    this.body(1);
    match this.draft.random.below(3) {
        0 => {
            this.line("loss = (t * w).sum()");
            this.line("loss.backward()");
            this.line("g, w.grad = w.grad.clamp(-3.0, 3.0), None");
            this.line("return loss.item(), g, n % 101");
        }
        _ => this.line("return t.detach().clamp(-9.0, 9.0), n % 101"),
    }
    this.draft.text.push(EPILOGUE);
    this.draft.text.finish()
}

const PROLOGUE: &str = "\
import torch
from torch import nn

torch.manual_seed(1)
w = torch.tensor([0.3, -0.2, 0.1], requires_grad=True)


class Problem(Exception):
    def __init__(self, t, n):
        super().__init__(n)
        self.t = t
        self.n = n


class Small(Problem):
    pass


class Box:
    def __init__(self):
        self.n = 1
        self.t = torch.ones(3)
        self.log = []
        self.last = None

    def run(self, f, t, n):
        self.n += 1
        try:
            return f(t, n, self.n % 10)
        finally:
            self.n -= 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(3, 3)

    def forward(self, x, n):
        y = self.f(x)
        if y.sum() > 1.0:
            raise Problem(y, n)
        if n == 5:
            raise ValueError('five')
        return torch.tanh(y)


box = Box()
net = Net()


";

const EPILOGUE: &str = "

for i in range(24):
    x = torch.full((3,), float(i % 5) * 0.5 - 1.0) + torch.arange(3.0) * 0.1
    try:
        print(i, step(x, i))
    except (ValueError, KeyError, Problem) as e:
        print(i, type(e).__name__, str(e), getattr(e, 'n', None))
    del box.log[8:]
    if i == 12:
        box.log = []
print(box.n, box.t, box.log, box.last, w.grad)
";
