//! Windows times filters: the forward pass, and the gradient of the image.
//!
//! In: images, windows over them, filters as rows. Out: images.
//! Always: an element of the result is the sum over its window in the order of the filter's row,
//! in pieces of a length that only the filter decides; what is split between threads and how
//! images are taken together changes no bit.

use super::tile::{Micro, Tile};
use super::windows::{Field, Runs, SLACK, View, Windows, copy_run, pack};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::alloc::Buffer;
use crate::error::TensorError;
use crate::kernels::loops::{Shared, parallel, vectorized, workers};

/// A row for each output channel, of as many elements as a window has.
pub(super) struct Rows<T> {
    pub at: Shared<T>,
    /// From one element of a row to the next, from one row to the next, from one group to the next.
    pub strides: [isize; 3],
}

impl<T> Rows<T> {
    /// Rows behind one another, `rows` in a group, of `depth` elements.
    pub(super) fn dense(at: Shared<T>, rows: usize, depth: usize) -> Self {
        let strides = [1, depth as isize, (rows * depth) as isize];
        Rows { at, strides }
    }
}

/// Windows, their filters, and which elements of the result they make.
pub(super) struct Job<T> {
    pub windows: Windows,
    pub filters: Rows<T>,
    /// The result's element for window `q` is `q * step + first`.
    pub step: [usize; 3],
    pub first: [usize; 3],
}

impl<T> Job<T> {
    /// Where the result of a window lies, from the start of its channel.
    fn place(&self, window: usize, out: &View<T>) -> isize {
        let [_, gh, gw] = self.windows.grid;
        let (line, w) = (window / gw, window % gw);
        let grid = [line / gh, line % gh, w];
        let at = |i: usize| (grid[i] * self.step[i] + self.first[i]) as isize;
        (0..3).map(|i| at(i) * out.strides[i + 2]).sum()
    }
}

/// A convolution's operands.
pub(super) struct Correlation<'a, T> {
    pub x: View<T>,
    pub out: View<T>,
    pub groups: usize,
    /// Steps between windows.
    pub step: [usize; 3],
    pub jobs: &'a [Job<T>],
}

/// A block of windows, as a factor of the product.
struct Panel<T> {
    at: *mut T,
    len: usize,
    runs: Runs,
}

/// Windows that are worth a block of images.
const BLOCK: usize = 1024;

/// The number of bytes that could not be had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lacking(usize);

impl From<Lacking> for TensorError {
    fn from(lacking: Lacking) -> TensorError {
        TensorError::OutOfMemory(lacking.0)
    }
}

pub(super) type Done<T = ()> = Result<T, Lacking>;

/// Runs `task` for all numbers below `count`, on several threads where `work` is worth it.
pub(super) fn each_task(
    count: usize,
    work: usize,
    task: impl Fn(Range<usize>) -> Done + Sync + Send,
) -> Done {
    let lacking = AtomicUsize::new(0);
    parallel(count, work, |range| {
        if let Err(Lacking(bytes)) = task(range) {
            lacking.fetch_max(bytes, Ordering::Relaxed);
        }
    });
    match lacking.into_inner() {
        0 => Ok(()),
        bytes => Err(Lacking(bytes)),
    }
}

/// Scratch memory of one thread.
pub(super) struct Scratch<T>(Buffer, PhantomData<T>);

impl<T> Scratch<T> {
    pub(super) fn new(elements: usize) -> Done<Scratch<T>> {
        let bytes = (elements + SLACK) * size_of::<T>();
        let buffer = Buffer::new(bytes).map_err(|_| Lacking(bytes))?;
        Ok(Scratch(buffer, PhantomData))
    }

    pub(super) fn ptr(&self) -> *mut T {
        self.0.ptr().cast()
    }
}

