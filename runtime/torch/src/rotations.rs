//! Singular values and eigenvalues of small real matrices by rotations, with the signs of LAPACK's vectors.
//!
//! In: matrices row by row, of at most [`MOST`] columns. Out: their factors, or nothing where an iteration does not end.
//! Always: reflections make a matrix bidiagonal or tridiagonal, and implicit QR steps make that diagonal (Golub and Kahan;
//! Demmel and Kahan, Accurate singular values of bidiagonal matrices; for symmetric ones Wilkinson's shifts). A vector's
//! sign follows from the order of these steps, so that it is LAPACK's order here, up to the size from which that divides.

/// LAPACK divides larger problems.
pub const MOST: usize = 25;

const EPS: f64 = f64::EPSILON / 2.0;
const TINY: f64 = f64::MIN_POSITIVE;
/// Steps for each pair of rows, at most.
const STEPS: usize = 30;

/// `a` with the sign of `b`.
fn sign(a: f64, b: f64) -> f64 {
    a.abs().copysign(b)
}

/// Rows of numbers.
#[derive(Clone)]
struct Rows {
    all: Vec<Vec<f64>>,
}

impl Rows {
    fn of(a: &[f64], rows: usize, columns: usize) -> Rows {
        let row = |i: usize| a.iter().skip(i * columns).take(columns).copied().collect();
        Rows {
            all: (0..rows).map(row).collect(),
        }
    }

    fn identity(n: usize) -> Rows {
        let row = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        Rows {
            all: (0..n).map(row).collect(),
        }
    }

    fn transposed(&self, columns: usize) -> Rows {
        let row = |j: usize| self.all.iter().map(|r| r[j]).collect();
        Rows {
            all: (0..columns).map(row).collect(),
        }
    }

    fn flat(self) -> Vec<f64> {
        self.all.concat()
    }

    /// Rotates two rows that are neighbours, as a sweep does it.
    fn turn(&mut self, j: usize, c: f64, s: f64) {
        let (head, tail) = self.all.split_at_mut(j + 1);
        let (Some(x), Some(y)) = (head.last_mut(), tail.first_mut()) else {
            return;
        };
        for (x, y) in x.iter_mut().zip(y) {
            (*y, *x) = (c * *y - s * *x, s * *y + c * *x);
        }
    }

    /// `(I - tau v v') a`, of the rows from `first` on.
    fn reflect(&mut self, first: usize, (tau, v): &(f64, Vec<f64>), from: usize) {
        let columns = self.all.first().map_or(0, Vec::len);
        for j in from..columns {
            let sum: f64 = v
                .iter()
                .zip(&self.all[first..])
                .map(|(v, row)| v * row[j])
                .sum();
            for (v, row) in v.iter().zip(&mut self.all[first..]) {
                row[j] -= tau * v * sum;
            }
        }
    }

    /// `a (I - tau v v')`, of the columns from `first` on.
    fn reflect_columns(&mut self, from: usize, (tau, v): &(f64, Vec<f64>), first: usize) {
        for row in &mut self.all[from..] {
            let sum: f64 = v.iter().zip(&row[first..]).map(|(v, x)| v * x).sum();
            for (v, x) in v.iter().zip(&mut row[first..]) {
                *x -= tau * v * sum;
            }
        }
    }
}

/// The reflection that leaves a multiple of the first unit vector, and the multiple.
fn reflection(x: &[f64]) -> ((f64, Vec<f64>), f64) {
    let first = x.first().copied().unwrap_or(0.0);
    let rest = x.iter().skip(1).map(|v| v * v).sum::<f64>().sqrt();
    let mut v: Vec<f64> = x.to_vec();
    if let Some(one) = v.first_mut() {
        *one = 1.0;
    }
    if rest == 0.0 {
        return ((0.0, v), first);
    }
    let beta = -sign(first.hypot(rest), first);
    for x in v.iter_mut().skip(1) {
        *x /= first - beta;
    }
    (((beta - first) / beta, v), beta)
}

