//! The gradient of a convolution's filters.
//!
//! In: images and the gradient of the result. Out: filters.
//! Always: an element is a sum over all windows of all images in their order, in pieces of a
//! length that only the extents decide; threads share out elements, not sums.

use std::ops::Range;

use super::correlate::{Done, Scratch, each_task};
use super::tile::{Kernels, Micro, Tile};
use super::windows::{Field, Runs, SLACK, View, Windows, copy_run, pack};
use crate::kernels::loops::{Shared, vectorized, workers};

/// The operands.
pub(super) struct Filters<T> {
    pub x: View<T>,
    /// The gradient of the result.
    pub g: View<T>,
    /// Row-major `[O, C / groups, kernel]`.
    pub out: Shared<T>,
    pub groups: usize,
    pub step: [usize; 3],
    pub windows: Windows,
}

/// One factor of the product: rows over a piece of all windows.
enum Side<'a> {
    /// The elements of windows, in this range of a filter's elements.
    Windows(&'a [usize]),
    /// Channels of the gradient.
    Gradient(Range<usize>),
}

/// Windows that are added up at a time: some of one image, or all of some.
struct Piece {
    images: Range<usize>,
    first: usize,
    len: usize,
}

impl<T: Micro> Filters<T> {
    /// Computes the result.
    pub(super) fn run(&self) -> Done {
        let kernels = T::kernels();
        let inner = self.x.dims[1] / self.groups;
        let outer = self.g.dims[1] / self.groups;
        let depthwise = inner == 1 && outer == 1 && T::DTYPE.is_float();
        let field = Field::new(&self.x, self.step, &[&self.windows], !depthwise);
        let taps: Vec<usize> = self
            .windows
            .taps
            .iter()
            .map(|t| field.offset(t.1))
            .collect();
        let offsets: Vec<usize> = (0..inner)
            .flat_map(|c| taps.iter().map(move |t| (c, *t)))
            .map(|(c, t)| c * field.channel + t)
            .collect();
        let size = offsets.len();
        if depthwise {
            let work = self.windows.count() * self.x.dims[0] * size * self.groups;
            return each_task(self.groups, work, |range| {
                range
                    .into_iter()
                    .try_for_each(|g| self.depthwise(&field, &offsets, g))
            });
        }
        // Rows of a tile are the factor that has to be transposed: the cheaper one.
        let cost = |rows: usize, columns: usize| {
            kernels.vectors(rows) * columns.next_multiple_of(kernels.columns) + rows * 4
        };
        let by_channel = cost(outer, size) <= cost(size, outer);
        let columns = if by_channel { size } else { outer };
        let work = self.windows.count() * self.x.dims[0] * size * outer * self.groups;
        let shares = if self.groups == 1 {
            workers().min(columns.div_ceil(kernels.columns)).max(1)
        } else {
            1
        };
        let pieces = self.pieces(kernels.depth());
        each_task(self.groups * shares, work, |range| {
            for task in range {
                let (group, share) = (task / shares, task % shares);
                let units = columns.div_ceil(kernels.columns);
                let end = |s: usize| (units * s / shares * kernels.columns).min(columns);
                let mine = end(share)..end(share + 1);
                self.product(&field, &offsets, &pieces, group, mine, by_channel)?;
            }
            Ok(())
        })
    }

