//! Convolutions: the forward pass and its two gradients, each of which is the others' gradient.
//!
//! In: two of image, filters and result. Out: the third one. Eager kernels and generated code call
//! the same routine, as for matrix products.
//! Always: bits depend on values and extents only, neither on strides nor on the number of threads.

mod correlate;
mod filters;
mod tile;
mod windows;

use self::correlate::{Correlation, Done, Job, Rows, Scratch, each_task};
use self::filters::Filters;
use self::tile::Micro;
pub(in crate::kernels) use self::windows::View;
use self::windows::Windows;
use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::loops::Shared;
use crate::ops::{ConvKind, ConvWindow};
use crate::scalar::Element;
use crate::shape::Shape;
use crate::tensor::Layout;

fn malformed(what: &str) -> TensorError {
    TensorError::Runtime(format!("convolution: {what}"))
}

/// Steps, padding and dilation over three spatial dimensions.
pub(super) struct Spec {
    pub step: [usize; 3],
    pub padding: [isize; 3],
    pub dilation: [usize; 3],
    groups: usize,
}

impl Spec {
    pub(super) fn new(
        strides: &[i64],
        padding: &[i64],
        dilation: &[i64],
        groups: i64,
    ) -> Option<Spec> {
        let mut spec = Spec {
            step: [1; 3],
            padding: [0; 3],
            dilation: [1; 3],
            groups: usize::try_from(groups).ok().filter(|g| *g > 0)?,
        };
        let missing = 3usize.checked_sub(strides.len())?;
        if padding.len() != strides.len() || dilation.len() != strides.len() {
            return None;
        }
        for (i, ((&s, &p), &d)) in strides.iter().zip(padding).zip(dilation).enumerate() {
            *spec.step.get_mut(missing + i)? = usize::try_from(s).ok().filter(|s| *s > 0)?;
            *spec.padding.get_mut(missing + i)? = p as isize;
            *spec.dilation.get_mut(missing + i)? = usize::try_from(d).ok().filter(|d| *d > 0)?;
        }
        Some(spec)
    }
}

/// What takes part in a convolution, whichever of them is computed.
struct Parts<T> {
    image: View<T>,
    filters: View<T>,
    result: View<T>,
}

impl<T: Micro> Parts<T> {
    fn check(&self, spec: &Spec) -> Result<()> {
        let [n, c, ..] = self.image.dims;
        let [o, inner, ..] = self.filters.dims;
        let [m, p, ..] = self.result.dims;
        if n != m || c != inner * spec.groups || o != p || o % spec.groups != 0 {
            return Err(malformed("operands do not fit together"));
        }
        Ok(())
    }

    fn kernel(&self) -> [usize; 3] {
        self.filters.image()
    }

    /// Windows over the image.
    fn forward_windows(&self, spec: &Spec) -> Windows {
        let kernel = self.kernel();
        let each = std::array::from_fn(|i| {
            let at = |t: usize| (t * spec.dilation[i]) as isize - spec.padding[i];
            (0..kernel[i]).map(|t| (t, at(t))).collect()
        });
        Windows::new(self.result.image(), kernel, each)
    }

    fn forward(&self, spec: &Spec) -> Done {
        let (filters, _copy) = self.dense_filters()?;
        let depth = self.filters.dims[1] * self.kernel().iter().product::<usize>();
        Correlation {
            x: self.image,
            out: self.result,
            groups: spec.groups,
            step: spec.step,
            jobs: &[Job {
                windows: self.forward_windows(spec),
                filters: Rows::dense(filters, self.filters.dims[0] / spec.groups, depth),
                step: [1; 3],
                first: [0; 3],
            }],
        }
        .run(T::DTYPE.is_float())
    }

