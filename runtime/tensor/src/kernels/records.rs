//! Tensors that compiled code keeps until its run ends.
//!
//! In: tensors of generated code. Out: the address of a record of their copies, and the copies
//! again.
//! Always: a record stays where it is until [`reset_records`], which the thread that ran the code
//! calls; memory that a usual run needs is kept for the next one.

use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::ptr;

/// Words of the first chunk; each further one is at least twice as long as the one before it.
const FIRST_WORDS: usize = 1 << 13;
/// Words that are kept for the next run.
const KEPT_WORDS: usize = 1 << 23;

type Chunk = Box<[MaybeUninit<u64>]>;

/// Memory that is handed out from the front and taken back as a whole.
#[derive(Default)]
struct Arena {
    chunks: Vec<Chunk>,
    /// The chunk that is handed out from, and how much of it is gone.
    current: usize,
    used: usize,
}

impl Arena {
    fn take(&mut self, words: usize) -> *mut u64 {
        loop {
            if let Some(chunk) = self.chunks.get_mut(self.current) {
                if let Some(free) = chunk.get_mut(self.used..self.used + words) {
                    self.used += words;
                    return free.as_mut_ptr().cast();
                }
                self.current += 1;
                self.used = 0;
                continue;
            }
            let longest = self.chunks.last().map_or(0, |chunk| chunk.len());
            let length = words.max(2 * longest).max(FIRST_WORDS);
            self.chunks.push(Box::new_uninit_slice(length));
        }
    }

    fn reset(&mut self) {
        self.current = 0;
        self.used = 0;
        let mut kept = 0;
        self.chunks.retain(|chunk| {
            kept += chunk.len();
            kept <= KEPT_WORDS
        });
    }
}

thread_local! {
    static ARENA: RefCell<Arena> = const { RefCell::new(Arena { chunks: Vec::new(), current: 0, used: 0 }) };
}

/// Takes back what was kept by code that ran on this thread.
pub fn reset_records() {
    ARENA.with_borrow_mut(|arena| {
        if arena.used != 0 || arena.current != 0 {
            arena.reset();
        }
    });
}

/// A tensor as generated code describes it.
pub(super) struct Operand<'a> {
    data: *mut u8,
    pub(super) extents: &'a [i64],
    strides: &'a [i64],
    width: usize,
}

impl<'a> Operand<'a> {
    /// Reads the words of a tensor of `rank` dimensions from the front of `words`.
    pub(super) fn read(words: &mut &'a [i64], rank: usize, width: usize) -> Option<Operand<'a>> {
        let (data, rest) = words.split_first()?;
        let (extents, rest) = rest.split_at_checked(rank)?;
        let (strides, rest) = rest.split_at_checked(rank)?;
        *words = rest;
        Some(Operand {
            data: *data as *mut u8,
            extents,
            strides,
            width,
        })
    }

    fn bytes(&self) -> usize {
        let elements: usize = self.extents.iter().map(|&n| n.max(0) as usize).product();
        elements * self.width
    }

    /// The number of dimensions, counted from the last one, that lie row-major without gaps, and
    /// how many bytes they are.
    fn dense(&self) -> (usize, usize) {
        let (mut dims, mut elements) = (0, 1);
        for (&extent, &stride) in self.extents.iter().zip(self.strides).rev() {
            if extent != 1 && stride != elements {
                break;
            }
            elements *= extent;
            dims += 1;
        }
        (dims, elements.max(0) as usize * self.width)
    }

    /// Calls `f` with the place of each dense piece, in row-major order, and its length in bytes.
    pub(super) fn each_piece(&self, mut f: impl FnMut(*mut u8, usize)) {
        if self.bytes() == 0 {
            return;
        }
        let (dense, bytes) = self.dense();
        let outer = self.extents.len() - dense;
        let (extents, strides) = (&self.extents[..outer], &self.strides[..outer]);
        let pieces: i64 = extents.iter().product();
        for piece in 0..pieces {
            let (mut rest, mut offset) = (piece, 0);
            for (&extent, &stride) in extents.iter().zip(strides).rev() {
                offset += rest % extent * stride;
                rest /= extent;
            }
            let at = self
                .data
                .wrapping_offset(offset as isize * self.width as isize);
            f(at, bytes);
        }
    }
}

/// The words of `count` operands whose ranks `ranks` are, which follow `before` words.
///
/// # Safety
/// So many words are there.
pub(super) unsafe fn all_words<'a>(
    words: *const i64,
    before: usize,
    ranks: impl Iterator<Item = usize>,
) -> &'a [i64] {
    let length = ranks.fold(before, |sum, rank| sum + 1 + 2 * rank);
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(words, length) }
}

