//! The distributions of NumPy's newer generators.
//!
//! Sources: NumPy's `distributions.c`, and what it names: Marsaglia and Tsang (gamma), Hörmann (Poisson), Kachitvichyanukul and
//! Schmeiser (binomial), Stadlober (hypergeometric), Best and Fisher (von Mises), Kemp (logarithmic series), Devroye (zeta). In:
//! parameters that were checked. Always: for a state of the generator the numbers are NumPy's.

use std::f64::consts::{PI, TAU};

use super::pcg::Pcg;

/// The factor of a product that goes on from the last one: natural logarithms of the gamma function, as NumPy's.
fn log_gamma(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        8.333_333_333_333_333e-2,
        -2.777_777_777_777_778e-3,
        7.936_507_936_507_937e-4,
        -5.952_380_952_380_952e-4,
        8.417_508_417_508_418e-4,
        -1.917_526_917_526_918e-3,
        6.410_256_410_256_41e-3,
        -2.955_065_359_477_124e-2,
        1.796_443_723_688_307e-1,
        -1.392_432_216_905_9,
    ];
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let steps = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut from = x + steps as f64;
    let square = (1.0 / from) * (1.0 / from);
    let sum = SERIES
        .iter()
        .rev()
        .copied()
        .reduce(|sum, a| sum * square + a);
    let half_log_tau = 0.5 * 1.837_877_066_409_345_3;
    let mut found = sum.unwrap_or(0.0) / from + half_log_tau + (from - 0.5) * from.ln() - from;
    for _ in 0..steps {
        found -= (from - 1.0).ln();
        from -= 1.0;
    }
    found
}

/// The logarithm of a factorial.
fn log_factorial(k: i64) -> f64 {
    if k < 126 {
        return (2..=k).map(|i| (i as f64).ln()).sum();
    }
    let x = k as f64;
    (x + 0.5) * x.ln() - x
        + (0.918_938_533_204_672_8 + (1.0 / x) * (1.0 / 12.0 - 1.0 / (360.0 * x * x)))
}

impl Pcg {
    /// A uniform number that is not zero.
    fn inner(&mut self) -> f64 {
        loop {
            let u = self.double();
            if u > 0.0 {
                return u;
            }
        }
    }

