//! Makes random programs about threads of control: generators that are sent values, thrown into and closed, that hand
//! over to others and drive training; context managers, callbacks, and recursion that an exception ends.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and closes what it opens.

use super::random::{Draft, Statements};

/// Generators of a program.
const GENERATORS: u64 = 4;

/// Makes one program.
struct Maker {
    draft: Draft,
    /// The generator that is being made; of the step all are above it.
    number: u64,
    /// Whether the statements stand in a generator.
    yields: bool,
}

impl Maker {
    fn tensor(&mut self) -> &'static str {
        let choices = [
            "t",
            "t",
            "x",
            "t * 0.5",
            "torch.tanh(t)",
            "t + w",
            "box.t",
            "s",
        ];
        self.draft.random.pick(&choices)
    }

    fn int(&mut self) -> &'static str {
        let choices = ["n", "n % 3", "box.n % 4", "2", "len(log) % 3", "i % 4"];
        self.draft.random.pick(&choices)
    }

    /// A generator above this one.
    fn other(&mut self) -> String {
        let (t, n) = (self.tensor(), self.int());
        match self.draft.random.below(self.number + 2) {
            0 => format!("iter([{t}, x])"),
            1 => format!("({t} * k for k in (0.5, {n}))"),
            g => format!("g{}({t}, {n}, i)", g - 2),
        }
    }

    fn raised(&mut self) -> &'static str {
        let kinds = [
            "ValueError(n)",
            "KeyError('k')",
            "Stop(t)",
            "Stop(t * 0.5)",
            "ValueError",
            "StopIteration(n)",
            "GeneratorExit",
        ];
        self.draft.random.pick(&kinds)
    }

    fn yielding(&mut self) -> String {
        let t = self.tensor();
        match self.draft.random.below(12) {
            0..=3 => format!("yield {t}"),
            4 | 5 => format!("v = yield {t}; t = t if v is None else t + v * 0.5"),
            6 => format!("n += (yield {t}) is None"),
            7 => format!("yield from {}", self.other()),
            8 => format!(
                "r = yield from {}; t = t if r is None else t + r * 0.1",
                self.other()
            ),
            9 => "yield".to_owned(),
            10 => format!("if {}: return {t}", self.condition()),
            _ => format!("yield {t}, n"),
        }
    }

    /// What a caller does with a generator.
    fn driving(&mut self) {
        let (g, after, h) = (self.other(), self.draft.random.below(3), self.other());
        match self.draft.random.below(16) {
            0 | 1 => {
                self.line(&format!("for v in {g}:"));
                self.draft.text.indent += 1;
                self.line("t = t + first(v) * 0.1");
                if self.draft.random.one_in(3) {
                    let c = self.condition();
                    self.line(&format!("if {c}: break"));
                }
                self.draft.text.indent -= 1;
            }
            2 => self.line(&format!(
                "g = {g}; next(g, None); t = t + first(next(g, x)) * 0.2"
            )),
            3 => self.line(&format!(
                "t = t + driven({g}, [None, t, 0.5, x * 0.1], log)"
            )),
            4 => {
                let e = self.raised();
                self.line(&format!("t = t + thrown({g}, {e}, {after}, log)"));
            }
            5 => self.line(&format!("closed({g}, {after}, log)")),
            6 => self.line(&format!("t = t + sum(first(v) for v in {g}) * 0.1")),
            7 => self.line(&format!("kept.append({g})")),
            8 => self.line("t = t + (first(next(kept[-1], x)) if kept else x) * 0.1"),
            9 => self.line(&format!(
                "p, *q = {g}; t = t + first(p) * 0.1; n = (n + len(q)) % 7"
            )),
            10 => self.line(&format!(
                "t = t + first(max({g}, key=lambda v: first(v).sum().item())) * 0.1"
            )),
            11 => self.line(&format!(
                "for p, q in zip({g}, {h}): t = t + first(p) * 0.1 - first(q) * 0.05"
            )),
            12 => self.line(&format!(
                "t = t + torch.stack([first(v) + torch.zeros(3) for v in {g}] + [x]).mean(0)"
            )),
            13 => self.line("t, n = descend(t, n, log)"),
            14 => {
                self.line(&format!("with scope(t, log, {after}) as s:"));
                self.draft.text.indent += 1;
                self.simple();
                self.line("t = t + s * 0.1");
                self.draft.text.indent -= 1;
            }
            _ => {
                self.line("while kept and n < 20: n += 3; t = t + first(next(kept.pop(), x)) * 0.1")
            }
        }
    }

    /// `try` with what may follow it.
    fn guarded(&mut self) {
        self.line("try:");
        self.block(1);
        self.draft.text.indent += 1;
        if self.yields {
            let line = self.yielding();
            self.line(&line);
        } else {
            self.driving();
        }
        self.draft.text.indent -= 1;
        let caught = self.draft.random.below(6);
        match caught {
            0 => self.draft.text.lines(
                "except ValueError as e:",
                &["n += len(e.args)".to_owned(), "log.append('V')".to_owned()],
            ),
            1 => self.draft.text.lines(
                "except Stop as e:",
                &["t = e.args[0] * 0.5 if e.args else t".to_owned()],
            ),
            2 => self.draft.text.lines(
                "except (KeyError, Stop) as e:",
                &[
                    "log.append(type(e).__name__)".to_owned(),
                    "raise ValueError(2) from e".to_owned(),
                ],
            ),
            3 if self.yields => self.draft.text.lines(
                "except GeneratorExit:",
                &["log.append('exit')".to_owned(), "raise".to_owned()],
            ),
            4 => self.draft.text.lines(
                "except Exception as e:",
                &["log.append(type(e).__name__)".to_owned()],
            ),
            _ => {}
        }
        if caught > 2 || self.draft.random.one_in(3) || (caught == 3 && !self.yields) {
            let change = self.draft.random.pick(&[
                "t = t * 0.9",
                "box.t = t.detach()",
                "n += 1",
                "log.append(n)",
            ]);
            self.draft.text.lines(
                "finally:",
                &["box.n = (box.n + 1) % 13".to_owned(), change.to_owned()],
            );
        }
    }

    fn body(&mut self) {
        for _ in 0..1 + self.draft.random.below(4) {
            match self.draft.random.below(4) {
                0 => self.guarded(),
                1 if !self.yields => self.driving(),
                1 => {
                    let line = self.yielding();
                    self.line(&line);
                }
                _ => self.statement(2),
            }
        }
    }
}

