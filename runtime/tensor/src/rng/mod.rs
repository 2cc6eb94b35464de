//! PyTorch's CPU random streams.
//!
//! In: a generator and a tensor to fill. Out: the numbers that PyTorch draws, to the bit, on
//! x86-64 without Intel's own generators (that is: on AMD machines; Intel's take other draws
//! for `bernoulli_` and `exponential_`).
//! Always: the number of words taken from the engine equals PyTorch's, so that streams stay
//! in step; elements are drawn in row-major order.

mod gamma;
mod mt19937;
mod normal;
pub mod philox;

use std::cell::RefCell;

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::inplace::overwrite;
use crate::ops::Ops;
use crate::scalar::{Element, Scalar, bf16, f16};
use crate::shape::memory_order;
use crate::tensor::{Layout, Tensor};
use mt19937::{Mt19937, N};

/// `torch.initial_seed()` of a process that was not seeded.
pub const DEFAULT_SEED: u64 = 67_280_421_310_721;

/// Bytes of `torch.get_rng_state()`.
pub const STATE_BYTES: usize = 5056;

/// `torch.Generator` on the CPU.
#[derive(Clone, Debug)]
pub struct Generator {
    engine: Mt19937,
    seed: u64,
    /// The second number of the last pair that Box-Muller made.
    next_double_normal: Option<f64>,
    next_float_normal: Option<f32>,
}

impl Default for Generator {
    fn default() -> Self {
        Generator::new(DEFAULT_SEED)
    }
}

janus_gil::gil_local! {
    static DEFAULT: RefCell<Generator> = RefCell::default();
}

/// Runs `f` with the thread's default generator.
pub fn with_default<R>(f: impl FnOnce(&mut Generator) -> R) -> R {
    DEFAULT.with(|g| f(&mut g.borrow_mut()))
}

/// `torch.manual_seed`, for the default generator.
pub fn manual_seed(seed: u64) {
    with_default(|g| g.manual_seed(seed));
}

/// A fixed-size field of the saved state.
fn field<const K: usize>(bytes: &[u8], at: usize) -> Option<[u8; K]> {
    bytes.get(at..at + K)?.try_into().ok()
}

/// Element types that are drawn directly.
pub(crate) trait Draw: Element {
    /// Uniform in [0, 1).
    fn unit(g: &mut Generator) -> Self;
    /// The smallest normal number.
    const SMALLEST: f64;
    /// The largest number below 1.
    const BELOW_ONE: f64;
    /// `unit * (to - from) + from`, fused.
    fn uniform(g: &mut Generator, from: f64, to: f64) -> Self;
}

impl Draw for f32 {
    const SMALLEST: f64 = f32::MIN_POSITIVE as f64;
    const BELOW_ONE: f64 = 1.0 - f32::EPSILON as f64 / 2.0;
    #[inline]
    fn unit(g: &mut Generator) -> f32 {
        (g.random() & 0x00ff_ffff) as f32 * (1.0 / 16_777_216.0)
    }
    #[inline]
    fn uniform(g: &mut Generator, from: f64, to: f64) -> f32 {
        let (from, to) = (from as f32, to as f32);
        f32::unit(g).mul_add(to - from, from)
    }
}

