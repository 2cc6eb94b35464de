//! Sorting with comparisons that may call Python.
//!
//! What a program sees of a sort is more than its result: how often and of what `<` is asked, and,
//! where the order is no total one (NaN, sets, comparisons that change their mind), the result
//! itself. So this is the merge sort over natural runs of CPython 3.11, whose merges are chosen by
//! the powers of the boundaries between runs (Munro and Wild).

use crate::PyResult;

/// What one side of a merge has to win in a row before whole stretches are looked for.
const MIN_GALLOP: usize = 7;

/// A sorted stretch of the items.
struct Run {
    start: usize,
    len: usize,
    /// The power of the boundary to the run that follows.
    power: u32,
}

/// Sorts `items` stably by `less`, and stops at the first exception. All items are still there then.
pub fn sort_by<T: Clone>(
    items: &mut [T],
    less: impl FnMut(&T, &T) -> PyResult<bool>,
) -> PyResult<()> {
    let total = items.len();
    if total < 2 {
        return Ok(());
    }
    let mut sorter = Sorter {
        items,
        less,
        runs: Vec::new(),
        min_gallop: MIN_GALLOP,
    };
    let shortest = shortest_run(total);
    let mut start = 0;
    while start < total {
        let mut len = sorter.natural_run(start)?;
        if len < shortest {
            let forced = shortest.min(total - start);
            sorter.insert(start, start + len, start + forced)?;
            len = forced;
        }
        sorter.push(start, len)?;
        start += len;
    }
    sorter.collapse()
}

/// The length below which runs are made longer by insertion, so that their number is close to a
/// power of two.
fn shortest_run(mut len: usize) -> usize {
    let mut odd = 0;
    while len >= 64 {
        odd |= len & 1;
        len >>= 1;
    }
    len + odd
}

/// The depth in a perfectly balanced tree at which the middles of two neighbouring runs part.
fn power(start: usize, left: usize, right: usize, total: usize) -> u32 {
    // Twice the middles, so that they are whole.
    let (mut a, mut b) = (2 * start + left, 2 * start + 2 * left + right);
    let mut result = 0;
    loop {
        result += 1;
        if a >= total {
            a -= total;
            b -= total;
        } else if b >= total {
            return result;
        }
        a <<= 1;
        b <<= 1;
    }
}

struct Sorter<'a, T, L> {
    items: &'a mut [T],
    less: L,
    runs: Vec<Run>,
    /// How many wins in a row it takes now: fewer where galloping has paid.
    min_gallop: usize,
}