    /// The filter of a group of one channel in and one out: a sum of vectors for each element.
    fn depthwise(&self, field: &Field, offsets: &[usize], group: usize) -> Done {
        let [gd, gh, gw] = self.windows.grid;
        let [_, _, sd, sh, sw] = self.g.strides;
        let scratch = Scratch::<T>::new(field.channel)?;
        let line = Scratch::<T>::new(gd * gh * gw.next_multiple_of(SLACK))?;
        let pitch = gw.next_multiple_of(SLACK);
        let mut sums = vec![[[T::default(); SLACK]; CHAINS]; offsets.len()];
        for n in 0..self.x.dims[0] {
            // SAFETY: a channel of the operand and its place; rows of the gradient, and as many
            // lines.
            unsafe {
                let from = self.x.at.at(self.x.channel(n, group));
                field.fill(from, &self.x, scratch.ptr());
                let from = self.g.channel(n, group);
                for row in 0..gd * gh {
                    let at = from + (row / gh) as isize * sd + (row % gh) as isize * sh;
                    for w in 0..gw {
                        *line.ptr().add(row * pitch + w) = *self.g.at.at(at + w as isize * sw);
                    }
                }
            }
            let starts: Vec<usize> = (0..gd * gh)
                .map(|row| {
                    field
                        .runs(&self.windows, 0, row * gw, gw)
                        .first()
                        .map_or(0, |r| r.from)
                })
                .collect();
            for (sums, &offset) in sums.iter_mut().zip(offsets) {
                vectorized(
                    #[inline(always)]
                    || {
                        for (row, start) in starts.iter().enumerate() {
                            // SAFETY: a row of the field, with slack behind it, and a line.
                            unsafe {
                                let x = scratch.ptr().add(start + offset);
                                multiply_rows(x, line.ptr().add(row * pitch), gw, sums);
                            }
                        }
                    },
                );
            }
        }
        for (k, sums) in sums.iter().enumerate() {
            let one = T::from_i64(1);
            let total = sums
                .iter()
                .flatten()
                .fold(T::default(), |total, &s| T::mul_add(one, s, total));
            // SAFETY: the group's filter.
            unsafe { *self.out.at((group * offsets.len() + k) as isize) = total };
        }
        Ok(())
    }

    fn pieces(&self, depth: usize) -> Vec<Piece> {
        let (n, count) = (self.x.dims[0], self.windows.count());
        let mut pieces = Vec::new();
        if count >= depth {
            let parts = count.div_ceil(depth);
            let part = count.div_ceil(parts);
            for i in 0..n {
                for first in (0..count).step_by(part) {
                    pieces.push(Piece {
                        images: i..i + 1,
                        first,
                        len: part.min(count - first),
                    });
                }
            }
        } else {
            let together = depth / count.max(1);
            for i in (0..n).step_by(together.max(1)) {
                let images = i..n.min(i + together);
                pieces.push(Piece {
                    first: 0,
                    len: images.len() * count,
                    images,
                });
            }
        }
        pieces
    }

    /// The elements of one group with these columns of the product.
    fn product(
        &self,
        field: &Field,
        offsets: &[usize],
        pieces: &[Piece],
        group: usize,
        columns: Range<usize>,
        by_channel: bool,
    ) -> Done {
        let kernels = T::kernels();
        let inner = self.x.dims[1] / self.groups;
        let outer = self.g.dims[1] / self.groups;
        let size = offsets.len();
        let rows = if by_channel { outer } else { size };
        let channels = group * outer..(group + 1) * outer;
        let (left, right) = if by_channel {
            let mine = offsets.get(columns.clone()).unwrap_or_default();
            (Side::Gradient(channels), Side::Windows(mine))
        } else {
            let mine = channels.start + columns.start..channels.start + columns.end;
            (Side::Windows(offsets), Side::Gradient(mine))
        };
        // The channels that are read.
        let reach = self.windows.taps.len().max(1);
        let needed = if by_channel {
            columns.start / reach..columns.end.div_ceil(reach)
        } else {
            0..inner
        };
        let depth = kernels.depth();
        let most = pieces.iter().map(|p| p.images.len()).max().unwrap_or(1);
        let panels = Scratch::<T>::new(rows.div_ceil(kernels.rows) * kernels.rows * depth)?;
        let lines = Scratch::<T>::new(SLACK.max(4 * kernels.columns) * depth)?;
        let sums = Scratch::<T>::new(rows * columns.len())?;
        let apart = if field.plain {
            self.x.strides[0] as usize
        } else {
            inner * field.channel
        };
        let scratch = if field.plain {
            None
        } else {
            Some(Scratch::<T>::new(most * apart)?)
        };
        let mut filled = 0..0;
        for (i, piece) in pieces.iter().enumerate() {
            let images = &piece.images;
            // SAFETY: channels of the operand; the scratch memory has room for them, for a piece of
            // windows in each line, and for a tile's rows in each panel.
            unsafe {
                let (at, limit) = match &scratch {
                    None => (
                        self.x
                            .at
                            .at(self.x.channel(images.start, group * inner))
                            .cast_const(),
                        (images.len() - 1) * apart
                            + (inner - 1) * field.channel
                            + self.x.image().iter().product::<usize>(),
                    ),
                    Some(s) => {
                        if filled != *images {
                            for (i, n) in images.clone().enumerate() {
                                for c in needed.clone() {
                                    let from = self.x.channel(n, group * inner + c);
                                    let to = s.ptr().add(i * apart + c * field.channel);
                                    field.fill(self.x.at.at(from), &self.x, to);
                                }
                            }
                            filled = images.clone();
                        }
                        (s.ptr().cast_const(), images.len() * apart + SLACK)
                    }
                };
                let runs = field.runs(&self.windows, apart, piece.first, piece.len);
                let source = Source {
                    field: at,
                    limit,
                    runs,
                    piece,
                };
                self.transpose(kernels, &left, rows, &source, lines.ptr(), panels.ptr());
                self.add(
                    kernels,
                    &right,
                    columns.len(),
                    rows,
                    &source,
                    (lines.ptr(), panels.ptr(), sums.ptr()),
                    i > 0,
                );
            }
        }
        // SAFETY: `sums` holds `rows` elements for each column; the result's element of channel o
        // and filter element k is o * size + k.
        unsafe {
            let out = self.out.at((group * outer * size) as isize);
            if by_channel {
                for first in (0..columns.len()).step_by(SLACK) {
                    let count = SLACK.min(columns.len() - first);
                    let (from, to) = (sums.ptr().add(first * rows), out.add(columns.start + first));
                    vectorized(
                        #[inline(always)]
                        || turn(from, rows, count, rows, to, size),
                    );
                }
            } else {
                let count = columns.len() * rows;
                std::ptr::copy_nonoverlapping(sums.ptr(), out.add(columns.start * size), count);
            }
        }
        Ok(())
    }