impl Statements for Maker {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn simple(&mut self) {
        if self.yields && self.draft.random.one_in(3) {
            let line = self.yielding();
            self.line(&line);
            return;
        }
        let line = match self.draft.random.below(12) {
            0..=2 => format!("t = torch.tanh({} + x * 0.25)", self.tensor()),
            3 => format!("t = {}", self.tensor()),
            4 => format!("n = (n + {}) % 11", self.int()),
            5 => format!("box.t = ({}).detach()", self.tensor()),
            6 => format!("log.append({})", self.int()),
            7 => format!("if {}: raise {}", self.condition(), self.raised()),
            8 => "box.calls[n % 2](t)".to_owned(),
            9 => "s = (t * w).detach()".to_owned(),
            10 if self.draft.loops > 0 => {
                let word = self.draft.random.pick(&["break", "continue"]);
                format!("if {}: {word}", self.condition())
            }
            _ => "t = t * 0.9 + 0.05".to_owned(),
        };
        self.line(&line);
    }

    fn condition(&mut self) -> String {
        let v = self.int();
        match self.draft.random.below(7) {
            0 | 1 => "t.sum() > 0.8".to_owned(),
            2 => "t[0] < -0.2".to_owned(),
            3 => format!("{v} == 1"),
            4 => "n % 5 > 2".to_owned(),
            5 => "t.abs().max() > 1.0 and n % 2".to_owned(),
            _ => "i % 4 == 3".to_owned(),
        }
    }

    fn trips(&mut self) -> String {
        self.draft
            .random
            .pick(&["range(2)", "range(n % 4)", "range(i % 3 + 1)", "range(3)"])
            .to_owned()
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut this = Maker {
        draft: Draft::of(seed),
        number: 0,
        yields: true,
    };
    this.draft.text.push(PROLOGUE);
    for g in 0..GENERATORS - this.draft.random.below(3) {
        this.number = g;
        this.line(&format!("def g{g}(x, n, i):"));
        this.draft.text.indent = 1;
        this.line("t, s = x * 0.9 + 0.1, x");
        this.body();
        let last = this.yielding();
        this.line(&last);
        if this.draft.random.one_in(2) {
            this.line("return t * 0.5");
        }
        this.draft.text.indent = 0;
        this.draft.text.push("\n\n");
        this.number = g + 1;
    }
    this.yields = false;
    this.line("def step(x, i):");
    this.draft.text.indent = 1;
    this.line("t, s, n = x + w, x, i % 7");
    this.driving();
    this.body();
    if this.draft.random.one_in(2) {
        this.driving();
    }
    if this.draft.random.one_in(3) {
        this.line("loss = (t * w).tanh().sum()");
        this.line("if loss.requires_grad: loss.backward()");
        this.line("g, w.grad = w.grad, None");
        this.line("return text(loss), g if g is None else text(g.clamp(-3.0, 3.0)), n % 101");
    } else {
        this.line("return text(t), n % 101");
    }
    let trained = this.draft.random.one_in(2);
    this.draft.text.push(EPILOGUE);
    if trained {
        this.draft.text.push(TRAINED);
    }
    this.draft.text.finish()
}

const PROLOGUE: &str = "\
from contextlib import ExitStack, contextmanager, suppress
import torch

torch.manual_seed(1)
w = torch.tensor([0.3, -0.2, 0.1], requires_grad=True)
log, kept = [], []


class Stop(Exception):
    pass


class Box:
    def __init__(self):
        self.n, self.t = 1, torch.ones(3)
        self.calls = [self.count, lambda t: log.append(round(t.sum().item(), 2))]

