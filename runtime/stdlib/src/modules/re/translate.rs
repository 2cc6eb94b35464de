//! Python's regular expression syntax in that of `fancy-regex`.
//!
//! In: a pattern and its flags. Out: the same language in the other syntax, the names and number
//! of its groups. Always: what Python rejects is rejected here with Python's message and position
//! (in code points); literals are escaped one by one, so that no character gains a meaning.

use super::flags;

#[path = "regex.rs"]
mod regex;

/// Whose syntax a pattern has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Syntax {
    /// The module `re`.
    Re,
    /// The package `regex`; with sets in sets, which it calls version 1, or without.
    Regex { nested_sets: bool },
}

/// Why a pattern was not translated.
pub(super) enum Failure {
    /// Python rejects it too.
    Syntax {
        /// Python's message.
        message: String,
        /// Code point at which it went wrong.
        at: usize,
    },
    /// The engine cannot do it.
    Unsupported(String),
}

/// A translated pattern.
pub(super) struct Translated {
    /// The pattern for texts that do not end with a line feed.
    pub plain: String,
    /// The pattern for texts that do; the same unless `$` is in it.
    pub before_newline: String,
    /// Number of groups.
    pub groups: usize,
    /// Names of groups with their numbers.
    pub names: Vec<(String, usize)>,
    /// Flags, those written in the pattern included.
    pub flags: i64,
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    /// Where `$` stands is marked with this, which no pattern contains otherwise.
    out: String,
    groups: usize,
    names: Vec<(String, usize)>,
    /// Groups that are still open, for errors.
    open: Vec<usize>,
    flags: i64,
    /// The highest group that a conditional asks about, and where.
    asked: Option<(usize, usize)>,
    syntax: Syntax,
}

/// Stands for `$` (outside multi-line mode) until both forms are made.
const DOLLAR: char = '\u{f8ff}';

type Result<T> = std::result::Result<T, Failure>;

/// Translates a pattern.
pub(super) fn translate(
    pattern: &str,
    given: i64,
    is_bytes: bool,
    syntax: Syntax,
) -> Result<Translated> {
    let mut translator = Translator {
        chars: pattern.chars().collect(),
        at: 0,
        out: String::new(),
        groups: 0,
        names: Vec::new(),
        open: Vec::new(),
        flags: given | if is_bytes { flags::ASCII } else { 0 },
        asked: None,
        syntax,
    };
    translator.global_flags()?;
    if !is_bytes && translator.flags & flags::ASCII == 0 {
        translator.flags |= flags::UNICODE;
    }
    let local = translator.flags;
    translator.alternatives(local)?;
    if translator.at < translator.chars.len() {
        return Err(translator.wrong("unbalanced parenthesis", translator.at));
    }
    if let Some((group, at)) = translator.asked
        && group > translator.groups
    {
        return Err(translator.wrong(format!("invalid group reference {group}"), at));
    }
    let mut prefix = String::new();
    for (flag, letter) in [
        (flags::IGNORECASE, 'i'),
        (flags::MULTILINE, 'm'),
        (flags::DOTALL, 's'),
    ] {
        if translator.flags & flag != 0 {
            prefix.push(letter);
        }
    }
    let body = &translator.out;
    let body = if prefix.is_empty() {
        body.clone()
    } else {
        format!("(?{prefix}){body}")
    };
    let (reported, hidden) = (translator.flags, if is_bytes { flags::ASCII } else { 0 });
    Ok(Translated {
        plain: body.replace(DOLLAR, r"\z"),
        before_newline: body.replace(DOLLAR, r"(?=\n?\z)"),
        groups: translator.groups,
        names: translator.names,
        flags: if given & hidden == 0 {
            reported & !hidden
        } else {
            reported
        },
    })
}

impl Translator {
    fn is_regex(&self) -> bool {
        self.syntax != Syntax::Re
    }