/// The rotation that takes `(f, g)` to `(r, 0)`: its cosine and sine, and r.
fn rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        return (1.0, 0.0, f);
    }
    if f == 0.0 {
        return (0.0, sign(1.0, g), g.abs());
    }
    let d = (f * f + g * g).sqrt();
    let r = sign(d, f);
    (f.abs() / d, g / r, r)
}

/// The same as LAPACK had it before 3.10, and PyTorch's library has it: the cosine may be negative.
fn older_rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        return (1.0, 0.0, f);
    }
    if f == 0.0 {
        return (0.0, 1.0, g);
    }
    let r = (f * f + g * g).sqrt();
    let (c, s) = (f / r, g / r);
    if f.abs() > g.abs() && c < 0.0 {
        return (-c, -s, -r);
    }
    (c, s, r)
}

/// The smaller singular value of `[[f, g], [0, h]]`.
fn smaller_value(f: f64, g: f64, h: f64) -> f64 {
    let (fa, ga, ha) = (f.abs(), g.abs(), h.abs());
    let (low, high) = (fa.min(ha), fa.max(ha));
    if low == 0.0 {
        return 0.0;
    }
    let (sum, gap) = (1.0 + low / high, (high - low) / high);
    if ga < high {
        let au = (ga / high).powi(2);
        return low * (2.0 / ((sum * sum + au).sqrt() + (gap * gap + au).sqrt()));
    }
    let au = high / ga;
    if au == 0.0 {
        return low * high / ga;
    }
    let c = 1.0 / ((1.0 + (sum * au).powi(2)).sqrt() + (1.0 + (gap * au).powi(2)).sqrt());
    low * c * au * 2.0
}

/// The factors of `[[f, g], [0, h]]`: the smaller and the larger value, and sine and cosine right and left.
fn factors_of_two(f: f64, g: f64, h: f64) -> [f64; 6] {
    let (mut ft, mut fa, mut ht, mut ha) = (f, f.abs(), h, h.abs());
    let swapped = ha > fa;
    let mut largest = if swapped { 3 } else { 1 };
    if swapped {
        (ft, ht) = (ht, ft);
        (fa, ha) = (ha, fa);
    }
    let (gt, ga) = (g, g.abs());
    let (low, high, mut left, mut right) = if ga == 0.0 {
        (ha, fa, (1.0, 0.0), (1.0, 0.0))
    } else {
        if ga > fa {
            largest = 2;
        }
        if ga > fa && fa / ga < EPS {
            let low = if ha > 1.0 {
                fa / (ga / ha)
            } else {
                (fa / ga) * ha
            };
            (low, ga, (1.0, ht / gt), (ft / gt, 1.0))
        } else {
            let d = fa - ha;
            let mut l = if d == fa { 1.0 } else { d / fa };
            let m = gt / ft;
            let mut t = 2.0 - l;
            let (mm, tt) = (m * m, t * t);
            let s = (tt + mm).sqrt();
            let r = if l == 0.0 {
                m.abs()
            } else {
                (l * l + mm).sqrt()
            };
            let a = 0.5 * (s + r);
            t = if mm != 0.0 {
                (m / (s + t) + m / (r + l)) * (1.0 + a)
            } else if l == 0.0 {
                sign(2.0, ft) * sign(1.0, gt)
            } else {
                gt / sign(d, ft) + m / t
            };
            l = (t * t + 4.0).sqrt();
            let right = (2.0 / l, t / l);
            let left = ((right.0 + right.1 * m) / a, (ht / ft) * right.1 / a);
            (ha / a, fa * a, left, right)
        }
    };
    if swapped {
        (left, right) = ((right.1, right.0), (left.1, left.0));
    }
    let one = |x: f64| sign(1.0, x);
    let turned = match largest {
        1 => one(right.0) * one(left.0) * one(f),
        2 => one(right.1) * one(left.0) * one(g),
        _ => one(right.1) * one(left.1) * one(h),
    };
    let low = sign(low, turned * one(f) * one(h));
    [low, sign(high, turned), right.1, right.0, left.1, left.0]
}