    /// A number of the gamma distribution of scale 1.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape == 1.0 {
            return self.exponential();
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            loop {
                let (u, v) = (self.double(), self.exponential());
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
        let b = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * b).sqrt();
        loop {
            let (mut x, mut v) = (0.0, 0.0);
            while v <= 0.0 {
                x = self.normal();
                v = 1.0 + c * x;
            }
            v = v * v * v;
            let u = self.double();
            if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln())
            {
                return b * v;
            }
        }
    }

    /// The same in 32 bits.
    pub fn gamma32(&mut self, shape: f32) -> f32 {
        if shape == 1.0 {
            return self.exponential32();
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            loop {
                let (u, v) = (self.float(), self.exponential32());
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
        let b = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * b).sqrt();
        loop {
            let (mut x, mut v) = (0.0, 0.0);
            while v <= 0.0 {
                x = self.normal32();
                v = 1.0 + c * x;
            }
            v = v * v * v;
            let u = self.float();
            if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln())
            {
                return b * v;
            }
        }
    }

    fn beta(&mut self, a: f64, b: f64) -> f64 {
        if a > 1.0 || b > 1.0 {
            let x = self.gamma(a);
            return x / (x + self.gamma(b));
        }
        loop {
            let (u, v) = (self.double(), self.double());
            let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
            if x + y <= 1.0 && u + v > 0.0 {
                if x > 0.0 && y > 0.0 {
                    return x / (x + y);
                }
                // One of them is too small for a float: the quotient of logarithms.
                let delta = u.ln() / a - v.ln() / b;
                return if delta > 0.0 {
                    (-(-delta).exp().ln_1p()).exp()
                } else {
                    (delta - delta.exp().ln_1p()).exp()
                };
            }
        }
    }

    fn chisquare(&mut self, df: f64) -> f64 {
        2.0 * self.gamma(df / 2.0)
    }

    fn noncentral_chisquare(&mut self, df: f64, nonc: f64) -> f64 {
        if nonc.is_nan() {
            return f64::NAN;
        }
        if nonc == 0.0 {
            return self.chisquare(df);
        }
        if df > 1.0 {
            let others = self.chisquare(df - 1.0);
            let n = self.normal() + nonc.sqrt();
            return others + n * n;
        }
        let i = self.poisson(nonc / 2.0);
        self.chisquare(df + 2.0 * i as f64)
    }

    fn wald(&mut self, mean: f64, scale: f64) -> f64 {
        let y = self.normal();
        let y = mean * y * y;
        let d = 1.0 + (1.0 + 4.0 * scale / y).sqrt();
        let x = mean * (1.0 - 2.0 / d);
        if self.double() <= mean / (mean + x) {
            x
        } else {
            mean * mean / x
        }
    }

    fn vonmises(&mut self, mu: f64, kappa: f64) -> f64 {
        if kappa.is_nan() {
            return f64::NAN;
        }
        if kappa < 1e-8 {
            return PI * (2.0 * self.double() - 1.0);
        }
        if kappa > 1e6 {
            // So narrow that it is a normal one that is wound up.
            let x = mu + (1.0 / kappa).sqrt() * self.normal();
            let x = if x < -PI { x + TAU } else { x };
            return if x > PI { x - TAU } else { x };
        }
        let s = if kappa < 1e-5 {
            1.0 / kappa + kappa
        } else {
            let r = 1.0 + (1.0 + 4.0 * kappa * kappa).sqrt();
            let rho = (r - (2.0 * r).sqrt()) / (2.0 * kappa);
            (1.0 + rho * rho) / (2.0 * rho)
        };
        let w = loop {
            let z = (PI * self.double()).cos();
            let w = (1.0 + s * z) / (s + z);
            let y = kappa * (s - w);
            let v = self.double();
            if y * (2.0 - y) - v >= 0.0 || (y / v).ln() + 1.0 - y >= 0.0 {
                break w;
            }
        };
        let angle = if self.double() < 0.5 {
            -w.acos()
        } else {
            w.acos()
        };
        let turned = angle + mu;
        let within = (turned.abs() + PI) % TAU - PI;
        if turned < 0.0 { -within } else { within }
    }

    /// A number of the Poisson distribution.
    pub fn poisson(&mut self, lam: f64) -> i64 {
        if lam == 0.0 {
            return 0;
        }
        if lam < 10.0 {
            let least = (-lam).exp();
            let (mut found, mut product) = (0, self.double());
            while product > least {
                found += 1;
                product *= self.double();
            }
            return found;
        }
        let b = 0.931 + 2.53 * lam.sqrt();
        let a = -0.059 + 0.02483 * b;
        let inverse = 1.1239 + 1.1328 / (b - 3.4);
        let ratio = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.double() - 0.5;
            let v = self.double();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + lam + 0.43).floor();
            if us >= 0.07 && v <= ratio {
                return k as i64;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            let limit = -lam + k * lam.ln() - log_gamma(k + 1.0);
            if v.ln() + inverse.ln() - (a / (us * us) + b).ln() <= limit {
                return k as i64;
            }
        }
    }

    /// How many of so many trials succeed.
    pub fn binomial(&mut self, n: i64, p: f64) -> i64 {
        if n == 0 || p == 0.0 {
            return 0;
        }
        if p > 0.5 {
            return n - self.binomial_of_few(n, 1.0 - p);
        }
        self.binomial_of_few(n, p)
    }

    fn binomial_of_few(&mut self, n: i64, p: f64) -> i64 {
        if p * n as f64 > 30.0 {
            return binomial_of_many(&mut || self.double(), n, p);
        }
        let (trials, q) = (n as f64, 1.0 - p);
        let start = (trials * (-p).ln_1p()).exp();
        let mean = trials * p;
        let bound = trials.min(mean + 10.0 * (mean * q + 1.0).sqrt()) as i64;
        let (mut found, mut px, mut u) = (0, start, self.double());
        while u > px {
            found += 1;
            if found > bound {
                (found, px, u) = (0, start, self.double());
            } else {
                u -= px;
                px = ((n - found + 1) as f64 * p * px) / (found as f64 * q);
            }
        }
        found
    }

    fn geometric(&mut self, p: f64) -> i64 {
        if p < 1.0 / 3.0 {
            return (-self.exponential() / (-p).ln_1p()).ceil() as i64;
        }
        let (mut found, mut whole, mut part) = (1, p, p);
        let u = self.double();
        while u > whole {
            part *= 1.0 - p;
            whole += part;
            found += 1;
        }
        found
    }

    fn zipf(&mut self, a: f64) -> i64 {
        if a >= 1025.0 {
            return 1;
        }
        let largest = i64::MAX as f64;
        let less = a - 1.0;
        let b = 2f64.powf(less);
        let least = largest.powf(-less);
        loop {
            let share = self.double();
            let u = share * least + (1.0 - share);
            let v = self.double();
            let x = u.powf(-1.0 / less).floor();
            if !(1.0..=largest).contains(&x) {
                continue;
            }
            let t = (1.0 + 1.0 / x).powf(less);
            if v * x * (t - 1.0) / (b - 1.0) <= t / b {
                return x as i64;
            }
        }
    }

    fn logseries(&mut self, p: f64) -> i64 {
        let r = (-p).ln_1p();
        loop {
            let v = self.double();
            if v >= p {
                return 1;
            }
            let q = -(r * self.double()).exp_m1();
            if v <= q * q {
                let found = (1.0 + v.ln() / q.ln()).floor();
                if found < 1.0 || v == 0.0 {
                    continue;
                }
                return found as i64;
            }
            return if v >= q { 1 } else { 2 };
        }
    }

    /// How many good ones there are among so many that are taken.
    pub fn hypergeometric(&mut self, good: i64, bad: i64, taken: i64) -> i64 {
        let total = good + bad;
        if taken >= 10 && taken <= total - 10 {
            return self.hypergeometric_of_many(good, bad, taken);
        }
        let more = taken > total / 2;
        let mut left = if more { total - taken } else { taken };
        let (mut all, mut of_good) = (total, good);
        while left > 0 && of_good > 0 && all > of_good {
            all -= 1;
            if (self.masked(all as u64) as i64) < of_good {
                of_good -= 1;
            }
            left -= 1;
        }
        if all == of_good {
            of_good -= left;
        }
        if more { of_good } else { good - of_good }
    }

    /// By the ratio of uniform numbers.
    fn hypergeometric_of_many(&mut self, good: i64, bad: i64, taken: i64) -> i64 {
        let all = good + bad;
        let few = taken.min(all - taken);
        let (less, more) = (good.min(bad), good.max(bad));
        let (p, q) = (less as f64 / all as f64, more as f64 / all as f64);
        let a = few as f64 * p + 0.5;
        let variance = (all - few) as f64 * few as f64 * p * q / (all - 1) as f64;
        let c = (variance + 0.5).sqrt();
        let h = 1.715_527_769_921_413_5 * c + 0.898_916_162_058_898_8;
        let weight = |k: i64| {
            log_factorial(k)
                + log_factorial(less - k)
                + log_factorial(few - k)
                + log_factorial(more - few + k)
        };
        let m = ((few + 1) as f64 * (less + 1) as f64 / (all + 2) as f64).floor() as i64;
        let top = weight(m);
        let bound = ((few.min(less) + 1) as f64).min((a + 16.0 * c).floor());
        let k = loop {
            let (u, v) = (self.double(), self.double());
            let x = a + h * (v - 0.5) / u;
            if !(0.0..bound).contains(&x) {
                continue;
            }
            let k = x.floor() as i64;
            let t = top - weight(k);
            if u * (4.0 - u) - 3.0 <= t {
                break k;
            }
            if u * (u - t) >= 1.0 {
                continue;
            }
            if 2.0 * u.ln() <= t {
                break k;
            }
        };
        let k = if good > bad { few - k } else { k };
        if few < taken { good - k } else { k }
    }
}

