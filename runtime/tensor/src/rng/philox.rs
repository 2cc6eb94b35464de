//! PyTorch's random stream on CUDA devices: Philox4x32-10 by Salmon et al. (SC'11), as cuRAND numbers its draws.
//!
//! In: a seed, and how far the stream has been used. Out: new tensors of draws. Always: element i of a draw of n elements depends on
//! the seed, the offset, i, and how many threads a device of [`device::MULTIPROCESSORS`] starts for n elements, as in PyTorch; a
//! draw moves the offset as it does there. Logarithms and sines are rounded correctly, which the device's own are not: normal and
//! exponential draws may differ from a device's in the last digits.

use std::cell::RefCell;

use crate::device;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::rng::{DEFAULT_SEED, multinomial_extents};
use crate::scalar::Scalar;
use crate::shape::checked_numel;
use crate::tensor::Tensor;

/// Threads of a block of PyTorch's kernels that draw.
const BLOCK: u64 = 256;
/// Numbers of 32 bits that one evaluation of the function gives.
const WORDS: u64 = 4;

/// A generator of a CUDA device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Philox {
    seed: u64,
    /// Numbers that each thread of a draw has used up.
    offset: u64,
}

janus_gil::gil_local! {
    static DEFAULT: RefCell<Philox> = const { RefCell::new(Philox::new(DEFAULT_SEED)) };
}

/// Runs `f` with the device's default generator.
pub fn with_default<R>(f: impl FnOnce(&mut Philox) -> R) -> R {
    DEFAULT.with(|g| f(&mut g.borrow_mut()))
}

fn round(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let wide = u64::from(a) * u64::from(b);
        ((wide >> 32) as u32, wide as u32)
    };
    let (high0, low0) = product(0xd251_1f53, counter[0]);
    let (high1, low1) = product(0xcd9e_8d57, counter[2]);
    [
        high1 ^ counter[1] ^ key[0],
        low1,
        high0 ^ counter[3] ^ key[1],
        low0,
    ]
}

/// `2^-32`
const UNIT: f32 = 1.0 / 4_294_967_296.0;
/// `2^-53`
const UNIT_F64: f64 = 1.0 / 9_007_199_254_740_992.0;

/// In (0, 1].
fn uniform(word: u32) -> f32 {
    (word as f32).mul_add(UNIT, UNIT / 2.0)
}

fn uniform_f64(low: u32, high: u32) -> f64 {
    let bits = u64::from(low) ^ (u64::from(high) << 21);
    (bits as f64).mul_add(UNIT_F64, UNIT_F64 / 2.0)
}

/// Two normal numbers of two uniform ones (Box and Muller).
fn normal(x: u32, y: u32) -> [f32; 2] {
    let turn = UNIT * (2.0 * std::f32::consts::PI);
    let angle = f64::from((y as f32).mul_add(turn, turn / 2.0));
    let radius = (-2.0 * f64::from(uniform(x)).ln() as f32).sqrt();
    [angle.sin() as f32 * radius, angle.cos() as f32 * radius]
}

fn normal_f64(words: [u32; 4]) -> [f64; 2] {
    let [a, b, c, d] = words;
    let radius = (-2.0 * uniform_f64(a, b).ln()).sqrt();
    let angle = 2.0 * uniform_f64(c, d) * std::f64::consts::PI;
    [angle.sin() * radius, angle.cos() * radius]
}

fn pair(words: [u32; 4]) -> [u64; 2] {
    let [a, b, c, d] = words.map(u64::from);
    [a << 32 | b, c << 32 | d]
}

impl Philox {
    /// A generator at its start.
    #[must_use]
    pub const fn new(seed: u64) -> Philox {
        Philox { seed, offset: 0 }
    }

    /// The seed that it began with.
    #[must_use]
    pub fn initial_seed(&self) -> u64 {
        self.seed
    }

    /// `get_offset()`
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// `set_offset()`
    ///
    /// # Errors
    /// An offset within an evaluation.
    pub fn set_offset(&mut self, offset: u64) -> Result<()> {
        if !offset.is_multiple_of(WORDS) {
            return Err(TensorError::Runtime(
                "offset must be a multiple of 4".to_owned(),
            ));
        }
        self.offset = offset;
        Ok(())
    }

