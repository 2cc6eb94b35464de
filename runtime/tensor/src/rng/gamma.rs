//! Gamma, Dirichlet, Poisson and binomial numbers.
//!
//! In: a generator and parameters per element. Out: one number each. Always: PyTorch's methods
//! (Marsaglia and Tsang; Hörmann; products and logarithms of uniform numbers), which take as many numbers from
//! the generator as it happens to need.

use crate::dispatch;
use crate::error::{Result, TensorError};
use crate::rng::{Draw, Generator, float_only};
use crate::scalar::Element;
use crate::tensor::Tensor;

/// `ln(k!)` of a whole number that is not negative.
fn log_factorial(k: f64) -> f64 {
    if k < 19.0 {
        return (2..=k as u64).map(|i| i as f64).product::<f64>().ln();
    }
    let x = k + 1.0;
    let (inverse, square) = (1.0 / x, 1.0 / (x * x));
    let series = 1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series * inverse
}

/// What is left of `ln(k!)` above Stirling's first terms.
fn stirling_tail(k: f64) -> f64 {
    let x = k + 1.0;
    if k < 10.0 {
        return log_factorial(k)
            - ((k + 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln());
    }
    let square = x * x;
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / x
}

impl Generator {
    /// One gamma number; what is made of `alpha` is rounded to `T`.
    fn gamma<T: Element>(&mut self, alpha: T) -> f64 {
        let third = f64::from(1f32 / 3.0);
        let mut alpha = alpha.to_f64();
        let mut scale = 1.0;
        if alpha < 1.0 {
            if alpha == 0.0 {
                return 0.0;
            }
            let power = T::from_f64(1.0 / alpha).to_f64();
            scale = (1.0 - f64::unit(self)).powf(power);
            alpha = T::from_f64(alpha + 1.0).to_f64();
        }
        let d = T::from_f64(alpha - third).to_f64();
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let (x, y) = loop {
                let x = self.normal(0.0, 1.0);
                let y = 1.0 + c * x;
                if y > 0.0 || y.is_nan() {
                    break (x, y);
                }
            };
            let v = y * y * y;
            let u = 1.0 - f64::unit(self);
            let xx = x * x;
            if u < 1.0 - f64::from(0.0331f32) * xx * xx
                || u.ln() < 0.5 * xx + d * (1.0 - v + v.ln())
                || v.is_nan()
            {
                return scale * d * v;
            }
        }
    }

    /// `torch._standard_gamma(alpha)`
    pub fn standard_gamma(&mut self, alpha: &Tensor) -> Result<Tensor> {
        dispatch!(alpha.dtype(); any_float: T => {
            let mut out = alpha.to_vec::<T>()?;
            for x in &mut out {
                let drawn = T::from_f64(self.gamma(*x));
                *x = if drawn.to_f64() < T::SMALLEST { T::from_f64(T::SMALLEST) } else { drawn };
            }
            Tensor::from_slice(&out, &alpha.shape())
        }; else float_only("gamma_cpu", alpha.dtype()))
    }

    /// `torch._sample_dirichlet(alpha)`: gamma numbers that add up to 1 along the last dimension.
    pub fn dirichlet(&mut self, alpha: &Tensor) -> Result<Tensor> {
        let shape = alpha.shape();
        let n = shape.last().copied().unwrap_or(1).max(1) as usize;
        dispatch!(alpha.dtype(); any_float: T => {
            let drawn: Vec<f64> = alpha
                .to_vec::<T>()?
                .into_iter()
                .map(|a| self.gamma(a.to_f64()).max(f64::MIN_POSITIVE))
                .collect();
            let mut out = Vec::with_capacity(drawn.len());
            for row in drawn.chunks(n) {
                let sum: f64 = row.iter().sum();
                out.extend(row.iter().map(|v| {
                    let share = T::from_f64(v / sum).to_f64();
                    T::from_f64(share.clamp(T::SMALLEST, T::BELOW_ONE))
                }));
            }
            Tensor::from_slice(&out, &shape)
        }; else float_only("dirichlet", alpha.dtype()))
    }

    fn poisson_number(&mut self, lambda: f64) -> f64 {
        if lambda == 0.0 {
            return 0.0;
        }
        if lambda < 10.0 {
            let limit = (-lambda).exp();
            let (mut count, mut product) = (0.0, 1.0);
            loop {
                product *= f64::unit(self);
                if product > limit {
                    count += 1.0;
                } else {
                    return count;
                }
            }
        }
        let (root, log) = (lambda.sqrt(), lambda.ln());
        let b = 0.931 + 2.53 * root;
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let vr = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = f64::unit(self) - 0.5;
            let v = f64::unit(self);
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + lambda + 0.43).floor();
            if us >= 0.07 && v <= vr {
                return k;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            let left = v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln();
            if left <= -lambda + k * log - log_factorial(k) {
                return k;
            }
        }
    }

    /// `torch.poisson(rates)`
    pub fn poisson(&mut self, rates: &Tensor) -> Result<Tensor> {
        dispatch!(rates.dtype(); any_float: T => {
            let mut out = rates.to_vec::<T>()?;
            for x in &mut out {
                let rate = x.to_f64();
                if !(0.0..f64::INFINITY).contains(&rate) {
                    return Err(TensorError::Runtime(
                        "invalid Poisson rate, expected rate to be non-negative".to_owned(),
                    ));
                }
                *x = T::from_f64(self.poisson_number(rate));
            }
            Tensor::from_slice(&out, &rates.shape())
        }; else float_only("poisson_cpu", rates.dtype()))
    }

    /// Successes of few expected ones: trials are skipped from one success to the next.
    fn binomial_by_waiting(&mut self, count: f64, p: f64) -> f64 {
        let log = (-p).ln_1p();
        let (mut trials, mut successes) = (0.0, 0.0);
        loop {
            trials += (f64::unit(self).ln() / log).ceil();
            if trials > count {
                return successes;
            }
            successes += 1.0;
        }
    }

    /// Successes of many expected ones: transformed rejection with squeeze (Hörmann, 1993).
    fn binomial_by_rejection(&mut self, count: f64, p: f64) -> f64 {
        let deviation = (count * p * (1.0 - p)).sqrt();
        let b = 1.15 + 2.53 * deviation;
        let a = -0.0873 + 0.0248 * b + 0.01 * p;
        let c = count * p + 0.5;
        let vr = 0.92 - 4.2 / b;
        let odds = p / (1.0 - p);
        let alpha = (2.83 + 5.1 / b) * deviation;
        let mode = ((count + 1.0) * p).floor();
        loop {
            let u = f64::unit(self) - 0.5;
            let v = f64::unit(self);
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + c).floor();
            if us >= 0.07 && v <= vr {
                return k;
            }
            if k < 0.0 || k > count {
                continue;
            }
            let left = (v * alpha / (a / (us * us) + b)).ln();
            let right = (mode + 0.5) * ((mode + 1.0) / (odds * (count - mode + 1.0))).ln()
                + (count + 1.0) * ((count - mode + 1.0) / (count - k + 1.0)).ln()
                + (k + 0.5) * (odds * (count - k + 1.0) / (k + 1.0)).ln()
                + stirling_tail(mode)
                + stirling_tail(count - mode)
                - stirling_tail(k)
                - stirling_tail(count - k);
            if left <= right {
                return k;
            }
        }
    }

    fn binomial_number(&mut self, count: f64, p: f64) -> f64 {
        if count <= 0.0 || p <= 0.0 {
            return 0.0;
        }
        if p >= 1.0 {
            return count;
        }
        if p.is_nan() {
            return f64::NAN;
        }
        // The rarer of success and failure is counted.
        let rare = p.min(1.0 - p);
        let drawn = if count * rare >= 10.0 {
            self.binomial_by_rejection(count, rare)
        } else {
            self.binomial_by_waiting(count, rare)
        };
        if p <= 0.5 { drawn } else { count - drawn }
    }

    /// `torch.binomial(counts, probabilities)`, of one shape and dtype.
    pub fn binomial(&mut self, counts: &Tensor, probabilities: &Tensor) -> Result<Tensor> {
        dispatch!(counts.dtype(); any_float: T => {
            let mut out = counts.to_vec::<T>()?;
            for (n, p) in out.iter_mut().zip(probabilities.to_vec::<T>()?) {
                *n = T::from_f64(self.binomial_number(n.to_f64(), p.to_f64()));
            }
            Tensor::from_slice(&out, &counts.shape())
        }; else float_only("binomial_cpu", counts.dtype()))
    }
}