/// A bidiagonal matrix on its way to a diagonal one; `v` has V's rows, `u` U's columns, each as a row.
struct Bidiagonal {
    d: Vec<f64>,
    e: Vec<f64>,
    v: Rows,
    u: Rows,
}

impl Bidiagonal {
    /// Makes it diagonal, with values in falling order; false where that does not end.
    fn solve(&mut self) -> bool {
        let n = self.d.len();
        if n == 1 {
            // Of a single number the sign is U's.
            if self.d[0].is_sign_negative() {
                self.d[0] = -self.d[0];
                self.u.all[0][0] = -1.0;
            }
            return true;
        }
        if !self.iterate() {
            return false;
        }
        for (d, row) in self.d.iter_mut().zip(&mut self.v.all) {
            if d.is_sign_negative() {
                *d = -*d;
                row.iter_mut().for_each(|x| *x = -*x);
            }
        }
        for last in (1..n).rev() {
            let mut least = 0;
            for j in 1..=last {
                if self.d[j] <= self.d[least] {
                    least = j;
                }
            }
            self.d.swap(least, last);
            self.v.all.swap(least, last);
            self.u.all.swap(least, last);
        }
        true
    }

    fn iterate(&mut self) -> bool {
        let n = self.d.len();
        let tol = EPS.powf(-0.125).clamp(10.0, 100.0) * EPS;
        let mut least = self.d[0].abs();
        let mut mu = least;
        for i in 1..n {
            if least == 0.0 {
                break;
            }
            mu = self.d[i].abs() * (mu / (mu + self.e[i - 1].abs()));
            least = least.min(mu);
        }
        let size = n as f64;
        let threshold = (tol * least / size.sqrt()).max(6.0 * size * size * TINY);
        // Positions count from 1, as in the literature: the block ends at `m` and begins at `first`.
        let (mut old, mut m, mut down) = ((0, usize::MAX), n, true);
        let mut known = false;
        for _ in 0..STEPS * n * n {
            if m <= 1 {
                return true;
            }
            let (mut first, mut high) = (1, self.d[m - 1].abs());
            for q in (1..m).rev() {
                if self.e[q - 1].abs() <= threshold {
                    self.e[q - 1] = 0.0;
                    first = q + 1;
                    break;
                }
                high = high.max(self.d[q - 1].abs()).max(self.e[q - 1].abs());
            }
            if first == m {
                m -= 1;
                continue;
            }
            if first == m - 1 {
                self.finish_two(m);
                m -= 2;
                continue;
            }
            if !known || first > old.1 || m < old.0 {
                down = self.d[first - 1].abs() >= self.d[m - 1].abs();
            }
            let Some(least) = self.converged(first, m, down, tol) else {
                continue;
            };
            (old, known) = ((first, m), true);
            let mut shift = 0.0;
            if size * tol * (least / high) > EPS.max(0.01 * tol) {
                let (edge, at) = if down { (first, m - 1) } else { (m, first) };
                shift = smaller_value(self.d[at - 1], self.e[at - 1], self.d[at]);
                let edge = self.d[edge - 1].abs();
                if edge > 0.0 && (shift / edge).powi(2) < EPS {
                    shift = 0.0;
                }
            }
            self.sweep(first, m, down, shift);
            let end = if down { m - 2 } else { first - 1 };
            if self.e[end].abs() <= threshold {
                self.e[end] = 0.0;
            }
        }
        false
    }

    /// The block of two rows that ends at `m`.
    fn finish_two(&mut self, m: usize) {
        let [low, high, sr, cr, sl, cl] =
            factors_of_two(self.d[m - 2], self.e[m - 2], self.d[m - 1]);
        (self.d[m - 2], self.e[m - 2], self.d[m - 1]) = (high, 0.0, low);
        self.v.turn(m - 2, cr, sr);
        self.u.turn(m - 2, cl, sl);
    }

