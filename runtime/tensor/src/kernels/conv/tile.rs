//! The innermost products of convolutions: the GEMM library's own kernels, one tile at a time.
//!
//! In: a panel `[k][rows]` of one operand, rows of the other one. Out: a tile of the product.
//! Always: an element is one chain of fused multiply-adds in the order of k, added to what was
//! there; so its bits depend neither on its place in the tile nor on the tile's extents.

use std::sync::LazyLock;

use gemm_common::microkernel::MicroKernelFn;

use crate::scalar::Element;

/// The kernels for one element type on this machine.
pub(super) struct Kernels<T: 'static> {
    /// Elements of a vector.
    lanes: usize,
    /// Rows of a full tile.
    pub rows: usize,
    /// Columns of a full tile.
    pub columns: usize,
    /// By vectors of rows, then by columns, each less one.
    table: Vec<Vec<MicroKernelFn<T>>>,
}

/// One tile: `c[i + j * c_column] (+)= sum of panel[k * rows + i] * right[k * right_row + j * right_column]`.
pub(super) struct Tile<T> {
    pub extents: (usize, usize, usize),
    pub panel: *const T,
    pub right: *const T,
    pub right_row: isize,
    pub right_column: isize,
    pub c: *mut T,
    pub c_column: isize,
    pub add: bool,
}

impl<T: Micro> Kernels<T> {
    fn new<const M: usize, const N: usize>(
        lanes: usize,
        table: [[MicroKernelFn<T>; N]; M],
    ) -> Self {
        Kernels {
            lanes,
            rows: M * lanes,
            columns: N,
            table: table.iter().map(|row| row.to_vec()).collect(),
        }
    }

    /// k up to which a panel stays in the innermost cache.
    pub(super) fn depth(&self) -> usize {
        (32 << 10) / (self.rows * size_of::<T>())
    }

    /// Vectors that so many rows take.
    pub(super) fn vectors(&self, rows: usize) -> usize {
        rows.div_ceil(self.lanes)
    }

    /// Runs a tile.
    ///
    /// # Safety
    /// The extents are those of a tile, at least 1; the panel has `self.rows` elements for each k,
    /// and the strides describe memory that may be read, or written for `c`.
    pub(super) unsafe fn run(&self, tile: &Tile<T>) {
        let (m, n, k) = tile.extents;
        let kernel = self
            .table
            .get(m.div_ceil(self.lanes) - 1)
            .and_then(|row| row.get(n - 1));
        let Some(kernel) = kernel else { return };
        // SAFETY: the caller's promise; the table holds what this machine can run.
        unsafe {
            kernel(
                m,
                n,
                k,
                tile.c,
                tile.panel,
                tile.right,
                tile.c_column,
                1,
                self.rows as isize,
                tile.right_row,
                tile.right_column,
                T::from_i64(1),
                T::from_i64(1),
                u8::from(tile.add),
                false,
                false,
                false,
                tile.panel,
            );
        }
    }
}

/// Element types that convolutions work on.
pub(super) trait Micro: Element {
    /// The kernels for this machine.
    fn kernels() -> &'static Kernels<Self>;
    /// `a * b + c`, as the kernels do it.
    fn mul_add(a: Self, b: Self, c: Self) -> Self;
}

macro_rules! float {
    ($t:ident, $lib:ident, $wide:literal) => {
        impl Micro for $t {
            fn kernels() -> &'static Kernels<$t> {
                static KERNELS: LazyLock<Kernels<$t>> = LazyLock::new(|| {
                    #[cfg(target_arch = "x86_64")]
                    {
                        use $lib::microkernel::{avx512f, fma};
                        if is_x86_feature_detected!("avx512f") {
                            return Kernels::new($wide, avx512f::$t::UKR);
                        }
                        if is_x86_feature_detected!("fma") {
                            return Kernels::new($wide / 2, fma::$t::UKR);
                        }
                    }
                    Kernels::new(16, [[plain_tile::<$t>; 4]])
                });
                &KERNELS
            }

            #[inline(always)]
            fn mul_add(a: $t, b: $t, c: $t) -> $t {
                a.mul_add(b, c)
            }
        }
    };
}

float!(f32, gemm_f32, 16);
float!(f64, gemm_f64, 8);

impl Micro for i64 {
    fn kernels() -> &'static Kernels<i64> {
        static KERNELS: LazyLock<Kernels<i64>> =
            LazyLock::new(|| Kernels::new(16, [[plain_tile::<i64>; 4]]));
        &KERNELS
    }

    #[inline(always)]
    fn mul_add(a: i64, b: i64, c: i64) -> i64 {
        a.wrapping_mul(b).wrapping_add(c)
    }
}

/// A tile without vector instructions of its own.
#[expect(clippy::too_many_arguments, reason = "the library's signature")]
unsafe fn plain_tile<T: Micro>(
    m: usize,
    n: usize,
    k: usize,
    c: *mut T,
    panel: *const T,
    right: *const T,
    c_column: isize,
    c_row: isize,
    panel_column: isize,
    right_row: isize,
    right_column: isize,
    _one: T,
    _factor: T,
    add: u8,
    _conj_c: bool,
    _conj_panel: bool,
    _conj_right: bool,
    _next: *const T,
) {
    for j in 0..n as isize {
        for i in 0..m as isize {
            let mut sum = T::default();
            for l in 0..k as isize {
                // SAFETY: the caller's promise, see `Kernels::run`.
                let (a, b) = unsafe {
                    (
                        *panel.offset(l * panel_column + i),
                        *right.offset(l * right_row + j * right_column),
                    )
                };
                sum = T::mul_add(a, b, sum);
            }
            // SAFETY: as above.
            unsafe {
                let to = c.offset(i * c_row + j * c_column);
                *to = if add == 0 {
                    sum
                } else {
                    T::mul_add(T::from_i64(1), sum, *to)
                };
            }
        }
    }
}
