//! "Did you mean: 'x'?"
//!
//! In: a name that was not found and the names that were there. Out: the closest one, by the
//! rules and costs of CPython 3.11's `suggestions.c`.

/// Cost of a substitution, insertion or deletion.
const MOVE: usize = 2;
/// Cost of a substitution that only changes case.
const CASE: usize = 1;
/// More candidates than this are not searched.
const MAX_CANDIDATES: usize = 750;
/// Longer names are not compared.
const MAX_LENGTH: usize = 40;

/// The candidate nearest to `name`, if one is near enough.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    if candidates.clone().take(MAX_CANDIDATES).count() >= MAX_CANDIDATES {
        return None;
    }
    let mut best = None;
    let mut best_distance = usize::MAX;
    for candidate in candidates {
        if candidate == name {
            // A name that is there is never the answer.
            continue;
        }
        // No more than a third of the characters may change.
        let limit = (name.len() + candidate.len() + 3) * MOVE / 6;
        let limit = limit.min(best_distance.saturating_sub(1));
        let distance = distance(name.as_bytes(), candidate.as_bytes(), limit);
        if distance <= limit && distance < best_distance {
            best = Some(candidate);
            best_distance = distance;
        }
    }
    best
}

/// Cost of replacing one byte by another.
fn substitution(a: u8, b: u8) -> usize {
    if a == b {
        0
    } else if a.eq_ignore_ascii_case(&b) {
        CASE
    } else {
        MOVE
    }
}

/// The edit distance, or something above `limit`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    if a == b {
        return 0;
    }
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (
        a.get(prefix..).unwrap_or_default(),
        b.get(prefix..).unwrap_or_default(),
    );
    let suffix = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let a = a.get(..a.len() - suffix).unwrap_or_default();
    let b = b.get(..b.len() - suffix).unwrap_or_default();
    if a.is_empty() || b.is_empty() {
        return (a.len() + b.len()) * MOVE;
    }
    if a.len() > MAX_LENGTH || b.len() > MAX_LENGTH {
        return limit + 1;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if (long.len() - short.len()) * MOVE > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (1..=short.len()).map(|i| i * MOVE).collect();
    let mut result = 0;
    for (j, x) in long.iter().enumerate() {
        let mut diagonal = j * MOVE;
        result = diagonal;
        let mut least = usize::MAX;
        for (y, cell) in short.iter().zip(row.iter_mut()) {
            let substituted = diagonal + substitution(*x, *y);
            diagonal = *cell;
            result = substituted.min(result.min(diagonal) + MOVE);
            *cell = result;
            least = least.min(result);
        }
        if least > limit {
            return limit + 1;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near<'a>(name: &str, of: &[&'a str]) -> Option<&'a str> {
        closest(name, of.iter().copied())
    }

    #[test]
    fn as_cpython() {
        assert_eq!(near("blech", &["noise", "bluch", "fluch"]), Some("bluch"));
        assert_eq!(near("somethign", &["something", "else"]), Some("something"));
        assert_eq!(near("Index", &["index"]), Some("index"));
        assert_eq!(near("abcdef", &["xyz"]), None);
        assert_eq!(near("x", &["y"]), None);
    }
}
