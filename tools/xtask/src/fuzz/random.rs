//! What makers of random programs share: numbers, and lines.

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
