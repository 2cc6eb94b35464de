//! Makes random programs about gradients: what flows through branches, loops, lists and blocks without
//! gradients.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and its numbers
//! stay small; what is changed in place is a copy of its own, which nothing before it needs.

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

    fn variable(&mut self) -> &'static str {
        self.random.pick(&["t", "u", "v"])
    }

    fn value(&mut self) -> &'static str {
        self.random.pick(&[
            "t",
            "u",
            "v",
            "t",
            "w",
            "b",
            "c",
            "hs[-1]",
            "hs[0]",
            "box.h",
            "x",
            "w[[2, 0, 1]]",
        ])
    }

    fn condition(&mut self) -> String {
        if let Some(k) = self.loops.checked_sub(1)
            && self.random.one_in(3)
        {
            return format!("k{k} % 2 == {}", self.random.below(2));
        }
        self.random
            .pick(&[
                "i % 2",
                "i % 3 == 0",
                "flag",
                "t.requires_grad",
                "u.requires_grad",
                "t.sum() > 0",
                "(x > 0).any()",
                "len(hs) > 2",
                "v.mean() < u.mean()",
                "random.random() < 0.5",
            ])
            .to_owned()
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.random.below(22) {
            0 => format!("torch.tanh({a})"),
            1 => format!("{a} * {b}"),
            2 => format!("{a} + {b}"),
            3 => format!("{a} * 0.5 - {b}"),
            4 => format!("torch.where({a} > 0, {a}, {b})"),
            5 => format!("{a}.detach()"),
            6 => format!("frozen({a})"),
            7 => format!("({a} if {} else {b})", self.condition()),
            8 => format!("({a} if {} else {b} * 2)", self.condition()),
            9 => format!("({a} if {} else {b}.detach())", self.condition()),
            10 => format!("sum(hs[-2:]) + {a}"),
            11 => "torch.stack(hs).mean(0)".to_owned(),
            12 => format!("{a}.sigmoid() * {b}.sum()"),
            13 => format!("torch.cat([{a}[:1], {b}[1:]])"),
            14 => format!("(m @ {a}).clamp(-2.0, 2.0)"),
            15 => format!("Doubled.apply({a})"),
            16 => format!("{a}.clone()"),
            17 => format!("{a} / ({b}.abs() + 1)"),
            18 => format!("chosen({a}, {b}, {})", self.condition()),
            19 => format!("{a}.relu()"),
            20 => format!("{a}.softmax(0) + {b}.max()"),
            _ => format!("{a}.exp().clamp(max=3.0) * 0.25"),
        }
    }

    fn simple(&mut self) {
        let (t, e) = (self.variable(), self.expression());
        match self.random.below(23) {
            0..=7 => self.line(&format!("{t} = {e}")),
            8 => self
                .text
                .lines("with torch.no_grad():", &[format!("{t} = {e}")]),
            9 => self.line(&format!("hs.append({e})")),
            10 => self.line("t, u = u, t"),
            11 => self.line(&format!("box.h = {e}")),
            12 => {
                let change = self.random.pick(&[
                    "mul_(0.5)",
                    "add_(w)",
                    "mul_(u.detach())",
                    "clamp_(-1.0, 1.0)",
                    "copy_(t)",
                    "zero_()",
                ]);
                self.line(&format!("{t} = {t} * 1.0; {t}.{change}"));
            }
            13 => {
                let value = self.value();
                self.line(&format!("{t} = {t} * 1.0; {t}[i % 3] = {value}[0]"));
            }
            14 => {
                let condition = self.condition();
                self.text.lines(
                    &format!("with torch.set_grad_enabled(bool({condition})):"),
                    &[format!("{t} = {e}")],
                );
            }
            15 => {
                self.line(
                    "g = torch.autograd.grad((t * w).sum(), [w, b], retain_graph=True, allow_unused=True)",
                );
                self.line(&format!(
                    "{t} = {t} + (g[1] if g[1] is not None else g[0]) * 0.1"
                ));
            }
            16 => self
                .text
                .lines("with torch.no_grad():", &["hs.append(t * 2)".to_owned()]),
            17 => self.line("(t * w).sum().backward(retain_graph=True)"),
            19 => {
                let condition =
                    self.random
                        .pick(&["h.sum() > 0.5", "h[0] < 1", "(h * w).sum() > 0"]);
                self.line(&format!("ks = [h for h in hs[:5] if {condition}]"));
                let used = self.random.pick(&[
                    "torch.stack(ks).mean(0) if ks else 0.5",
                    "sum(ks)",
                    "(torch.cat(ks).sum() if len(ks) > 1 else b)",
                    "(ks[0] if ks else w) * ks[-1] if len(ks) > 0 else 1.0",
                    "sum(h * w for h in ks)",
                ]);
                self.line(&format!("{t} = {t} + ({used}) * 0.2"));
            }
            20 => self.line("hs = [h for h in hs if h[0] < 1.5] + [t]"),
            21 => {
                let line = format!("if h.max() > 0.2: {t} = {t} + h * b");
                self.text.lines(
                    "for h in [h * 0.5 for h in hs[:4] if h.min() < 0.5]:",
                    &[line],
                );
            }
            18 => self.line(&format!("{t} = {t} + x if {t}.requires_grad else {t} * b")),
            _ => {
                let kept = 1 + self.random.below(3);
                self.line(&format!("if len(hs) > 3: hs = hs[-{kept}:]"));
            }
        }
    }

    fn block(&mut self, depth: u32, most: u64) {
        self.text.indent += 1;
        for _ in 0..=self.random.below(most) {
            self.statement(depth);
        }
        self.text.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 || !self.random.one_in(3) {
            self.simple();
            return;
        }
        match self.random.below(6) {
            0..=2 => {
                let condition = self.condition();
                self.line(&format!("if {condition}:"));
                self.block(depth - 1, 2);
                if self.random.one_in(2) {
                    self.line("else:");
                    self.block(depth - 1, 2);
                }
            }
            3 => {
                let head = self
                    .random
                    .pick(&["with torch.no_grad():", "with torch.enable_grad():"]);
                self.line(head);
                self.block(depth - 1, 2);
            }
            _ => {
                let k = self.loops;
                let over = match self.random.below(4) {
                    0 => format!("for k{k} in range(i % 5 + 1):"),
                    1 => format!("for k{k} in range(3):"),
                    2 => format!("for k{k}, row in enumerate(y):"),
                    _ => format!("for k{k}, h in enumerate(hs[:4]):"),
                };
                self.line(&over);
                self.loops += 1;
                self.block(depth - 1, 3);
                self.loops -= 1;
            }
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
    this.line("def step(x, y, i, flag):");
    this.text.indent = 1;
    this.line("t, u, v = x * w, b + 1, x * 0.5");
    this.line("hs = [x, t]");
    this.line("box.h = x");
    for _ in 0..2 + this.random.below(5) {
        this.statement(3);
    }
    this.line("loss = (t * u).clamp(-9.0, 9.0).sum() + (v + w).tanh().sum()");
    this.line("known = [h.requires_grad for h in (t, u, v, hs[-1], box.h)]");
    this.line("loss.backward()");
    this.line("grads = [p.grad for p in (w, b, m, c)]");
    this.line("with torch.no_grad():");
    this.text.indent += 1;
    this.line("for p in (w, b):");
    this.text.indent += 1;
    this.line("if p.grad is not None: p.sub_(p.grad.clamp(-1.0, 1.0) * 0.05)");
    this.text.indent -= 2;
    this.line("for p in (w, b, m):");
    this.text.indent += 1;
    if this.random.one_in(3) {
        this.line("p.grad = torch.zeros_like(p) if i % 2 else None");
    } else {
        this.line("p.grad = None");
    }
    this.text.indent -= 1;
    this.line("return loss.detach(), known, grads");
    this.text.push(EPILOGUE);
    this.text.finish()
}

const PROLOGUE: &str = "\
import random
import torch

torch.manual_seed(1)
random.seed(1)
w = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
m = torch.randn(3, 3, requires_grad=True)
c = torch.ones(3)


class Box:
    pass


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return v * v

    @staticmethod
    def backward(ctx, g):
        v, = ctx.saved_tensors
        return g * v * 2


@torch.no_grad()
def frozen(v):
    return v * 1.5


def chosen(a, b, first):
    if first:
        return a * 0.5
    return b


box = Box()


";

const EPILOGUE: &str = "

for i in range(16):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    try:
        print(i, step(x, y, i, i % 3 == 0))
    except (RuntimeError, IndexError, TypeError) as e:
        w.grad = b.grad = m.grad = None
        print(i, type(e).__name__, str(e)[:60])
print(w, b, random.random())
";