/// Keeps copies. `words` are: the number of tensors; for each its rank and the bytes of an
/// element; then for each, and for the result, the address, the extents and the strides. The
/// result has one element of int64: where the record is, which begins with the addresses of the
/// copies.
///
/// # Safety
/// The words are as above, and describe tensors that may be read, and a result that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_keep(words: *const i64) {
    // SAFETY: the caller's promise.
    let words = unsafe {
        let count = *words as usize;
        let ranks = (0..count).map(|i| *words.add(1 + 2 * i) as usize);
        all_words(words, 1 + 2 * count, ranks.chain([1]))
    };
    let Some((&count, rest)) = words.split_first() else {
        return;
    };
    let count = count as usize;
    let (kinds, mut rest) = rest.split_at(2 * count);
    let table = ARENA.with_borrow_mut(|arena| arena.take(count.max(1)));
    for (i, kind) in kinds.chunks_exact(2).enumerate() {
        let Some(tensor) = Operand::read(&mut rest, kind[0] as usize, kind[1] as usize) else {
            return;
        };
        let copy = ARENA.with_borrow_mut(|arena| arena.take(tensor.bytes().div_ceil(8)));
        let mut to = copy.cast::<u8>();
        tensor.each_piece(|from, bytes| {
            // SAFETY: the caller's promise; the copy has room for all pieces, and is new.
            unsafe { ptr::copy_nonoverlapping(from, to, bytes) };
            to = to.wrapping_add(bytes);
        });
        // SAFETY: the table has a word for each tensor.
        unsafe { *table.add(i) = copy as u64 };
    }
    if let Some(&out) = rest.first() {
        // SAFETY: the caller's promise.
        unsafe { *(out as *mut i64) = table as i64 };
    }
}

/// Fills a tensor of generated code with dense elements, or with zeros where there are none. `words` are its address,
/// extents and strides; `width` is the bytes of an element.
///
/// # Safety
/// The words describe a tensor that may be written; `from` has as many elements, in memory of their own.
pub unsafe fn fill_from(words: &[i64], rank: usize, width: usize, from: Option<*const u8>) {
    let mut words = words;
    let Some(result) = Operand::read(&mut words, rank, width) else {
        return;
    };
    let Some(mut from) = from else {
        // SAFETY: the caller's promise.
        result.each_piece(|to, bytes| unsafe { ptr::write_bytes(to, 0, bytes) });
        return;
    };
    result.each_piece(|to, bytes| {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(from, to, bytes) };
        from = from.wrapping_add(bytes);
    });
}

/// A copy of a record. `words` are: its number; its rank and the bytes of an element; then the
/// address, the extents and the strides of the tensor that says where the record is, and of the
/// result. Where there is no record, the result is zeros.
///
/// # Safety
/// The words are as above; the record is one of this run, of which the copy with this number has
/// the extents and the element type of the result, which may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_recall(words: *const i64) {
    // SAFETY: the caller's promise.
    let words = unsafe { all_words(words, 3, [1, *words.add(1) as usize].into_iter()) };
    let &[number, rank, width, ref rest @ ..] = words else {
        return;
    };
    let mut rest = rest;
    let record = Operand::read(&mut rest, 1, 8);
    let Some(record) = record else {
        return;
    };
    // SAFETY: the caller's promise.
    let table = unsafe { *record.data.cast::<*const *const u8>() };
    // SAFETY: `janus_rt_keep` wrote an address for each number.
    let from = (!table.is_null()).then(|| unsafe { *table.add(number as usize) });
    // SAFETY: the copy has as many elements as the result, and is memory of its own.
    unsafe { fill_from(rest, rank as usize, width as usize, from) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps `values` as a tensor of `extents` and `strides`, and a second one; returns the record.
    fn keep(values: &[f32], extents: [i64; 2], strides: [i64; 2], flags: &[u8]) -> i64 {
        let mut record = 0_i64;
        let words = [
            2,
            2,
            4,
            1,
            1,
            values.as_ptr() as i64,
            extents[0],
            extents[1],
            strides[0],
            strides[1],
            flags.as_ptr() as i64,
            flags.len() as i64,
            1,
            &raw mut record as i64,
            1,
            1,
        ];
        // SAFETY: the words describe the slices and the record.
        unsafe { janus_rt_keep(words.as_ptr()) };
        record
    }

    fn recall<T: Clone + Default>(record: i64, number: i64, length: usize) -> Vec<T> {
        let mut result = vec![T::default(); length];
        let words = [
            number,
            1,
            size_of::<T>() as i64,
            &raw const record as i64,
            1,
            1,
            result.as_mut_ptr() as i64,
            length as i64,
            1,
        ];
        // SAFETY: the words describe the record and the result.
        unsafe { janus_rt_recall(words.as_ptr()) };
        result
    }

    #[test]
    fn copies_are_row_major_and_stay() {
        let mut values: Vec<f32> = (0..6_u8).map(f32::from).collect();
        let turned = keep(&values, [3, 2], [1, 3], &[1, 0, 1]);
        let plain = keep(&values, [2, 3], [3, 1], &[]);
        values.fill(9.0);
        for _ in 0..100 {
            keep(&values, [2, 3], [3, 1], &[7; 5000]);
        }
        assert_eq!(recall::<f32>(turned, 0, 6), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(recall::<u8>(turned, 1, 3), [1, 0, 1]);
        assert_eq!(recall::<f32>(plain, 0, 6), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(recall::<f32>(0, 0, 2), [0.0; 2]);
        reset_records();
        assert_eq!(
            keep(&values, [2, 3], [3, 1], &[]),
            turned,
            "memory is used again"
        );
        reset_records();
    }

    #[test]
    fn much_memory_is_given_back() {
        let flags = vec![0; 8 * KEPT_WORDS];
        keep(&[], [0, 0], [1, 1], &flags);
        reset_records();
        ARENA.with_borrow(|arena| {
            assert!(arena.chunks.iter().map(|chunk| chunk.len()).sum::<usize>() <= KEPT_WORDS);
        });
    }
}
