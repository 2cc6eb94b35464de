//! The signature that compiled code carries with it.
//!
//! In: the text of `janus_entry_signature` (see the pass `janus-pack-entry`), such as
//! `f32[64,?] f64 -> i64 f32[?]`, with ` with backward` at its end where there is a backward pass, and
//! ` from a1 i0` at the end of that one's. Out: the same as data.

use smallvec::SmallVec;

/// The type of an argument or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// A row-major tensor.
    Tensor {
        /// Bytes of an element.
        width: usize,
        /// Whether those are floats.
        floats: bool,
        /// Extents; `None` is known at run time only.
        dims: SmallVec<[Option<i64>; 4]>,
    },
    /// A float.
    F64,
    /// An integer.
    I64,
    /// A bool.
    Bool,
}

/// Where an argument of a backward pass comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is this argument of the region.
    Argument(usize),
    /// It is this result of the region.
    Result(usize),
    /// It is this one of the values that the backward pass brings.
    Incoming(usize),
}

/// The types of a compiled region: arguments in slot order, results in order. The first result,
/// the failed assert or -1, is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Arguments.
    pub arguments: Vec<Param>,
    /// Results.
    pub results: Vec<Param>,
    /// Of a backward pass, for each argument.
    pub sources: Vec<Source>,
    /// The region has a backward pass.
    pub has_backward: bool,
}

impl Signature {
    /// Reads the text; `None` if it is malformed.
    pub(crate) fn parse(text: &str) -> Option<Signature> {
        let (text, has_backward) = match text.strip_suffix(" with backward") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (types, sources) = text.split_once(" from").unwrap_or((text, ""));
        let (arguments, results) = types.split_once("->")?;
        let list = |text: &str| {
            text.split_whitespace()
                .map(param)
                .collect::<Option<Vec<_>>>()
        };
        let mut results = list(results)?;
        if results.first() != Some(&Param::I64) {
            return None;
        }
        results.remove(0);
        Some(Signature {
            arguments: list(arguments)?,
            results,
            sources: sources
                .split_whitespace()
                .map(source)
                .collect::<Option<_>>()?,
            has_backward,
        })
    }

    /// Words that the arguments take.
    pub(crate) fn argument_words(&self) -> usize {
        self.arguments.iter().map(Param::words).sum()
    }

    /// Words that the results take, the assert's included.
    pub(crate) fn result_words(&self) -> usize {
        1 + self.results.iter().map(Param::words).sum::<usize>()
    }
}

impl Param {
    /// A tensor's pointer and dynamic extents, or a scalar.
    fn words(&self) -> usize {
        match self {
            Param::Tensor { dims, .. } => 1 + dims.iter().filter(|d| d.is_none()).count(),
            _ => 1,
        }
    }
}

fn source(text: &str) -> Option<Source> {
    let number = text.get(1..)?.parse().ok()?;
    match text.as_bytes().first()? {
        b'a' => Some(Source::Argument(number)),
        b'r' => Some(Source::Result(number)),
        b'i' => Some(Source::Incoming(number)),
        _ => None,
    }
}

fn param(text: &str) -> Option<Param> {
    let Some((element, dims)) = text.split_once('[') else {
        return match text {
            "f64" => Some(Param::F64),
            "i64" | "index" => Some(Param::I64),
            "i1" => Some(Param::Bool),
            _ => None,
        };
    };
    let floats = element.starts_with(['f', 'b']);
    let bits = element
        .trim_start_matches("bf")
        .trim_start_matches(['f', 'i']);
    let width = bits.parse::<usize>().ok()?.div_ceil(8);
    let dims = dims.strip_suffix(']')?;
    let dims = dims
        .split(',')
        .filter(|d| !d.is_empty())
        .map(|d| {
            if d == "?" {
                Some(None)
            } else {
                d.parse().ok().map(Some)
            }
        })
        .collect::<Option<_>>()?;
    Some(Param::Tensor {
        width,
        floats,
        dims,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_pass_writes() {
        let signature = Signature::parse("f32[64,?] f64 i1 i8[] -> i64 f64[3]").unwrap();
        let tensor = |width, dims: &[Option<i64>]| Param::Tensor {
            width,
            floats: width > 1,
            dims: dims.into(),
        };
        assert_eq!(
            signature.arguments,
            [
                tensor(4, &[Some(64), None]),
                Param::F64,
                Param::Bool,
                tensor(1, &[])
            ]
        );
        assert_eq!(signature.results, [tensor(8, &[Some(3)])]);
        assert_eq!(
            (signature.argument_words(), signature.result_words()),
            (5, 2)
        );
    }

    #[test]
    fn reads_where_the_arguments_of_a_backward_pass_come_from() {
        let signature = Signature::parse("f32[2] i1 f64 -> i64 f32[2] i1 from a3 r0 i1").unwrap();
        let sources = [Source::Argument(3), Source::Result(0), Source::Incoming(1)];
        assert_eq!(signature.sources, sources);
        assert!(
            Signature::parse("-> i64 with backward")
                .unwrap()
                .has_backward
        );
        assert_eq!(signature.results.len(), 2);
        assert_eq!(Signature::parse("f64 -> i64 from x1"), None);
    }

    #[test]
    fn rejects_what_is_malformed() {
        for text in ["", "f32[", "x -> i64", "f64 -> f64", "f32[a] -> i64"] {
            assert_eq!(Signature::parse(text), None, "{text}");
        }
    }
}