    /// A bound of the least value of a block, unless one of its numbers beside the diagonal has become zero.
    fn converged(&mut self, first: usize, m: usize, down: bool, tol: f64) -> Option<f64> {
        let (end, at) = if down {
            (m - 2, m - 1)
        } else {
            (first - 1, first - 1)
        };
        if self.e[end].abs() <= tol * self.d[at].abs() {
            self.e[end] = 0.0;
            return None;
        }
        let mut mu = self.d[if down { first - 1 } else { m - 1 }].abs();
        let mut least = mu;
        for k in 0..m - first {
            let q = if down { first + k } else { m - 1 - k };
            if self.e[q - 1].abs() <= tol * mu {
                self.e[q - 1] = 0.0;
                return None;
            }
            let next = self.d[if down { q } else { q - 1 }].abs();
            mu = next * (mu / (mu + self.e[q - 1].abs()));
            least = least.min(mu);
        }
        Some(least)
    }

    /// One QR step, from the top down or from the bottom up.
    fn sweep(&mut self, first: usize, m: usize, down: bool, shift: f64) {
        let mut turns = Vec::new();
        let count = m - first;
        if shift == 0.0 {
            let (mut c, mut old_c, mut old_s) = (1.0, 1.0, 0.0);
            for k in 0..count {
                // The diagonal's number, its neighbour's, the one between, and the one before.
                let (i, next, e) = if down {
                    (first - 1 + k, first + k, first - 1 + k)
                } else {
                    (m - 1 - k, m - 2 - k, m - 2 - k)
                };
                let (cos, s, r) = rotation(self.d[i] * c, self.e[e]);
                c = cos;
                if k > 0 {
                    self.e[if down { e - 1 } else { e + 1 }] = old_s * r;
                }
                (old_c, old_s, self.d[i]) = rotation(old_c * r, self.d[next] * s);
                turns.push((e, (c, s), (old_c, old_s)));
            }
            let (end, e) = if down {
                (m - 1, m - 2)
            } else {
                (first - 1, first - 1)
            };
            let h = self.d[end] * c;
            (self.d[end], self.e[e]) = (h * old_c, h * old_s);
        } else {
            let (start, between) = if down {
                (first - 1, first - 1)
            } else {
                (m - 1, m - 2)
            };
            let d = self.d[start];
            let mut f = (d.abs() - shift) * (sign(1.0, d) + shift / d);
            let mut g = self.e[between];
            for k in 0..count {
                let (i, next, e) = if down {
                    (first - 1 + k, first + k, first - 1 + k)
                } else {
                    (m - 1 - k, m - 2 - k, m - 2 - k)
                };
                let (cr, sr, r) = rotation(f, g);
                if k > 0 {
                    self.e[if down { e - 1 } else { e + 1 }] = r;
                }
                f = cr * self.d[i] + sr * self.e[e];
                self.e[e] = cr * self.e[e] - sr * self.d[i];
                g = sr * self.d[next];
                self.d[next] *= cr;
                let (cl, sl, r) = rotation(f, g);
                self.d[i] = r;
                f = cl * self.e[e] + sl * self.d[next];
                self.d[next] = cl * self.d[next] - sl * self.e[e];
                if k + 1 < count {
                    let after = if down { e + 1 } else { e - 1 };
                    g = sl * self.e[after];
                    self.e[after] *= cl;
                }
                turns.push((e, (cr, sr), (cl, sl)));
            }
            self.e[if down { m - 2 } else { first - 1 }] = f;
        }
        for (j, right, left) in turns {
            if down {
                self.v.turn(j, right.0, right.1);
                self.u.turn(j, left.0, left.1);
            } else {
                self.v.turn(j, left.0, -left.1);
                self.u.turn(j, right.0, -right.1);
            }
        }
    }
}

