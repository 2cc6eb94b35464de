//! Another size by a filter: two passes, along rows and along columns, with coefficients for each place.

use crate::{Picture, Result};

/// Bits of a coefficient's fraction: 32 less a pixel's 8 and 2 for sums that overshoot.
const PRECISION: u32 = 32 - 8 - 2;

/// What weighs the pixels around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Every pixel of the place counts the same.
    Box,
    /// A triangle.
    Bilinear,
    /// A raised cosine.
    Hamming,
    /// Pieces of third degree.
    Bicubic,
    /// A sinc under a sinc.
    Lanczos,
}

impl Filter {
    fn support(self) -> f64 {
        match self {
            Filter::Box => 0.5,
            Filter::Bilinear | Filter::Hamming => 1.0,
            Filter::Bicubic => 2.0,
            Filter::Lanczos => 3.0,
        }
    }

    fn weight(self, x: f64) -> f64 {
        fn sinc(x: f64) -> f64 {
            if x == 0.0 {
                return 1.0;
            }
            let x = x * std::f64::consts::PI;
            x.sin() / x
        }
        match self {
            Filter::Box if x > -0.5 && x <= 0.5 => 1.0,
            Filter::Box => 0.0,
            Filter::Bilinear => (1.0 - x.abs()).max(0.0),
            Filter::Hamming => match x.abs() {
                0.0 => 1.0,
                x if x >= 1.0 => 0.0,
                x => {
                    let x = x * std::f64::consts::PI;
                    x.sin() / x * (f64::from(0.54_f32) + f64::from(0.46_f32) * x.cos())
                }
            },
            Filter::Bicubic => {
                const A: f64 = -0.5;
                match x.abs() {
                    x if x < 1.0 => ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0,
                    x if x < 2.0 => (((x - 5.0) * x + 8.0) * x - 4.0) * A,
                    _ => 0.0,
                }
            }
            Filter::Lanczos if (-3.0..3.0).contains(&x) => sinc(x) * sinc(x / 3.0),
            Filter::Lanczos => 0.0,
        }
    }
}

/// What one pixel of the result is made of: the first pixel, and a coefficient for each from it on.
struct Taps {
    first: usize,
    weights: Vec<f64>,
}

/// The taps of each of `to` places between `start` and `end` of a row of `from` pixels.
fn taps(from: usize, start: f64, end: f64, to: usize, filter: Filter) -> Vec<Taps> {
    let scale = (end - start) / to as f64;
    let stretch = scale.max(1.0);
    let support = filter.support() * stretch;
    let inverse = 1.0 / stretch;
    (0..to)
        .map(|place| {
            let center = start + (place as f64 + 0.5) * scale;
            let first = ((center - support + 0.5) as i64).max(0) as usize;
            let last = ((center + support + 0.5) as i64).clamp(0, from as i64) as usize;
            let mut weights: Vec<f64> = (first..last)
                .map(|x| filter.weight((x as f64 - center + 0.5) * inverse))
                .collect();
            let total = weights.iter().fold(0.0, |sum, w| sum + w);
            if total != 0.0 {
                for w in &mut weights {
                    *w /= total;
                }
            }
            Taps { first, weights }
        })
        .collect()
}

/// What pixels are made of: how sums of weighted ones are taken.
pub trait Sample: Copy + Default {
    /// A coefficient.
    type Weight: Copy;
    /// A sum.
    type Sum: Copy;
    /// A coefficient as it is used.
    fn weight(w: f64) -> Self::Weight;
    /// What a sum begins with.
    const START: Self::Sum;
    /// One more pixel.
    fn add(sum: Self::Sum, pixel: Self, weight: Self::Weight) -> Self::Sum;
    /// A sum as a pixel.
    fn finish(sum: Self::Sum) -> Self;
}