    /// Writes some rows of a factor to lines that are `depth` apart.
    unsafe fn lines(
        &self,
        side: &Side<'_>,
        rows: Range<usize>,
        source: &Source<'_, T>,
        to: *mut T,
        pitch: usize,
    ) {
        match side {
            Side::Windows(offsets) => {
                let offsets = offsets.get(rows).unwrap_or_default();
                // SAFETY: the caller's promise.
                vectorized(
                    #[inline(always)]
                    || unsafe {
                        pack(to, pitch, source.field, source.limit, offsets, &source.runs)
                    },
                );
            }
            Side::Gradient(channels) => {
                let count = self.windows.count();
                let [gd, gh, gw] = self.windows.grid;
                let [_, _, sd, sh, sw] = self.g.strides;
                let dense = self.g.is_dense();
                for (line, r) in rows.enumerate() {
                    let (mut at, end) = (source.piece.first, source.piece.first + source.piece.len);
                    while at < end {
                        let (n, i) = (source.piece.images.start + at / count, at % count);
                        let from = self.g.channel(n, channels.start + r);
                        let take = if dense { count - i } else { gw - i % gw }.min(end - at);
                        let (d, h, w) = (i / gw / gh % gd.max(1), i / gw % gh, i % gw);
                        // SAFETY: windows are the elements of the gradient, in row-major order.
                        unsafe {
                            let to = to.add(line * pitch + at - source.piece.first);
                            if dense {
                                let from = self.g.at.at(from + i as isize);
                                copy_run(from, to, take);
                            } else {
                                let start = d as isize * sd + h as isize * sh + w as isize * sw;
                                let from = self.g.at.at(from + start);
                                for j in 0..take {
                                    *to.add(j) = *from.offset(j as isize * sw);
                                }
                            }
                        }
                        at += take;
                    }
                }
            }
        }
    }

    /// The left factor as panels `[k][rows]`.
    unsafe fn transpose(
        &self,
        kernels: &Kernels<T>,
        side: &Side<'_>,
        rows: usize,
        source: &Source<'_, T>,
        lines: *mut T,
        panels: *mut T,
    ) {
        let (len, pitch) = (source.piece.len, kernels.depth());
        let unit = SLACK.min(kernels.rows);
        for first in (0..rows).step_by(unit) {
            let count = unit.min(rows - first);
            // SAFETY: the caller's promise; `unit` divides a panel's rows.
            unsafe {
                self.lines(side, first..first + count, source, lines, pitch);
                let panel =
                    panels.add(first / kernels.rows * kernels.rows * pitch + first % kernels.rows);
                vectorized(
                    #[inline(always)]
                    || turn(lines, pitch, count, len, panel, kernels.rows),
                );
            }
        }
    }

