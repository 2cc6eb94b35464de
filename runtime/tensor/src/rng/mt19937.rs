//! The Mersenne Twister as `at::mt19937` runs it.
//!
//! In: a seed. Out: 32-bit words.
//! Always: the words and the saved state equal PyTorch's.

/// Words of state.
pub const N: usize = 624;
const M: usize = 397;

/// The engine.
#[derive(Clone, Debug)]
pub struct Mt19937 {
    pub(super) state: [u32; N],
    pub(super) left: i32,
    pub(super) next: usize,
}

impl Mt19937 {
    /// Seeds with the low 32 bits.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = [0u32; N];
        let mut last = seed as u32;
        for (j, slot) in state.iter_mut().enumerate() {
            if j > 0 {
                last = 1_812_433_253u32
                    .wrapping_mul(last ^ (last >> 30))
                    .wrapping_add(j as u32);
            }
            *slot = last;
        }
        Mt19937 {
            state,
            left: 1,
            next: 0,
        }
    }

    fn refill(&mut self) {
        // All indices are taken modulo N, the array's length.
        for j in 0..N {
            let y = (self.state[j] & 0x8000_0000) | (self.state[(j + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[j] = self.state[(j + M) % N] ^ (y >> 1) ^ odd;
        }
        self.left = N as i32;
        self.next = 0;
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        self.left -= 1;
        if self.left <= 0 {
            self.refill();
        }
        let mut y = self.state[self.next % N];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}
