//! What a script's output says of its steps.
//!
//! In: lines, each with the time at which it came. Out: [`Mark`]s, a printed throughput, and the text
//! that must be equal on both sides. Always: works on ordinary scripts: a line that begins with a
//! number, or with a word like `step` and a number, ends that step.

/// Words before the number of a step.
const WORDS: &[&str] = &[
    "step",
    "iter",
    "iteration",
    "it",
    "update",
    "episode",
    "epoch",
    "batch",
];

/// `done` steps were over at `at` seconds after the start of the process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Seconds.
    pub at: f64,
    /// Steps.
    pub done: f64,
    /// How much work these steps were: as much as there are of them, unless lines say it.
    pub work: f64,
}

/// The number that a word of a line stands in front of.
fn number_after(line: &str, word: &str) -> Option<f64> {
    let mut words = line.split_whitespace();
    words.find(|w| *w == word)?;
    number(words.next()?)
}

/// The number of the step that a line reports.
#[must_use]
pub fn step_number(line: &str) -> Option<u64> {
    let mut rest = line.trim_start();
    let has_word = begins_with_word(line);
    if has_word {
        rest = rest
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .trim_start_matches([' ', '#', '=', ':', '[']);
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let after = rest.get(digits..)?;
    // `3.5 ...` is no step, and neither is a number alone without a word.
    if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if !has_word && after.trim().is_empty() {
        return None;
    }
    rest.get(..digits)?.parse().ok()
}

/// Whether it is one of [`WORDS`] that a line begins with.
fn begins_with_word(line: &str) -> bool {
    let line = line.trim_start();
    let end = line
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(line.len());
    let word = line.get(..end).unwrap_or_default().to_ascii_lowercase();
    WORDS.contains(&word.as_str())
}

/// A throughput that the script measured itself: a number before `.../s`.
#[must_use]
pub fn printed_rate(line: &str) -> Option<f64> {
    let mut before = "";
    for word in line.split_whitespace() {
        let unit = word.trim_end_matches([',', ';', ')']);
        if unit.ends_with("/s") || unit.ends_with("/sec") {
            // `120.5it/s` or `120.5 it/s`.
            let digits = unit
                .find(|c: char| !(c.is_ascii_digit() || c == '.'))
                .unwrap_or(0);
            let own = unit.get(..digits).and_then(number);
            return own.or_else(|| number(before));
        }
        before = word;
    }
    None
}

fn number(text: &str) -> Option<f64> {
    text.replace(',', "")
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
}

/// Counts steps in the order in which they come. Numbers may begin at 0 or 1 and need not be adjacent;
/// where they begin anew (epochs of steps) they are counted on. Once a line names them (`step 3`), numbers alone
/// (`1048 parameters`) are none.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    /// All steps so far.
    pub marks: Vec<Mark>,
    work_word: Option<String>,
    named: bool,
    origin: f64,
    base: f64,
    last: f64,
}

impl Counter {
    /// Where steps differ in how much work they are: with the word before the number that says it.
    #[must_use]
    pub fn of(work_word: Option<&str>) -> Counter {
        Counter {
            work_word: work_word.map(str::to_owned),
            ..Counter::default()
        }
    }

    /// Takes the next line.
    pub fn count(&mut self, at: f64, line: &str) {
        let Some(n) = step_number(line) else { return };
        let named = begins_with_word(line);
        if named != self.named {
            if self.named {
                return;
            }
            *self = Counter {
                named,
                work_word: self.work_word.take(),
                ..Counter::default()
            };
        }
        let n = n as f64;
        if self.marks.is_empty() {
            self.origin = n;
        } else if n <= self.last {
            self.base += self.last - self.origin + 1.0;
        }
        self.last = n;
        let done = self.base + n - self.origin + 1.0;
        let before = self.marks.last();
        let steps = done - before.map_or(0.0, |m| m.done);
        let said = self.work_word.as_ref().and_then(|w| number_after(line, w));
        self.marks.push(Mark {
            at,
            done,
            work: before.map_or(0.0, |m| m.work) + said.map_or(steps, |each| each * steps),
        });
    }
}

