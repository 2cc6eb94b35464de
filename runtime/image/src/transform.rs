//! Pixels from other places: affine and perspective maps.

use crate::{Picture, Result};

/// Where a pixel of the result comes from.
#[derive(Clone, Copy, Debug)]
pub enum Map {
    /// `x' = ax + by + c`, `y' = dx + ey + f`.
    Affine([f64; 6]),
    /// The same over `gx + hy + 1`.
    Perspective([f64; 8]),
}

/// How a pixel between pixels is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// The one that it lies in.
    Nearest,
    /// Of four.
    Bilinear,
    /// Of sixteen.
    Bicubic,
}

/// What pixels are made of: a number as one of them.
pub trait Pixel: Copy + Default {
    /// As a number.
    fn number(self) -> f64;
    /// The difference of two, in their own precision.
    fn minus(self, other: Self) -> f64 {
        self.number() - other.number()
    }
    /// `2 (a - b) + c - d` and `b - a + d - c` of four, in their own precision.
    fn bends(p: [Self; 4]) -> [f64; 2] {
        let [a, b, c, d] = p.map(Self::number);
        [2.0 * (a - b) + c - d, -a + b - c + d]
    }
    /// A number as a pixel; the nearest end of its range for one outside of it.
    fn of(v: f64) -> Self;
}

impl Pixel for u8 {
    fn number(self) -> f64 {
        f64::from(self)
    }
    fn of(v: f64) -> u8 {
        v as u8
    }
}

impl Pixel for i32 {
    fn number(self) -> f64 {
        f64::from(self)
    }
    fn of(v: f64) -> i32 {
        v as i32
    }
}

impl Pixel for f32 {
    fn number(self) -> f64 {
        f64::from(self)
    }
    fn minus(self, other: f32) -> f64 {
        f64::from(self - other)
    }
    fn bends([a, b, c, d]: [f32; 4]) -> [f64; 2] {
        [f64::from(2.0 * (a - b) + c - d), f64::from(-a + b - c + d)]
    }
    fn of(v: f64) -> f32 {
        v as f32
    }
}

/// The pixel of a coordinate; none to the left of 0.
fn place(v: f64, n: usize) -> Option<usize> {
    (v >= 0.0 && v < n as f64).then_some(v as usize)
}

/// A picture of `out`'s size whose pixels come from `picture` where the map says; what comes from outside stays as in
/// `out`.
pub fn transform<T: Pixel>(
    picture: &Picture<T>,
    mut out: Picture<T>,
    map: Map,
    between: Between,
) -> Result<Picture<T>> {
    match (map, between) {
        (Map::Affine(a), Between::Nearest) if a[1] == 0.0 && a[3] == 0.0 => {
            scaled(picture, &mut out, &a);
        }
        (Map::Affine(a), Between::Nearest) if fits_fixed(&a, picture, &out) => {
            fixed(picture, &mut out, &a);
        }
        (Map::Affine(a), Between::Nearest) => stepped(picture, &mut out, &a),
        _ => general(picture, &mut out, map, between),
    }
    Ok(out)
}

fn copy<T: Pixel>(from: &[T], x: usize, to: &mut [T], at: usize, bands: usize) {
    if let (Some(from), Some(to)) = (
        from.get(x * bands..(x + 1) * bands),
        to.get_mut(at * bands..(at + 1) * bands),
    ) {
        to.copy_from_slice(from);
    }
}

fn scaled<T: Pixel>(picture: &Picture<T>, out: &mut Picture<T>, a: &[f64; 6]) {
    let bands = picture.bands();
    let mut columns = Vec::with_capacity(out.width());
    let mut x = a[2] + a[0] * 0.5;
    for _ in 0..out.width() {
        columns.push(place(x, picture.width()));
        x += a[0];
    }
    let mut y = a[5] + a[4] * 0.5;
    for row in 0..out.height() {
        if let Some(from) = place(y, picture.height()) {
            let from = picture.row(from);
            let to = out.row_mut(row);
            for (at, column) in columns.iter().enumerate() {
                if let Some(column) = column {
                    copy(from, *column, to, at, bands);
                }
            }
        }
        y += a[4];
    }
}

/// Whether all corners can be told in 16 bits and a fraction of 16 bits.
fn fits_fixed<T: Pixel>(a: &[f64; 6], picture: &Picture<T>, out: &Picture<T>) -> bool {
    let inside = |x: f64, y: f64| {
        (x * a[0] + y * a[1] + a[2]).abs() < 32768.0 && (x * a[3] + y * a[4] + a[5]).abs() < 32768.0
    };
    let (w, h) = (out.width() as f64, out.height() as f64);
    picture.width() < 32768
        && picture.height() < 32768
        && out.width() < 32768
        && out.height() < 32768
        && [(0.0, 0.0), (w, h), (0.0, h), (w, 0.0)]
            .into_iter()
            .all(|(x, y)| inside(x, y))
}