/// `U`, the singular values and `V'` of a matrix, row by row. `full`: U and V are square. `numpy`: as LAPACK itself does
/// it, with which NumPy is built; PyTorch's library makes a triangle first of other shapes.
pub fn svd(a: &[f64], (m, n): (usize, usize), full: bool, numpy: bool) -> Option<[Vec<f64>; 3]> {
    let fits = m.min(n) <= MOST && m.min(n) > 0 && m.max(n) <= 40 * MOST;
    if !fits || a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let rows = Rows::of(a, m, n);
    let (wide, turned) = (m < n, rows.transposed(n));
    let (tall, m, n) = if wide { (turned, n, m) } else { (rows, m, n) };
    let by_triangle = m > n
        && match (numpy, wide) {
            (true, _) => m >= n * 11 / 6,
            (false, true) => false,
            (false, false) => m >= n * 3 / 2,
        };
    let (u, values, v) = factors(tall, m, n, full, by_triangle, wide)?;
    Some(if wide {
        // The transpose's factors, exchanged.
        [
            v.transposed(n).flat(),
            values,
            u.transposed(if full { m } else { n }).flat(),
        ]
    } else {
        [u.flat(), values, v.flat()]
    })
}

/// The factors of a tall matrix; `lower`: those of its transpose are wanted, whose bidiagonal form is a lower one, unless a
/// triangle comes first.
fn factors(
    mut a: Rows,
    m: usize,
    n: usize,
    full: bool,
    by_triangle: bool,
    lower: bool,
) -> Option<(Rows, Vec<f64>, Rows)> {
    let mut outer = Vec::new();
    if by_triangle {
        for i in 0..n {
            let column: Vec<f64> = a.all[i..].iter().map(|r| r[i]).collect();
            let (h, _) = reflection(&column);
            a.reflect(i, &h, i);
            outer.push(h);
        }
        a.all.truncate(n);
        for (i, row) in a.all.iter_mut().enumerate() {
            row[..i].fill(0.0);
        }
        if lower {
            // What is made bidiagonal is the square factor of the transpose.
            a = a.transposed(n);
        }
    }
    let rows = a.all.len();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let (mut d, mut e) = (Vec::new(), Vec::new());
    for i in 0..n {
        let column: Vec<f64> = a.all[i..].iter().map(|r| r[i]).collect();
        let (h, beta) = reflection(&column);
        a.reflect(i, &h, i + 1);
        d.push(beta);
        left.push(h);
        if i + 1 < n {
            let (h, beta) = reflection(&a.all[i][i + 1..]);
            a.reflect_columns(i + 1, &h, i + 1);
            e.push(beta);
            right.push(h);
        }
    }
    let mut b = Bidiagonal {
        d,
        e,
        v: Rows::identity(n),
        u: Rows::identity(n),
    };
    let direct_lower = lower && !by_triangle;
    let mut turns = Vec::new();
    if direct_lower {
        for i in 0..n - 1 {
            let (c, s, r) = rotation(b.d[i], b.e[i]);
            b.d[i] = r;
            b.e[i] = s * b.d[i + 1];
            b.d[i + 1] *= c;
            turns.push((i, c, s));
        }
    }
    if !b.solve() {
        return None;
    }
    let (mut u, mut v) = (b.u.transposed(n), b.v.transposed(n));
    if direct_lower {
        for &(i, c, s) in turns.iter().rev() {
            u.turn(i, c, -s);
        }
        // U belongs to the transpose's rows, which are the columns here.
        (u, v) = (v, u);
    }
    for (i, h) in right.iter().enumerate().rev() {
        v.reflect(i + 1, h, 0);
    }
    let wide = |rows: &mut Rows, have: usize, want: usize| {
        // Zeros below, and the unit vectors of what is beyond.
        let columns = if full { want } else { n };
        for row in &mut rows.all {
            row.resize(columns, 0.0);
        }
        for i in have..want {
            let mut row = vec![0.0; columns];
            if let Some(x) = row.get_mut(i) {
                *x = 1.0;
            }
            rows.all.push(row);
        }
    };
    wide(&mut u, n, rows);
    for (i, h) in left.iter().enumerate().rev() {
        u.reflect(i, h, 0);
    }
    if by_triangle {
        if lower {
            (u, v) = (v, u);
        }
        wide(&mut u, n, m);
        for (i, h) in outer.iter().enumerate().rev() {
            u.reflect(i, h, 0);
        }
    }
    Some((u, b.d, v.transposed(n)))
}