impl<T: Micro> Correlation<'_, T> {
    /// Computes the result.
    pub(super) fn run(&self, vectorize_channels: bool) -> Done {
        let [n, channels, ..] = self.x.dims;
        let (inner, outer) = (channels / self.groups, self.out.dims[1] / self.groups);
        let depthwise = inner == 1 && outer == 1 && vectorize_channels;
        let windows: Vec<&Windows> = self.jobs.iter().map(|j| &j.windows).collect();
        let field = Field::new(&self.x, self.step, &windows, !depthwise);
        let most = windows.iter().map(|w| w.count()).max().unwrap_or(0).max(1);
        let threads = workers();
        // With fewer windows than channels the filters are what is read most: each thread takes some.
        let by_channel = n * most < outer && outer >= threads * 2 * T::kernels().columns;
        let shares = if by_channel { threads } else { 1 };
        let mut together = BLOCK
            .div_ceil(most)
            .clamp(1, (n * shares).div_ceil(threads).max(1));
        let lanes = depthwise && n >= SLACK / 2 && windows.iter().all(|w| w.grid[2] < SLACK);
        if lanes {
            together = together.next_multiple_of(SLACK);
        }
        let blocks = n.div_ceil(together);
        let offsets: Vec<Vec<usize>> = windows
            .iter()
            .map(|w| {
                let taps: Vec<usize> = w.taps.iter().map(|t| field.offset(t.1)).collect();
                (0..inner)
                    .flat_map(|c| taps.iter().map(move |t| (c, *t)))
                    .map(|(c, t)| c * field.channel + t)
                    .collect()
            })
            .collect();
        let work: usize = self
            .jobs
            .iter()
            .zip(&offsets)
            .map(|(j, o)| j.windows.count() * o.len())
            .sum::<usize>()
            * n
            * self.out.dims[1];
        each_task(blocks * self.groups, work, |range| {
            for task in range {
                let (block, group) = (task / self.groups, task % self.groups);
                let images = block * together..n.min((block + 1) * together);
                if lanes {
                    self.lanes(&field, &offsets, images, group)?;
                } else if depthwise {
                    self.depthwise(&field, &offsets, images, group)?;
                } else {
                    self.block(&field, &offsets, images, group, shares)?;
                }
            }
            Ok(())
        })
    }

    /// The field of some images' channels of a group, its length, and the distance of images.
    fn fields(
        &self,
        field: &Field,
        images: Range<usize>,
        group: usize,
    ) -> Done<(*const T, usize, usize, Option<Scratch<T>>)> {
        let inner = self.x.dims[1] / self.groups;
        let first = self.x.channel(images.start, group * inner);
        if field.plain {
            // SAFETY: a channel of the operand.
            let at = unsafe { self.x.at.at(first) };
            let apart = self.x.strides[0] as usize;
            let limit = (images.len() - 1) * apart
                + (inner - 1) * field.channel
                + self.x.image().iter().product::<usize>();
            return Ok((at, limit, apart, None));
        }
        let apart = inner * field.channel;
        let scratch = Scratch::<T>::new(images.len() * apart)?;
        let to = Shared::<T>::new(scratch.ptr().cast());
        let (count, channel) = (images.len() * inner, field.channel);
        each_task(count, count * channel, |range| {
            for task in range {
                let (i, c) = (task / inner, task % inner);
                let from = self.x.channel(images.start + i, group * inner + c);
                // SAFETY: channels of the operand, and their places in the scratch memory.
                unsafe {
                    let to = to.at((i * apart + c * channel) as isize);
                    field.fill(self.x.at.at(from), &self.x, to);
                }
            }
            Ok(())
        })?;
        Ok((
            scratch.ptr(),
            images.len() * apart + SLACK,
            apart,
            Some(scratch),
        ))
    }

    /// All results of a block of images in one group, with its channels in so many shares.
    fn block(
        &self,
        field: &Field,
        offsets: &[Vec<usize>],
        images: Range<usize>,
        group: usize,
        shares: usize,
    ) -> Done {
        let kernels = T::kernels();
        let (at, limit, apart, _scratch) = self.fields(field, images.clone(), group)?;
        let at = Shared::<T>::new(at.cast_mut().cast());
        let outer = self.out.dims[1] / self.groups;
        for (job, offsets) in self.jobs.iter().zip(offsets) {
            let total = job.windows.count() * images.len();
            let panels = total.div_ceil(kernels.rows);
            each_task(panels * shares, total * offsets.len() * outer, |range| {
                let panel = Scratch::<T>::new(kernels.rows * kernels.depth())?;
                let spare = Scratch::<T>::new(kernels.rows * outer)?;
                for task in range {
                    let (p, share) = (task / shares, task % shares);
                    let end = |s: usize| {
                        let units = outer.div_ceil(kernels.columns) * s / shares;
                        outer.min(units * kernels.columns)
                    };
                    let channels = end(share)..end(share + 1);
                    let first = p * kernels.rows;
                    let len = kernels.rows.min(total - first);
                    let runs = field.runs(&job.windows, apart, first, len);
                    let direct = self.direct(job, images.start, group, first, len);
                    let (to, column) = match direct {
                        Some(to) => (to, self.out.strides[1]),
                        None => (spare.ptr(), kernels.rows as isize),
                    };
                    // SAFETY: the panel has room for a full depth, runs and offsets stay in the
                    // field, `to` has `outer` columns of a tile's rows.
                    unsafe {
                        let field = (at.at(0).cast_const(), limit);
                        let panel = Panel {
                            at: panel.ptr(),
                            len,
                            runs,
                        };
                        let columns = (channels.clone(), to, column);
                        self.panel(job, offsets, field, &panel, group, columns);
                        if direct.is_none() {
                            let windows = first..first + len;
                            self.scatter(job, images.start, group, windows, channels, to);
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// One panel of windows times some filters of a group.
    ///
    /// # Safety
    /// Runs and offsets stay in the field, the panel has room for a full depth, and `to` for as
    /// many columns as a group has channels.
    unsafe fn panel(
        &self,
        job: &Job<T>,
        offsets: &[usize],
        (field, limit): (*const T, usize),
        panel: &Panel<T>,
        group: usize,
        (channels, to, column): (Range<usize>, *mut T, isize),
    ) {
        let kernels = T::kernels();
        let depth = offsets.len();
        let pieces = depth.div_ceil(kernels.depth());
        let piece = depth.div_ceil(pieces.max(1)).max(1);
        if depth == 0 {
            for o in channels.clone() {
                for i in 0..panel.len {
                    // SAFETY: the caller's promise about `to`.
                    unsafe { *to.offset(o as isize * column).add(i) = T::default() };
                }
            }
        }
        for (i, offsets) in offsets.chunks(piece).enumerate() {
            // SAFETY: the caller's promise; filters have a row of `depth` elements for each channel.
            unsafe {
                vectorized(
                    #[inline(always)]
                    || pack(panel.at, kernels.rows, field, limit, offsets, &panel.runs),
                );
                let [element, row, whole] = job.filters.strides;
                let first = group as isize * whole + (i * piece) as isize * element;
                let filters = job.filters.at.at(first);
                for o in channels.clone().step_by(kernels.columns) {
                    let columns = kernels.columns.min(channels.end - o);
                    kernels.run(&Tile {
                        extents: (panel.len, columns, offsets.len()),
                        panel: panel.at,
                        right: filters.offset(o as isize * row),
                        right_row: element,
                        right_column: row,
                        c: to.offset(o as isize * column),
                        c_column: column,
                        add: i > 0,
                    });
                }
            }
        }
    }

    /// Where the result of some windows lies, if it lies there as in a tile.
    fn direct(
        &self,
        job: &Job<T>,
        image: usize,
        group: usize,
        first: usize,
        len: usize,
    ) -> Option<*mut T> {
        let count = job.windows.count();
        let (n, r) = (first / count, first % count);
        let whole =
            job.step == [1; 3] && job.first == [0; 3] && job.windows.grid == self.out.image();
        if !whole || !self.out.is_dense() || r + len > count {
            return None;
        }
        let channel = group * (self.out.dims[1] / self.groups);
        let at = self.out.channel(image + n, channel) + r as isize;
        // SAFETY: an element of the result.
        Some(unsafe { self.out.at.at(at) })
    }

    /// Writes a tile's rows to where they belong.
    ///
    /// # Safety
    /// `from` holds the results of these windows, a tile's rows for each channel of the group.
    unsafe fn scatter(
        &self,
        job: &Job<T>,
        image: usize,
        group: usize,
        windows: Range<usize>,
        channels: Range<usize>,
        from: *const T,
    ) {
        let pitch = T::kernels().rows;
        let outer = self.out.dims[1] / self.groups;
        let count = job.windows.count();
        let gw = job.windows.grid[2];
        let step = job.step[2] as isize * self.out.strides[4];
        let mut at = windows.start;
        while at < windows.end {
            let (n, r) = (at / count, at % count);
            let take = (gw - r % gw).min(windows.end - at);
            let start = job.place(r, &self.out);
            for o in channels.clone() {
                // SAFETY: elements of the result that these windows make, and of the tile.
                unsafe {
                    let to = self
                        .out
                        .at
                        .at(self.out.channel(image + n, group * outer + o) + start);
                    let from = from.add(o * pitch + at - windows.start);
                    if step == 1 {
                        copy_run(from, to, take);
                    } else {
                        for i in 0..take {
                            *to.offset(i as isize * step) = *from.add(i);
                        }
                    }
                }
            }
            at += take;
        }
    }

    /// The results of a group of one channel in and one out: rows times numbers.
    fn depthwise(
        &self,
        field: &Field,
        offsets: &[Vec<usize>],
        images: Range<usize>,
        group: usize,
    ) -> Done {
        let (at, _, apart, _scratch) = self.fields(field, images.clone(), group)?;
        for (job, offsets) in self.jobs.iter().zip(offsets) {
            let [gd, gh, gw] = job.windows.grid;
            let step = job.step[2] as isize * self.out.strides[4];
            for (i, n) in images.clone().enumerate() {
                for line in 0..gd * gh {
                    let runs = field.runs(&job.windows, apart, (i * gd * gh + line) * gw, gw);
                    let from = runs.first().map_or(0, |r| r.from);
                    let start = self.out.channel(n, group) + job.place(line * gw, &self.out);
                    // SAFETY: a row of the field with slack behind it, a row of the result, and a
                    // filter of as many elements as there are offsets.
                    unsafe {
                        let filter = job.filters.at.at(group as isize * job.filters.strides[2]);
                        vectorized(
                            #[inline(always)]
                            || {
                                row(
                                    at.add(from),
                                    offsets,
                                    filter,
                                    self.out.at.at(start),
                                    step,
                                    gw,
                                )
                            },
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// As `depthwise`, with the same bits, where rows are shorter than a vector: an image in each lane.
    fn lanes(
        &self,
        field: &Field,
        offsets: &[Vec<usize>],
        images: Range<usize>,
        group: usize,
    ) -> Done {
        let inside = field.inside(&self.x);
        let planes = Scratch::<T>::new(field.channel * SLACK)?;
        // SAFETY: the scratch memory's elements.
        unsafe { planes.ptr().write_bytes(0, field.channel * SLACK) };
        for first in images.clone().step_by(SLACK) {
            let together = SLACK.min(images.end - first);
            for lane in 0..together {
                let from = self.x.channel(first + lane, group);
                for &(place, offset) in &inside {
                    // SAFETY: elements of the operand, and their places in the scratch memory.
                    unsafe {
                        *planes.ptr().add(place * SLACK + lane) = *self.x.at.at(from + offset);
                    }
                }
            }
            for (job, offsets) in self.jobs.iter().zip(offsets) {
                for run in field.runs(&job.windows, 0, 0, job.windows.count()) {
                    for i in 0..run.len {
                        let to = job.place(run.to + i, &self.out);
                        // SAFETY: a window's place in the scratch memory, a filter of as many
                        // elements as there are offsets, an element of the result for each lane.
                        unsafe {
                            let filter = job.filters.at.at(group as isize * job.filters.strides[2]);
                            let from = planes.ptr().cast::<[T; SLACK]>().add(run.from + i);
                            let sums = vectorized(
                                #[inline(always)]
                                || lanes_of(from, offsets, filter),
                            );
                            for (lane, sum) in sums.iter().enumerate().take(together) {
                                *self.out.at.at(self.out.channel(first + lane, group) + to) = *sum;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A window of one channel in as many images as a vector has lanes.
///
/// # Safety
/// `from` has a vector at each offset, and the filter an element.
#[inline(always)]
unsafe fn lanes_of<T: Micro>(
    from: *const [T; SLACK],
    offsets: &[usize],
    filter: *const T,
) -> [T; SLACK] {
    let mut sums = [T::default(); SLACK];
    for (k, &offset) in offsets.iter().enumerate() {
        // SAFETY: the caller's promise.
        let (f, v) = unsafe { (*filter.add(k), from.add(offset).read_unaligned()) };
        for (s, v) in sums.iter_mut().zip(v) {
            *s = T::mul_add(v, f, *s);
        }
    }
    sums
}

/// A row of windows of one channel.
///
/// # Safety
/// Offsets from `from` stay in a field with slack behind it, the filter has an element for each
/// offset, and `to` has room for `len` elements.
#[inline(always)]
unsafe fn row<T: Micro>(
    from: *const T,
    offsets: &[usize],
    filter: *const T,
    to: *mut T,
    step: isize,
    len: usize,
) {
    let mut at = 0;
    while at < len {
        let mut sums = [T::default(); SLACK];
        for (k, &offset) in offsets.iter().enumerate() {
            // SAFETY: the caller's promise; the field has slack behind it.
            unsafe {
                let f = *filter.add(k);
                let v = from.add(offset + at).cast::<[T; SLACK]>().read_unaligned();
                for (s, v) in sums.iter_mut().zip(v) {
                    *s = T::mul_add(v, f, *s);
                }
            }
        }
        for (i, s) in sums.iter().enumerate().take(len - at) {
            // SAFETY: the caller's promise.
            unsafe { *to.offset((at + i) as isize * step) = *s };
        }
        at += SLACK;
    }
}