fn fixed<T: Pixel>(picture: &Picture<T>, out: &mut Picture<T>, a: &[f64; 6]) {
    let fix = |v: f64| (v * 65536.0 + 0.5).floor() as i64;
    let [a0, a1, a3, a4] = [a[0], a[1], a[3], a[4]].map(fix);
    let mut x0 = fix(a[2] + a[0] * 0.5 + a[1] * 0.5);
    let mut y0 = fix(a[5] + a[3] * 0.5 + a[4] * 0.5);
    let bands = picture.bands();
    let (w, h) = (picture.width() as i64, picture.height() as i64);
    for row in 0..out.height() {
        let (mut x, mut y) = (x0, y0);
        let to = out.row_mut(row);
        for at in 0..to.len() / bands.max(1) {
            let (from_x, from_y) = (x >> 16, y >> 16);
            if (0..w).contains(&from_x) && (0..h).contains(&from_y) {
                copy(picture.row(from_y as usize), from_x as usize, to, at, bands);
            }
            x += a0;
            y += a3;
        }
        x0 += a1;
        y0 += a4;
    }
}

fn stepped<T: Pixel>(picture: &Picture<T>, out: &mut Picture<T>, a: &[f64; 6]) {
    let bands = picture.bands();
    let mut x0 = a[2] + a[1] * 0.5 + a[0] * 0.5;
    let mut y0 = a[5] + a[4] * 0.5 + a[3] * 0.5;
    for row in 0..out.height() {
        let (mut x, mut y) = (x0, y0);
        let to = out.row_mut(row);
        for at in 0..to.len() / bands.max(1) {
            if let (Some(x), Some(y)) = (place(x, picture.width()), place(y, picture.height())) {
                copy(picture.row(y), x, to, at, bands);
            }
            x += a[0];
            y += a[3];
        }
        x0 += a[1];
        y0 += a[4];
    }
}

fn general<T: Pixel>(picture: &Picture<T>, out: &mut Picture<T>, map: Map, between: Between) {
    let bands = picture.bands();
    for row in 0..out.height() {
        let to = out.row_mut(row);
        for at in 0..to.len() / bands.max(1) {
            let (x, y) = (at as f64 + 0.5, row as f64 + 0.5);
            let (x, y) = match map {
                Map::Affine(a) => (a[0] * x + a[1] * y + a[2], a[3] * x + a[4] * y + a[5]),
                Map::Perspective(a) => {
                    let under = a[6] * x + a[7] * y + 1.0;
                    (
                        (a[0] * x + a[1] * y + a[2]) / under,
                        (a[3] * x + a[4] * y + a[5]) / under,
                    )
                }
            };
            let (Some(near_x), Some(near_y)) =
                (place(x, picture.width()), place(y, picture.height()))
            else {
                continue;
            };
            if between == Between::Nearest {
                copy(picture.row(near_y), near_x, to, at, bands);
                continue;
            }
            for band in 0..bands {
                let v = match between {
                    Between::Bicubic => bicubic(picture, x - 0.5, y - 0.5, band),
                    _ => bilinear(picture, x - 0.5, y - 0.5, band),
                };
                if let Some(to) = to.get_mut(at * bands + band) {
                    *to = T::of(v);
                }
            }
        }
    }
}

fn at<T: Pixel>(row: &[T], x: i64, band: usize, bands: usize) -> T {
    let last = (row.len() / bands.max(1)) as i64 - 1;
    let x = x.clamp(0, last.max(0)) as usize;
    row.get(x * bands + band).copied().unwrap_or_default()
}

fn bilinear<T: Pixel>(picture: &Picture<T>, x: f64, y: f64, band: usize) -> f64 {
    let (fx, fy) = (x.floor(), y.floor());
    let (dx, dy) = (x - fx, y - fy);
    let (x, y) = (fx as i64, fy as i64);
    let bands = picture.bands();
    let along = |y: i64| {
        let row = picture.row(y as usize);
        let (a, b) = (at(row, x, band, bands), at(row, x + 1, band, bands));
        a.number() + b.minus(a) * dx
    };
    let last = picture.height() as i64 - 1;
    let first = along(y.clamp(0, last));
    let second = if (0..=last).contains(&(y + 1)) {
        along(y + 1)
    } else {
        first
    };
    first + (second - first) * dy
}

fn cubic(p1: f64, p2: f64, [p3, p4]: [f64; 2], d: f64) -> f64 {
    p1 + d * (p2 + d * (p3 + d * p4))
}

fn bicubic<T: Pixel>(picture: &Picture<T>, x: f64, y: f64, band: usize) -> f64 {
    let (fx, fy) = (x.floor(), y.floor());
    let (dx, dy) = (x - fx, y - fy);
    let (x, y) = (fx as i64 - 1, fy as i64 - 1);
    let bands = picture.bands();
    let along = |y: i64| {
        let row = picture.row(y as usize);
        let p = [0, 1, 2, 3].map(|i| at(row, x + i, band, bands));
        cubic(p[1].number(), p[2].minus(p[0]), T::bends(p), dx)
    };
    let last = picture.height() as i64 - 1;
    let mut rows = [along(y.clamp(0, last)); 4];
    for i in 1..4 {
        rows[i] = if (0..=last).contains(&(y + i as i64)) {
            along(y + i as i64)
        } else {
            rows[i - 1]
        };
    }
    let [a, b, c, d] = rows;
    cubic(b, c - a, [2.0 * (a - b) + c - d, -a + b - c + d], dy)
}