/// The eigenvalues of `[[a, b], [b, c]]`, the one of larger size first, and the first one's vector.
fn eigen_of_two(a: f64, b: f64, c: f64) -> [f64; 4] {
    let (sum, gap, twice) = (a + c, a - c, b + b);
    let (wide, ab) = (gap.abs(), twice.abs());
    let (high, low) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
    let root = if wide > ab {
        wide * (1.0 + (ab / wide).powi(2)).sqrt()
    } else if wide < ab {
        ab * (1.0 + (wide / ab).powi(2)).sqrt()
    } else {
        ab * 2f64.sqrt()
    };
    let (first, second, positive) = if sum == 0.0 {
        (0.5 * root, -0.5 * root, true)
    } else {
        let first = 0.5 * (sum + sign(root, sum));
        (first, (high / first) * low - (b / first) * b, sum > 0.0)
    };
    let right = gap >= 0.0;
    let cs = if right { gap + root } else { gap - root };
    let (mut c1, mut s1) = if cs.abs() > ab {
        let t = -twice / cs;
        let s = 1.0 / (1.0 + t * t).sqrt();
        (t * s, s)
    } else if ab == 0.0 {
        (1.0, 0.0)
    } else {
        let t = -cs / twice;
        let c = 1.0 / (1.0 + t * t).sqrt();
        (c, t * c)
    };
    if positive == right {
        (c1, s1) = (-s1, c1);
    }
    [first, second, c1, s1]
}