    def count(self, t):
        self.n = (self.n + 1) % 9
        if self.n == 7 and t.sum() > 0:
            raise Stop(t)


box = Box()


def first(v):
    v = v[0] if isinstance(v, tuple) else v
    return torch.zeros(3) if v is None else v


def driven(g, values, log):
    t = torch.zeros(3)
    try:
        for v in values:
            t = t + first(g.send(v) if hasattr(g, 'send') else next(g)) * 0.1
    except StopIteration as e:
        log.append('end' if e.value is None else 'value')
        t = t + (0.0 if e.value is None else e.value) * 0.1
    return t


def thrown(g, e, after, log):
    t = torch.zeros(3)
    try:
        for _ in range(after):
            t = t + first(next(g)) * 0.1
        if hasattr(g, 'throw'):
            t = t + first(g.throw(e)) * 0.1
    except StopIteration:
        log.append('stopped')
    except (ValueError, KeyError, Stop, GeneratorExit) as caught:
        log.append('out ' + type(caught).__name__)
    return t


def closed(g, after, log):
    for _ in range(after):
        next(g, None)
    if hasattr(g, 'close'):
        try:
            g.close()
        except RuntimeError as e:
            log.append(str(e))
        log.append(next(g, 'closed') == 'closed')


@contextmanager
def scope(t, log, how):
    log.append('in')
    try:
        yield t.detach() * 0.5
    except Stop:
        log.append('stop')
        if how == 1:
            raise ValueError('scope')
        if how == 2:
            raise
    finally:
        log.append('out')


def descend(t, n, log):
    try:
        if n % 5 == 4 or t.sum() > 2:
            raise Stop(t)
        if n <= 0:
            return t, n
        t, n = descend(t * 0.9 + 0.1, n - 1, log)
        return t + 0.05, n
    except Stop as e:
        if n % 2:
            raise
        return e.args[0] * 0.5, n
    finally:
        box.n = (box.n + 1) % 13


def text(t):
    return [round(v, 3) for v in t.tolist()] if t.dim() else round(t.item(), 3)


";

const EPILOGUE: &str = "

for i in range(24):
    x = torch.full((3,), float(i % 5) * 0.4 - 0.8) + torch.arange(3.0) * 0.1
    try:
        print(i, step(x, i), end=' ')
    except (ValueError, KeyError, TypeError, RuntimeError, StopIteration, GeneratorExit, AttributeError, Stop) as e:
        print(i, type(e).__name__, str(e)[:50] if not isinstance(e, Stop) else '', type(e.__cause__).__name__, end=' ')
    print(box.n, text(box.t), log[-6:], len(kept))
    del log[:-6], kept[:-3]
for g in kept:
    if hasattr(g, 'close'):
        with suppress(RuntimeError, Stop, ValueError):
            g.close()
kept.clear()
print(log[-6:], w.grad)
";

const TRAINED: &str = "

def batches(n):
    for j in range(n):
        x = torch.randn(4, 3)
        skip = yield x, x.sum(1, keepdim=True)
        if skip:
            log.append(('skip', j))


def trainer(net, opt):
    best = None
    try:
        while True:
            try:
                batch = yield best
            except ValueError as e:
                log.append(str(e))
                for p in net.parameters():
                    p.data.mul_(0.9)
                continue
            loss = ((net(batch[0]) - batch[1]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            best = loss.item() if best is None else min(best, loss.item())
    finally:
        log.append('trained')


net = torch.nn.Linear(3, 1)
run = trainer(net, torch.optim.SGD(net.parameters(), lr=0.05))
run.send(None)
source = batches(30)
batch = next(source)
with ExitStack() as stack:
    stack.callback(run.close)
    while True:
        best = run.send(batch)
        if best < 0.2 and len(log) < 20:
            best = run.throw(ValueError('low'))
        try:
            batch = source.send(best > 0.5)
        except StopIteration:
            break
    print(round(best, 3), text(net.weight.flatten()))
print(log)
";