impl<T: Clone, L: FnMut(&T, &T) -> PyResult<bool>> Sorter<'_, T, L> {
    fn is_less(&mut self, a: usize, b: usize) -> PyResult<bool> {
        (self.less)(&self.items[a], &self.items[b])
    }

    /// The length of the run that begins at `start`; a strictly falling one is turned around.
    fn natural_run(&mut self, start: usize) -> PyResult<usize> {
        let total = self.items.len();
        let mut end = start + 1;
        if end == total {
            return Ok(1);
        }
        let falling = self.is_less(end, start)?;
        end += 1;
        while end < total && self.is_less(end, end - 1)? == falling {
            end += 1;
        }
        if falling {
            self.items[start..end].reverse();
        }
        Ok(end - start)
    }

    /// Inserts the items of `sorted..end` into the sorted ones before them.
    fn insert(&mut self, start: usize, sorted: usize, end: usize) -> PyResult<()> {
        for i in sorted..end {
            let (mut low, mut high) = (start, i);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.is_less(i, middle)? {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            self.items[low..=i].rotate_right(1);
        }
        Ok(())
    }

    /// Takes up a run, after the merges of those before it that lie deeper.
    fn push(&mut self, start: usize, len: usize) -> PyResult<()> {
        if let Some(last) = self.runs.last() {
            let power = power(last.start, last.len, len, self.items.len());
            while self.runs.len() > 1 && self.runs[self.runs.len() - 2].power > power {
                self.merge_at(self.runs.len() - 2)?;
            }
            if let Some(last) = self.runs.last_mut() {
                last.power = power;
            }
        }
        self.runs.push(Run {
            start,
            len,
            power: 0,
        });
        Ok(())
    }

    fn collapse(&mut self) -> PyResult<()> {
        while self.runs.len() > 1 {
            let mut at = self.runs.len() - 2;
            if at > 0 && self.runs[at - 1].len < self.runs[at + 1].len {
                at -= 1;
            }
            self.merge_at(at)?;
        }
        Ok(())
    }

    /// Merges the run `at` with the one after it.
    fn merge_at(&mut self, at: usize) -> PyResult<()> {
        let right = self.runs.remove(at + 1);
        let left = &mut self.runs[at];
        let (start, middle, end) = (left.start, right.start, right.start + right.len);
        left.len += right.len;
        // What of the left run stays where it is, and what of the right one does.
        let first = &self.items[middle];
        let skip = gallop_right(&mut self.less, first, &self.items[start..middle], 0)?;
        let start = start + skip;
        if start == middle {
            return Ok(());
        }
        let last = &self.items[middle - 1];
        let right = &self.items[middle..end];
        let keep = gallop_left(&mut self.less, last, right, right.len() - 1)?;
        if keep == 0 {
            return Ok(());
        }
        if middle - start <= keep {
            self.merge_low(start, middle, middle + keep)
        } else {
            self.merge_high(start, middle, middle + keep)
        }
    }

    /// Merges from the front. The left run is the shorter one and is set aside.
    fn merge_low(&mut self, start: usize, middle: usize, end: usize) -> PyResult<()> {
        let left = self.items[start..middle].to_vec();
        let (mut i, mut j, mut to) = (0, middle, start);
        let outcome = self.merge_low_steps(&left, &mut i, &mut j, &mut to, end);
        // What is left of the left run; all but its last item are known to come before what is left
        // of the right one, unless that is used up or an exception has come between.
        let rest = &left[i..];
        if outcome.is_ok() && rest.len() == 1 {
            self.items[to..end].rotate_left(1);
            self.items[end - 1] = rest[0].clone();
        } else {
            self.items[to..to + rest.len()].clone_from_slice(rest);
        }
        outcome
    }

    fn merge_low_steps(
        &mut self,
        left: &[T],
        i: &mut usize,
        j: &mut usize,
        to: &mut usize,
        end: usize,
    ) -> PyResult<()> {
        self.take(to, j);
        if *j == end || left.len() == 1 {
            return Ok(());
        }
        loop {
            let (mut left_wins, mut right_wins) = (0, 0);
            while left_wins < self.min_gallop && right_wins < self.min_gallop {
                if (self.less)(&self.items[*j], &left[*i])? {
                    self.take(to, j);
                    (left_wins, right_wins) = (0, right_wins + 1);
                    if *j == end {
                        return Ok(());
                    }
                } else {
                    self.put(to, left, i);
                    (left_wins, right_wins) = (left_wins + 1, 0);
                    if left.len() - *i == 1 {
                        return Ok(());
                    }
                }
            }
            self.min_gallop += 1;
            loop {
                self.min_gallop = (self.min_gallop - 1).max(1);
                let won = gallop_right(&mut self.less, &self.items[*j], &left[*i..], 0)?;
                for _ in 0..won {
                    self.put(to, left, i);
                }
                if won > 0 && left.len() - *i <= 1 {
                    return Ok(());
                }
                self.take(to, j);
                if *j == end {
                    return Ok(());
                }
                let lost = gallop_left(&mut self.less, &left[*i], &self.items[*j..end], 0)?;
                for _ in 0..lost {
                    self.take(to, j);
                }
                if *j == end {
                    return Ok(());
                }
                self.put(to, left, i);
                if left.len() - *i == 1 {
                    return Ok(());
                }
                if won < MIN_GALLOP && lost < MIN_GALLOP {
                    break;
                }
            }
            self.min_gallop += 1;
        }
    }

    fn take(&mut self, to: &mut usize, from: &mut usize) {
        self.items[*to] = self.items[*from].clone();
        *to += 1;
        *from += 1;
    }

    fn put(&mut self, to: &mut usize, left: &[T], i: &mut usize) {
        self.items[*to] = left[*i].clone();
        *to += 1;
        *i += 1;
    }

    /// Merges from the back. The right run is the shorter one and is set aside.
    fn merge_high(&mut self, start: usize, middle: usize, end: usize) -> PyResult<()> {
        let right = self.items[middle..end].to_vec();
        // The ends of what is left of both, and of where the next item goes.
        let (mut i, mut j, mut to) = (middle, right.len(), end);
        let outcome = self.merge_high_steps(&right, start, &mut i, &mut j, &mut to);
        let rest = &right[..j];
        if outcome.is_ok() && rest.len() == 1 {
            self.items[start..to].rotate_right(1);
            self.items[start] = rest[0].clone();
        } else {
            self.items[to - rest.len()..to].clone_from_slice(rest);
        }
        outcome
    }

    fn merge_high_steps(
        &mut self,
        right: &[T],
        start: usize,
        i: &mut usize,
        j: &mut usize,
        to: &mut usize,
    ) -> PyResult<()> {
        self.take_back(to, i);
        if *i == start || right.len() == 1 {
            return Ok(());
        }
        loop {
            let (mut left_wins, mut right_wins) = (0, 0);
            while left_wins < self.min_gallop && right_wins < self.min_gallop {
                if (self.less)(&right[*j - 1], &self.items[*i - 1])? {
                    self.take_back(to, i);
                    (left_wins, right_wins) = (left_wins + 1, 0);
                    if *i == start {
                        return Ok(());
                    }
                } else {
                    self.put_back(to, right, j);
                    (left_wins, right_wins) = (0, right_wins + 1);
                    if *j == 1 {
                        return Ok(());
                    }
                }
            }
            self.min_gallop += 1;
            loop {
                self.min_gallop = (self.min_gallop - 1).max(1);
                let left = &self.items[start..*i];
                let stay = gallop_right(&mut self.less, &right[*j - 1], left, left.len() - 1)?;
                let won = left.len() - stay;
                for _ in 0..won {
                    self.take_back(to, i);
                }
                if *i == start {
                    return Ok(());
                }
                self.put_back(to, right, j);
                if *j == 1 {
                    return Ok(());
                }
                let last = &self.items[*i - 1];
                let stay = gallop_left(&mut self.less, last, &right[..*j], *j - 1)?;
                let lost = *j - stay;
                for _ in 0..lost {
                    self.put_back(to, right, j);
                }
                if lost > 0 && *j <= 1 {
                    return Ok(());
                }
                self.take_back(to, i);
                if *i == start {
                    return Ok(());
                }
                if won < MIN_GALLOP && lost < MIN_GALLOP {
                    break;
                }
            }
            self.min_gallop += 1;
        }
    }

    fn take_back(&mut self, to: &mut usize, from: &mut usize) {
        *to -= 1;
        *from -= 1;
        self.items[*to] = self.items[*from].clone();
    }

    fn put_back(&mut self, to: &mut usize, right: &[T], j: &mut usize) {
        *to -= 1;
        *j -= 1;
        self.items[*to] = right[*j].clone();
    }
}

