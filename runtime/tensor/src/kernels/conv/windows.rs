//! Where the windows of a convolution read, and the memory that they read from.
//!
//! In: an image's extents, and for each dimension the steps between windows and the offsets of
//! what a window holds. Out: [`Field`], a copy of the image with zeros around it, in which what
//! neighbouring windows read at one offset lies side by side; or the image itself where that is so
//! already. Always: a place in the field is a sum of one number per window and one per offset.

use std::ops::Range;

use smallvec::SmallVec;

use crate::kernels::loops::Shared;

/// A tensor `[N, C, spatial]` with missing spatial dimensions put in as extents of 1.
pub(in crate::kernels) struct View<T> {
    pub at: Shared<T>,
    pub dims: [usize; 5],
    pub strides: [isize; 5],
}

impl<T> Clone for View<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for View<T> {}

impl<T> View<T> {
    /// `None` unless there are one to three spatial dimensions.
    pub(in crate::kernels) fn new(at: *mut u8, shape: &[i64], strides: &[i64]) -> Option<View<T>> {
        let missing = 5usize.checked_sub(shape.len()).filter(|m| *m < 3)?;
        let mut view = View {
            at: Shared::new(at),
            dims: [1; 5],
            strides: [0; 5],
        };
        for (i, (&d, &s)) in shape.iter().zip(strides).enumerate() {
            let to = if i < 2 { i } else { i + missing };
            // A graph may come here with an extent that one of its asserts refuses: then there is nothing to compute.
            *view.dims.get_mut(to)? = usize::try_from(d).unwrap_or(0);
            *view.strides.get_mut(to)? = s as isize;
        }
        Some(view)
    }

    /// The spatial extents.
    pub(in crate::kernels) fn image(&self) -> [usize; 3] {
        [self.dims[2], self.dims[3], self.dims[4]]
    }

    /// Offset of an image's channel.
    pub(in crate::kernels) fn channel(&self, n: usize, c: usize) -> isize {
        n as isize * self.strides[0] + c as isize * self.strides[1]
    }

    /// The elements in row-major order.
    pub(in crate::kernels) fn elements(self) -> impl Iterator<Item = *mut T> {
        (0..self.dims.iter().product()).map(move |i: usize| {
            let (mut rest, mut at) = (i, 0);
            for (n, s) in self.dims.iter().zip(&self.strides).rev() {
                at += (rest % n) as isize * s;
                rest /= n;
            }
            // SAFETY: an element of the tensor.
            unsafe { self.at.at(at) }
        })
    }

    /// Writes what lies in row-major order at `from`.
    ///
    /// # Safety
    /// There are as many elements there, and the tensor may be written.
    pub(super) unsafe fn write(&self, from: *const T)
    where
        T: Copy,
    {
        for (i, element) in self.elements().enumerate() {
            // SAFETY: each element of the tensor, and of what is read.
            unsafe { *element = *from.add(i) };
        }
    }

    /// Writes zeros.
    pub(super) fn clear(&self)
    where
        T: Default,
    {
        for element in self.elements() {
            // SAFETY: an element of the tensor, which may be written.
            unsafe { *element = T::default() };
        }
    }

    /// Whether the elements of a channel lie in row-major order without gaps.
    pub(super) fn is_dense(&self) -> bool {
        let [_, _, d, h, w] = self.dims;
        let [_, _, sd, sh, sw] = self.strides;
        (w == 1 || sw == 1) && (h == 1 || sh == w as isize) && (d == 1 || sd == (h * w) as isize)
    }
}

/// Windows on a grid; all hold the same offsets.
pub(super) struct Windows {
    /// Windows per dimension.
    pub grid: [usize; 3],
    /// What a window holds: the position in the kernel, and where it reads, relative to
    /// `index * step`. Row-major.
    pub taps: Vec<(usize, [isize; 3])>,
}

impl Windows {
    /// All combinations of each dimension's `(position in the kernel, offset)`.
    pub(super) fn new(
        grid: [usize; 3],
        kernel: [usize; 3],
        each: [Vec<(usize, isize)>; 3],
    ) -> Self {
        let mut taps = Vec::new();
        let [d, h, w] = &each;
        for &(kd, od) in d {
            for &(kh, oh) in h {
                for &(kw, ow) in w {
                    taps.push(((kd * kernel[1] + kh) * kernel[2] + kw, [od, oh, ow]));
                }
            }
        }
        Windows { grid, taps }
    }

    /// Windows per image.
    pub(super) fn count(&self) -> usize {
        self.grid.iter().product()
    }
}

/// Windows that follow each other in the field, and in order of their number.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// Offset in the field.
    pub from: usize,
    /// Position in the block.
    pub to: usize,
    pub len: usize,
}

