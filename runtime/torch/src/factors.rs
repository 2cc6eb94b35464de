//! Factors of matrices: QR, LU, singular values, eigenvalues.
//!
//! In: float64 and complex128 matrices, with any number of batch dimensions. Out: their factors, outside autograd; gradients
//! and other dtypes are the business of `torch._factors`. Always: reflections and pivots are chosen as LAPACK chooses
//! them, so that signs are PyTorch's; singular values and eigenvalues of real matrices that are not large are those of
//! `rotations`, others faer's.

use std::ops::{Add, Div, Mul, Sub};

use faer::traits::ComplexField;
use faer::{Mat, Side};
use janus_object::{Args, Bool, NativeDef, PyResult, Raised, Value, Vm};
use janus_tensor::scalar::{Element, c128};
use janus_tensor::{DType, Device, DeviceGuard, Tensor, TensorError};

use crate::call::raised;
use crate::memory::argument;
use crate::objects::wrap;

/// An element of a matrix that has factors here.
trait Entry:
    Element
    + ComplexField<Real = f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// From its parts; a real one has no second.
    fn of(re: f64, im: f64) -> Self;
    fn re(self) -> f64;
    fn im(self) -> f64;

    fn conjugate(self) -> Self {
        Self::of(self.re(), -self.im())
    }
}

impl Entry for f64 {
    fn of(re: f64, _im: f64) -> f64 {
        re
    }

    fn re(self) -> f64 {
        self
    }

    fn im(self) -> f64 {
        0.0
    }
}

impl Entry for c128 {
    fn of(re: f64, im: f64) -> c128 {
        c128::new(re, im)
    }

    fn re(self) -> f64 {
        self.re
    }

    fn im(self) -> f64 {
        self.im
    }
}

/// Matrices of one shape, row by row.
struct Batch<E> {
    /// The dimensions ahead of the two last.
    ahead: Vec<i64>,
    rows: usize,
    columns: usize,
    matrices: Vec<Vec<E>>,
    device: Device,
}

impl<E: Entry> Batch<E> {
    fn of(t: &Tensor) -> Result<Batch<E>, TensorError> {
        let shape = t.shape();
        let (&[.., rows, columns], true) = (shape.as_slice(), shape.len() >= 2) else {
            return Err(TensorError::Runtime("a matrix was expected".to_owned()));
        };
        let ahead = shape.get(..shape.len() - 2).unwrap_or_default().to_vec();
        let count = usize::try_from(ahead.iter().product::<i64>()).unwrap_or(0);
        let (rows, columns) = (rows.max(0) as usize, columns.max(0) as usize);
        let elements = t.to_vec::<E>()?;
        let size = rows * columns;
        let matrices = (0..count)
            .map(|k| elements.get(k * size..(k + 1) * size).unwrap_or_default())
            .map(<[E]>::to_vec)
            .collect();
        Ok(Batch {
            ahead,
            rows,
            columns,
            matrices,
            device: t.device(),
        })
    }

    /// A tensor of what was made of each matrix.
    fn tensor<T: Element>(&self, parts: &[Vec<T>], extents: &[usize]) -> Result<Value, Raised> {
        let mut shape = self.ahead.clone();
        shape.extend(extents.iter().map(|&n| n as i64));
        let elements: Vec<T> = parts.iter().flatten().copied().collect();
        let _guard = DeviceGuard::new(self.device);
        Ok(wrap(Tensor::from_slice(&elements, &shape).map_err(raised)?))
    }
}

fn matrix<E: Entry>(elements: &[E], rows: usize, columns: usize) -> Mat<E> {
    let at = |i: usize, j: usize| elements.get(i * columns + j).copied();
    Mat::from_fn(rows, columns, |i, j| at(i, j).unwrap_or_default())
}

/// A matrix row by row.
fn elements<E: Copy>(m: faer::MatRef<'_, E>) -> Vec<E> {
    let mut all = Vec::with_capacity(m.nrows() * m.ncols());
    for i in 0..m.nrows() {
        for j in 0..m.ncols() {
            all.push(m[(i, j)]);
        }
    }
    all
}

/// What is said where an iteration does not come to an end.
fn no_convergence(what: &str) -> Raised {
    raised(TensorError::LinAlg(format!(
        "{what}: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated \
eigenvalues."
    )))
}

fn as_flag(v: Option<&Value>) -> bool {
    matches!(v, Some(Value::Bool(Bool::True)))
}