/// How many of many trials succeed, out of uniform numbers: by a triangle, two parallelograms and two exponential tails.
pub fn binomial_of_many(uniform: &mut impl FnMut() -> f64, n: i64, p: f64) -> i64 {
    let trials = n as f64;
    let (r, q) = (p, 1.0 - p);
    let top = trials * r + r;
    let m = top.floor();
    let p1 = (2.195 * (trials * r * q).sqrt() - 4.6 * q).floor() + 0.5;
    let middle = m + 0.5;
    let (left, right) = (middle - p1, middle + p1);
    let c = 0.134 + 20.5 / (15.3 + m);
    let slope = |a: f64| a * (1.0 + a / 2.0);
    let fall_left = slope((top - left) / (top - left * r));
    let fall_right = slope((right - top) / (right * q));
    let p2 = p1 * (1.0 + 2.0 * c);
    let p3 = p2 + c / fall_left;
    let p4 = p3 + c / fall_right;
    let spread = trials * r * q;
    loop {
        let u = uniform() * p4;
        let mut v = uniform();
        if u <= p1 {
            return (middle - p1 * v + u).floor() as i64;
        }
        let y = if u <= p2 {
            let x = left + (u - p1) / c;
            v = v * c + 1.0 - (m - x + 0.5).abs() / p1;
            if v > 1.0 {
                continue;
            }
            x.floor()
        } else if u <= p3 {
            let y = (left + v.ln() / fall_left).floor();
            if y < 0.0 || v == 0.0 {
                continue;
            }
            v = v * (u - p2) * fall_left;
            y
        } else {
            let y = (right - v.ln() / fall_right).floor();
            if y > trials || v == 0.0 {
                continue;
            }
            v = v * (u - p3) * fall_right;
            y
        };
        if accepts(v, y, m, middle, trials, r, q, spread) {
            return y as i64;
        }
    }
}

