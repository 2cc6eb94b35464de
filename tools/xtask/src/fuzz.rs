//! Random programs, run at tier 0 and at tier 2: they must print the same bytes.
//!
//! In: a seed and a number of programs. Out: the first programs that differ, kept in target/fuzz.
//! Always: the same seed makes the same programs, on any machine.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::TaskError;
use crate::shell::{target_dir, write};

/// Ways to run a program that must agree with the first.
const MODES: &[&[&str]] = &[
    &["--tier", "0"],
    &["--compile", "sync"],
    &["--compile", "sync", "--profiled", "1"],
    &["--compile", "sync", "--stress", "deopt=2"],
];

/// splitmix64
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let i = self.below(of.len() as u64);
        of.get(usize::try_from(i).unwrap_or(0))
            .copied()
            .unwrap_or("")
    }
}

/// Makes one program.
struct Maker {
    random: Random,
    out: String,
    indent: usize,
    /// Loops around the current statement, whose variables are `k0`, `k1`, ...
    loops: usize,
    /// Whether `continue` and `break` are possible.
    in_loop: bool,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.indent));
    }

    /// An int expression.
    fn int(&mut self, depth: u32) -> String {
        let leaf = depth == 0 || self.random.below(3) == 0;
        if leaf {
            let small = self.random.below(5).to_string();
            let last = self.loops.checked_sub(1).map(|k| format!("k{k}"));
            let choices = ["n", "i", "box.n", "len(box.items)", "m"];
            return match (self.random.below(8), last) {
                (0, Some(k)) => k,
                (1 | 2, _) => small,
                _ => self.random.pick(&choices).to_owned(),
            };
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        match self.random.below(6) {
            0 => format!("({a} * {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} % 7)"),
            3 => format!("({a} // 3)"),
            4 => format!("max({a}, {b})"),
            _ => format!("({a} + {b})"),
        }
    }

    /// A float expression.
    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return self
                .random
                .pick(&["f", "0.5", "-1.25", "box.f", "t.sum().item()", "float(n)"])
                .to_owned();
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.random.below(5) {
            0 => format!("({a} * 0.5)"),
            1 => format!("({a} - {b})"),
            2 => format!("min({a}, {b})"),
            3 => format!("abs({a})"),
            _ => format!("({a} * 0.25 + {b})"),
        }
    }

    /// A tensor expression of shape [3].
    fn tensor(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return self
                .random
                .pick(&["t", "x", "u", "w", "box.t", "x * 0.5", "torch.ones(3)"])
                .to_owned();
        }
        let a = self.tensor(depth - 1);
        match self.random.below(12) {
            0 => format!("torch.tanh({a})"),
            1 => format!("({a} + {})", self.tensor(depth - 1)),
            2 => format!("({a} * {})", self.tensor(depth - 1)),
            3 => format!("({a} - {})", self.float(1)),
            4 => format!("({a}).relu()"),
            5 => format!("torch.where({a} > 0, {a}, u)"),
            6 => format!("({a} * {})", self.int(1)),
            7 => format!("bump({a})"),
            8 => format!("helper({a}, {})", self.int(0)),
            9 => format!("({a}).clamp(-2.0, 2.0)"),
            10 => format!("({a} if {} else u)", self.condition()),
            _ => format!("box.scale({a})"),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(9) {
            0 => format!("{} > {}", self.int(1), self.int(1)),
            1 => format!("{} < {}", self.float(1), self.float(0)),
            2 => "t.sum() > 0".to_owned(),
            3 => "flag".to_owned(),
            4 => format!("not flag or {} == 1", self.int(1)),
            5 => format!("{} % 2 == 0", self.int(1)),
            6 => "box.items and n > 1".to_owned(),
            7 => "box.last is None".to_owned(),
            _ => format!("0 <= {} < 4", self.int(1)),
        }
    }

    fn block(&mut self, depth: u32, most: u64) {
        self.indent += 1;
        let count = 1 + self.random.below(most);
        for _ in 0..count {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        let simple = depth == 0 || self.random.below(3) != 0;
        if simple {
            let line = match self.random.below(24) {
                0..=3 => format!("t = {}", self.tensor(2)),
                4 => format!("u = ({}).detach()", self.tensor(1)),
                5 => format!("n = {}", self.int(2)),
                6 => format!("n += {}", self.int(0)),
                7 => format!("f = {}", self.float(2)),
                8 => format!("box.n = {} % 11", self.int(1)),
                9 => format!("box.f = {}", self.float(1)),
                10 => format!("box.t = ({}).detach()", self.tensor(1)),
                11 => format!("box.items.append({})", self.int(1)),
                12 => "if len(box.items) > 3: box.items.pop()".to_owned(),
                13 => format!("log.append(f\"{{n}} {{{}:.3f}}\")", self.float(1)),
                14 => "u += 0.5".to_owned(),
                15 => "u[0] = 1.5".to_owned(),
                16 => "u[1:].mul_(0.5)".to_owned(),
                17 => format!("box.last = ({}).sum().detach()", self.tensor(1)),
                18 => "m, n = n % 9, m".to_owned(),
                19 if self.in_loop => {
                    let word = self.random.pick(&["break", "continue"]);
                    format!("if {}: {word}", self.condition())
                }
                20 => format!("if {}: raise ValueError(str(n % 5))", self.condition()),
                21 => format!("assert {} < 1000, 'large'", self.int(1)),
                22 => format!("print('  at', n, {})", self.int(0)),
                _ => "t = t + w".to_owned(),
            };
            self.line(&line);
            return;
        }
        match self.random.below(5) {
            0 | 1 => {
                let condition = self.condition();
                self.line(&format!("if {condition}:"));
                self.block(depth - 1, 3);
                if self.random.below(2) == 0 {
                    self.line("else:");
                    self.block(depth - 1, 3);
                }
            }
            2 => {
                let k = self.loops;
                let over = match self.random.below(5) {
                    0 => format!("range({})", 2 + self.random.below(4)),
                    1 => "range(i % 5)".to_owned(),
                    2 => "range(n % 4)".to_owned(),
                    3 => "range(30)".to_owned(),
                    _ => format!("enumerate(x[:{}])", 1 + self.random.below(3)),
                };
                let variable = if over.starts_with("enumerate") {
                    format!("k{k}, row")
                } else {
                    format!("k{k}")
                };
                self.line(&format!("for {variable} in {over}:"));
                self.repeated(depth);
            }
            3 => {
                let k = self.loops;
                self.line(&format!("k{k} = 0"));
                self.line(&format!("while k{k} < n % 5:"));
                self.indent += 1;
                self.line(&format!("k{k} += 1"));
                self.indent -= 1;
                self.repeated(depth);
            }
            _ => {
                self.line("try:");
                self.block(depth - 1, 3);
                self.line("except ValueError as e:");
                self.indent += 1;
                self.line("log.append(str(e))");
                self.indent -= 1;
                if self.random.below(2) == 0 {
                    self.line("finally:");
                    self.indent += 1;
                    self.line("box.n = (box.n + 1) % 13");
                    self.indent -= 1;
                }
            }
        }
    }

    fn repeated(&mut self, depth: u32) {
        self.loops += 1;
        let outer = std::mem::replace(&mut self.in_loop, true);
        self.block(depth - 1, 3);
        self.in_loop = outer;
        self.loops -= 1;
    }

    fn program(seed: u64) -> String {
        let mut this = Maker {
            random: Random(seed),
            out: String::new(),
            indent: 0,
            loops: 0,
            in_loop: false,
        };
        this.out.push_str(PROLOGUE);
        this.line("def step(x, i, flag):");
        this.indent = 1;
        this.line("global total");
        this.line("n, m, f, t = i, i % 3, 0.5 * i, x");
        this.line("u = torch.zeros(3)");
        let count = 3 + this.random.below(6);
        for _ in 0..count {
            this.statement(3);
        }
        this.line("total += n % 4");
        if this.random.below(2) == 0 {
            this.line("loss = (t * w).sum()");
            this.line("loss.backward()");
            this.line("with torch.no_grad():");
            this.line("    w.sub_(0.01 * w.grad.clamp(-1.0, 1.0))");
            this.line("w.grad = None");
            this.line("return loss.item(), n, f");
        } else {
            this.line("return t.detach(), n, f");
        }
        this.out.push_str(EPILOGUE);
        this.out
    }
}