/// Calls the function for the tensor's dtype.
macro_rules! by_dtype {
    ($t:expr, $function:ident $(, $more:expr)*) => {
        match $t.dtype() {
            DType::F64 => $function::<f64>($t $(, $more)*),
            DType::C128 => $function::<c128>($t $(, $more)*),
            _ => Err(Raised::type_error("a float64 or complex128 tensor was expected")),
        }
    };
}

// Singular values

/// The numbers of a real matrix; none of a complex one.
fn real_numbers<E: Entry>(a: &[E]) -> Option<Vec<f64>> {
    let real = E::of(0.0, 1.0).im() == 0.0;
    real.then(|| a.iter().map(|x| x.re()).collect())
}

fn svd_of<E: Entry>(t: &Tensor, full: bool, numpy: bool) -> PyResult {
    let batch = Batch::<E>::of(t).map_err(raised)?;
    let (m, n) = (batch.rows, batch.columns);
    let k = m.min(n);
    let (wide, high) = if full { (m, n) } else { (k, k) };
    let (mut us, mut values, mut vs) = (Vec::new(), Vec::new(), Vec::new());
    for a in &batch.matrices {
        if k == 0 {
            us.push(elements(Mat::<E>::identity(m, wide).as_ref()));
            vs.push(elements(Mat::<E>::identity(high, n).as_ref()));
            values.push(Vec::new());
            continue;
        }
        let own = real_numbers(a).and_then(|a| crate::rotations::svd(&a, (m, n), full, numpy));
        if let Some([u, s, v]) = own {
            let of = |all: Vec<f64>| all.into_iter().map(|x| E::of(x, 0.0)).collect();
            us.push(of(u));
            values.push(s);
            vs.push(of(v));
            continue;
        }
        let a = matrix(a, m, n);
        let svd = if full { a.svd() } else { a.thin_svd() };
        let svd = svd.map_err(|_| no_convergence("linalg.svd"))?;
        let s = svd.S().column_vector();
        values.push((0..k).map(|i| s[i].re()).collect::<Vec<f64>>());
        us.push(elements(svd.U()));
        vs.push(elements(svd.V().adjoint().to_owned().as_ref()));
    }
    Ok(Value::tuple(vec![
        batch.tensor(&us, &[m, wide])?,
        batch.tensor(&values, &[k])?,
        batch.tensor(&vs, &[high, n])?,
    ]))
}

/// `_svd(t, full, numpy)`: U, the singular values in falling order, and V's conjugate transpose, as NumPy has them or
/// as PyTorch.
fn svd(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t, full, numpy] = args.exactly("_svd")?;
    let (full, numpy) = (as_flag(Some(full)), as_flag(Some(numpy)));
    by_dtype!(argument(t)?, svd_of, full, numpy)
}

// Eigenvalues

fn eigh_of<E: Entry>(t: &Tensor, numpy: bool) -> PyResult {
    let batch = Batch::<E>::of(t).map_err(raised)?;
    let n = batch.rows;
    let (mut values, mut vectors) = (Vec::new(), Vec::new());
    for a in batch.matrices.iter().filter(|_| n > 0) {
        let own = real_numbers(a);
        if let Some([w, z]) = own.and_then(|a| crate::rotations::eigh(&a, n, numpy)) {
            values.push(w);
            vectors.push(z.into_iter().map(|x| E::of(x, 0.0)).collect());
            continue;
        }
        let eigen = matrix(a, n, n)
            .self_adjoint_eigen(Side::Lower)
            .map_err(|_| no_convergence("linalg.eigh"))?;
        let s = eigen.S().column_vector();
        values.push((0..n).map(|i| s[i].re()).collect::<Vec<f64>>());
        vectors.push(elements(eigen.U()));
    }
    Ok(Value::tuple(vec![
        batch.tensor(&values, &[n])?,
        batch.tensor(&vectors, &[n, n])?,
    ]))
}

/// `_eigh(t, numpy)`: the eigenvalues, rising, and vectors of Hermitian matrices, of which the lower triangle is read;
/// as NumPy has them where that is asked for.
fn eigh(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t, numpy] = args.exactly("_eigh")?;
    by_dtype!(argument(t)?, eigh_of, as_flag(Some(numpy)))
}

