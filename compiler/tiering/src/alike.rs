//! Which values of a region are items of one sequence, by their paths.

use std::collections::HashSet;

use janus_plan::rows::{column, is_index};
use janus_plan::{DeoptReason, Plan};

use crate::guard::Miss;

/// The places in a path where an index stands: what is before it, and what is behind it.
fn indices(path: &str) -> impl Iterator<Item = (&str, &str)> {
    path.match_indices('[').filter_map(|(at, _)| {
        let (before, rest) = path.split_at(at + 1);
        let end = rest.find(']')?;
        let (index, behind) = rest.split_at(end);
        is_index(index).then_some((before, behind))
    })
}

fn is_between(path: &str, (before, behind): (&str, &str)) -> bool {
    let rest = path.strip_prefix(before);
    let index = rest.and_then(|rest| rest.strip_suffix(behind));
    index.is_some_and(is_index)
}

/// The paths of `all` that differ from `path` in one index only.
pub(crate) fn alike<'a>(
    path: &str,
    all: impl Iterator<Item = &'a str> + Clone,
) -> impl Iterator<Item = &'a str> {
    indices(path).flat_map(move |place| all.clone().filter(move |p| is_between(p, place)))
}

/// The paths of `all` that differ from `path` in one index only, where two of those that `missed` are
/// among them: one item that moves may be a setting, several are data.
pub(crate) fn data_like<'a>(
    path: &str,
    missed: impl Iterator<Item = &'a str> + Clone,
    all: impl Iterator<Item = &'a str> + Clone,
) -> Vec<&'a str> {
    indices(path)
        .filter(|&place| missed.clone().filter(|p| is_between(p, place)).count() > 1)
        .flat_map(|place| all.clone().filter(move |p| is_between(p, place)))
        .collect()
}

/// How many things moved: items of one sequence that shift are one.
fn distinct(plan: &Plan, misses: &[Miss]) -> usize {
    let path = |miss: &Miss| miss.node.and_then(|i| plan.nodes.get(i)).map(|n| &*n.path);
    let known = misses.iter().filter_map(path).map(column);
    let unknown = misses.iter().filter(|miss| path(miss).is_none());
    unknown.count() + known.collect::<HashSet<String>>().len()
}

/// How far a version is from fitting: how many things moved, where one that is of another kind or has another length
/// counts twice, since what is in it was not looked at; and how many of these there are.
pub(crate) fn distance(plan: &Plan, misses: &[Miss]) -> (usize, usize) {
    let hides = |miss: &&Miss| {
        matches!(
            miss.reason,
            DeoptReason::LengthChanged | DeoptReason::TypeChanged | DeoptReason::IdentityChanged
        )
    };
    let hidden = misses.iter().filter(hides).count();
    (distinct(plan, misses) + hidden, hidden)
}

#[cfg(test)]
mod tests {
    use super::{column, data_like};

    #[test]
    fn columns_have_no_indices() {
        assert_eq!(column("buf[12][1].x[k]"), "buf[][].x[k]");
        assert_eq!(column("a[0]['b'][c"), "a[]['b'][c");
    }

    const ALL: [&str; 5] = [
        "batch[0][1]",
        "batch[1][1]",
        "batch[12][1]",
        "batch[1][2]",
        "groups['lr'][1]",
    ];

    #[test]
    fn items_of_one_sequence_move_together() {
        let missed = ["batch[0][1]", "batch[1][1]"];
        let found = data_like("batch[1][1]", missed.into_iter(), ALL.into_iter());
        assert_eq!(found, &ALL[..3]);
    }

    #[test]
    fn one_item_alone_moves_alone() {
        let missed = ["batch[1][1]", "groups['lr'][1]"];
        assert!(data_like("batch[1][1]", missed.into_iter(), ALL.into_iter()).is_empty());
        assert!(data_like("batch", missed.into_iter(), ALL.into_iter()).is_empty());
    }
}