/// Whether a place of the binomial distribution is taken, `v` being below the curve around it.
#[expect(clippy::too_many_arguments, reason = "the method's own quantities")]
fn accepts(v: f64, y: f64, m: f64, middle: f64, n: f64, r: f64, q: f64, spread: f64) -> bool {
    let k = (y - m).abs();
    if !(k > 20.0 && k < spread / 2.0 - 1.0) {
        let s = r / q;
        let a = s * (n + 1.0);
        let mut f = 1.0;
        let factors =
            |from: f64, to: f64| (from as i64 + 1..=to as i64).map(move |i| a / i as f64 - s);
        if m < y {
            factors(m, y).for_each(|factor| f *= factor);
        } else {
            factors(y, m).for_each(|factor| f /= factor);
        }
        return v <= f;
    }
    let rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.166_666_666_666_666_66) / spread + 0.5);
    let t = -k * k / (2.0 * spread);
    let log = v.ln();
    if log < t - rho {
        return true;
    }
    if log > t + rho {
        return false;
    }
    let (x, f, z, w) = (y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0);
    let error = |x: f64| {
        let square = x * x;
        // As NumPy has it; 13860 and two differences would be right.
        (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square)
            / x
            / 166_320.0
    };
    log <= middle * (f / x).ln()
        + (n - m + 0.5) * (z / w).ln()
        + (y - m) * (w * r / (x * q)).ln()
        + error(f)
        + error(z)
        + error(x)
        + error(w)
}

/// A number of a distribution of floats with up to three parameters.
pub type Floats = fn(&mut Pcg, [f64; 3]) -> f64;
/// A number of a distribution of ints.
pub type Ints = fn(&mut Pcg, [f64; 3]) -> i64;

