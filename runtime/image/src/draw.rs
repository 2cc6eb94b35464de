//! Lines, ellipses, polygons.

use crate::Picture;

/// What is drawn on: a picture and the colour of what is drawn.
pub struct Canvas<T> {
    picture: Picture<T>,
    ink: Vec<T>,
}

impl<T: Copy + Default> Canvas<T> {
    /// A picture and a colour of as many bands.
    #[must_use]
    pub fn new(picture: Picture<T>, mut ink: Vec<T>) -> Self {
        ink.resize(picture.bands(), T::default());
        Canvas { picture, ink }
    }

    /// The picture with what was drawn.
    #[must_use]
    pub fn finish(self) -> Picture<T> {
        self.picture
    }

    /// One pixel.
    pub fn point(&mut self, x: i64, y: i64) {
        self.span(x, y, x);
    }

    /// The pixels of a row from `x0` to `x1`, both with it.
    pub fn span(&mut self, x0: i64, y: i64, x1: i64) {
        let bands = self.picture.bands();
        let last = self.picture.width() as i64 - 1;
        let (x0, x1) = (x0.max(0), x1.min(last));
        let Ok(y) = usize::try_from(y) else { return };
        if x0 > x1 {
            return;
        }
        let row = self.picture.row_mut(y);
        let part = row.get_mut(x0 as usize * bands..(x1 as usize + 1) * bands);
        for pixel in part.unwrap_or_default().chunks_exact_mut(bands) {
            pixel.copy_from_slice(&self.ink);
        }
    }

    /// A rectangle: filled, or a frame of this width.
    pub fn rectangle(&mut self, [x0, y0, x1, y1]: [i64; 4], width: Option<i64>) {
        let (top, bottom) = (y0.max(0), y1.min(self.picture.height() as i64 - 1));
        let Some(width) = width else {
            for y in top..=bottom {
                self.span(x0, y, x1);
            }
            return;
        };
        for y in top..=bottom {
            if y < y0 + width || y > y1 - width {
                self.span(x0, y, x1);
            } else {
                self.span(x0, y, x1.min(x0 + width - 1));
                self.span(x0.max(x1 - width + 1), y, x1);
            }
        }
    }

    /// A line without its last point, one pixel wide.
    pub fn line(&mut self, mut x: i64, mut y: i64, x1: i64, y1: i64) {
        let (step_x, dx) = ((x1 - x).signum(), (x1 - x).abs());
        let (step_y, dy) = ((y1 - y).signum(), (y1 - y).abs());
        let (long, short) = (dx.max(dy), dx.min(dy));
        let mut error = 2 * short - long;
        for _ in 0..long {
            self.point(x, y);
            let aside = short != 0 && error >= 0;
            if aside {
                error -= 2 * long;
            }
            error += 2 * short;
            if dx > dy || aside {
                x += step_x;
            }
            if dx <= dy || aside {
                y += step_y;
            }
        }
    }

    /// A line as a rectangle of this width.
    pub fn wide_line(&mut self, [x0, y0, x1, y1]: [i64; 4], width: i64) {
        let (dx, dy) = ((x1 - x0) as f64, (y1 - y0) as f64);
        if dx == 0.0 && dy == 0.0 {
            return self.point(x0, y0);
        }
        let length = dx.hypot(dy);
        let half = (width - 1) as f64 / 2.0;
        let (least, most) = (down(half) as f64 / length, up(half) as f64 / length);
        let (dx_least, dx_most) = (down(least * dy), down(most * dy));
        let (dy_least, dy_most) = (up(least * dx), up(most * dx));
        self.polygon(&[
            (x0 - dx_least, y0 + dy_most),
            (x1 - dx_least, y1 + dy_most),
            (x1 + dx_most, y1 - dy_least),
            (x0 + dx_most, y0 - dy_least),
        ]);
    }

    /// What is inside of a closed line, and the line.
    pub fn polygon(&mut self, corners: &[(i64, i64)]) {
        let next = corners.iter().cycle().skip(1);
        let edges: Vec<Edge> = corners
            .iter()
            .zip(next)
            .map(|(&a, &b)| Edge::new(a, b))
            .collect();
        let Some(first) = edges.iter().map(|e| e.top).min() else {
            return;
        };
        let last = edges.iter().map(|e| e.bottom).max().unwrap_or(first);
        for e in edges.iter().filter(|e| e.top == e.bottom) {
            self.span(e.left, e.top, e.right);
        }
        let sloped: Vec<&Edge> = edges.iter().filter(|e| e.top != e.bottom).collect();
        for y in first.max(0)..=last.min(self.picture.height() as i64 - 1) {
            let mut crossings: Vec<f64> = Vec::new();
            for e in &sloped {
                if (e.top..=e.bottom).contains(&y) {
                    let x = (y - e.y0) as f64 * e.slope + e.x0 as f64;
                    crossings.push(x);
                    if y == e.bottom && y < last {
                        crossings.push(x);
                    }
                }
            }
            crossings.sort_by(f64::total_cmp);
            let mut from = i64::MIN;
            for pair in crossings.chunks_exact(2) {
                let end = down(pair[1]);
                if end < from {
                    continue;
                }
                self.span(up(pair[0]).max(from), y, end);
                from = end + 1;
            }
        }
    }