    /// The gradient of the image: for each remainder of an image position by the step a
    /// convolution of its own, over the gradient of the result.
    fn image(&self, spec: &Spec) -> Done {
        let kernel = self.kernel();
        let image = self.image.image();
        let (filters, _copy) = self.dense_filters()?;
        if self.result.image() == [1; 3] && image == kernel && spec.padding == [0; 3] {
            return self.image_of_one_window(filters, spec);
        }
        let mut jobs = Vec::new();
        let mut copies = Vec::new();
        let [sd, sh, sw] = spec.step;
        for index in 0..sd * sh * sw {
            let first = [index / (sh * sw), index / sw % sh, index % sw];
            if (0..3).any(|i| first[i] >= image[i]) {
                continue;
            }
            let grid = std::array::from_fn(|i| (image[i] - first[i]).div_ceil(spec.step[i]));
            let each = std::array::from_fn(|i| {
                let step = spec.step[i] as isize;
                (0..kernel[i])
                    .filter_map(|t| {
                        let at =
                            first[i] as isize + spec.padding[i] - (t * spec.dilation[i]) as isize;
                        (at.rem_euclid(step) == 0).then(|| (t, at.div_euclid(step)))
                    })
                    .collect()
            });
            let windows = Windows::new(grid, kernel, each);
            let (outputs, inner) = (self.filters.dims[0] / spec.groups, self.filters.dims[1]);
            let filters = match windows.taps.as_slice() {
                // One element of each filter: a row's elements lie a filter apart.
                [tap] if inner > 1 => {
                    let size: usize = kernel.iter().product();
                    let strides = [inner * size, size, outputs * inner * size];
                    // SAFETY: an element of the first filter.
                    let at = unsafe { filters.at(tap.0 as isize) };
                    Rows {
                        at: Shared::new(at.cast()),
                        strides: strides.map(|s| s as isize),
                    }
                }
                taps => {
                    let depth = outputs * taps.len();
                    let copy = self.turned_filters(filters, &windows, spec)?;
                    let at = Shared::new(copy.ptr().cast());
                    copies.push(copy);
                    Rows::dense(at, inner, depth)
                }
            };
            jobs.push(Job {
                windows,
                filters,
                step: spec.step,
                first,
            });
        }
        Correlation {
            x: self.result,
            out: self.image,
            groups: spec.groups,
            step: [1; 3],
            jobs: &jobs,
        }
        .run(T::DTYPE.is_float())
    }

    /// The gradient of images that are one window each: a matrix product, of which each element is
    /// one of the image. In windows over the result all elements but one would lie outside.
    fn image_of_one_window(&self, filters: Shared<T>, spec: &Spec) -> Done {
        let [n, channels, ..] = self.image.dims;
        let size: usize = self.kernel().iter().product();
        let (outputs, inner) = (
            self.filters.dims[0] / spec.groups,
            self.filters.dims[1] * size,
        );
        let dense =
            self.image.is_dense() && (channels == 1 || self.image.strides[1] == size as isize);
        let copy = if dense {
            None
        } else {
            Some(Scratch::<T>::new(n * channels * size)?)
        };
        let (at, apart) = match &copy {
            None => (self.image.at, self.image.strides[0]),
            Some(copy) => (Shared::new(copy.ptr().cast()), (channels * size) as isize),
        };
        let filters = Rows {
            at: filters,
            strides: [inner, 1, outputs * inner].map(|s| s as isize),
        };
        Correlation {
            x: self.result,
            out: View {
                at,
                dims: [n, channels * size, 1, 1, 1],
                strides: [apart, 1, 1, 1, 1],
            },
            groups: spec.groups,
            step: [1; 3],
            jobs: &[Job {
                windows: Windows::new([1; 3], [1; 3], [(); 3].map(|()| vec![(0, 0)])),
                filters,
                step: [1; 3],
                first: [0; 3],
            }],
        }
        .run(T::DTYPE.is_float())?;
        if let Some(copy) = copy {
            // SAFETY: the copy has an element for each of the images.
            unsafe { self.image.write(copy.ptr()) };
        }
        Ok(())
    }

    fn filters(&self, spec: &Spec) -> Done {
        let dense = if self.has_dense_filters() {
            None
        } else {
            Some(Scratch::<T>::new(self.filters.dims.iter().product())?)
        };
        Filters {
            x: self.image,
            g: self.result,
            out: dense
                .as_ref()
                .map_or(self.filters.at, |d| Shared::new(d.ptr().cast())),
            groups: spec.groups,
            step: spec.step,
            windows: self.forward_windows(spec),
        }
        .run()?;
        if let Some(dense) = dense {
            // SAFETY: the copy has an element for each of the filters.
            unsafe { self.filters.write(dense.ptr()) };
        }
        Ok(())
    }

    /// Whether the filters lie in row-major order without gaps.
    fn has_dense_filters(&self) -> bool {
        let [o, c, ..] = self.filters.dims;
        let taps: usize = self.kernel().iter().product();
        self.filters.is_dense()
            && (c == 1 || self.filters.strides[1] == taps as isize)
            && (o == 1 || self.filters.strides[0] == (c * taps) as isize)
    }

