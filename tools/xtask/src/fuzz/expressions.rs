//! Makes random programs about expressions: each evaluates a few, deep in one another, on values that move from step
//! to step, and shows what comes out, or the exception.
//!
//! In: a seed. Out: the text of a program. Always: it ends, and prints the same on every run.

use super::random::Draft;
use super::{dtypes, values};

/// A kind of expression.
pub struct Rule {
    /// Its name in forms, behind a `$`.
    pub name: char,
    /// What needs no other expression.
    pub leaves: &'static [&'static str],
    /// What does: `$` and the name of a rule stand for an expression of that kind.
    pub forms: &'static [&'static str],
}

/// A language of expressions.
pub struct Language {
    /// Its kinds; the first is that of a whole expression.
    pub rules: &'static [Rule],
    /// Defines `show`, which makes text of a value.
    pub prologue: &'static str,
    /// What a step begins with.
    pub step: &'static str,
}

/// An expression of a kind, with at most `depth` others inside of one another.
pub fn expression(draft: &mut Draft, rules: &[Rule], rule: &Rule, depth: u32) -> String {
    let leaf = depth == 0 || rule.forms.is_empty() || draft.random.one_in(5);
    let form = draft
        .random
        .pick(if leaf { rule.leaves } else { rule.forms });
    let mut parts = form.split('$');
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let mut rest = part.chars();
        let name = rest.next();
        if let Some(rule) = rules.iter().find(|r| Some(r.name) == name) {
            let inner = expression(draft, rules, rule, depth.saturating_sub(1));
            // A digit and a point would be a float.
            let plain = inner.chars().all(|c| c.is_alphabetic() || c == '_');
            text += &if plain { inner } else { format!("({inner})") };
        }
        text += rest.as_str();
    }
    text
}

fn program(seed: u64, language: &Language) -> String {
    let mut draft = Draft::of(seed);
    draft.text.push(language.prologue);
    draft.text.line("def step(i, x):");
    draft.text.indent = 1;
    draft.text.line("n, k = i % 4, i % 3");
    draft.text.line("y = x * 0.9 + 0.01");
    draft.text.push(language.step);
    draft.text.line("seen = []");
    for _ in 0..1 + draft.random.below(5) {
        let Some(rule) = language.rules.first() else {
            continue;
        };
        let depth = 1 + u32::try_from(draft.random.below(3)).unwrap_or(0);
        let shown = expression(&mut draft, language.rules, rule, depth);
        draft
            .text
            .lines("try:", &[format!("seen.append(show({shown}))")]);
        draft.text.line(
            "except Exception as e: seen.append((type(e).__name__, str(e).split('\\n')[0][:90]))",
        );
    }
    draft.text.line("return y, seen");
    draft.text.push(EPILOGUE);
    draft.text.finish()
}

/// The program of a seed about Python's own values.
pub fn about_values(seed: u64) -> String {
    program(seed, &values::LANGUAGE)
}

/// The program of a seed about tensors of every dtype.
pub fn about_dtypes(seed: u64) -> String {
    program(seed, &dtypes::LANGUAGE)
}

const EPILOGUE: &str = "

x = torch.randn(3)
for i in range(20):
    y, seen = step(i, x)
    x = y - (0.5 if i % 3 else -0.9)
    print(i, seen)
";