    /// An ellipse in a box: filled, or a ring of this width.
    pub fn ellipse(&mut self, [x0, y0, x1, y1]: [i64; 4], width: Option<i64>) {
        let (a, b) = (x1 - x0, y1 - y0);
        if a < 0 || b < 0 {
            return;
        }
        for (left, y, right) in ring(a, b, width.unwrap_or(a + b)) {
            self.span(x0 + (left + a) / 2, y0 + (y + b) / 2, x0 + (right + a) / 2);
        }
    }
}

/// To the nearest whole number, halves towards zero.
fn down(v: f64) -> i64 {
    (if v >= 0.0 {
        (v - 0.5).ceil()
    } else {
        (v + 0.5).floor()
    }) as i64
}

/// To the nearest whole number, halves away from zero.
fn up(v: f64) -> i64 {
    (if v >= 0.0 {
        (v + 0.5).floor()
    } else {
        -(v.abs() + 0.5).floor()
    }) as i64
}

struct Edge {
    x0: i64,
    y0: i64,
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
    slope: f64,
}

impl Edge {
    fn new((x0, y0): (i64, i64), (x1, y1): (i64, i64)) -> Self {
        Edge {
            x0,
            y0,
            left: x0.min(x1),
            right: x0.max(x1),
            top: y0.min(y1),
            bottom: y0.max(y1),
            slope: if y0 == y1 {
                0.0
            } else {
                f64::from((x1 - x0) as f32 / (y1 - y0) as f32)
            },
        }
    }
}

/// A quarter of an ellipse, in half pixels: points from its side up to its top.
struct Quarter {
    a2: i128,
    b2: i128,
    at: (i64, i64),
    end: (i64, i64),
    over: bool,
}

impl Quarter {
    fn new(a: i64, b: i64) -> Self {
        Quarter {
            a2: i128::from(a) * i128::from(a),
            b2: i128::from(b) * i128::from(b),
            at: (a, b.rem_euclid(2)),
            end: (a.rem_euclid(2), b),
            over: a < 0 || b < 0,
        }
    }

    /// How far a point is from the curve.
    fn off(&self, (x, y): (i64, i64)) -> i128 {
        let (x, y) = (i128::from(x), i128::from(y));
        (self.a2 * y * y + self.b2 * x * x - self.a2 * self.b2).abs()
    }
}

impl Iterator for Quarter {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        if self.over {
            return None;
        }
        let now = self.at;
        if now == self.end {
            self.over = true;
            return Some(now);
        }
        let (x, y) = now;
        let mut best = (x, y + 2);
        if x > 1 {
            for next in [(x - 2, y + 2), (x - 2, y)] {
                if self.off(best) > self.off(next) {
                    best = next;
                }
            }
        }
        self.at = best;
        Some(now)
    }
}

/// The spans of a ring, in half pixels around its centre.
fn ring(a: i64, b: i64, width: i64) -> Vec<(i64, i64, i64)> {
    let mut spans = Vec::new();
    let leftmost = a % 2;
    let mut outer = Quarter::new(a, b);
    if width < 1 {
        return spans;
    }
    let Some(mut point) = outer.next() else {
        return spans;
    };
    let mut inner = Quarter::new(a - 2 * (width - 1), b - 2 * (width - 1));
    let mut inner_left = leftmost;
    loop {
        let ((right, y), mut left) = (point, inner_left);
        let next = outer.find(|&(_, next_y)| next_y > y);
        inner_left = leftmost;
        for (x, inner_y) in inner.by_ref() {
            if inner_y > y {
                inner_left = x;
                break;
            }
            left = x;
        }
        let opened = if left == 0 { 2 } else { left };
        if left > 0 || left < right {
            spans.push((opened, -y, right));
            if y > 0 {
                spans.push((opened, y, right));
            }
        }
        spans.push((-right, -y, -left));
        if y > 0 {
            spans.push((-right, y, -left));
        }
        match next {
            Some(next) => point = next,
            None => return spans,
        }
    }
}