const PROLOGUE: &str = "\
import torch

torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)
log = []
total = 0


class Box:
    def __init__(self):
        self.t = torch.ones(3)
        self.n = 1
        self.f = 0.25
        self.items = []
        self.last = None

    def scale(self, v):
        self.n = (self.n + 1) % 17
        return v * 0.5


def make():
    count = 0

    def bump(v):
        nonlocal count
        count += 1
        return v + (count % 3)

    return bump


def helper(v, k):
    if k > 2:
        return v * 0.5
    return v - 1


box = Box()
bump = make()


";

const EPILOGUE: &str = "

for i in range(16):
    x = torch.full((3,), float(i % 5) - 2.0)
    try:
        print(i, step(x, i, i % 3 == 0))
    except (ValueError, AssertionError, OverflowError, RuntimeError, UnboundLocalError) as e:
        print(i, type(e).__name__, e)
print(w.detach(), w.grad, log[-4:], len(log), total, box.n, box.f, box.items, box.t, box.last)
";

fn run(janus_jit: &Path, script: &Path, flags: &[&str]) -> Result<String, TaskError> {
    let out = Command::new(janus_jit)
        .args(["run", "--cache", "off"])
        .args(flags)
        .arg(script)
        .output()
        .map_err(|source| TaskError::Start {
            command: janus_jit.display().to_string(),
            source,
        })?;
    Ok(format!(
        "{}{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
        out.status
    ))
}