/// The eigenvalues of a symmetric matrix, rising, and its vectors, row by row; the lower triangle is read. `numpy`: as
/// NumPy has them, and not as PyTorch.
pub fn eigh(a: &[f64], n: usize, numpy: bool) -> Option<[Vec<f64>; 2]> {
    if n == 0 || n > MOST || a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut a = Rows::of(a, n, n);
    for i in 0..n {
        for j in 0..i {
            a.all[j][i] = a.all[i][j];
        }
    }
    let (mut d, mut e, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n - 1 {
        let column: Vec<f64> = a.all[i + 1..].iter().map(|r| r[i]).collect();
        let (h, beta) = reflection(&column);
        e.push(beta);
        d.push(a.all[i][i]);
        if h.0 != 0.0 {
            let (tau, v) = (h.0, &h.1);
            let dot = |row: &Vec<f64>| v.iter().zip(&row[i + 1..]).map(|(v, x)| v * x).sum::<f64>();
            let mut w: Vec<f64> = a.all[i + 1..].iter().map(|row| tau * dot(row)).collect();
            let along = -0.5 * tau * w.iter().zip(v).map(|(w, v)| w * v).sum::<f64>();
            w.iter_mut().zip(v).for_each(|(w, v)| *w += along * v);
            for (p, row) in a.all[i + 1..].iter_mut().enumerate() {
                for (q, x) in row[i + 1..].iter_mut().enumerate() {
                    *x -= v[p] * w[q] + w[p] * v[q];
                }
            }
        }
        made.push(h);
    }
    d.push(a.all[n - 1][n - 1]);
    e.push(0.0);
    let mut z = Rows::identity(n);
    let rotate: Rotate = if numpy { rotation } else { older_rotation };
    if !tridiagonal(&mut d, &mut e, &mut z, rotate) {
        return None;
    }
    for i in 0..n - 1 {
        let mut least = i;
        for j in i + 1..n {
            if d[j] < d[least] {
                least = j;
            }
        }
        d.swap(i, least);
        z.all.swap(i, least);
    }
    let mut vectors = z.transposed(n);
    for (i, h) in made.iter().enumerate().rev() {
        vectors.reflect(i + 1, h, 0);
    }
    Some([d, vectors.flat()])
}

/// A rotation that takes a pair of numbers to one beside zero.
type Rotate = fn(f64, f64) -> (f64, f64, f64);

/// Makes a tridiagonal matrix diagonal, by QL or QR steps with implicit shifts; `z` has the vectors as rows.
fn tridiagonal(d: &mut [f64], e: &mut [f64], z: &mut Rows, rotate: Rotate) -> bool {
    let n = d.len();
    let (mut begin, mut steps) = (0, 0);
    // Positions count from 0: a block goes from `begin` to `end`.
    while begin < n {
        if begin > 0 {
            e[begin - 1] = 0.0;
        }
        let split = (begin..n - 1).find(|&q| {
            let size = e[q].abs();
            size == 0.0 || size <= d[q].abs().sqrt() * d[q + 1].abs().sqrt() * EPS
        });
        let end = split.unwrap_or(n - 1);
        if end < n - 1 {
            e[end] = 0.0;
        }
        let (mut l, mut last) = (begin, end);
        begin = end + 1;
        if l == last {
            continue;
        }
        if d[last].abs() < d[l].abs() {
            (l, last) = (last, l);
        }
        // Towards the end, or back: what is found is left behind.
        let ahead = last > l;
        loop {
            let small = |e: f64, x: f64, y: f64| e * e <= (EPS * EPS * x.abs()) * y.abs() + TINY;
            let m = if ahead {
                (l..last)
                    .find(|&q| small(e[q], d[q], d[q + 1]))
                    .unwrap_or(last)
            } else {
                (last + 1..=l)
                    .rev()
                    .find(|&q| small(e[q - 1], d[q], d[q - 1]))
                    .unwrap_or(last)
            };
            if m != last {
                e[if ahead { m } else { m - 1 }] = 0.0;
            }
            let found = if m == l {
                1
            } else if m.abs_diff(l) == 1 {
                let low = l.min(m);
                let [first, second, c, s] = eigen_of_two(d[low], e[low], d[low + 1]);
                z.turn(low, c, s);
                (d[low], d[low + 1], e[low]) = (first, second, 0.0);
                2
            } else {
                steps += 1;
                if steps > STEPS * n {
                    return false;
                }
                step(d, e, z, (l, m), rotate);
                0
            };
            let left = if ahead { last + 1 - l } else { l + 1 - last };
            if found >= left {
                break;
            }
            l = if ahead { l + found } else { l - found };
        }
    }
    true
}

/// One step on the block between `l` and `m`.
fn step(d: &mut [f64], e: &mut [f64], z: &mut Rows, (l, m): (usize, usize), rotate: Rotate) {
    let ahead = m > l;
    let (next, beside) = if ahead { (l + 1, l) } else { (l - 1, l - 1) };
    let mut p = d[l];
    let mut g = (d[next] - p) / (2.0 * e[beside]);
    let r = g.hypot(1.0);
    g = d[m] - p + e[beside] / (g + sign(r, g));
    let (mut s, mut c) = (1.0, 1.0);
    p = 0.0;
    let mut turns = Vec::new();
    for k in 0..m.abs_diff(l) {
        // The number beside the diagonal, and those of the diagonal that it stands between.
        let (at, near, far) = if ahead {
            (m - 1 - k, m - k, m - 1 - k)
        } else {
            (m + k, m + k, m + k + 1)
        };
        let (f, b) = (s * e[at], c * e[at]);
        let r;
        (c, s, r) = rotate(g, f);
        if k > 0 {
            e[if ahead { at + 1 } else { at - 1 }] = r;
        }
        g = d[near] - p;
        let r = (d[far] - g) * s + 2.0 * c * b;
        p = s * r;
        d[near] = g + p;
        g = c * r - b;
        turns.push((at, c, if ahead { -s } else { s }));
    }
    for (at, c, s) in turns {
        z.turn(at, c, s);
    }
    d[l] -= p;
    e[beside] = g;
}
