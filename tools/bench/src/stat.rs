//! Medians and spreads.

use serde::{Deserialize, Serialize};

/// A median with its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The number below which this share of numbers lies; `None` of nothing.
#[must_use]
pub fn quantile(numbers: &[f64], share: f64) -> Option<f64> {
    let mut all: Vec<f64> = numbers.iter().copied().filter(|x| x.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let last = all.len().checked_sub(1)?;
    let at = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    all.get(at).copied()
}

/// A number with four digits that count: what is kept of series of figures.
#[must_use]
pub fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(3 - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

impl Spread {
    /// Of some numbers; `None` of nothing.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut all: Vec<f64> = numbers.into_iter().filter(|x| x.is_finite()).collect();
        all.sort_by(f64::total_cmp);
        let (low, high) = (*all.first()?, *all.last()?);
        let at = |i: usize| all.get(i).copied().unwrap_or(high);
        let half = all.len() / 2;
        let median = if all.len() % 2 == 1 {
            at(half)
        } else {
            f64::midpoint(at(half - 1), at(half))
        };
        Some(Spread { median, low, high })
    }

    /// The median of some medians, with the least and the most of all.
    #[must_use]
    pub fn of_spreads(spreads: &[Spread]) -> Option<Spread> {
        let of = |part: fn(&Spread) -> f64| Spread::of(spreads.iter().map(part));
        Some(Spread {
            median: of(|s| s.median)?.median,
            low: of(|s| s.low)?.low,
            high: of(|s| s.high)?.high,
        })
    }

    /// This divided by another one, with the range that theirs allow.
    #[must_use]
    pub fn over(self, other: Spread) -> Spread {
        Spread {
            median: self.median / other.median,
            low: self.low / other.high,
            high: self.high / other.low,
        }
    }

    /// Half the range as a share of the median.
    #[must_use]
    pub fn noise(&self) -> f64 {
        if self.median > 0.0 {
            (self.high - self.low) / 2.0 / self.median
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, quantile, rounded};

    #[test]
    fn four_digits() {
        let numbers = [123_456.0, 0.001_234_56, -9.99999, 0.0];
        assert_eq!(numbers.map(rounded), [123_500.0, 0.001_235, -10.0, 0.0]);
        assert!(rounded(f64::INFINITY).is_infinite());
    }

    #[test]
    fn quantiles() {
        let numbers = [5.0, 1.0, 4.0, 2.0, 3.0];
        let at = |share| quantile(&numbers, share);
        assert_eq!(
            [at(0.0), at(0.25), at(0.5), at(1.0)],
            [1.0, 2.0, 3.0, 5.0].map(Some)
        );
        assert_eq!(quantile(&[], 0.5), None);
        let half = Spread::of([1.0, 2.0])
            .unwrap()
            .over(Spread::of([3.0]).unwrap());
        assert_eq!(
            [half.low, half.median, half.high],
            [1.0 / 3.0, 0.5, 2.0 / 3.0]
        );
        assert_eq!(Spread::of_spreads(&[half]), Some(half));
        assert_eq!(Spread::of_spreads(&[]), None);
    }

    #[test]
    fn median_of_odd_even_and_nothing() {
        assert_eq!(
            Spread::of([3.0, 1.0, 2.0]),
            Some(Spread {
                median: 2.0,
                low: 1.0,
                high: 3.0
            })
        );
        assert_eq!(Spread::of([4.0, 1.0]).unwrap().median, 2.5);
        assert_eq!(Spread::of([f64::NAN]), None);
    }
}