/// The distances at which a gallop looks: 1, 3, 7, 15 and so on.
fn further(distance: usize) -> usize {
    distance.saturating_mul(2).saturating_add(1)
}

/// How many items of a run come `before` something, which all of those do that precede one that does. The search begins
/// at `hint`.
fn gallop<T>(
    run: &[T],
    hint: usize,
    mut before: impl FnMut(&T) -> PyResult<bool>,
) -> PyResult<usize> {
    let (mut near, mut far) = (0, 1);
    let (mut low, mut high);
    if before(&run[hint])? {
        let limit = run.len() - hint;
        while far < limit && before(&run[hint + far])? {
            near = far;
            far = further(far);
        }
        (low, high) = (hint + near + 1, hint + far.min(limit));
    } else {
        let limit = hint + 1;
        while far < limit && !before(&run[hint - far])? {
            near = far;
            far = further(far);
        }
        (low, high) = (limit - far.min(limit), hint - near);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if before(&run[middle])? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// How many items of a run come before `key`, those that are equal to it not counted.
fn gallop_left<T>(
    less: &mut impl FnMut(&T, &T) -> PyResult<bool>,
    key: &T,
    run: &[T],
    hint: usize,
) -> PyResult<usize> {
    gallop(run, hint, |item| less(item, key))
}

/// How many items of a run come before `key`, those that are equal to it among them.
fn gallop_right<T>(
    less: &mut impl FnMut(&T, &T) -> PyResult<bool>,
    key: &T,
    run: &[T],
    hint: usize,
) -> PyResult<usize> {
    gallop(run, hint, |item| Ok(!less(key, item)?))
}