    /// The state as `get_state()` gives it: seed and offset.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        [self.seed.to_le_bytes(), self.offset.to_le_bytes()].concat()
    }

    /// Goes back to a saved state; one without an offset is at its start.
    ///
    /// # Errors
    /// Bytes of another length.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<()> {
        let (words, rest) = bytes.as_chunks::<8>();
        let (seed, offset) = match (words, rest) {
            ([seed], []) => (seed, &[0; 8]),
            ([seed, offset], []) => (seed, offset),
            _ => {
                return Err(TensorError::Runtime("RNG state is wrong size".to_owned()));
            }
        };
        self.seed = u64::from_le_bytes(*seed);
        self.set_offset(u64::from_le_bytes(*offset))
    }

    /// Each thread uses so many numbers up; returns where they begin.
    fn advance(&mut self, numbers: u64) -> u64 {
        let from = self.offset;
        self.offset = from.wrapping_add(numbers.next_multiple_of(WORDS));
        from
    }

    /// The four numbers of a thread at an offset.
    fn words(&self, thread: u64, offset: u64) -> [u32; 4] {
        let at = offset / WORDS;
        let mut counter = [
            at as u32,
            (at >> 32) as u32,
            thread as u32,
            (thread >> 32) as u32,
        ];
        let mut key = [self.seed as u32, (self.seed >> 32) as u32];
        for _ in 0..9 {
            counter = round(counter, key);
            key = [
                key[0].wrapping_add(0x9e37_79b9),
                key[1].wrapping_add(0xbb67_ae85),
            ];
        }
        round(counter, key)
    }

    /// `n` draws as PyTorch's elementwise kernels make them: a thread takes every so-manieth element, `U` for each evaluation.
    fn draws<T: Copy + Default, const U: usize>(
        &mut self,
        n: usize,
        of: impl Fn([u32; 4]) -> [T; U],
    ) -> Vec<T> {
        let mut drawn = vec![T::default(); n];
        let most = u64::from(device::MULTIPROCESSORS * device::THREADS_PER_MULTIPROCESSOR);
        let threads = (n as u64).next_multiple_of(BLOCK).min(most).max(BLOCK);
        let round = threads * U as u64;
        let rounds = (n as u64).div_ceil(round);
        let from = self.advance(rounds * WORDS);
        for thread in 0..threads.min(n as u64) {
            for turn in 0..rounds {
                let values = of(self.words(thread, from.wrapping_add(turn * WORDS)));
                let first = thread + turn * round;
                for (k, value) in values.into_iter().enumerate() {
                    if let Some(slot) = drawn.get_mut((first + k as u64 * threads) as usize) {
                        *slot = value;
                    }
                }
            }
        }
        drawn
    }

    fn uniforms(&mut self, n: usize) -> Vec<f32> {
        self.draws(n, |words| words.map(uniform))
    }

    fn uniforms_f64(&mut self, n: usize) -> Vec<f64> {
        self.draws(n, |[a, b, c, d]| [uniform_f64(a, b), uniform_f64(c, d)])
    }

    /// Draws of floats by a function of a number in (0, 1], in the precision that a dtype is computed in.
    fn floats(
        &mut self,
        n: usize,
        dtype: DType,
        of_f32: impl Fn(f32) -> f32,
        of_f64: impl Fn(f64) -> f64,
    ) -> Vec<Scalar> {
        match dtype {
            DType::F64 => {
                let drawn = self.uniforms_f64(n).into_iter();
                drawn.map(|x| Scalar::F64(of_f64(x))).collect()
            }
            _ => {
                let drawn = self.uniforms(n).into_iter();
                drawn.map(|x| Scalar::F64(of_f32(x).into())).collect()
            }
        }
    }

    /// `uniform_(from, to)`
    ///
    /// # Errors
    /// Shapes that are too large.
    pub fn uniform(&mut self, shape: &[i64], dtype: DType, from: f64, to: f64) -> Result<Tensor> {
        let n = checked_numel(shape)? as usize;
        let (low, high) = (from as f32, to as f32);
        let drawn = self.floats(
            n,
            dtype,
            |x| match x.mul_add(high - low, low) {
                x if x == high => low,
                x => x,
            },
            |x| match x.mul_add(to - from, from) {
                x if x == to => from,
                x => x,
            },
        );
        Tensor::from_scalars(&drawn, shape, dtype)
    }

    /// `normal_(mean, std)`
    ///
    /// # Errors
    /// Shapes that are too large.
    pub fn normal(&mut self, shape: &[i64], dtype: DType, mean: f64, std: f64) -> Result<Tensor> {
        let n = checked_numel(shape)? as usize;
        let drawn: Vec<Scalar> = match dtype {
            DType::F64 => {
                let drawn = self.draws(n, normal_f64).into_iter();
                drawn.map(|x| Scalar::F64(x.mul_add(std, mean))).collect()
            }
            _ => {
                let (mean, std) = (mean as f32, std as f32);
                let drawn = self.draws(n, |[a, b, c, d]| {
                    let ([w, x], [y, z]) = (normal(a, b), normal(c, d));
                    [w, x, y, z]
                });
                let drawn = drawn.into_iter();
                drawn
                    .map(|x| Scalar::F64(x.mul_add(std, mean).into()))
                    .collect()
            }
        };
        Tensor::from_scalars(&drawn, shape, dtype)
    }

    /// `exponential_(lambda)`
    ///
    /// # Errors
    /// Shapes that are too large.
    pub fn exponential(&mut self, shape: &[i64], dtype: DType, lambda: f64) -> Result<Tensor> {
        let n = checked_numel(shape)? as usize;
        let rate = lambda as f32;
        let drawn = self.floats(
            n,
            dtype,
            |x| {
                let half = f32::EPSILON / 2.0;
                let log = if x >= 1.0 - half {
                    -half
                } else {
                    f64::from(x).ln() as f32
                };
                -1.0 / rate * log
            },
            |x| {
                let half = f64::EPSILON / 2.0;
                let log = if x >= 1.0 - half { -half } else { x.ln() };
                -1.0 / lambda * log
            },
        );
        Tensor::from_scalars(&drawn, shape, dtype)
    }

    /// `bernoulli_(p)`: ones with this probability.
    ///
    /// # Errors
    /// Shapes that are too large.
    pub fn bernoulli_number(&mut self, shape: &[i64], dtype: DType, p: f64) -> Result<Tensor> {
        let n = checked_numel(shape)? as usize;
        let drawn = self.floats(n, dtype, |x| f32::from(x < p as f32), |x| f64::from(x < p));
        Tensor::from_scalars(&drawn, shape, dtype)
    }

    /// `bernoulli_(p)` of a tensor: a thread has four elements that lie beside one another.
    ///
    /// # Errors
    /// What reading the probabilities gives.
    pub fn bernoulli(&mut self, p: &Tensor) -> Result<Tensor> {
        let from = self.advance(10);
        let ones = p.to_scalars()?.into_iter().enumerate().map(|(i, p)| {
            let words = self.words(i as u64 / WORDS, from).map(uniform);
            let drawn = words.get(i % WORDS as usize).copied().unwrap_or(1.0);
            Scalar::Bool(f64::from(drawn) <= p.to_f64())
        });
        let ones: Vec<Scalar> = ones.collect();
        Tensor::from_scalars(&ones, &p.shape(), p.dtype())
    }

    /// `multinomial(p, samples, replacement)` on one or two dimensions.
    ///
    /// # Errors
    /// Weights that are no distribution, and more samples than there are.
    pub fn multinomial(&mut self, p: &Tensor, samples: i64, replacement: bool) -> Result<Tensor> {
        let error = |m: &str| Err(TensorError::Runtime(m.to_owned()));
        let shape = p.shape();
        let (rows, categories) = multinomial_extents(&shape, samples, replacement)?;
        if !p.dtype().is_float() {
            return error("multinomial only supports floating-point dtypes for input");
        }
        let weights: Vec<f64> = p.to_scalars()?.into_iter().map(Scalar::to_f64).collect();
        if weights.iter().any(|w| !w.is_finite() || *w < 0.0) {
            return error("probability tensor contains either `inf`, `nan` or element < 0");
        }
        let width = usize::try_from(categories).unwrap_or(0).max(1);
        if weights
            .chunks(width)
            .any(|row| row.iter().all(|w| *w == 0.0))
        {
            return error("invalid multinomial distribution (sum of probabilities <= 0)");
        }
        let count = usize::try_from(samples).unwrap_or(0);
        let mut drawn: Vec<Scalar> = Vec::with_capacity(count * rows as usize);
        if replacement && samples > 1 {
            // Each thread finds the place of one number among the sums of the weights before it.
            let from = self.advance(WORDS);
            let threads = (count as u64).next_multiple_of(BLOCK / 2);
            for (r, row) in weights.chunks(width).enumerate() {
                let total: f32 = row.iter().map(|w| *w as f32).sum();
                let sums = row.iter().scan(0.0_f32, |sum, w| {
                    *sum += *w as f32 / total;
                    Some(*sum)
                });
                let sums: Vec<f32> = sums.collect();
                for k in 0..count as u64 {
                    let [word, ..] = self.words(r as u64 * threads + k, from);
                    let u = uniform(word);
                    let mut at = sums.partition_point(|sum| *sum < u).min(width - 1);
                    while at > 0 && row.get(at).is_none_or(|w| *w == 0.0) {
                        at -= 1;
                    }
                    drawn.push(Scalar::I64(at as i64));
                }
            }
        } else {
            // The largest of the weights over exponential numbers.
            let times = self.exponential(&shape, p.dtype(), 1.0)?.to_scalars()?;
            let rounded = |x: f64| match p.dtype() {
                DType::F64 => x,
                _ => f64::from(x as f32),
            };
            let ratios = weights.iter().zip(times);
            let ratios: Vec<f64> = ratios.map(|(w, t)| rounded(w / t.to_f64())).collect();
            for row in ratios.chunks(width) {
                let mut order: Vec<usize> = (0..row.len()).collect();
                let key = |i: &usize| row.get(*i).copied().unwrap_or(0.0);
                order.sort_by(|a, b| key(b).total_cmp(&key(a)));
                drawn.extend(order.iter().take(count).map(|&i| Scalar::I64(i as i64)));
            }
        }
        match shape.len() {
            1 => Tensor::from_scalars(&drawn, &[samples], DType::I64),
            _ => Tensor::from_scalars(&drawn, &[rows, samples], DType::I64),
        }
    }

    /// `random_(low, high)`: ints from `low` below `high`.
    ///
    /// # Errors
    /// Shapes that are too large.
    pub fn ints(&mut self, shape: &[i64], dtype: DType, low: i64, high: i64) -> Result<Tensor> {
        let range = (high as u64).wrapping_sub(low as u64).max(1);
        self.below(shape, dtype, low, range)
    }

    /// Ints from `low`, so many different ones.
    fn below(&mut self, shape: &[i64], dtype: DType, low: i64, range: u64) -> Result<Tensor> {
        let n = checked_numel(shape)? as usize;
        let drawn = match u32::try_from(range) {
            Ok(range) => self.draws(n, |words| words.map(|w| u64::from(w % range))),
            Err(_) => self.draws(n, |words| pair(words).map(|w| w % range)),
        };
        let values = drawn.into_iter();
        let values: Vec<Scalar> = values
            .map(|v| Scalar::I64(low.wrapping_add(v as i64)))
            .collect();
        Tensor::from_scalars(&values, shape, dtype)
    }

    /// `random_()`: ints over the whole range that a dtype holds exactly.
    ///
    /// # Errors
    /// Dtypes that it is not defined for.
    pub fn full_range(&mut self, shape: &[i64], dtype: DType) -> Result<Tensor> {
        let range = match dtype {
            DType::F64 => (1 << 53) + 1,
            DType::F32 => (1 << 24) + 1,
            DType::F16 => (1 << 11) + 1,
            DType::BF16 => (1 << 8) + 1,
            DType::Bool => 2,
            _ => match dtype.int_range() {
                Some((_, highest)) => highest as u64 + 1,
                None => {
                    let op = "random_kernel_cuda";
                    return Err(TensorError::NoKernel { op, dtype });
                }
            },
        };
        self.below(shape, dtype, 0, range)
    }

    /// `randperm(n)`: the order of random keys; what has the same key is shuffled.
    ///
    /// # Errors
    /// Sizes that are too large.
    pub fn permutation(&mut self, n: i64, dtype: DType) -> Result<Tensor> {
        let count = checked_numel(&[n])? as usize;
        if count == 0 {
            return Tensor::from_scalars(&[], &[n], dtype);
        }
        let size = count as f64;
        let threshold = 0.9_f64.ln() * 12.0;
        let bits = (size - (6.0 * size * size + 1.0) / threshold).log2().ceil();
        let bits = (bits as u32).clamp(1, 63);
        let mask = (1_u64 << bits) - 1;
        let keys: Vec<u64> = match bits {
            ..=32 => {
                let range = u32::MAX;
                let drawn = self.draws(count, |words| words.map(|w| w % range));
                // From the least int on.
                let drawn = drawn.into_iter();
                drawn
                    .map(|w| u64::from(w.wrapping_add(1 << 31)) & mask)
                    .collect()
            }
            _ => {
                let drawn = self.draws(count, |words| pair(words).map(|w| w % u64::MAX));
                let drawn = drawn.into_iter();
                drawn.map(|w| w.wrapping_add(1 << 63) & mask).collect()
            }
        };
        let mut order: Vec<usize> = (0..count).collect();
        let key = |i: usize| keys.get(i).copied().unwrap_or(0);
        order.sort_by_key(|&i| key(i));
        let from = self.advance(count as u64);
        let mut start = 0;
        for island in order.chunk_by_mut(|&a, &b| key(a) == key(b)) {
            let length = island.len();
            for i in (1..length).rev() {
                let nth = (length - 1 - i) as u64;
                let words = self.words(start as u64, from.wrapping_add(nth / WORDS * WORDS));
                let word = words.get((nth % WORDS) as usize).copied().unwrap_or(0);
                island.swap(i, word as usize % (i + 1));
            }
            start += length;
        }
        let values = order.into_iter();
        let values: Vec<Scalar> = values.map(|i| Scalar::I64(i as i64)).collect();
        Tensor::from_scalars(&values, &[n], dtype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(t: Result<Tensor>, expected: &[f64]) -> bool {
        let found = t.and_then(|t| t.to_scalars()).unwrap_or_default();
        let mut pairs = found.iter().zip(expected);
        found.len() == expected.len() && pairs.all(|(a, b)| (a.to_f64() - b).abs() < 6e-5)
    }

    #[test]
    fn the_function_is_that_of_its_authors() {
        // The known answers that come with the reference implementation.
        let philox = Philox::new(0);
        assert_eq!(
            philox.words(0, 0),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
    }

    #[test]
    fn draws_are_those_of_a_device() {
        // What PyTorch prints for these seeds on GPUs.
        let mut zero = Philox::new(0);
        let uniform = zero.uniform(&[6], DType::F32, 0.0, 1.0);
        assert!(close(
            uniform,
            &[0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967]
        ));
        let mut zero = Philox::new(0);
        let normal = zero.normal(&[6], DType::F32, 0.0, 1.0);
        assert!(close(
            normal,
            &[-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797]
        ));
        let mut other = Philox::new(42);
        let normal = other.normal(&[4], DType::F32, 0.0, 1.0);
        assert!(close(normal, &[0.1940, 2.1614, -0.1721, 0.8491]));
        assert_eq!(other.offset(), 4);
    }

    #[test]
    fn a_state_goes_back() {
        let mut g = Philox::new(7);
        let _ = g.ints(&[3000], DType::I64, -5, 5);
        let state = g.state();
        let first = g
            .permutation(50, DType::I64)
            .and_then(|t| t.to_vec::<i64>());
        let mut again = Philox::new(0);
        assert!(again.set_state(&state).is_ok());
        let second = again
            .permutation(50, DType::I64)
            .and_then(|t| t.to_vec::<i64>());
        let first = first.unwrap_or_default();
        assert_eq!(Some(&first), second.ok().as_ref());
        let mut sorted = first;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<i64>>());
        assert!(again.set_state(&[0; 3]).is_err());
        assert!(again.set_offset(2).is_err());
    }
}