/// The steps of all lines.
#[must_use]
pub fn marks(lines: &[(f64, String)]) -> Vec<Mark> {
    let mut counter = Counter::default();
    for (at, line) in lines {
        counter.count(*at, line);
    }
    counter.marks
}

/// The output without what differs from run to run. With `steps` it ends with the line of that step:
/// what is printed later is too far away to be compared.
#[must_use]
pub fn comparable(lines: &[(f64, String)], steps: Option<u64>) -> String {
    let mut out = String::new();
    let named = |line: &str| begins_with_word(line) && step_number(line).is_some();
    let any_named = lines.iter().any(|(_, line)| named(line));
    for (_, line) in lines {
        if printed_rate(line).is_some() {
            continue;
        }
        let late = |most| step_number(line).is_some_and(|n| n >= most) && named(line) == any_named;
        out.push_str(line);
        out.push('\n');
        if steps.is_some_and(late) {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_in_ordinary_output() {
        let steps = [
            ("step 12 loss 0.5", Some(12)),
            ("Epoch 3: 0.1", Some(3)),
            ("  iter #7", Some(7)),
            ("0 2.302585", Some(0)),
            ("step [5/10]", Some(5)),
            ("2.302585", None),
            ("17", None),
            ("loss 3", None),
            ("", None),
        ];
        for (line, n) in steps {
            assert_eq!(step_number(line), n, "{line}");
        }
    }

    #[test]
    fn rates() {
        assert_eq!(
            printed_rate("42500 steps/s, running loss 1.5"),
            Some(42500.0)
        );
        assert_eq!(printed_rate("speed: 1,200.5 tokens/s"), Some(1200.5));
        assert_eq!(printed_rate("12.5it/s"), Some(12.5));
        assert_eq!(printed_rate("loss 0.5"), None);
    }

    #[test]
    fn marks_count_on_over_epochs() {
        let lines: Vec<(f64, String)> = ["0 1.5", "1 1.4", "2 1.3", "eval", "0 1.2", "1 1.1"]
            .iter()
            .enumerate()
            .map(|(i, l)| (i as f64, (*l).to_owned()))
            .collect();
        let done: Vec<f64> = marks(&lines).iter().map(|m| m.done).collect();
        assert_eq!(done, [1.0, 2.0, 3.0, 4.0, 5.0]);
    }

    #[test]
    fn lines_may_say_how_much_work_a_step_was() {
        let mut counter = Counter::of(Some("length"));
        for line in [
            "episode 0 length 20",
            "episode 1 length 5",
            "episode 3 length 7",
            "episode 4",
        ] {
            counter.count(0.0, line);
        }
        let work: Vec<f64> = counter.marks.iter().map(|m| m.work).collect();
        assert_eq!(work, [20.0, 25.0, 39.0, 40.0]);
    }

    #[test]
    fn a_number_alone_is_no_step_where_steps_are_named() {
        let lines: Vec<(f64, String)> = ["1048 parameters", "step 0 1.5", "64 words", "step 9 1.4"]
            .iter()
            .map(|l| (0.0, (*l).to_owned()))
            .collect();
        let done: Vec<f64> = marks(&lines).iter().map(|m| m.done).collect();
        assert_eq!(done, [1.0, 10.0]);
    }

    #[test]
    fn rates_and_what_comes_late_are_not_compared() {
        let lines: Vec<(f64, String)> = ["step 1 a", "5 steps/s", "step 9 b", "end"]
            .iter()
            .map(|l| (0.0, (*l).to_owned()))
            .collect();
        assert_eq!(comparable(&lines, Some(5)), "step 1 a\nstep 9 b\n");
        assert_eq!(comparable(&lines, None), "step 1 a\nstep 9 b\nend\n");
        let lines =
            ["77 parameters", "step 1 a", "step 7 b", "step 8 c"].map(|l| (0.0, l.to_owned()));
        assert_eq!(
            comparable(&lines, Some(7)),
            "77 parameters\nstep 1 a\nstep 7 b\n"
        );
    }
}