    /// Adds the product of the panels and the right factor.
    #[expect(clippy::too_many_arguments, reason = "the state of one loop nest")]
    unsafe fn add(
        &self,
        kernels: &Kernels<T>,
        side: &Side<'_>,
        columns: usize,
        rows: usize,
        source: &Source<'_, T>,
        (lines, panels, sums): (*mut T, *mut T, *mut T),
        add: bool,
    ) {
        let (len, pitch) = (source.piece.len, kernels.depth());
        let width = 4 * kernels.columns;
        for first in (0..columns).step_by(width) {
            let count = width.min(columns - first);
            // SAFETY: the caller's promise; `lines` has room for `width` lines.
            unsafe {
                self.lines(side, first..first + count, source, lines, pitch);
                for row in (0..rows).step_by(kernels.rows) {
                    for j in (0..count).step_by(kernels.columns) {
                        kernels.run(&Tile {
                            extents: (
                                kernels.rows.min(rows - row),
                                kernels.columns.min(count - j),
                                len,
                            ),
                            panel: panels.add(row * pitch),
                            right: lines.add(j * pitch),
                            right_row: 1,
                            right_column: pitch as isize,
                            c: sums.add((first + j) * rows + row),
                            c_column: rows as isize,
                            add,
                        });
                    }
                }
            }
        }
    }
}

/// Vectors that are added up side by side.
const CHAINS: usize = 4;

/// `sums[i / SLACK % CHAINS][i % SLACK] += x[i] * g[i]`
///
/// # Safety
/// Both have `len` elements, and slack behind them.
#[inline(always)]
unsafe fn multiply_rows<T: Micro>(
    x: *const T,
    g: *const T,
    len: usize,
    sums: &mut [[T; SLACK]; CHAINS],
) {
    for i in (0..len).step_by(SLACK) {
        let Some(sums) = sums.get_mut(i / SLACK % CHAINS) else {
            return;
        };
        // SAFETY: the caller's promise.
        let (x, g) = unsafe {
            (
                x.add(i).cast::<[T; SLACK]>().read_unaligned(),
                g.add(i).cast::<[T; SLACK]>().read_unaligned(),
            )
        };
        if len - i >= SLACK {
            for (s, (x, g)) in sums.iter_mut().zip(x.into_iter().zip(g)) {
                *s = T::mul_add(x, g, *s);
            }
        } else {
            for (s, (x, g)) in sums.iter_mut().zip(x.into_iter().zip(g)).take(len - i) {
                *s = T::mul_add(x, g, *s);
            }
        }
    }
}

/// What a piece is read from.
struct Source<'a, T> {
    field: *const T,
    limit: usize,
    runs: Runs,
    piece: &'a Piece,
}

/// `to[k * step + i] = lines[i * pitch + k]`
#[inline(always)]
unsafe fn turn<T: Micro>(
    lines: *const T,
    pitch: usize,
    count: usize,
    len: usize,
    to: *mut T,
    step: usize,
) {
    let mut k = 0;
    // Squares: what is read and written stays in few cache lines.
    while k < len {
        let width = SLACK.min(len - k);
        if count == SLACK && width == SLACK {
            let mut square = [[T::default(); SLACK]; SLACK];
            for (i, line) in square.iter_mut().enumerate() {
                // SAFETY: the caller's promise: line i has `len` elements.
                *line = unsafe {
                    lines
                        .add(i * pitch + k)
                        .cast::<[T; SLACK]>()
                        .read_unaligned()
                };
            }
            for j in 0..SLACK {
                let mut column = [T::default(); SLACK];
                for (to, line) in column.iter_mut().zip(&square) {
                    *to = line[j];
                }
                // SAFETY: the caller's promise: a panel row has room for `SLACK` elements.
                unsafe {
                    to.add((k + j) * step)
                        .cast::<[T; SLACK]>()
                        .write_unaligned(column)
                };
            }
        } else {
            for j in 0..width {
                for i in 0..count {
                    // SAFETY: as above.
                    unsafe { *to.add((k + j) * step + i) = *lines.add(i * pitch + k + j) };
                }
            }
        }
        k += width;
    }
}
