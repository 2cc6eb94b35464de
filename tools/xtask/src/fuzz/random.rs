//! What makers of random programs share: numbers, lines, and blocks of statements.

use std::fmt::Write as _;

/// splitmix64
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn of(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of several texts.
    pub fn pick(&mut self, of: &[&'static str]) -> &'static str {
        let i = self.below(of.len() as u64);
        of.get(usize::try_from(i).unwrap_or(0))
            .copied()
            .unwrap_or("")
    }

    /// A text with one of the choices in the place of each `«choice|choice|...»`.
    pub fn filled(&mut self, text: &'static str) -> String {
        let mut parts = text.split('«');
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let (choices, rest) = part.split_once('»').unwrap_or((part, ""));
            let choices: Vec<&'static str> = choices.split('|').collect();
            out += self.pick(&choices);
            out += rest;
        }
        out
    }

    /// One of several texts with choices, filled.
    pub fn pick_filled(&mut self, of: &[&'static str]) -> String {
        let text = self.pick(of);
        self.filled(text)
    }
}

/// The text of a program under construction.
#[derive(Default)]
pub struct Text {
    out: String,
    /// Of the next line, in steps of four blanks.
    pub indent: usize,
}

impl Text {
    /// A line.
    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.indent));
    }

    /// A line, and lines below it, indented further.
    pub fn lines(&mut self, head: &str, body: &[String]) {
        self.line(head);
        self.indent += 1;
        for text in body {
            self.line(text);
        }
        self.indent -= 1;
    }

    /// Text as it is.
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.out
    }
}

/// A program under construction.
pub struct Draft {
    /// What decides.
    pub random: Random,
    /// The lines so far.
    pub text: Text,
    /// Loops around the current statement, whose variables are `k0`, `k1`, ...
    pub loops: usize,
}

impl Draft {
    /// An empty program of a seed.
    pub fn of(seed: u64) -> Draft {
        Draft {
            random: Random::of(seed),
            text: Text::default(),
            loops: 0,
        }
    }
}

/// A maker of statements: branches and loops around simple ones.
pub trait Statements {
    /// The program.
    fn draft(&mut self) -> &mut Draft;

    /// A statement of one line.
    fn simple(&mut self);

    /// What a branch decides by.
    fn condition(&mut self) -> String;

    /// What a loop goes over.
    fn trips(&mut self) -> String;

    /// A line.
    fn line(&mut self, text: &str) {
        self.draft().text.line(text);
    }

    /// Up to four statements, indented.
    fn block(&mut self, depth: u32) {
        self.draft().text.indent += 1;
        for _ in 0..=self.draft().random.below(3) {
            self.statement(depth);
        }
        self.draft().text.indent -= 1;
    }

    /// A statement with at most `depth` blocks inside of one another.
    fn statement(&mut self, depth: u32) {
        if depth == 0 || !self.draft().random.one_in(3) {
            self.simple();
            return;
        }
        if self.draft().random.below(3) < 2 {
            let condition = self.condition();
            self.line(&format!("if {condition}:"));
            self.block(depth - 1);
            if self.draft().random.one_in(2) {
                self.line("else:");
                self.block(depth - 1);
            }
            return;
        }
        let (k, over) = (self.draft().loops, self.trips());
        self.line(&format!("for k{k} in {over}:"));
        self.draft().loops += 1;
        self.block(depth - 1);
        self.draft().loops -= 1;
    }
}