    /// The filters in row-major order, copied if they do not lie so.
    fn dense_filters(&self) -> Done<(Shared<T>, Option<Scratch<T>>)> {
        if self.has_dense_filters() {
            return Ok((self.filters.at, None));
        }
        let copy = Scratch::<T>::new(self.filters.dims.iter().product())?;
        for (i, element) in self.filters.elements().enumerate() {
            // SAFETY: each element of the filters, and of their dense copy.
            unsafe { *copy.ptr().add(i) = *element };
        }
        Ok((Shared::new(copy.ptr().cast()), Some(copy)))
    }

    /// A row for each channel of the image: what windows hold of each filter of its group.
    fn turned_filters(
        &self,
        filters: Shared<T>,
        windows: &Windows,
        spec: &Spec,
    ) -> Done<Scratch<T>> {
        /// Rows and columns that are turned together: so many lines of memory are read and written in turns.
        const TURNED: usize = 8;
        /// Rows of a task.
        const ROWS: usize = 64;
        let (outputs, inner) = (self.filters.dims[0] / spec.groups, self.filters.dims[1]);
        let size: usize = self.kernel().iter().product();
        let taps: Vec<usize> = windows.taps.iter().map(|t| t.0).collect();
        let all = taps.iter().copied().eq(0..size);
        let scratch = Scratch::<T>::new(self.filters.dims[0] * inner * taps.len())?;
        let to = Shared::<T>::new(scratch.ptr().cast());
        let blocks = inner.div_ceil(ROWS);
        each_task(
            blocks * spec.groups,
            self.filters.dims.iter().product(),
            |range| {
                for task in range {
                    let (group, block) = (task / blocks, task % blocks);
                    let rows = block * ROWS..inner.min((block + 1) * ROWS);
                    for first in (0..outputs).step_by(TURNED) {
                        for top in rows.clone().step_by(TURNED) {
                            for c in top..rows.end.min(top + TURNED) {
                                for o in first..outputs.min(first + TURNED) {
                                    let from = ((group * outputs + o) * inner + c) * size;
                                    let row = (group * inner + c) * outputs + o;
                                    // SAFETY: elements of the filters, each of which has one place.
                                    unsafe {
                                        let from = filters.at(from as isize);
                                        let to = to.at((row * taps.len()) as isize);
                                        if all {
                                            std::ptr::copy_nonoverlapping(from, to, size);
                                        } else {
                                            for (i, &t) in taps.iter().enumerate() {
                                                *to.add(i) = *from.add(t);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                Ok(())
            },
        )?;
        Ok(scratch)
    }

    fn run(&self, kind: ConvKind, spec: &Spec) -> Result<()> {
        self.check(spec)?;
        let (target, sources) = match kind {
            ConvKind::Forward => (&self.result, [&self.image, &self.filters]),
            ConvKind::Image => (&self.image, [&self.result, &self.filters]),
            ConvKind::Filters => (&self.filters, [&self.image, &self.result]),
        };
        let is_empty = |v: &View<T>| v.dims.contains(&0);
        if is_empty(target) {
            return Ok(());
        }
        if sources.into_iter().any(is_empty) {
            target.clear();
            return Ok(());
        }
        match kind {
            ConvKind::Forward => self.forward(spec)?,
            ConvKind::Image => self.image(spec)?,
            ConvKind::Filters => self.filters(spec)?,
        }
        Ok(())
    }
}

/// A tensor as the routine takes it.
struct Operand<'a> {
    at: *mut u8,
    shape: &'a [i64],
    strides: &'a [i64],
}

/// Computes `out` from `a` and `b`, whose roles `kind` says.
fn compute(dtype: DType, kind: ConvKind, spec: &Spec, operands: [&Operand<'_>; 3]) -> Result<()> {
    match dtype {
        DType::F32 => typed::<f32>(kind, spec, operands),
        DType::F64 => typed::<f64>(kind, spec, operands),
        DType::I64 => typed::<i64>(kind, spec, operands),
        // Rare types are computed as int64 and cut back.
        d => dispatch!(d; int: T => widened::<T>(kind, spec, operands);
            else Err(TensorError::NoKernel { op: "slow_conv2d_cpu", dtype })),
    }
}

fn widened<T: Element>(kind: ConvKind, spec: &Spec, operands: [&Operand<'_>; 3]) -> Result<()> {
    let narrow = [
        view::<T>(operands[0])?,
        view(operands[1])?,
        view(operands[2])?,
    ];
    // SAFETY: elements of the operands.
    let mut wide: [Vec<i64>; 3] =
        narrow.map(|v| v.elements().map(|e| unsafe { *e }.to_i64()).collect());
    let strides = operands.map(|o| row_major(o.shape));
    let [a, b, out] = std::array::from_fn(|i| Operand {
        at: wide[i].as_mut_ptr().cast(),
        shape: operands[i].shape,
        strides: &strides[i],
    });
    typed::<i64>(kind, spec, [&a, &b, &out])?;
    for (to, from) in narrow[2].elements().zip(&wide[2]) {
        // SAFETY: elements of the result.
        unsafe { *to = T::from_i64(*from) };
    }
    Ok(())
}

fn view<T>(o: &Operand<'_>) -> Result<View<T>> {
    View::new(o.at, o.shape, o.strides)
        .ok_or_else(|| malformed("one to three spatial dimensions expected"))
}

fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        let step = strides.get(i).zip(shape.get(i)).map_or(1, |(s, n)| s * n);
        if let Some(slot) = strides.get_mut(i - 1) {
            *slot = step;
        }
    }
    strides
}

fn typed<T: Micro>(kind: ConvKind, spec: &Spec, [a, b, out]: [&Operand<'_>; 3]) -> Result<()> {
    let (a, b, out) = (view::<T>(a)?, view::<T>(b)?, view::<T>(out)?);
    let (image, filters, result) = match kind {
        ConvKind::Forward => (a, b, out),
        ConvKind::Image => (out, b, a),
        ConvKind::Filters => (a, out, b),
    };
    let parts = Parts {
        image,
        filters,
        result,
    };
    parts.run(kind, spec)
}

/// The eager kernel.
pub(crate) fn run(
    kind: ConvKind,
    window: &ConvWindow,
    a: &Layout,
    b: &Layout,
    shape: &Shape,
) -> Result<Layout> {
    let spec = Spec::new(
        &window.strides,
        &window.padding,
        &window.dilation,
        window.groups,
    )
    .ok_or_else(|| malformed("malformed attributes"))?;
    let same =
        a.rank() == b.rank() && a.rank() == shape.len() && window.strides.len() + 2 == a.rank();
    if !same || a.dtype != b.dtype {
        return Err(malformed("operands of different ranks or types"));
    }
    let out = Layout::empty(shape, a.dtype)?;
    fn operand(l: &Layout) -> Operand<'_> {
        Operand {
            at: l.ptr(),
            shape: &l.shape,
            strides: &l.strides,
        }
    }
    let operands = [&operand(a), &operand(b), &operand(&out)];
    compute(a.dtype, kind, &spec, operands)?;
    Ok(out)
}

/// The element type of a number in generated code (`elementCode` in ToLinalgRoutines.cpp).
pub fn element(code: Option<i64>) -> DType {
    match code {
        Some(1) => DType::F64,
        Some(2) => DType::I64,
        Some(3) => DType::I32,
        Some(4) => DType::I16,
        Some(5) => DType::I8,
        Some(6) => DType::U8,
        _ => DType::F32,
    }
}

/// The routine for generated code. `words` are: the kind, the element type's number, the
/// number n of spatial dimensions, n steps, n paddings, n dilations, the groups; and for both
/// operands and the result the address, n + 2 extents and n + 2 strides in elements.
///
/// # Safety
/// The words are as above; addresses, extents and strides describe tensors that may be read, and
/// the last one written. It overlaps neither of the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_conv(words: *const i64) {
    // SAFETY: the caller's promise.
    let (head, n) = unsafe {
        let n = usize::try_from(*words.add(2)).unwrap_or(0);
        (
            std::slice::from_raw_parts(words, 4 + 3 * n + 3 * (1 + 2 * (n + 2))),
            n,
        )
    };
    let (head, operands) = head.split_at(4 + 3 * n);
    let part = |i: usize| head.get(3 + i * n..3 + (i + 1) * n).unwrap_or_default();
    let spec = Spec::new(part(0), part(1), part(2), head.last().copied().unwrap_or(0));
    let dtype = element(head.get(1).copied());
    let kind = match head.first() {
        Some(0) => ConvKind::Forward,
        Some(1) => ConvKind::Image,
        _ => ConvKind::Filters,
    };
    let mut all = operands.chunks(1 + 2 * (n + 2)).filter_map(|o| {
        let (&at, rest) = o.split_first()?;
        let (shape, strides) = rest.split_at_checked(n + 2)?;
        Some(Operand {
            at: at as *mut u8,
            shape,
            strides,
        })
    });
    let (Some(spec), Some(a), Some(b), Some(out)) = (spec, all.next(), all.next(), all.next())
    else {
        return;
    };
    if let Err(error) = compute(dtype, kind, &spec, [&a, &b, &out]) {
        // Only memory can be lacking here: the rest was verified when the code was made.
        eprintln!("janus-jit: {error}");
        std::process::abort();
    }
}
