//! The tables behind `unicodedata`.
//!
//! In: `data.txt`. Out: properties of code points. Always: read once, when first asked.

use std::collections::HashMap;
use std::sync::OnceLock;

const DATA: &str = include_str!("data.txt");

/// Whose properties are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// That of Python 3.11.
    New,
    /// 3.2, which domain names are made by.
    Old,
}

/// What code points in a row have in common.
pub(super) struct Properties {
    first: u32,
    pub category: &'static str,
    pub bidirectional: &'static str,
    pub combining: u8,
    pub mirrored: bool,
    pub width: &'static str,
}

const NOTHING: Properties = Properties {
    first: 0,
    category: "Cn",
    bidirectional: "",
    combining: 0,
    mirrored: false,
    width: "N",
};

/// What number a character is.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub decimal: Option<u8>,
    pub digit: Option<u8>,
    pub numeric: f64,
}

/// All of it.
#[derive(Default)]
pub(super) struct Database {
    runs: [Vec<Properties>; 2],
    decompositions: HashMap<u32, &'static str>,
    numbers: HashMap<u32, Number>,
    /// Where the old version has something else, or nothing.
    old_decompositions: HashMap<u32, &'static str>,
    old_numbers: HashMap<u32, Option<Number>>,
}

/// The database.
pub(super) fn database() -> &'static Database {
    static DATABASE: OnceLock<Database> = OnceLock::new();
    DATABASE.get_or_init(read)
}

impl Database {
    pub fn properties(&self, version: Version, code: u32) -> &Properties {
        let runs = match version {
            Version::New => &self.runs[0],
            Version::Old => &self.runs[1],
        };
        let behind = runs.partition_point(|run| run.first <= code);
        behind
            .checked_sub(1)
            .and_then(|at| runs.get(at))
            .unwrap_or(&NOTHING)
    }

    pub fn decomposition(&self, version: Version, code: u32) -> &'static str {
        let old = match version {
            Version::New => None,
            Version::Old => self.old_decompositions.get(&code),
        };
        old.or_else(|| self.decompositions.get(&code))
            .copied()
            .unwrap_or_default()
    }

    pub fn number(&self, version: Version, code: u32) -> Option<Number> {
        if version == Version::Old
            && let Some(old) = self.old_numbers.get(&code)
        {
            return *old;
        }
        self.numbers.get(&code).copied()
    }
}

fn run(line: &'static str) -> Option<Properties> {
    let mut fields = line.split(' ');
    let first = u32::from_str_radix(fields.next()?, 16).ok()?;
    let category = fields.next()?;
    let bidirectional = match fields.next()? {
        "-" => "",
        class => class,
    };
    Some(Properties {
        first,
        category,
        bidirectional,
        combining: fields.next()?.parse().ok()?,
        mirrored: fields.next()? == "1",
        width: fields.next()?,
    })
}

fn number(fields: &str) -> Option<Number> {
    let mut fields = fields.split(' ');
    let mut small = || fields.next().map(|field| field.parse().ok());
    let (decimal, digit) = (small()?, small()?);
    Some(Number {
        decimal,
        digit,
        numeric: fields.next()?.parse().ok()?,
    })
}

fn read() -> Database {
    let mut data = Database::default();
    let mut section = "";
    for line in DATA.lines() {
        if let Some(title) = line.strip_prefix('[') {
            section = title.trim_end_matches(']');
            continue;
        }
        let (code, rest) = line.split_once(' ').unwrap_or((line, ""));
        let Ok(code) = u32::from_str_radix(code, 16) else {
            continue;
        };
        match section {
            "runs" => data.runs[0].extend(run(line)),
            "old runs" => data.runs[1].extend(run(line)),
            "decompositions" => drop(data.decompositions.insert(code, rest)),
            "old decompositions" => drop(data.old_decompositions.insert(code, rest)),
            "numbers" => {
                if let Some(number) = number(rest) {
                    data.numbers.insert(code, number);
                }
            }
            "old numbers" => drop(data.old_numbers.insert(code, number(rest))),
            _ => {}
        }
    }
    data
}
