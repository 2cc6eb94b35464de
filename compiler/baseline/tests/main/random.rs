//! Random programs of scalars and lists, by seed.
//!
//! Every loop ends, ints grow only by constant factors, so that big ints stay small; exceptions
//! and changes of type happen.

use std::fmt::Write as _;

use crate::harness::{MODES, run};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

struct Generator {
    random: Random,
    out: String,
    indent: usize,
    loops: usize,
    names: usize,
    /// Functions that may be called: those before this one.
    functions: usize,
}

const VARS: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.indent));
    }

    fn atom(&mut self) -> String {
        match self.random.below(12) {
            0 => self.random.below(10).to_string(),
            1 => self
                .random
                .pick(&["0.5", "2.0", "-1.25", "1e3", "3"])
                .to_owned(),
            2 => self
                .random
                .pick(&["True", "False", "G", "H", "9223372036854775807"])
                .to_owned(),
            3 => format!("xs[{}]", self.index()),
            4 => format!("ys[{}]", self.index()),
            5 => "len(xs)".to_owned(),
            _ => self.random.pick(&VARS).to_owned(),
        }
    }

    fn index(&mut self) -> String {
        match self.random.below(6) {
            0 => "-1".to_owned(),
            1 => format!("i % {}", 1 + self.random.below(9)),
            2 => "7".to_owned(),
            _ => self.random.below(6).to_string(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let a = self.expr(depth - 1);
        match self.random.below(16) {
            0..=3 => format!("({a} + {})", self.atom()),
            4 | 5 => format!("({a} - {})", self.expr(depth - 1)),
            6 => format!(
                "({a} * {})",
                self.random.pick(&["3", "-2", "0.5", "7", "True"])
            ),
            7 => format!(
                "({a} % {})",
                self.random.pick(&["7", "-5", "3.5", "b", "1000003"])
            ),
            8 => format!(
                "({a} // {})",
                self.random.pick(&["3", "-4", "2.5", "c", "8"])
            ),
            9 => format!("({a} / {})", self.random.pick(&["4", "2.5", "d", "8"])),
            10 => format!("({a} if {} else {})", self.condition(), self.atom()),
            11 => format!(
                "({} {} {})",
                self.random.pick(&["int(c)", "i", "5"]),
                self.random.pick(&["&", "|", "^"]),
                self.random.below(64)
            ),
            12 => format!(
                "{}({a})",
                self.random
                    .pick(&["abs", "int", "float", "-", "bool", "round"])
            ),
            13 => format!(
                "{}({a}, {})",
                self.random.pick(&["min", "max"]),
                self.atom()
            ),
            14 if self.functions > 0 => {
                let f = self.random.below(self.functions as u64);
                format!("f{f}({a}, {})", self.atom())
            }
            _ => a,
        }
    }

    fn condition(&mut self) -> String {
        let a = self.atom();
        match self.random.below(8) {
            0 => format!("not {a}"),
            1 => format!(
                "{a} < {} and {} != {}",
                self.atom(),
                self.atom(),
                self.random.below(9)
            ),
            2 => format!("{a} or {} > 3", self.atom()),
            3 => "i % 3 == 1".to_owned(),
            _ => format!(
                "{a} {} {}",
                self.random.pick(&["<", "<=", "==", "!=", ">", ">="]),
                self.atom()
            ),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(20) {
            0..=5 => {
                let (v, e) = (self.random.pick(&VARS), self.expr(2));
                self.line(&format!("{v} = {e}"));
            }
            6 | 7 => {
                let (v, e) = (self.random.pick(&VARS), self.expr(1));
                let op = self.random.pick(&["+=", "-=", "+="]);
                self.line(&format!("{v} {op} {e}"));
            }
            8 => {
                let (v, w) = (self.random.pick(&VARS), self.random.pick(&VARS));
                let e = self.expr(1);
                self.line(&format!("{v}, {w} = {w}, {e}"));
            }
            9 | 10 => {
                let (list, at, e) = (self.random.pick(&["xs", "ys"]), self.index(), self.expr(1));
                self.line(&format!("{list}[{at}] = {e}"));
            }
            11 => {
                let e = self.atom();
                self.line(&format!("if len(ys) < 30: ys.append({e})"));
            }
            12 => {
                let (e, at) = (self.random.pick(&VARS), self.random.below(40));
                self.line(&format!("if i == {at}: print({e}, xs[0])"));
            }
            13 => {
                let (v, at) = (self.random.pick(&VARS), self.random.below(30));
                let e = self
                    .random
                    .pick(&["None", "10 ** 20", "1.5", "'s'", "-3", "[1]", "2.5 + 1j"]);
                self.line(&format!("if i == {at}: {v} = {e}"));
            }
            14 if depth > 0 => {
                let e = self
                    .random
                    .pick(&["G += 1", "G = i", "H = H * 0.5 + 1"])
                    .to_owned();
                self.line(&e);
            }
            15 | 16 if depth > 0 => {
                let c = self.condition();
                self.line(&format!("if {c}:"));
                self.body(depth - 1, 2);
                if self.random.below(2) == 0 {
                    self.line("else:");
                    self.body(depth - 1, 2);
                }
            }
            17 | 18 if depth > 0 && self.loops < 3 => {
                self.loops += 1;
                self.names += 1;
                let j = format!("j{}", self.names);
                let count = 2 + self.random.below(9);
                match self.random.below(4) {
                    0 => self.line(&format!("for {j} in range({count}):")),
                    1 => self.line(&format!("for {j} in range({count}, -3, -2):")),
                    2 => self.line(&format!("for {j} in xs:")),
                    _ => {
                        self.line(&format!("{j} = 0"));
                        self.line(&format!("while {j} < {count}:"));
                        self.indent += 1;
                        self.line(&format!("{j} += 1"));
                        self.indent -= 1;
                    }
                }
                self.body(depth - 1, 3);
                self.indent += 1;
                match self.random.below(5) {
                    0 => {
                        let c = self.condition();
                        let way = self.random.pick(&["break", "continue"]);
                        self.line(&format!("if {c}: {way}"));
                    }
                    _ => {
                        let v = self.random.pick(&VARS);
                        self.line(&format!("{v} = {j}"));
                    }
                }
                self.indent -= 1;
                self.loops -= 1;
            }
            19 if depth > 0 => {
                self.line("try:");
                self.body(depth - 1, 2);
                self.line(
                    "except (ZeroDivisionError, IndexError, TypeError, OverflowError, ValueError):",
                );
                self.indent += 1;
                let v = self.random.pick(&VARS);
                self.line(&format!("{v} = i"));
                self.indent -= 1;
            }
            _ => {
                let e = self.expr(1);
                self.line(&format!("a = {e}"));
            }
        }
    }

    fn body(&mut self, depth: u32, most: u64) {
        self.indent += 1;
        for _ in 0..=self.random.below(most) {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn function(&mut self, at: usize) {
        self.functions = at;
        self.line(&format!("def f{at}(p, q):"));
        self.indent += 1;
        self.line("global G, H");
        self.line("a = p; b = q; c = 1; d = 2.0; e = 0");
        let count = 3 + self.random.below(5);
        self.line(&format!("for i in range({count}):"));
        self.body(2, 3);
        let e = self.expr(1);
        self.line("i = 1");
        self.line(&format!("return {e}"));
        self.indent -= 1;
    }

    fn program(seed: u64) -> String {
        let mut g = Generator {
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            out: String::new(),
            indent: 0,
            loops: 0,
            names: 0,
            functions: 0,
        };
        g.line("G = 1");
        g.line("H = 0.5");
        g.line("xs = [1, 2, 3, 4, 5, 6, 7, 8]");
        g.line("ys = [0.5, 1.5, 2.5, 3.5, -4.5, 5.5]");
        let functions = g.random.below(3) as usize;
        for at in 0..functions {
            g.function(at);
        }
        g.functions = functions;
        let in_function = g.random.below(2) == 0;
        if in_function {
            g.line("def main(a, b):");
            g.indent += 1;
            g.line("global G, H");
        } else {
            g.line("a = 1; b = 2");
        }
        g.line("c = 3; d = 0.25; e = 0");
        g.line("for i in range(45):");
        g.body(3, 5);
        g.line("print(a, b, c, d, e, i, G, H, xs, ys)");
        if in_function {
            g.line("return a");
            g.indent -= 1;
            g.line("main(1, 2)");
            g.line("main(1.5, 2)");
            g.line("main(1, 2)");
        }
        g.line("print(G, H, xs, ys)");
        g.out
    }
}

fn agree_on(seeds: std::ops::Range<u64>) {
    let (mut compiled, mut all, mut runs, mut left) = (0, 0, 0, 0);
    let mut refused = std::collections::BTreeMap::<String, u32>::new();
    for seed in seeds {
        let source = Generator::program(seed);
        let expected = run(&source, None).output;
        for mode in MODES {
            let ran = run(&source, Some(mode));
            compiled += ran.regions.values().filter(|r| r.ran > 0).count();
            for r in ran.regions.values() {
                all += 1;
                runs += r.ran;
                left += r.left.len();
                if let Some(why) = &r.refused {
                    *refused.entry(why.clone()).or_default() += 1;
                }
            }
            assert_eq!(
                ran.output, expected,
                "seed {seed} after {} leave {:?}: tier 1 (left), tier 0 (right)\n{source}",
                mode.after, mode.leave
            );
        }
    }
    eprintln!("{compiled} of {all} regions, {runs} runs, {left} departures");
    for (why, n) in refused {
        eprintln!("{n} {why}");
    }
    assert!(compiled > 0);
}

#[test]
fn random_programs_agree_1() {
    agree_on(0..100);
}

#[test]
fn random_programs_agree_2() {
    agree_on(100..200);
}

#[test]
fn random_programs_agree_3() {
    agree_on(200..300);
}

#[test]
fn random_programs_agree_4() {
    agree_on(300..400);
}

#[test]
#[ignore = "minutes; for when the compiler changed"]
fn many_random_programs_agree() {
    agree_on(400..6000);
}