pub(super) type Runs = SmallVec<[Run; 16]>;

/// What runs may be copied past their end, so that copies are whole vectors.
pub(super) const SLACK: usize = 16;

/// The memory that windows read from.
pub(super) struct Field {
    low: [isize; 3],
    /// Extents of a channel with what lies around it.
    extents: [usize; 3],
    step: [usize; 3],
    /// Length of a row's part of equal remainder by the step.
    part: usize,
    /// Elements from channel to channel.
    pub channel: usize,
    /// Rows and remainders that are read at all.
    rows: [Vec<bool>; 2],
    parts: Vec<bool>,
    /// The image itself will do.
    pub plain: bool,
}

impl Field {
    /// For `all` windows over images like `x`.
    pub(super) fn new<T>(
        x: &View<T>,
        step: [usize; 3],
        all: &[&Windows],
        may_be_plain: bool,
    ) -> Field {
        let image = x.image();
        let (mut low, mut high) = ([0isize; 3], [0usize; 3]);
        let taps = || {
            all.iter()
                .flat_map(|w| w.taps.iter().map(move |t| (w, t.1)))
        };
        for i in 0..3 {
            low[i] = taps().map(|(_, o)| o[i]).min().unwrap_or(0).min(0);
        }
        for (w, o) in taps() {
            for i in 0..3 {
                let last = ((w.grid[i].max(1) - 1) * step[i]) as isize + o[i] - low[i];
                high[i] = high[i].max(last.max(0) as usize + 1);
            }
        }
        let plain = may_be_plain
            && low == [0; 3]
            && step[2] == 1
            && x.is_dense()
            && x.strides[1] >= 0
            && x.strides[0] >= 0
            && (0..3).all(|i| high[i] <= image[i]);
        if plain {
            high = image;
        }
        let mut rows = [vec![false; high[0]], vec![false; high[1]]];
        let mut parts = vec![false; step[2]];
        for (w, o) in taps() {
            for i in 0..2 {
                for q in 0..w.grid[i] {
                    if let Some(used) = rows[i].get_mut((q * step[i]) + (o[i] - low[i]) as usize) {
                        *used = true;
                    }
                }
            }
            if let Some(used) = parts.get_mut((o[2] - low[2]) as usize % step[2]) {
                *used = true;
            }
        }
        let part = high[2].div_ceil(step[2]);
        Field {
            low,
            extents: high,
            step,
            part,
            channel: if plain {
                x.strides[1] as usize
            } else {
                high[0] * high[1] * part * step[2]
            },
            rows,
            parts,
            plain,
        }
    }

    /// The place of an offset.
    pub(super) fn offset(&self, tap: [isize; 3]) -> usize {
        let o: [usize; 3] = std::array::from_fn(|i| (tap[i] - self.low[i]).max(0) as usize);
        let row = self.part * self.step[2];
        (o[0] * self.extents[1] + o[1]) * row
            + o[2] % self.step[2] * self.part
            + o[2] / self.step[2]
    }

    /// Windows `first..first + len`, which are numbered through several images that are `image`
    /// elements apart.
    pub(super) fn runs(&self, windows: &Windows, image: usize, first: usize, len: usize) -> Runs {
        let [_, gh, gw] = windows.grid;
        let (count, row) = (windows.count(), self.part * self.step[2]);
        let mut runs = Runs::new();
        let (mut at, end) = (first, first + len);
        while at < end {
            let (n, r) = (at / count, at % count);
            let (line, w) = (r / gw, r % gw);
            let (d, h) = (line / gh, line % gh);
            let take = (gw - w).min(end - at);
            let from =
                n * image + (d * self.step[0] * self.extents[1] + h * self.step[1]) * row + w;
            match runs.last_mut() {
                Some(last) if last.from + last.len == from => last.len += take,
                _ => runs.push(Run {
                    from,
                    to: at - first,
                    len: take,
                }),
            }
            at += take;
        }
        runs
    }

    /// Calls `each` with every part of a row that is read: its place, which of its elements are
    /// inside an image like `view`, and where the first of those lies.
    fn each_part<T>(&self, view: &View<T>, mut each: impl FnMut(usize, Range<usize>, isize)) {
        let image = view.image();
        let [_, _, sd, sh, sw] = view.strides;
        let (step, row) = (self.step[2], self.part * self.step[2]);
        // Element j of a part is image column j * step + remainder + low.
        for d in 0..self.extents[0] {
            for h in 0..self.extents[1] {
                let used = |i: usize, at: usize| self.rows[i].get(at).copied().unwrap_or(false);
                if !used(0, d) || !used(1, h) {
                    continue;
                }
                let (id, ih) = (d as isize + self.low[0], h as isize + self.low[1]);
                let inside =
                    (0..image[0] as isize).contains(&id) && (0..image[1] as isize).contains(&ih);
                for (remainder, used) in self.parts.iter().enumerate() {
                    if !used {
                        continue;
                    }
                    let first = remainder as isize + self.low[2];
                    let begin = if first < 0 {
                        first.unsigned_abs().div_ceil(step)
                    } else {
                        0
                    }
                    .min(self.part);
                    let end = if inside {
                        let room = (image[2] as isize - first).max(0) as usize;
                        room.div_ceil(step).clamp(begin, self.part)
                    } else {
                        begin
                    };
                    let to = (d * self.extents[1] + h) * row + remainder * self.part;
                    let from = id * sd + ih * sh + (first + (begin * step) as isize) * sw;
                    each(to, begin..end, from);
                }
            }
        }
    }

