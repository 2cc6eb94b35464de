//! What patterns of the package `regex` have beyond those of `re`.
//!
//! In: the place in a pattern. Out: the same in the engine's syntax. Always: what the engine cannot do (fuzzy matching,
//! recursion, matching backwards, named lists) is refused by name.

use super::{Failure, Result, Syntax, Translator};

/// `\h` within a class.
pub(super) const HORIZONTAL: &str = r"\t\p{Zs}";

/// `\X`: what a reader takes for one character. Made of the rules of Unicode's annex 29 that the engine has properties for.
const CLUSTER: &str = concat!(
    r"(?>\r\n|[\p{Cc}\p{Zl}\p{Zp}]|",
    r"(?:\p{Regional_Indicator}{2}",
    r"|[\u{1100}-\u{115F}\u{A960}-\u{A97C}]*",
    r"(?:[\u{AC00}-\u{D7A3}\u{1160}-\u{11A7}\u{D7B0}-\u{D7C6}][\u{1160}-\u{11A7}\u{D7B0}-\u{D7C6}]*",
    r"[\u{11A8}-\u{11FF}\u{D7CB}-\u{D7FB}]*|[\u{1100}-\u{115F}\u{A960}-\u{A97C}])",
    r"|\p{Extended_Pictographic}(?:[\p{M}\p{Emoji_Modifier}]*\u{200D}\p{Extended_Pictographic})*",
    r"|(?s:.))[\p{M}\u{200C}\u{200D}\p{Emoji_Modifier}]*)",
);

/// Classes of POSIX, which are Unicode's here.
const POSIX: &[(&str, &str)] = &[
    ("alnum", r"\p{Alphabetic}\p{Nd}"),
    ("alpha", r"\p{Alphabetic}"),
    ("ascii", r"\x00-\x7F"),
    ("blank", r"\t\p{Zs}"),
    ("cntrl", r"\p{Cc}"),
    ("digit", r"\p{Nd}"),
    ("lower", r"\p{Lowercase}"),
    ("punct", r"\p{P}"),
    ("space", r"\s"),
    ("upper", r"\p{Uppercase}"),
    ("word", r"\w"),
    ("xdigit", r"0-9A-Fa-f"),
];

impl Translator {
    /// An escape that `re` has not, after its backslash: whether it can be repeated as it stands; nothing for others.
    pub(super) fn regex_escape(&mut self, start: usize, letter: char) -> Result<Option<bool>> {
        let (text, repeatable) = match letter {
            'p' | 'P' => {
                self.property(start)?;
                return Ok(Some(true));
            }
            'N' => {
                let found = self.named_char(start)?;
                self.literal(found);
                return Ok(Some(true));
            }
            'X' => (CLUSTER, true),
            'R' => (r"(?>\r\n|[\n\x0B\x0C\r\x{85}\x{2028}\x{2029}])", true),
            'h' => (r"[\t\p{Zs}]", true),
            'm' => (r"(?:\b(?=\w))", false),
            'M' => (r"(?:\b(?<=\w))", false),
            'G' => (r"\G", false),
            'K' => (r"\K", false),
            'L' => return Err(Failure::Unsupported("named lists".to_owned())),
            _ => return Ok(None),
        };
        self.at += 1;
        self.out.push_str(text);
        Ok(Some(repeatable))
    }

    /// `\p{...}`, `\P{...}`, `\pL`, after the backslash.
    pub(super) fn property(&mut self, start: usize) -> Result<()> {
        let mut negated = self.peek() == Some('P');
        self.at += 1;
        let mut name = String::new();
        if self.take("{") {
            while let Some(c) = self.peek().filter(|c| *c != '}') {
                name.push(c);
                self.at += 1;
            }
            if !self.take("}") {
                return Err(self.wrong("bad escape \\p", start + 2));
            }
        } else if let Some(c) = self.peek() {
            name.push(c);
            self.at += 1;
        }
        if let Some(rest) = name.strip_prefix('^') {
            negated = !negated;
            name = rest.to_owned();
        }
        let loose = name.replace(':', "=");
        let loose = loose.trim();
        // `Is` is said before scripts and binary properties; the engine knows their bare names.
        let bare = loose.strip_prefix("Is").unwrap_or(loose);
        let bare = if bare == "L&" { "LC" } else { bare };
        let letter = if negated { 'P' } else { 'p' };
        let text = format!("\\{letter}{{{bare}}}");
        if fancy_regex::Regex::new(&text).is_err() {
            return Err(self.wrong("unknown property", self.at));
        }
        self.out.push_str(&text);
        Ok(())
    }

    /// `\N{...}`, after the backslash.
    pub(super) fn named_char(&mut self, start: usize) -> Result<char> {
        self.at += 1;
        if !self.take("{") {
            return Err(self.wrong("missing {", start + 2));
        }
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| *c != '}') {
            name.push(c);
            self.at += 1;
        }
        if !self.take("}") {
            return Err(self.wrong("missing }", self.at));
        }
        unicode_names2::character(&name)
            .ok_or_else(|| self.wrong("undefined character name", self.at))
    }

    /// A part of a class that `re` reads otherwise: `[:alpha:]`, and in version 1 classes in classes and what is done with
    /// them. Whether there was one.
    pub(super) fn class_of_regex(&mut self, start: usize, local: i64) -> Result<bool> {
        if self.ahead("[:")
            && let Some(length) = self.chars[self.at..]
                .windows(2)
                .position(|pair| pair == [':', ']'])
                .filter(|length| *length > 1)
        {
            let name: String = self.chars[self.at + 2..self.at + length].iter().collect();
            let (negated, bare) = match name.strip_prefix('^') {
                Some(bare) => (true, bare),
                None => (false, name.as_str()),
            };
            if let Some((_, class)) = POSIX.iter().find(|(known, _)| *known == bare) {
                let sign = if negated { "^" } else { "" };
                self.out.push_str(&format!("[{sign}{class}]"));
                self.at += length + 2;
                return Ok(true);
            }
        }
        if self.syntax != (Syntax::Regex { nested_sets: true }) {
            return Ok(false);
        }
        for operator in ["--", "&&", "~~"] {
            if self.ahead(operator) {
                self.at += 2;
                self.out.push_str(operator);
                return Ok(true);
            }
        }
        if self.take("||") {
            return Ok(true);
        }
        if self.take("[") {
            self.class(start, local)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Refuses the groups that the engine has not, after `(?`.
    pub(super) fn refuse_group(&self, kind: char) -> Result<()> {
        let what = match kind {
            '|' => "branch reset",
            '&' | 'R' | '0'..='9' => "recursive patterns",
            'P' if self.chars.get(self.at + 1) == Some(&'>') => "recursive patterns",
            'b' | 'e' | 'p' => "fuzzy and POSIX matching",
            'r' => "matching backwards",
            'f' | 'w' => "full case folding and Unicode's word boundaries",
            '(' if self.chars.get(self.at + 1..self.at + 7)
                == Some(&['D', 'E', 'F', 'I', 'N', 'E']) =>
            {
                "DEFINE"
            }
            _ => return Ok(()),
        };
        Err(Failure::Unsupported(what.to_owned()))
    }
}