/// `_eig(t)`: the complex eigenvalues and vectors of square matrices.
fn eig(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_eig")?;
    let t = argument(t)?;
    let failed = |_| no_convergence("linalg.eig");
    let made = |values: &[Vec<c128>], vectors: &[Vec<c128>], batch: &Batch<c128>| {
        let n = batch.rows;
        Ok(Value::tuple(vec![
            batch.tensor(values, &[n])?,
            batch.tensor(vectors, &[n, n])?,
        ]))
    };
    let (mut values, mut vectors) = (Vec::new(), Vec::new());
    let mut keep = |s: faer::ColRef<'_, c128>, u: faer::MatRef<'_, c128>| {
        values.push((0..s.nrows()).map(|i| s[i]).collect::<Vec<c128>>());
        vectors.push(elements(u));
    };
    let shape = match t.dtype() {
        DType::F64 => {
            let batch = Batch::<f64>::of(t).map_err(raised)?;
            let n = batch.rows;
            for a in batch.matrices.iter().filter(|_| n > 0) {
                let eigen = matrix(a, n, n).eigen().map_err(failed)?;
                keep(eigen.S().column_vector(), eigen.U());
            }
            Batch::<c128> {
                ahead: batch.ahead,
                rows: n,
                columns: n,
                matrices: Vec::new(),
                device: batch.device,
            }
        }
        DType::C128 => {
            let batch = Batch::<c128>::of(t).map_err(raised)?;
            let n = batch.rows;
            for a in batch.matrices.iter().filter(|_| n > 0) {
                let eigen = matrix(a, n, n).eigen().map_err(failed)?;
                keep(eigen.S().column_vector(), eigen.U());
            }
            batch
        }
        _ => {
            return Err(Raised::type_error(
                "a float64 or complex128 tensor was expected",
            ));
        }
    };
    made(&values, &vectors, &shape)
}

// QR

/// Makes reflections of a matrix, row by row, as LAPACK's geqrf keeps them: their vectors below the diagonal, R on and above.
fn reflections<E: Entry>(a: &mut [E], rows: usize, columns: usize) -> Vec<E> {
    let mut factors = Vec::new();
    let at = |i: usize, j: usize| i * columns + j;
    let get = |a: &[E], i: usize, j: usize| a.get(at(i, j)).copied().unwrap_or_default();
    for k in 0..rows.min(columns) {
        let alpha = get(a, k, k);
        let below = (k + 1..rows).map(|i| get(a, i, k));
        let norm = below.fold(0.0_f64, |n, x| n.hypot(x.re()).hypot(x.im()));
        if norm == 0.0 && alpha.im() == 0.0 {
            factors.push(E::default());
            continue;
        }
        let size = alpha.re().hypot(alpha.im()).hypot(norm);
        let beta = -size.copysign(alpha.re());
        let tau = E::of((beta - alpha.re()) / beta, -alpha.im() / beta);
        let scale = alpha - E::of(beta, 0.0);
        for i in k + 1..rows {
            if let Some(x) = a.get_mut(at(i, k)) {
                *x /= scale;
            }
        }
        if let Some(x) = a.get_mut(at(k, k)) {
            *x = E::of(beta, 0.0);
        }
        for j in k + 1..columns {
            let mut sum = get(a, k, j);
            for i in k + 1..rows {
                sum += get(a, i, k).conjugate() * get(a, i, j);
            }
            let taken = tau.conjugate() * sum;
            if let Some(x) = a.get_mut(at(k, j)) {
                *x -= taken;
            }
            for i in k + 1..rows {
                let v = get(a, i, k);
                if let Some(x) = a.get_mut(at(i, j)) {
                    *x -= v * taken;
                }
            }
        }
        factors.push(tau);
    }
    factors
}

fn geqrf_of<E: Entry>(t: &Tensor) -> PyResult {
    let mut batch = Batch::<E>::of(t).map_err(raised)?;
    let (m, n) = (batch.rows, batch.columns);
    let mut factors = Vec::new();
    for a in &mut batch.matrices {
        factors.push(reflections(a, m, n));
    }
    Ok(Value::tuple(vec![
        batch.tensor(&batch.matrices, &[m, n])?,
        batch.tensor(&factors, &[m.min(n)])?,
    ]))
}

/// `_geqrf(t)`: R above the reflections' vectors, and their factors.
fn geqrf(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_geqrf")?;
    by_dtype!(argument(t)?, geqrf_of)
}