    /// Copies one channel of an image.
    ///
    /// # Safety
    /// `x` lies at the start of a channel of the images that the field was made for, and `to` has
    /// room for `self.channel` elements.
    pub(super) unsafe fn fill<T: Copy + Default>(&self, x: *const T, view: &View<T>, to: *mut T) {
        let step = self.step[2] as isize * view.strides[4];
        self.each_part(view, |place, inside, from| {
            // SAFETY: a part lies inside the channel, `inside` are its elements in the image.
            unsafe {
                let to = to.add(place);
                for j in 0..inside.start {
                    *to.add(j) = T::default();
                }
                let from = x.wrapping_offset(from);
                if step == 1 {
                    copy_run(from, to.add(inside.start), inside.len());
                } else {
                    for (i, j) in inside.clone().enumerate() {
                        *to.add(j) = *from.offset(i as isize * step);
                    }
                }
                for j in inside.end..self.part {
                    *to.add(j) = T::default();
                }
            }
        });
    }

    /// The elements of a channel that `fill` reads: their place, and where they lie.
    pub(super) fn inside<T>(&self, view: &View<T>) -> Vec<(usize, isize)> {
        let step = self.step[2] as isize * view.strides[4];
        let mut elements = Vec::new();
        self.each_part(view, |place, inside, from| {
            let places = inside.enumerate();
            elements.extend(places.map(|(i, j)| (place + j, from + i as isize * step)));
        });
        elements
    }
}

/// `to[..len] = from[..len]`, without a call where that is little.
///
/// # Safety
/// Both have `len` elements and do not overlap.
#[inline(always)]
pub(super) unsafe fn copy_run<T: Copy>(from: *const T, to: *mut T, len: usize) {
    /// Vectors of so many elements, which overlap.
    #[inline(always)]
    unsafe fn two<T: Copy, const N: usize>(from: *const T, to: *mut T, len: usize) {
        // SAFETY: the caller's promise, and `N <= len <= 2 * N`.
        unsafe {
            let last = len - N;
            let (a, b) = (from.cast::<[T; N]>(), from.add(last).cast::<[T; N]>());
            let (a, b) = (a.read_unaligned(), b.read_unaligned());
            to.cast::<[T; N]>().write_unaligned(a);
            to.add(last).cast::<[T; N]>().write_unaligned(b);
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        match len {
            0 => {}
            1 => *to = *from,
            2..=3 => two::<T, 2>(from, to, len),
            4..=7 => two::<T, 4>(from, to, len),
            8..=15 => two::<T, 8>(from, to, len),
            16..=32 => two::<T, 16>(from, to, len),
            _ => std::ptr::copy_nonoverlapping(from, to, len),
        }
    }
}

/// Copies `runs` of the field at each of `offsets` to rows that are `pitch` apart.
///
/// # Safety
/// `field` has `limit` elements, in which runs and offsets stay; `to` has room for a row of
/// `pitch` and [`SLACK`] elements for each offset.
#[inline(always)]
pub(super) unsafe fn pack<T: Copy>(
    to: *mut T,
    pitch: usize,
    field: *const T,
    limit: usize,
    offsets: &[usize],
    runs: &[Run],
) {
    for (k, &offset) in offsets.iter().enumerate() {
        for run in runs {
            let from = run.from + offset;
            // SAFETY: whole vectors where they stay inside the field, else exactly the run. What
            // is written past a run's end is written again by the next run or row, or is slack.
            unsafe {
                let (p, q) = (field.add(from), to.add(k * pitch + run.to));
                if from + run.len.next_multiple_of(SLACK) <= limit {
                    let mut i = 0;
                    while i < run.len {
                        let v = p.add(i).cast::<[T; SLACK]>().read_unaligned();
                        q.add(i).cast::<[T; SLACK]>().write_unaligned(v);
                        i += SLACK;
                    }
                } else {
                    copy_run(p, q, run.len);
                }
            }
        }
    }
}