    fn wrong(&self, message: impl Into<String>, at: usize) -> Failure {
        Failure::Syntax {
            message: message.into(),
            at,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn ahead(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(i, c)| self.chars.get(self.at + i) == Some(&c))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.ahead(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Flags at the start of the pattern: `(?im)`.
    fn global_flags(&mut self) -> Result<()> {
        while self.ahead("(?") {
            let letters: String = self.chars[self.at + 2..]
                .iter()
                .take_while(|c| "aiLmsux".contains(**c))
                .collect();
            if let Syntax::Regex { nested_sets } = &mut self.syntax
                && let Some(['V', version @ ('0' | '1'), ')']) =
                    self.chars.get(self.at + 2..self.at + 5)
            {
                *nested_sets = *version == '1';
                self.at += 5;
                continue;
            }
            let end = self.at + 2 + letters.chars().count();
            if letters.is_empty() || self.chars.get(end) != Some(&')') {
                return Ok(());
            }
            for letter in letters.chars() {
                self.flags |= flag_of(letter);
            }
            self.at = end + 1;
        }
        Ok(())
    }

    fn alternatives(&mut self, local: i64) -> Result<()> {
        loop {
            self.sequence(local)?;
            if !self.take("|") {
                return Ok(());
            }
            self.out.push('|');
        }
    }

    /// A sequence of repeated items, up to `|`, `)` or the end.
    fn sequence(&mut self, local: i64) -> Result<()> {
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                return Ok(());
            }
            if local & flags::VERBOSE != 0 {
                if c.is_whitespace() {
                    self.at += 1;
                    continue;
                }
                if c == '#' {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                    continue;
                }
            }
            let (start, out_start) = (self.at, self.out.len());
            let repeatable = self.item(local)?;
            self.repetition(start, out_start, repeatable, local)?;
        }
        Ok(())
    }

    /// `*`, `+?`, `{2,3}` and the like after an item.
    fn repetition(
        &mut self,
        start: usize,
        out_start: usize,
        repeatable: bool,
        local: i64,
    ) -> Result<()> {
        let mut repeated = false;
        loop {
            if local & flags::VERBOSE != 0 {
                while self.peek().is_some_and(char::is_whitespace) {
                    self.at += 1;
                }
            }
            let at = self.at;
            let suffix = match self.peek() {
                Some(c @ ('*' | '+' | '?')) => {
                    self.at += 1;
                    c.to_string()
                }
                Some('{') => match self.bounds()? {
                    Some(suffix) => suffix,
                    None => return Ok(()),
                },
                _ => return Ok(()),
            };
            if repeated {
                return Err(self.wrong("multiple repeat", at));
            }
            if !repeatable {
                // Repeating an assertion changes nothing that can be seen, but the engine refuses it.
                let item = self.out.split_off(out_start);
                if item.is_empty() {
                    return Err(self.wrong("nothing to repeat", start));
                }
                self.out.push_str(&format!("(?:{item})"));
            }
            self.out.push_str(&suffix);
            repeated = true;
            if self.take("?") {
                self.out.push('?');
            } else if self.take("+") {
                self.out.push('+');
            }
        }
    }

    /// `{m,n}`; none if the brace is a literal.
    fn bounds(&mut self) -> Result<Option<String>> {
        let rest = &self.chars[self.at + 1..];
        let Some(close) = rest.iter().position(|c| *c == '}') else {
            return Ok(None);
        };
        let inner: String = rest[..close].iter().collect();
        if self.is_regex() && inner.contains(['e', 'i', 's', 'd']) {
            let is_fuzzy = |c: char| c.is_ascii_digit() || "eisd<=+, ".contains(c);
            if inner.chars().all(is_fuzzy) {
                return Err(Failure::Unsupported("fuzzy matching".to_owned()));
            }
        }
        let (low, high) = match inner.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (inner.as_str(), None),
        };
        let digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
        if !digits(low)
            || !high.is_none_or(digits)
            || (low.is_empty() && high.is_none_or(str::is_empty) && inner != ",")
        {
            return Ok(None);
        }
        if inner.is_empty() {
            return Ok(None);
        }
        if let (Ok(low), Some(Ok(high))) = (low.parse::<u64>(), high.map(str::parse::<u64>))
            && low > high
        {
            return Err(self.wrong("min repeat greater than max repeat", self.at + 1));
        }
        self.at += close + 2;
        let low = if low.is_empty() { "0" } else { low };
        Ok(Some(match high {
            None => format!("{{{low}}}"),
            Some(high) => format!("{{{low},{high}}}"),
        }))
    }