fn orgqr_of<E: Entry>(t: &Tensor, factors: &Tensor, wide: usize) -> PyResult {
    let batch = Batch::<E>::of(t).map_err(raised)?;
    let (m, n) = (batch.rows, batch.columns);
    let all = factors.to_vec::<E>().map_err(raised)?;
    let count = all.len().checked_div(batch.matrices.len()).unwrap_or(0);
    let mut made = Vec::new();
    for (b, a) in batch.matrices.iter().enumerate() {
        let get = |i: usize, j: usize| a.get(i * n + j).copied().unwrap_or_default();
        let mut q = elements(Mat::<E>::identity(m, wide).as_ref());
        for k in (0..count.min(n)).rev() {
            let tau = all.get(b * count + k).copied().unwrap_or_default();
            for j in 0..wide {
                let mut sum = q.get(k * wide + j).copied().unwrap_or_default();
                for i in k + 1..m {
                    let x = q.get(i * wide + j).copied().unwrap_or_default();
                    sum += get(i, k).conjugate() * x;
                }
                let taken = tau * sum;
                if let Some(x) = q.get_mut(k * wide + j) {
                    *x -= taken;
                }
                for i in k + 1..m {
                    if let Some(x) = q.get_mut(i * wide + j) {
                        *x -= get(i, k) * taken;
                    }
                }
            }
        }
        made.push(q);
    }
    batch.tensor(&made, &[m, wide])
}

/// `_orgqr(t, factors, columns)`: the product of reflections, its first columns.
fn orgqr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t, factors, columns] = args.exactly("_orgqr")?;
    let (t, factors) = (argument(t)?, argument(factors)?);
    let wide = usize::try_from(columns.as_int().unwrap_or(0)).unwrap_or(0);
    by_dtype!(t, orgqr_of, factors, wide)
}

// LU

/// Eliminates in place with partial pivoting; the rows chosen, counted from 1, and the first step whose pivot is zero.
fn eliminate<E: Entry>(a: &mut [E], rows: usize, columns: usize) -> (Vec<i32>, i32) {
    let at = |i: usize, j: usize| i * columns + j;
    let get = |a: &[E], i: usize, j: usize| a.get(at(i, j)).copied().unwrap_or_default();
    let (mut pivots, mut failed) = (Vec::new(), 0);
    for k in 0..rows.min(columns) {
        let size = |a: &[E], i: usize| {
            let x = get(a, i, k);
            x.re().abs() + x.im().abs()
        };
        let mut best = k;
        for i in k + 1..rows {
            if size(a, i) > size(a, best) {
                best = i;
            }
        }
        pivots.push(i32::try_from(best + 1).unwrap_or(i32::MAX));
        if size(a, best) == 0.0 {
            if failed == 0 {
                failed = i32::try_from(k + 1).unwrap_or(i32::MAX);
            }
            continue;
        }
        for j in 0..columns {
            if best != k {
                a.swap(at(k, j), at(best, j));
            }
        }
        let pivot = get(a, k, k);
        for i in k + 1..rows {
            let factor = get(a, i, k) / pivot;
            if let Some(x) = a.get_mut(at(i, k)) {
                *x = factor;
            }
            for j in k + 1..columns {
                let above = get(a, k, j);
                if let Some(x) = a.get_mut(at(i, j)) {
                    *x -= factor * above;
                }
            }
        }
    }
    (pivots, failed)
}

fn getrf_of<E: Entry>(t: &Tensor) -> PyResult {
    let mut batch = Batch::<E>::of(t).map_err(raised)?;
    let (m, n) = (batch.rows, batch.columns);
    let (mut pivots, mut failed) = (Vec::new(), Vec::new());
    for a in &mut batch.matrices {
        let (rows, step) = eliminate(a, m, n);
        pivots.push(rows);
        failed.push(vec![step]);
    }
    Ok(Value::tuple(vec![
        batch.tensor(&batch.matrices, &[m, n])?,
        batch.tensor(&pivots, &[m.min(n)])?,
        batch.tensor(&failed, &[])?,
    ]))
}

/// `_getrf(t)`: L and U in one matrix, the pivots, and where one is zero.
fn getrf(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_getrf")?;
    by_dtype!(argument(t)?, getrf_of)
}

/// What `torch._C` has for them.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._svd", svd),
    NativeDef::function("torch._C._eigh", eigh),
    NativeDef::function("torch._C._eig", eig),
    NativeDef::function("torch._C._geqrf", geqrf),
    NativeDef::function("torch._C._orgqr", orgqr),
    NativeDef::function("torch._C._getrf", getrf),
];