/// The distribution of floats of a name.
pub fn floats(name: &str) -> Option<Floats> {
    Some(match name {
        "random" => |g, _| g.double(),
        "standard_normal" => |g, _| g.normal(),
        "standard_exponential" => |g, _| g.exponential(),
        "inverted_exponential" => |g, _| -(-g.double()).ln_1p(),
        "standard_gamma" => |g, [shape, ..]| g.gamma(shape),
        "gamma" => |g, [shape, scale, _]| scale * g.gamma(shape),
        "beta" => |g, [a, b, _]| g.beta(a, b),
        "chisquare" => |g, [df, ..]| g.chisquare(df),
        "noncentral_chisquare" => |g, [df, nonc, _]| g.noncentral_chisquare(df, nonc),
        "f" => |g, [n, m, _]| {
            let top = g.chisquare(n) * m;
            top / (g.chisquare(m) * n)
        },
        "noncentral_f" => |g, [n, m, nonc]| {
            let top = g.noncentral_chisquare(n, nonc) * m;
            top / (g.chisquare(m) * n)
        },
        "standard_cauchy" => |g, _| g.normal() / g.normal(),
        "standard_t" => |g, [df, ..]| {
            let top = g.normal();
            (df / 2.0).sqrt() * top / g.gamma(df / 2.0).sqrt()
        },
        "pareto" => |g, [a, ..]| (g.exponential() / a).exp_m1(),
        "weibull" => |g, [a, ..]| {
            if a == 0.0 {
                0.0
            } else {
                g.exponential().powf(1.0 / a)
            }
        },
        "power" => |g, [a, ..]| (-(-g.exponential()).exp_m1()).powf(1.0 / a),
        "laplace" => |g, [loc, scale, _]| {
            let u = g.inner();
            if u >= 0.5 {
                loc - scale * (2.0 - u - u).ln()
            } else {
                loc + scale * (u + u).ln()
            }
        },
        "gumbel" => |g, [loc, scale, _]| {
            let u = 1.0 - g.inner();
            loc - scale * (-u.ln()).ln()
        },
        "logistic" => |g, [loc, scale, _]| {
            let u = g.inner();
            loc + scale * (u / (1.0 - u)).ln()
        },
        "rayleigh" => |g, [scale, ..]| scale * (2.0 * g.exponential()).sqrt(),
        "wald" => |g, [mean, scale, _]| g.wald(mean, scale),
        "vonmises" => |g, [mu, kappa, _]| g.vonmises(mu, kappa),
        "triangular" => |g, [left, mode, right]| {
            let base = right - left;
            let below = mode - left;
            let u = g.double();
            if u <= below / base {
                left + (u * (below * base)).sqrt()
            } else {
                right - ((1.0 - u) * ((right - mode) * base)).sqrt()
            }
        },
        _ => return None,
    })
}

/// The distribution of ints of a name.
pub fn ints(name: &str) -> Option<Ints> {
    Some(match name {
        "poisson" => |g, [lam, ..]| g.poisson(lam),
        "binomial" => |g, [n, p, _]| g.binomial(n as i64, p),
        "negative_binomial" => |g, [n, p, _]| {
            let lam = (1.0 - p) / p * g.gamma(n);
            g.poisson(lam)
        },
        "geometric" => |g, [p, ..]| g.geometric(p),
        "zipf" => |g, [a, ..]| g.zipf(a),
        "logseries" => |g, [p, ..]| g.logseries(p),
        "hypergeometric" => {
            |g, [good, bad, taken]| g.hypergeometric(good as i64, bad as i64, taken as i64)
        }
        _ => return None,
    })
}

/// A number of a distribution of floats of 32 bits.
pub type Floats32 = fn(&mut Pcg, f32) -> f32;

/// The distribution of floats of 32 bits of a name.
pub fn floats32(name: &str) -> Option<Floats32> {
    Some(match name {
        "random" => |g, _| g.float(),
        "standard_normal" => |g, _| g.normal32(),
        "standard_exponential" => |g, _| g.exponential32(),
        "inverted_exponential" => |g, _| -(-g.float()).ln_1p(),
        "standard_gamma" => Pcg::gamma32,
        _ => return None,
    })
}
