//! PCG64, the bits of NumPy's newer generators.
//!
//! Source: O'Neill, PCG (XSL RR 128/64); Lemire, Fast random integer generation in an interval. Always: for a state the
//! numbers are NumPy's.

const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

/// The state: 128 bits, 64 of which come out at a time, and half a number that is left over.
#[derive(Clone, Copy)]
pub struct Pcg {
    /// The bits.
    pub state: u128,
    /// What is added in each step; odd.
    pub increment: u128,
    /// The upper half of the last number of which 32 bits were wanted.
    pub half: Option<u32>,
}

impl Pcg {
    /// 64 random bits.
    pub fn next64(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(MULTIPLIER)
            .wrapping_add(self.increment);
        let turn = (self.state >> 122) as u32;
        ((self.state >> 64) as u64 ^ self.state as u64).rotate_right(turn)
    }

    /// 32 random bits: two such numbers are made of one of 64.
    pub fn next32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let both = self.next64();
        self.half = Some((both >> 32) as u32);
        both as u32
    }

    /// 53 bits in [0, 1).
    pub fn double(&mut self) -> f64 {
        (self.next64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// 24 bits in [0, 1).
    pub fn float(&mut self) -> f32 {
        (self.next32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// A number from 0 to `most`, both included, by multiplication.
    pub fn below(&mut self, most: u64) -> u64 {
        if most == 0 {
            return 0;
        }
        let Ok(most32) = u32::try_from(most) else {
            return self.below64(most);
        };
        if most32 == u32::MAX {
            return u64::from(self.next32());
        }
        let count = most + 1;
        let mut product = u64::from(self.next32()) * count;
        if (product & 0xFFFF_FFFF) < count {
            let least = u64::from(u32::MAX - most32) % count;
            while (product & 0xFFFF_FFFF) < least {
                product = u64::from(self.next32()) * count;
            }
        }
        product >> 32
    }

    fn below64(&mut self, most: u64) -> u64 {
        if most == u64::MAX {
            return self.next64();
        }
        let count = most + 1;
        let product = |from: &mut Pcg| u128::from(from.next64()) * u128::from(count);
        let mut drawn = product(self);
        if (drawn as u64) < count {
            let least = (u64::MAX - most) % count;
            while (drawn as u64) < least {
                drawn = product(self);
            }
        }
        (drawn >> 64) as u64
    }

    /// A number from 0 to `most`, both included: bits are drawn again while they are too many.
    pub fn masked(&mut self, most: u64) -> u64 {
        if most == 0 {
            return 0;
        }
        let mask = u64::MAX >> most.leading_zeros();
        loop {
            let bits = if most <= u64::from(u32::MAX) {
                u64::from(self.next32())
            } else {
                self.next64()
            };
            if bits & mask <= most {
                return bits & mask;
            }
        }
    }

    /// So many numbers from 0 to `most`, of dtypes of 8 or 16 bits, or of one: several come out of 32 bits.
    pub fn small(&mut self, most: u32, bits: u32, n: usize) -> impl Iterator<Item = u32> + '_ {
        let (whole, count) = ((1u32 << bits) - 1, most + 1);
        let (mut buffer, mut left) = (0u32, 0u32);
        let mut part = move |from: &mut Pcg| {
            if left == 0 {
                buffer = from.next32();
                left = 32 / bits - 1;
            } else {
                buffer >>= bits;
                left -= 1;
            }
            buffer & whole
        };
        (0..n).map(move |_| {
            if most == 0 {
                return 0;
            }
            let first = part(self);
            if most == whole {
                return first;
            }
            let mut product = first * count;
            if product & whole < count {
                let least = (whole - most) % count;
                while product & whole < least {
                    product = part(self) * count;
                }
            }
            product >> bits
        })
    }
}