impl Sample for u8 {
    type Weight = i32;
    type Sum = i32;
    const START: i32 = 1 << (PRECISION - 1);
    fn weight(w: f64) -> i32 {
        let scaled = w * f64::from(1 << PRECISION);
        (if w < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32
    }
    fn add(sum: i32, pixel: u8, weight: i32) -> i32 {
        sum.wrapping_add(i32::from(pixel).wrapping_mul(weight))
    }
    fn finish(sum: i32) -> u8 {
        crate::clip(sum >> PRECISION)
    }
}

impl Sample for i32 {
    type Weight = f64;
    type Sum = f64;
    const START: f64 = 0.0;
    fn weight(w: f64) -> f64 {
        w
    }
    fn add(sum: f64, pixel: i32, weight: f64) -> f64 {
        sum + f64::from(pixel) * weight
    }
    fn finish(sum: f64) -> i32 {
        (if sum >= 0.0 {
            (sum + 0.5).floor()
        } else {
            -(sum.abs() + 0.5).floor()
        }) as i32
    }
}

impl Sample for f32 {
    type Weight = f64;
    type Sum = f64;
    const START: f64 = 0.0;
    fn weight(w: f64) -> f64 {
        w
    }
    fn add(sum: f64, pixel: f32, weight: f64) -> f64 {
        sum + f64::from(pixel) * weight
    }
    fn finish(sum: f64) -> f32 {
        sum as f32
    }
}

fn used<T: Sample>(taps: Vec<Taps>) -> Vec<(usize, Vec<T::Weight>)> {
    taps.into_iter()
        .map(|t| (t.first, t.weights.into_iter().map(T::weight).collect()))
        .collect()
}

fn across<T: Sample, const BANDS: usize>(
    row: &[T],
    out: &mut Vec<T>,
    taps: &[(usize, Vec<T::Weight>)],
) {
    let (pixels, _) = row.as_chunks::<BANDS>();
    for (first, weights) in taps {
        let mut sums = [T::START; BANDS];
        for (pixel, &w) in pixels.iter().skip(*first).zip(weights) {
            for (sum, &p) in sums.iter_mut().zip(pixel) {
                *sum = T::add(*sum, p, w);
            }
        }
        out.extend(sums.map(T::finish));
    }
}

/// `width` by `height` pixels of what is between left, top, right and bottom.
pub fn resize<T: Sample>(
    picture: &Picture<T>,
    width: usize,
    height: usize,
    [left, top, right, bottom]: [f64; 4],
    filter: Filter,
) -> Result<Picture<T>> {
    let bands = picture.bands();
    let columns = taps(picture.height(), top, bottom, height, filter);
    let mut now = picture.clone();
    if width != picture.width() || left != 0.0 || right != width as f64 {
        let rows = used::<T>(taps(picture.width(), left, right, width, filter));
        // Rows that no column looks at are not needed.
        let needed = columns.first().map_or(0, |t| t.first)
            ..columns.last().map_or(0, |t| t.first + t.weights.len());
        let mut data = Vec::with_capacity(width * bands * picture.height());
        for y in 0..picture.height() {
            if !needed.contains(&y) {
                data.resize(data.len() + width * bands, T::default());
                continue;
            }
            let row = picture.row(y);
            match bands {
                1 => across::<T, 1>(row, &mut data, &rows),
                2 => across::<T, 2>(row, &mut data, &rows),
                3 => across::<T, 3>(row, &mut data, &rows),
                _ => across::<T, 4>(row, &mut data, &rows),
            }
        }
        now = Picture::new(width, picture.height(), bands, data)?;
    }
    if height != picture.height() || top != 0.0 || bottom != height as f64 {
        let columns = used::<T>(columns);
        let mut data = Vec::with_capacity(width * bands * height);
        let mut sums = vec![T::START; width * bands];
        for (first, weights) in &columns {
            sums.fill(T::START);
            for (y, &w) in weights.iter().enumerate() {
                for (sum, &p) in sums.iter_mut().zip(now.row(first + y)) {
                    *sum = T::add(*sum, p, w);
                }
            }
            data.extend(sums.iter().map(|&s| T::finish(s)));
        }
        now = Picture::new(width, height, bands, data)?;
    }
    Ok(now)
}

/// Each pixel of the result is the mean of a box of `fx` by `fy` pixels; the last boxes may be smaller.
pub fn reduce(picture: &Picture<u8>, fx: usize, fy: usize) -> Result<Picture<u8>> {
    let bands = picture.bands();
    let (fx, fy) = (fx.max(1), fy.max(1));
    let (width, height) = (picture.width().div_ceil(fx), picture.height().div_ceil(fy));
    let mut data = Vec::with_capacity(width * height * bands);
    for y in 0..height {
        let rows = (picture.height() - y * fy).min(fy);
        for x in 0..width {
            let columns = (picture.width() - x * fx).min(fx);
            let area = (rows * columns) as u32;
            let multiplier = (1 << 24) / area;
            for band in 0..bands {
                let mut sum = area / 2;
                for row in y * fy..y * fy + rows {
                    let row = picture.row(row);
                    for column in x * fx..x * fx + columns {
                        sum += u32::from(row.get(column * bands + band).copied().unwrap_or(0));
                    }
                }
                data.push(((u64::from(sum) * u64::from(multiplier)) >> 24) as u8);
            }
        }
    }
    Picture::new(width, height, bands, data)
}