    /// One item; whether it can be repeated as it stands.
    fn item(&mut self, local: i64) -> Result<bool> {
        let start = self.at;
        let Some(c) = self.peek() else {
            return Ok(true);
        };
        self.at += 1;
        match c {
            '.' => self.out.push('.'),
            '^' => {
                self.out.push('^');
                return Ok(false);
            }
            '$' => {
                self.out.push(if local & flags::MULTILINE != 0 {
                    '$'
                } else {
                    DOLLAR
                });
                return Ok(false);
            }
            '*' | '+' | '?' => return Err(self.wrong("nothing to repeat", start)),
            '[' => self.class(start, local)?,
            '(' => return self.group(start, local),
            '\\' => return self.escape(start, local),
            other => self.literal(other),
        }
        Ok(true)
    }

    fn literal(&mut self, c: char) {
        if c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_' {
            self.out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
        } else {
            self.out.push(c);
        }
    }

    /// What `\d` and its kind mean.
    fn category(&self, letter: char, local: i64) -> Option<&'static str> {
        let ascii = local & flags::ASCII != 0;
        if !ascii && !self.is_regex() {
            // As `str.isalnum` and `str.isspace` have it: marks are no part of a word, separators of files are blank.
            match letter {
                'w' => return Some(r"[\p{L}\p{N}_]"),
                'W' => return Some(r"[^\p{L}\p{N}_]"),
                's' => return Some(r"[\s\x1c-\x1f]"),
                'S' => return Some(r"[^\s\x1c-\x1f]"),
                _ => {}
            }
        }
        Some(match (letter, ascii) {
            ('d', false) => r"\d",
            ('D', false) => r"\D",
            ('w', false) => r"\w",
            ('W', false) => r"\W",
            ('s', false) => r"\s",
            ('S', false) => r"\S",
            ('d', true) => "[0-9]",
            ('D', true) => "[^0-9]",
            ('w', true) => "[a-zA-Z0-9_]",
            ('W', true) => "[^a-zA-Z0-9_]",
            ('s', true) => r"[\x20\t\n\r\x0c\x0b]",
            ('S', true) => r"[^\x20\t\n\r\x0c\x0b]",
            _ => return None,
        })
    }

    /// The character of an escape that stands for one: `\n`, `\x41`, `\u1234`, `\.`.
    fn escaped_char(&mut self, start: usize, in_class: bool) -> Result<char> {
        let Some(c) = self.peek() else {
            return Err(self.wrong("bad escape (end of pattern)", start));
        };
        self.at += 1;
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'b' if in_class => '\u{8}',
            'x' => self.code(start, 2)?,
            'u' => self.code(start, 4)?,
            'U' => self.code(start, 8)?,
            '0'..='7' => {
                self.at -= 1;
                let digits: String = self.chars[self.at..]
                    .iter()
                    .take(3)
                    .take_while(|c| ('0'..='7').contains(c))
                    .collect();
                self.at += digits.len();
                u32::from_str_radix(&digits, 8)
                    .ok()
                    .and_then(char::from_u32)
                    .unwrap_or('\0')
            }
            c if c.is_ascii_alphanumeric() => {
                return Err(self.wrong(format!("bad escape \\{c}"), start));
            }
            other => other,
        })
    }

    fn code(&mut self, start: usize, length: usize) -> Result<char> {
        let digits: String = self.chars[self.at..]
            .iter()
            .take(length)
            .take_while(|c| c.is_ascii_hexdigit())
            .collect();
        let code = u32::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| digits.len() == length);
        self.at += digits.len();
        code.and_then(janus_bytecode::surrogate::char_of)
            .ok_or_else(|| {
                let shown: String = self.chars[start..self.at.min(self.chars.len())]
                    .iter()
                    .collect();
                self.wrong(format!("incomplete escape {shown}"), start)
            })
    }

    fn escape(&mut self, start: usize, local: i64) -> Result<bool> {
        let Some(c) = self.peek() else {
            return Err(self.wrong("bad escape (end of pattern)", start));
        };
        if let Some(category) = self.category(c, local) {
            self.at += 1;
            self.out.push_str(category);
            return Ok(true);
        }
        if self.is_regex()
            && let Some(repeatable) = self.regex_escape(start, c)?
        {
            return Ok(repeatable);
        }
        let assertion = match (c, local & flags::ASCII != 0) {
            ('A', _) => Some(r"\A"),
            ('Z', _) => Some(r"\z"),
            ('b', _) => Some(r"\b"),
            ('B', _) => Some(r"\B"),
            _ => None,
        };
        if let Some(assertion) = assertion {
            self.at += 1;
            self.out.push_str(assertion);
            return Ok(false);
        }
        if ('1'..='9').contains(&c) {
            let digits: String = self.chars[self.at..]
                .iter()
                .take(3)
                .take_while(|c| c.is_ascii_digit())
                .collect();
            // Three octal digits are a character.
            if digits.len() == 3 && digits.chars().all(|d| d < '8') {
                let found = self.escaped_char(start, false)?;
                self.literal(found);
                return Ok(true);
            }
            let digits = &digits[..digits.len().min(2)];
            let group: usize = digits.parse().unwrap_or(0);
            self.at += digits.len();
            if group > self.groups {
                return Err(self.wrong(format!("invalid group reference {group}"), start + 1));
            }
            if self.open.contains(&group) {
                return Err(self.wrong("cannot refer to an open group", start));
            }
            // The braces end the number: a digit may follow as a literal.
            self.out.push_str(&format!("(?:\\{group})"));
            return Ok(true);
        }
        let found = self.escaped_char(start, false)?;
        self.literal(found);
        Ok(true)
    }

    /// A character class, after its `[`.
    fn class(&mut self, start: usize, local: i64) -> Result<()> {
        self.out.push('[');
        if self.take("^") {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let at = self.at;
            let Some(c) = self.peek() else {
                return Err(self.wrong("unterminated character set", start));
            };
            if c == ']' && !first {
                self.at += 1;
                self.out.push(']');
                return Ok(());
            }
            if self.is_regex() && self.class_of_regex(at, local)? {
                first = false;
                continue;
            }
            first = false;
            let Some(low) = self.class_member(at, local)? else {
                continue;
            };
            if self.ahead("-") && self.chars.get(self.at + 1).is_some_and(|c| *c != ']') {
                self.at += 1;
                let high_at = self.at;
                match self.class_member(high_at, local)? {
                    Some(high) if high < low => {
                        let shown: String = self.chars[at..self.at].iter().collect();
                        return Err(self.wrong(format!("bad character range {shown}"), at));
                    }
                    Some(high) => {
                        self.literal(low);
                        self.out.push('-');
                        self.literal(high);
                    }
                    None => {
                        let shown: String = self.chars[at..self.at].iter().collect();
                        return Err(self.wrong(format!("bad character range {shown}"), at));
                    }
                }
            } else {
                self.literal(low);
            }
        }
    }

    /// A character of a class; a category is written at once and gives none.
    fn class_member(&mut self, at: usize, local: i64) -> Result<Option<char>> {
        let Some(c) = self.peek() else {
            return Err(self.wrong("unterminated character set", at));
        };
        self.at += 1;
        if c != '\\' {
            return Ok(Some(c));
        }
        if let Some(category) = self.peek().and_then(|c| self.category(c, local)) {
            self.at += 1;
            self.out.push_str(category);
            return Ok(None);
        }
        if self.is_regex() {
            match self.peek() {
                Some('p' | 'P') => {
                    self.property(at)?;
                    return Ok(None);
                }
                Some('h') => {
                    self.at += 1;
                    self.out.push_str(regex::HORIZONTAL);
                    return Ok(None);
                }
                Some('N') => return self.named_char(at).map(Some),
                _ => {}
            }
        }
        self.escaped_char(at, true).map(Some)
    }

    fn group_name(&mut self, end: char) -> Result<String> {
        let start = self.at;
        let Some(length) = self.chars[start..].iter().position(|c| *c == end) else {
            let message = if start >= self.chars.len() {
                "missing group name".to_owned()
            } else {
                format!("missing {end}, unterminated name")
            };
            return Err(self.wrong(message, start));
        };
        let name: String = self.chars[start..start + length].iter().collect();
        self.at = start + length + 1;
        if name.is_empty() {
            return Err(self.wrong("missing group name", start));
        }
        let valid = name
            .chars()
            .enumerate()
            .all(|(i, c)| c == '_' || c.is_alphabetic() || (i > 0 && c.is_alphanumeric()));
        if !valid {
            return Err(self.wrong(
                format!(
                    "bad character in group name {}",
                    janus_object::text::str_repr(&name)
                ),
                start,
            ));
        }
        Ok(name)
    }

    fn close(&mut self, start: usize) -> Result<()> {
        if self.take(")") {
            self.out.push(')');
            return Ok(());
        }
        Err(self.wrong("missing ), unterminated subpattern", start))
    }

    /// A group, after its `(`.
    fn group(&mut self, start: usize, local: i64) -> Result<bool> {
        if !self.take("?") {
            return self.capture(start, local, None);
        }
        let Some(kind) = self.peek() else {
            return Err(self.wrong("unexpected end of pattern", self.at));
        };
        if self.is_regex() {
            self.refuse_group(kind)?;
        }
        match kind {
            'P' => {
                self.at += 1;
                if self.take("<") {
                    let at = self.at;
                    let name = self.group_name('>')?;
                    if let Some((_, known)) = self.names.iter().find(|(known, _)| *known == name) {
                        let message = format!(
                            "redefinition of group name {} as group {}; was group {known}",
                            janus_object::text::str_repr(&name),
                            self.groups + 1
                        );
                        return Err(self.wrong(message, at));
                    }
                    return self.capture(start, local, Some(name));
                }
                if self.take("=") {
                    let at = self.at;
                    let name = self.group_name(')')?;
                    let Some((_, number)) = self.names.iter().find(|(known, _)| *known == name)
                    else {
                        let shown = janus_object::text::str_repr(&name);
                        return Err(self.wrong(format!("unknown group name {shown}"), at));
                    };
                    self.out.push_str(&format!("(?:\\{number})"));
                    return Ok(true);
                }
                let shown = self.peek().map_or(String::new(), String::from);
                Err(self.wrong(format!("unknown extension ?P{shown}"), start + 1))
            }
            ':' | '>' => {
                self.at += 1;
                self.out.push_str("(?");
                self.out.push(kind);
                self.alternatives(local)?;
                self.close(start)?;
                Ok(true)
            }
            '=' | '!' => {
                self.at += 1;
                self.out.push_str("(?");
                self.out.push(kind);
                self.alternatives(local)?;
                self.close(start)?;
                Ok(false)
            }
            '<' => {
                self.at += 1;
                if self.is_regex() && self.peek().is_some_and(|c| c == '_' || c.is_alphabetic()) {
                    let name = self.group_name('>')?;
                    return self.capture(start, local, Some(name));
                }
                let Some(kind @ ('=' | '!')) = self.peek() else {
                    let shown = self.peek().map_or(String::new(), String::from);
                    return Err(self.wrong(format!("unknown extension ?<{shown}"), start + 1));
                };
                self.at += 1;
                self.out.push_str("(?<");
                self.out.push(kind);
                self.alternatives(local)?;
                self.close(start)?;
                Ok(false)
            }
            '#' => {
                while self.peek().is_some_and(|c| c != ')') {
                    self.at += 1;
                }
                if !self.take(")") {
                    return Err(self.wrong("missing ), unterminated comment", start));
                }
                Ok(true)
            }
            '(' => self.conditional(start, local),
            _ => self.flag_group(start, local),
        }
    }

    fn capture(&mut self, start: usize, local: i64, name: Option<String>) -> Result<bool> {
        self.groups += 1;
        let number = self.groups;
        if let Some(name) = name {
            self.names.push((name, number));
        }
        self.out.push('(');
        self.open.push(number);
        self.alternatives(local)?;
        self.open.pop();
        self.close(start)?;
        Ok(true)
    }

    /// `(?(group)yes|no)`
    fn conditional(&mut self, start: usize, local: i64) -> Result<bool> {
        self.at += 1;
        let at = self.at;
        let Some(length) = self.chars[at..].iter().position(|c| *c == ')') else {
            return Err(self.wrong("missing ), unterminated name", at));
        };
        let name: String = self.chars[at..at + length].iter().collect();
        self.at = at + length + 1;
        let number = match name.parse::<usize>() {
            Ok(number) => {
                if self.asked.is_none_or(|(highest, _)| number > highest) {
                    self.asked = Some((number, at));
                }
                number
            }
            Err(_) => match self.names.iter().find(|(known, _)| *known == name) {
                Some((_, number)) => *number,
                None => {
                    let shown = janus_object::text::str_repr(&name);
                    return Err(self.wrong(format!("unknown group name {shown}"), at));
                }
            },
        };
        self.out.push_str(&format!("(?({number})"));
        self.sequence(local)?;
        if self.take("|") {
            self.out.push('|');
            self.sequence(local)?;
            if self.ahead("|") {
                return Err(self.wrong("conditional backref with more than two branches", self.at));
            }
        }
        self.close(start)?;
        Ok(true)
    }

    /// `(?i:...)` and `(?-i:...)`
    fn flag_group(&mut self, start: usize, local: i64) -> Result<bool> {
        let (mut on, mut off, mut negative) = (0, 0, false);
        let mut letters = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(self.wrong("missing -, : or )", self.at));
            };
            self.at += 1;
            match c {
                '-' => {
                    negative = true;
                    letters.push('-');
                }
                ':' => break,
                ')' => {
                    return Err(
                        self.wrong("global flags not at the start of the expression", start)
                    );
                }
                c if "aiLmsux".contains(c) => {
                    *(if negative { &mut off } else { &mut on }) |= flag_of(c);
                    if "ims".contains(c) {
                        letters.push(c);
                    }
                }
                c if c.is_alphabetic() && (negative || !letters.is_empty() || on != 0) => {
                    return Err(self.wrong("unknown flag", self.at - 1));
                }
                c => return Err(self.wrong(format!("unknown extension ?{c}"), start + 1)),
            }
        }
        if letters.ends_with('-') {
            letters.pop();
        }
        self.out.push_str(&format!("(?{letters}:"));
        self.alternatives((local | on) & !off)?;
        self.close(start)?;
        Ok(true)
    }
}

fn flag_of(letter: char) -> i64 {
    match letter {
        'i' => flags::IGNORECASE,
        'm' => flags::MULTILINE,
        's' => flags::DOTALL,
        'u' => flags::UNICODE,
        'x' => flags::VERBOSE,
        'a' => flags::ASCII,
        _ => 0,
    }
}
