//! Halves of surrogate pairs in text.
//!
//! In: numbers of code points. Out: characters, and back. Always: text is UTF-8, which has no lone surrogates, so each
//! of them is kept as the character of a block at the end of the last private plane. That block's own characters are
//! refused wherever text is made, so that no text is taken for another one.

/// Where the block begins.
const FIRST: u32 = 0x10_f000;
/// The first surrogate.
const SURROGATE: u32 = 0xd800;
/// How many there are.
const COUNT: u32 = 0x800;
/// What texts with characters of the block are refused with.
pub const REFUSED: &str =
    "the private characters U+10F000 to U+10F7FF are not implemented in janus-jit yet";

/// The character that stands for a code point; none where there is none, or where it is one of the block.
pub fn char_of(code: u32) -> Option<char> {
    match code.wrapping_sub(SURROGATE) {
        half @ 0..COUNT => char::from_u32(FIRST + half),
        _ => char::from_u32(code).filter(|c| !is_surrogate(*c)),
    }
}

/// The code point that a character stands for.
#[inline]
pub fn code_of(c: char) -> u32 {
    match u32::from(c).wrapping_sub(FIRST) {
        half @ 0..COUNT => SURROGATE + half,
        _ => u32::from(c),
    }
}

/// Whether a character stands for half of a pair.
#[inline]
pub fn is_surrogate(c: char) -> bool {
    (FIRST..FIRST + COUNT).contains(&u32::from(c))
}

/// Whether a code point is one of the block, which is refused.
pub fn is_refused(code: u32) -> bool {
    (FIRST..FIRST + COUNT).contains(&code)
}

/// Whether text holds characters of the block: surrogates, in a text of Python's; what is refused, in one from outside.
pub fn has_surrogates(text: &str) -> bool {
    // In UTF-8 the block is F4 8F 80..9F.
    let mut rest = text.as_bytes();
    if !rest.contains(&0xf4) {
        return false;
    }
    while let Some(at) = rest.iter().position(|b| *b == 0xf4) {
        if matches!(rest.get(at + 1..), Some([0x8f, 0x80..=0x9f, ..])) {
            return true;
        }
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    false
}

/// Units of UTF-16, as wide as Python's `surrogatepass` has them.
pub fn utf16(text: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u16::try_from(code_of(c)) {
            Ok(unit) => units.push(unit),
            Err(_) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_surrogate_is_one_character() {
        for code in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
            let c = char_of(code).unwrap_or_default();
            assert!(is_surrogate(c) && has_surrogates(&format!("é{c}")));
            assert_eq!(code_of(c), code);
        }
        assert_eq!(char_of(0x10_f000), None);
        assert_eq!(char_of(0x10_ffff), Some('\u{10ffff}'));
        assert!(!has_surrogates("a\u{10ffff}é"));
        assert_eq!(utf16("a\u{10f000}😀"), [0x61, 0xd800, 0xd83d, 0xde00]);
    }
}