/// The mode in which a program differs from tier 0, with both texts.
fn difference(janus_jit: &Path, script: &Path) -> Result<Option<String>, TaskError> {
    let mut reference: Option<String> = None;
    for flags in MODES {
        let text = run(janus_jit, script, flags)?;
        match &reference {
            None => reference = Some(text),
            Some(first) if *first != text => {
                let at = first
                    .lines()
                    .zip(text.lines())
                    .find(|(a, b)| a != b)
                    .map_or_else(String::new, |(a, b)| format!("\n  - {a}\n  + {b}"));
                return Ok(Some(format!("{}{at}", flags.join(" "))));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Runs `count` programs from `seed` on; true when no tier differs.
pub fn run_all(janus_jit: &Path, seed: u64, count: u64) -> Result<bool, TaskError> {
    let folder: PathBuf = target_dir().join("fuzz");
    std::fs::create_dir_all(&folder).map_err(|source| TaskError::Io {
        path: folder.clone(),
        source,
    })?;
    let next = AtomicU64::new(0);
    let failed: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || -> Result<(), TaskError> {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                return Ok(());
            }
            let script = folder.join(format!("program_{}.py", seed.wrapping_add(n)));
            write(&script, &Maker::program(seed.wrapping_add(n)))?;
            match difference(janus_jit, &script)? {
                None => drop(std::fs::remove_file(&script)),
                Some(message) => {
                    if let Ok(mut failed) = failed.lock() {
                        failed.push(format!("DIFFERS {}: {message}", script.display()));
                    }
                }
            }
        }
    };
    let results: Vec<Result<(), TaskError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .map(|h| {
                h.join()
                    .unwrap_or_else(|_| Err(TaskError::Needs("a fuzz thread panicked".to_owned())))
            })
            .collect()
    });
    for result in results {
        result?;
    }
    let mut failed = failed.into_inner().unwrap_or_default();
    failed.sort();
    for message in &failed {
        println!("{message}");
    }
    println!(
        "random programs: {} agree, {} differ (seed {seed})",
        count - failed.len() as u64,
        failed.len()
    );
    Ok(failed.is_empty())
}
