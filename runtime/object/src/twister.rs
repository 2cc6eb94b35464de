//! The Mersenne Twister of Python's `random`.
//!
//! In: seeds. Out: numbers. Always: the stream is bit for bit that of CPython.

use std::cell::RefCell;
use std::collections::HashSet;

/// Words of the state.
pub const STATE_WORDS: usize = 624;
const N: usize = STATE_WORDS;
const M: usize = 397;

/// The generator's state.
#[derive(Clone)]
pub struct Twister {
    /// The words.
    pub state: [u32; N],
    /// The word that comes next; as many as there are words: they are made anew before.
    pub index: usize,
}

impl Default for Twister {
    fn default() -> Self {
        Twister::new()
    }
}

/// What a Python object of class `_random.Random` holds.
pub type TwisterCell = RefCell<Twister>;

/// Shuffles from the end; `draw(i)` is a place from 0 to `i`, both included.
fn shuffle_by<T>(items: &mut [T], mut draw: impl FnMut(u64) -> u64) {
    for i in (1..items.len()).rev() {
        let j = usize::try_from(draw(i as u64)).unwrap_or(0);
        items.swap(i, j);
    }
}

impl Twister {
    /// Not seeded.
    #[must_use]
    pub fn new() -> Self {
        Twister {
            state: [0; N],
            index: N,
        }
    }

    fn init(&mut self, seed: u32) {
        let mut last = seed;
        self.state[0] = last;
        for (i, word) in self.state.iter_mut().enumerate().skip(1) {
            last = 1_812_433_253u32
                .wrapping_mul(last ^ (last >> 30))
                .wrapping_add(i as u32);
            *word = last;
        }
        self.index = N;
    }

    /// Seeds with an array of words, which is not empty.
    pub fn init_by_array(&mut self, key: &[u32]) {
        self.init(19_650_218);
        let mix = |state: &[u32; N], i: usize, factor: u32| {
            let previous = state[i - 1];
            state[i] ^ (previous ^ (previous >> 30)).wrapping_mul(factor)
        };
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            self.state[i] = mix(&self.state, i, 1_664_525)
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            self.state[i] = mix(&self.state, i, 1_566_083_941).wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
        }
        self.state[0] = 0x8000_0000;
    }

    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let twist = if y & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ twist;
        }
        self.index = 0;
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        if self.index >= N {
            self.refill();
        }
        let mut y = self.state[self.index];
        self.index += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// 53 bits in [0, 1).
    pub fn random(&mut self) -> f64 {
        let (a, b) = (f64::from(self.word() >> 5), f64::from(self.word() >> 6));
        (a * 67_108_864.0 + b) * (1.0 / 9_007_199_254_740_992.0)
    }

    /// `bits` random bits, at most 64.
    pub fn bits(&mut self, bits: u32) -> u64 {
        match bits {
            0 => 0,
            1..=32 => u64::from(self.word() >> (32 - bits)),
            _ => {
                let low = u64::from(self.word());
                low | u64::from(self.word() >> (64 - bits)) << 32
            }
        }
    }

    /// `count` different numbers below `n`, as `random.sample` picks places; fewer where there are not so many.
    pub fn sample(&mut self, n: u64, count: usize) -> Vec<u64> {
        let count = count.min(usize::try_from(n).unwrap_or(usize::MAX));
        // Where CPython switches algorithms: the size of a small set minus the size of an empty list.
        let set: u64 = if count > 5 {
            let digits = ((count as f64 * 3.0).ln() / 4f64.ln()).ceil();
            21 + 4f64.powf(digits) as u64
        } else {
            21
        };
        let mut drawn = Vec::with_capacity(count);
        if n <= set {
            let mut pool: Vec<u64> = (0..n).collect();
            for _ in 0..count {
                // The last of the rest takes the place of the one that goes.
                let j = self.below(pool.len() as u64);
                drawn.push(pool.swap_remove(usize::try_from(j).unwrap_or(0)));
            }
            return drawn;
        }
        let mut taken = HashSet::with_capacity(count);
        while drawn.len() < count {
            let j = self.below(n);
            if taken.insert(j) {
                drawn.push(j);
            }
        }
        drawn
    }

    /// Places in another order, as `random.shuffle` makes it.
    pub fn order(&mut self, n: usize) -> Vec<u64> {
        let mut order: Vec<u64> = (0..n as u64).collect();
        self.shuffle(&mut order);
        order
    }

    /// Shuffles in place, as `random.shuffle`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle_by(items, |last| self.below(last + 1));
    }

    /// Two normal numbers by the polar method, as NumPy's legacy generator draws them.
    pub fn normal_pair(&mut self) -> [f64; 2] {
        loop {
            let x1 = 2.0 * self.random() - 1.0;
            let x2 = 2.0 * self.random() - 1.0;
            let r2 = x1 * x1 + x2 * x2;
            if r2 < 1.0 && r2 != 0.0 {
                let f = (-2.0 * r2.ln() / r2).sqrt();
                return [f * x2, f * x1];
            }
        }
    }

    /// A number from 0 to `most`, both included, as NumPy's legacy generator draws it: words are cut to as many
    /// bits, and drawn again while too large.
    pub fn masked(&mut self, most: u64) -> u64 {
        let mask = u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
        if mask == 0 {
            return 0;
        }
        loop {
            let mut drawn = u64::from(self.word());
            if mask > u64::from(u32::MAX) {
                drawn = drawn << 32 | u64::from(self.word());
            }
            if drawn & mask <= most {
                return drawn & mask;
            }
        }
    }

    /// Shuffles in place, as NumPy's legacy generator does.
    pub fn masked_shuffle<T>(&mut self, items: &mut [T]) {
        shuffle_by(items, |last| self.masked(last));
    }

    /// A number below `n`, 0 if that is 0: draws until one fits, as `_randbelow`.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let bits = 64 - n.leading_zeros();
        loop {
            let drawn = self.bits(bits);
            if drawn < n {
                return drawn;
            }
        }
    }
}
