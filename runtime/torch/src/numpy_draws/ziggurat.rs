//! Normal and exponential numbers by the ziggurat method.
//!
//! Source: Marsaglia and Tsang, The ziggurat method for generating random variables. Always: for a state of the generator
//! the numbers are NumPy's, but for the last digit, as the tables are computed here.

use std::sync::LazyLock;

use super::pcg::Pcg;

const LAYERS: usize = 256;
/// Where the tail of the normal distribution begins.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
/// Where the tail of the exponential distribution begins.
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;

/// For each layer: below which number of bits a draw is inside, the width of a unit, and the height.
struct Layers {
    inside: [u64; LAYERS],
    width: [f64; LAYERS],
    top: [f64; LAYERS],
    width32: [f32; LAYERS],
    top32: [f32; LAYERS],
    inside32: [u32; LAYERS],
}

/// The layers of a density that falls, whose inverse is known; `bits` and `bits32` are those of a place within a layer.
fn layers(
    density: impl Fn(f64) -> f64,
    inverse: impl Fn(f64) -> f64,
    tail: f64,
    area: f64,
    bits: [i32; 2],
) -> Layers {
    let [unit, unit32] = bits.map(|bits| 2f64.powi(bits));
    let mut made = Layers {
        inside: [0; LAYERS],
        width: [0.0; LAYERS],
        top: [0.0; LAYERS],
        width32: [0.0; LAYERS],
        top32: [0.0; LAYERS],
        inside32: [0; LAYERS],
    };
    let base = area / density(tail);
    let mut ends = [0.0; LAYERS];
    let mut x = tail;
    ends[LAYERS - 1] = tail;
    for at in (1..LAYERS - 1).rev() {
        x = inverse(area / x + density(x));
        ends[at] = x;
    }
    for at in 0..LAYERS {
        let (end, within) = match at {
            0 => (base, tail / base),
            1 => (ends[1], 0.0),
            _ => (ends[at], ends[at - 1] / ends[at]),
        };
        made.inside[at] = (within * unit) as u64;
        made.inside32[at] = (within * unit32) as u32;
        made.width[at] = end / unit;
        made.width32[at] = (end / unit32) as f32;
        made.top[at] = if at == 0 { 1.0 } else { density(ends[at]) };
        made.top32[at] = made.top[at] as f32;
    }
    made
}

static NORMAL: LazyLock<Layers> = LazyLock::new(|| {
    let density = |x: f64| (-0.5 * x * x).exp();
    // The area below the tail: the square root of half pi times the complementary error function.
    let area = 0.004_928_673_233_974_658;
    layers(
        density,
        |y| (-2.0 * y.ln()).sqrt(),
        NORMAL_TAIL,
        area,
        [52, 23],
    )
});

static EXPONENTIAL: LazyLock<Layers> = LazyLock::new(|| {
    let area = (-EXPONENTIAL_TAIL).exp() * (EXPONENTIAL_TAIL + 1.0);
    layers(
        |x| (-x).exp(),
        |y| -y.ln(),
        EXPONENTIAL_TAIL,
        area,
        [53, 23],
    )
});

impl Pcg {
    /// A normal number.
    pub fn normal(&mut self) -> f64 {
        let table = &*NORMAL;
        loop {
            let bits = self.next64();
            let layer = (bits & 0xFF) as usize;
            let place = bits >> 9 & 0x000F_FFFF_FFFF_FFFF;
            let size = place as f64 * table.width[layer];
            let x = if bits >> 8 & 1 == 1 { -size } else { size };
            if place < table.inside[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let beyond = -(1.0 / NORMAL_TAIL) * (-self.double()).ln_1p();
                    let y = -(-self.double()).ln_1p();
                    if y + y > beyond * beyond {
                        let x = NORMAL_TAIL + beyond;
                        return if place >> 8 & 1 == 1 { -x } else { x };
                    }
                }
            }
            let (above, top) = (table.top[layer - 1], table.top[layer]);
            if (above - top) * self.double() + top < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// A normal number of 32 bits.
    pub fn normal32(&mut self) -> f32 {
        let table = &*NORMAL;
        let tail = NORMAL_TAIL as f32;
        loop {
            let bits = self.next32();
            let layer = (bits & 0xFF) as usize;
            let place = bits >> 9 & 0x007F_FFFF;
            let size = place as f32 * table.width32[layer];
            let x = if bits >> 8 & 1 == 1 { -size } else { size };
            if place < table.inside32[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let beyond = -((1.0 / NORMAL_TAIL) as f32) * (-self.float()).ln_1p();
                    let y = -(-self.float()).ln_1p();
                    if y + y > beyond * beyond {
                        let x = tail + beyond;
                        return if place >> 8 & 1 == 1 { -x } else { x };
                    }
                }
            }
            let (above, top) = (table.top32[layer - 1], table.top32[layer]);
            if f64::from((above - top) * self.float() + top)
                < (-0.5 * f64::from(x) * f64::from(x)).exp()
            {
                return x;
            }
        }
    }

    /// A number of the exponential distribution.
    pub fn exponential(&mut self) -> f64 {
        let table = &*EXPONENTIAL;
        loop {
            let bits = self.next64() >> 3;
            let layer = (bits & 0xFF) as usize;
            let place = bits >> 8;
            let x = place as f64 * table.width[layer];
            if place < table.inside[layer] {
                return x;
            }
            if layer == 0 {
                return EXPONENTIAL_TAIL - (-self.double()).ln_1p();
            }
            let (above, top) = (table.top[layer - 1], table.top[layer]);
            if (above - top) * self.double() + top < (-x).exp() {
                return x;
            }
        }
    }

    /// A number of 32 bits of the exponential distribution.
    pub fn exponential32(&mut self) -> f32 {
        let table = &*EXPONENTIAL;
        loop {
            let bits = self.next32() >> 1;
            let layer = (bits & 0xFF) as usize;
            let place = bits >> 8;
            let x = place as f32 * table.width32[layer];
            if place < table.inside32[layer] {
                return x;
            }
            if layer == 0 {
                return EXPONENTIAL_TAIL as f32 - (-self.float()).ln_1p();
            }
            let (above, top) = (table.top32[layer - 1], table.top32[layer]);
            if (above - top) * self.float() + top < (-x).exp() {
                return x;
            }
        }
    }
}