impl Draw for f64 {
    const SMALLEST: f64 = f64::MIN_POSITIVE;
    const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
    #[inline]
    fn unit(g: &mut Generator) -> f64 {
        (g.random64() & ((1 << 53) - 1)) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
    #[inline]
    fn uniform(g: &mut Generator, from: f64, to: f64) -> f64 {
        f64::unit(g).mul_add(to - from, from)
    }
}

macro_rules! reduced_draw {
    ($($t:ident)*) => {$(
        impl Draw for $t {
            const SMALLEST: f64 = $t::MIN_POSITIVE.to_f64_const();
            const BELOW_ONE: f64 = 1.0 - $t::EPSILON.to_f64_const() / 2.0;
            // As many bits of a word as the type has digits.
            #[inline]
            fn unit(g: &mut Generator) -> $t {
                let bits = g.random() & ((1 << $t::MANTISSA_DIGITS) - 1);
                $t::from_f32(bits as f32 / (1 << $t::MANTISSA_DIGITS) as f32)
            }
            #[inline]
            fn uniform(g: &mut Generator, from: f64, to: f64) -> $t {
                let (from, to) = ($t::from_f64(from), $t::from_f64(to));
                let span = (to - from).to_f32();
                $t::from_f32($t::unit(g).to_f32().mul_add(span, from.to_f32()))
            }
        }
    )*};
}
reduced_draw!(f16 bf16);

/// The elements of a row-major layout.
///
/// # Safety
/// T is the layout's element type, and nothing else reads or writes the memory meanwhile.
unsafe fn elements<T>(layout: &mut Layout) -> &mut [T] {
    // SAFETY: a row-major layout has `numel` elements from its pointer on; the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(layout.ptr().cast::<T>(), layout.numel() as usize) }
}

fn float_only<T>(op: &'static str, dtype: DType) -> Result<T> {
    Err(TensorError::NoKernel { op, dtype })
}

impl Generator {
    /// A seeded generator.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Generator {
            engine: Mt19937::new(seed),
            seed,
            next_double_normal: None,
            next_float_normal: None,
        }
    }

    /// Seeds anew.
    pub fn manual_seed(&mut self, seed: u64) {
        *self = Generator::new(seed);
    }

    /// The seed.
    #[must_use]
    pub fn initial_seed(&self) -> u64 {
        self.seed
    }

    /// 32 random bits.
    #[inline]
    pub fn random(&mut self) -> u32 {
        self.engine.word()
    }

    /// 64 random bits.
    #[inline]
    pub fn random64(&mut self) -> u64 {
        let high = u64::from(self.random());
        (high << 32) | u64::from(self.random())
    }

    /// What `get_state()` saves, in PyTorch's layout.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(STATE_BYTES);
        out.extend(self.seed.to_ne_bytes());
        out.extend(self.engine.left.to_ne_bytes());
        out.extend(1i32.to_ne_bytes()); // seeded
        out.extend((self.engine.next as u64).to_ne_bytes());
        for word in self.engine.state {
            out.extend(u64::from(word).to_ne_bytes());
        }
        out.extend(0f64.to_ne_bytes()); // normal_x
        out.extend(self.next_double_normal.unwrap_or(0.0).to_ne_bytes());
        out.extend(0f64.to_ne_bytes()); // normal_rho
        out.extend(i32::from(self.next_double_normal.is_some()).to_ne_bytes());
        out.extend([0; 4]);
        out.extend(self.next_float_normal.unwrap_or(0.0).to_ne_bytes());
        out.push(u8::from(self.next_float_normal.is_some()));
        out.extend([0; 3]);
        out
    }

    /// Restores what [`Generator::state`] saved.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<()> {
        let invalid = || TensorError::Runtime("RNG state is wrong size".to_owned());
        if bytes.len() != self.state().len() {
            return Err(invalid());
        }
        let words = 24;
        let tail = words + 8 * N;
        let mut engine = Mt19937::new(0);
        for (i, slot) in engine.state.iter_mut().enumerate() {
            *slot = u64::from_ne_bytes(field(bytes, words + 8 * i).ok_or_else(invalid)?) as u32;
        }
        engine.left = i32::from_ne_bytes(field(bytes, 8).ok_or_else(invalid)?);
        engine.next = u64::from_ne_bytes(field(bytes, 16).ok_or_else(invalid)?) as usize;
        if engine.next > N || engine.left < 0 {
            return Err(TensorError::Runtime("Invalid mt19937 state".to_owned()));
        }
        let double = f64::from_ne_bytes(field(bytes, tail + 8).ok_or_else(invalid)?);
        let has_double = i32::from_ne_bytes(field(bytes, tail + 24).ok_or_else(invalid)?) != 0;
        let float = f32::from_ne_bytes(field(bytes, tail + 32).ok_or_else(invalid)?);
        let [has_float] = field::<1>(bytes, tail + 36).ok_or_else(invalid)?;
        *self = Generator {
            seed: u64::from_ne_bytes(field(bytes, 0).ok_or_else(invalid)?),
            engine,
            next_double_normal: has_double.then_some(double),
            next_float_normal: (has_float != 0).then_some(float),
        };
        Ok(())
    }

    /// Fills every element with draws.
    fn fill<T: Element>(
        &mut self,
        t: &Tensor,
        mut draw: impl FnMut(&mut Generator) -> T,
    ) -> Result<()> {
        overwrite(t, |layout| {
            // SAFETY: callers pass the tensor's element type; `overwrite` hands out row-major
            // memory that is not used elsewhere during the call.
            for x in unsafe { elements::<T>(layout) } {
                *x = draw(self);
            }
            Ok(())
        })
    }

    /// `t.uniform_(from, to)`; `torch.rand` is `(0, 1)`.
    pub fn uniform_(&mut self, t: &Tensor, from: f64, to: f64) -> Result<()> {
        if from > to {
            return Err(TensorError::Runtime(format!(
                "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
            )));
        }
        dispatch!(t.dtype(); any_float: T => self.fill::<T>(t, |g| T::uniform(g, from, to));
            else float_only("check_uniform_bounds", t.dtype()))
    }

    /// One normal number by Box-Muller; every second one comes from the pair before.
    fn normal(&mut self, mean: f64, std: f64) -> f64 {
        if let Some(x) = self.next_double_normal.take() {
            return x * std + mean;
        }
        let (u1, u2) = (f64::unit(self), f64::unit(self));
        let r = (-2.0 * (-u2).ln_1p()).sqrt();
        let theta = 2.0 * std::f64::consts::PI * u1;
        self.next_double_normal = Some(r * theta.sin());
        r * theta.cos() * std + mean
    }

    /// `t.normal_(mean, std)`; `torch.randn` is `(0, 1)`.
    pub fn normal_(&mut self, t: &Tensor, mean: f64, std: f64) -> Result<()> {
        if std < 0.0 {
            return Err(TensorError::Runtime(format!(
                "normal expects std >= 0.0, but found std {std}"
            )));
        }
        let blocks = t.numel() >= 16 && t.is_contiguous();
        match t.dtype() {
            DType::F32 if blocks => overwrite(t, |layout| {
                // SAFETY: the dtype is f32; row-major memory of this call.
                normal::fill_f32(self, unsafe { elements(layout) }, mean as f32, std as f32);
                Ok(())
            }),
            DType::F64 if blocks => overwrite(t, |layout| {
                // SAFETY: the dtype is f64; row-major memory of this call.
                normal::fill_f64(self, unsafe { elements(layout) }, mean, std);
                Ok(())
            }),
            DType::F16 if blocks => overwrite(t, |layout| {
                // SAFETY: the dtype is f16; row-major memory of this call.
                normal::fill_reduced::<f16>(self, unsafe { elements(layout) }, mean, std);
                Ok(())
            }),
            DType::BF16 if blocks => overwrite(t, |layout| {
                // SAFETY: the dtype is bf16; row-major memory of this call.
                normal::fill_reduced::<bf16>(self, unsafe { elements(layout) }, mean, std);
                Ok(())
            }),
            _ => self.serial_normal_(t, mean, std),
        }
    }

    /// As [`Generator::normal_`], one number after the other: what PyTorch does where the tensor is
    /// not contiguous.
    pub fn serial_normal_(&mut self, t: &Tensor, mean: f64, std: f64) -> Result<()> {
        dispatch!(t.dtype(); any_float: T => {
            self.fill::<T>(t, |g| <T as Element>::from_f64(g.normal(mean, std)))
        }; else float_only("normal_kernel_cpu", t.dtype()))
    }

    /// `t.random_(low, high)`; `torch.randint` fills int64.
    pub fn random_from_to_(&mut self, t: &Tensor, low: i64, high: i64) -> Result<()> {
        if low >= high {
            return Err(TensorError::Runtime(format!(
                "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )));
        }
        let range = high.wrapping_sub(low) as u64;
        let draw = move |g: &mut Generator| {
            // Narrow words would be skewed too much from here on.
            let word = if range >= 1 << 28 {
                g.random64()
            } else {
                u64::from(g.random())
            };
            ((word % range) as i64).wrapping_add(low)
        };
        dispatch!(t.dtype(); all: T => self.fill::<T>(t, |g| T::from_i64(draw(g))))
    }

    /// `torch.randperm(n)`, int64.
    pub fn randperm(&mut self, n: i64) -> Result<Tensor> {
        if n < 0 {
            return Err(TensorError::Runtime(format!(
                "Trying to create tensor with negative dimension {n}: [{n}]"
            )));
        }
        let mut p: Vec<i64> = Vec::new();
        let size = usize::try_from(n).unwrap_or(usize::MAX);
        p.try_reserve_exact(size)
            .map_err(|_| TensorError::OutOfMemory(size.saturating_mul(size_of::<i64>())))?;
        p.extend(0..n);
        let len = p.len();
        for i in 0..len.saturating_sub(1) {
            let left = (len - i) as u64;
            // Beyond a twentieth of 2^32 torch takes 64 bits.
            let word = if n < i64::from(u32::MAX / 20) {
                u64::from(self.random())
            } else {
                self.random64()
            };
            p.swap(i, i + (word % left) as usize);
        }
        Tensor::from_slice(&p, &[n])
    }

    /// `t.bernoulli_(p)`: each element 1 with probability p, else 0. Dropout masks are this.
    pub fn bernoulli_(&mut self, t: &Tensor, p: f64) -> Result<()> {
        if !(0.0..=1.0).contains(&p) {
            return Err(TensorError::Runtime(format!(
                "bernoulli_ expects p to be in [0, 1], but got p={p}"
            )));
        }
        dispatch!(t.dtype(); all: T => self.fill::<T>(t, |g| T::from_i64(i64::from(f64::unit(g) < p))))
    }

    /// `torch.bernoulli(p)` with a probability per element.
    pub fn bernoulli(&mut self, p: &Tensor) -> Result<Tensor> {
        if p.dtype().is_reduced() {
            let drawn = self.bernoulli(&crate::Eager.cast(p, DType::F32)?)?;
            return crate::Eager.cast(&drawn, p.dtype());
        }
        dispatch!(p.dtype(); any_float: T => {
            let mut out = p.to_vec::<T>()?;
            for x in &mut out {
                if !(0.0..=1.0).contains(&x.to_f64()) {
                    return Err(TensorError::Runtime(
                        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)".to_owned(),
                    ));
                }
                *x = T::from_i64(i64::from(T::unit(self) < *x));
            }
            Tensor::from_slice(&out, &p.shape())
        }; else float_only("bernoulli_tensor_cpu_p_", p.dtype()))
    }

    /// `t.exponential_(lambda)`
    pub fn exponential_(&mut self, t: &Tensor, lambda: f64) -> Result<()> {
        if lambda <= 0.0 {
            return Err(TensorError::Runtime(format!(
                "exponential_ expects lambda > 0.0, but found lambda={lambda}"
            )));
        }
        dispatch!(t.dtype(); any_float: T => self.fill::<T>(t, |g| {
            T::from_f64(-1.0 / lambda * (-f64::unit(g)).ln_1p())
        }); else float_only("exponential_cpu", t.dtype()))
    }

    /// `torch.multinomial(probabilities, samples, replacement)` on one or two dimensions.
    pub fn multinomial(
        &mut self,
        probabilities: &Tensor,
        samples: i64,
        replacement: bool,
    ) -> Result<Tensor> {
        let error = |m: &str| TensorError::Runtime(m.to_owned());
        let shape = probabilities.shape();
        let (rows, categories) = multinomial_extents(&shape, samples, replacement)?;
        let dtype = probabilities.dtype();
        let out = dispatch!(dtype; any_float: T => {
            let p = probabilities.to_vec::<T>()?;
            let columns = memory_order(&shape, &probabilities.strides()).is_some();
            let size = (categories as usize, samples as usize);
            self.multinomial_rows::<T>(&p, size, replacement, columns)?
        }; else return Err(error(
            "multinomial only supports floating-point dtypes for input, got: Long"
        )));
        if shape.len() == 1 {
            Tensor::from_slice(&out, &[samples])
        } else {
            Tensor::from_slice(&out, &[rows, samples])
        }
    }

    /// `columns`: the columns of p lie behind one another in memory.
    fn multinomial_rows<T: Draw>(
        &mut self,
        p: &[T],
        (categories, samples): (usize, usize),
        replacement: bool,
        columns: bool,
    ) -> Result<Vec<i64>> {
        let error = |m: &str| TensorError::Runtime(m.to_owned());
        let mut out = Vec::new();
        if !replacement || samples == 1 {
            let bad = |v: &T| !v.to_f64().is_finite() || v.to_f64() < 0.0;
            if p.iter().any(bad) {
                return Err(error(
                    "probability tensor contains either `inf`, `nan` or element < 0",
                ));
            }
            let empty = |row: &[T]| row.iter().all(|v| v.to_f64() == 0.0);
            if p.chunks(categories.max(1)).any(empty) {
                return Err(error(
                    "invalid multinomial distribution (sum of probabilities <= 0)",
                ));
            }
            // The largest p / q with exponential q: a draw without replacement.
            let q: Vec<T> = (0..p.len())
                .map(|_| T::from_f64(-(-f64::unit(self)).ln_1p()))
                .collect();
            let rows = p.len() / categories.max(1);
            let drawn = |i: usize| match columns {
                true => i % categories * rows + i / categories,
                false => i,
            };
            let ratios: Vec<f64> = (p.iter().enumerate())
                .map(|(i, v)| {
                    let q = q.get(drawn(i)).map_or(f64::NAN, |q| q.to_f64());
                    T::from_f64(v.to_f64() / q).to_f64()
                })
                .collect();
            for row in ratios.chunks(categories.max(1)) {
                let mut order: Vec<usize> = (0..row.len()).collect();
                let key = |i: &usize| row.get(*i).copied().unwrap_or(0.0);
                order.sort_by(|a, b| key(b).total_cmp(&key(a)));
                out.extend(order.iter().take(samples).map(|&i| i as i64));
            }
            return Ok(out);
        }
        for row in p.chunks(categories.max(1)) {
            let mut sum = T::default();
            let mut cumulative = Vec::with_capacity(row.len());
            for v in row {
                if v.to_f64() < 0.0 {
                    return Err(error(
                        "invalid multinomial distribution (encountering probability entry < 0)",
                    ));
                }
                if !v.to_f64().is_finite() {
                    return Err(error(
                        "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
                    ));
                }
                sum = T::from_f64(sum.to_f64() + v.to_f64());
                cumulative.push(sum);
            }
            if sum.to_f64() <= 0.0 {
                return Err(error(
                    "invalid multinomial distribution (sum of probabilities <= 0)",
                ));
            }
            for c in &mut cumulative {
                *c = T::from_f64(c.to_f64() / sum.to_f64());
            }
            for _ in 0..samples {
                let u = f64::unit(self);
                out.push(cumulative.partition_point(|c| c.to_f64() < u) as i64);
            }
        }
        Ok(out)
    }
}

/// Rows and categories of `multinomial`'s weights.
fn multinomial_extents(shape: &[i64], samples: i64, replacement: bool) -> Result<(i64, i64)> {
    let error = |m: &str| Err(TensorError::Runtime(m.to_owned()));
    let (rows, categories) = match *shape {
        [c] => (1, c),
        [r, c] => (r, c),
        _ => return error("prob_dist must be 1 or 2 dim"),
    };
    if samples <= 0 {
        return error("cannot sample n_sample <= 0 samples");
    }
    if !replacement && samples > categories {
        return error("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    }
    Ok((rows, categories))
}

/// A new tensor filled by a generator's method.
pub fn filled(
    shape: &[i64],
    dtype: DType,
    fill: impl FnOnce(&Tensor) -> Result<()>,
) -> Result<Tensor> {
    let t = Tensor::full(shape, Scalar::I64(0), dtype)?;
    fill(&t)?;
    Ok(t)
}
