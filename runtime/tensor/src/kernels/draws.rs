//! Random numbers that compiled code draws while it runs.
//!
//! In: what generated code asks for, each draw with its position in the run. Out: the numbers, from
//! a [`Draws`] of whoever started the run. Always: what is drawn at a position is what would be drawn
//! there if the draws before it had been made one after the other, and only they, from where the
//! generator was when the run began. What was drawn is kept, up to a limit: a backward pass draws it
//! again.

use std::cell::RefCell;
use std::ptr;

use super::records::{Operand, all_words};
use crate::Tensor;

/// Where a run's random numbers come from.
pub trait Draws {
    /// Draws from a distribution. `None`: there is no such one.
    fn draw(&mut self, asked: &Asked, given: Given<'_>) -> Option<Tensor>;
    /// Puts the generator where it was when the run began.
    fn rewind(&mut self);
}

/// Bytes that are kept of what a run drew.
const KEPT_BYTES: usize = 64 << 20;

/// A draw that code said it makes.
#[derive(PartialEq)]
pub struct Asked {
    /// Of the distribution.
    pub number: usize,
    /// Between which, if it has bounds.
    pub bounds: (i64, i64),
    /// Of what is drawn.
    pub extents: Vec<i64>,
    /// Extents of its parameters.
    pub given: Vec<i64>,
}

/// A distribution's parameters, row-major.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// It has none that the graph computes.
    Nothing,
    /// Nobody looks at what is drawn: any will do.
    Any,
    /// These.
    Bytes(&'a [u8]),
}

/// The draws of one run.
pub struct Drawing<'a> {
    draws: Box<dyn Draws + 'a>,
    /// By position, with what was drawn there.
    asked: Vec<(Asked, Option<Tensor>)>,
    kept_bytes: usize,
    /// So many were made since the generator was where it was in the beginning.
    made: usize,
    failed: bool,
}

impl<'a> Drawing<'a> {
    /// None so far.
    #[must_use]
    pub fn new(draws: Box<dyn Draws + 'a>) -> RefCell<Drawing<'a>> {
        RefCell::new(Drawing {
            draws,
            asked: Vec::new(),
            kept_bytes: 0,
            made: 0,
            failed: false,
        })
    }

    fn advance(&mut self, position: usize, asked: Asked) -> i64 {
        let known = self.asked.get(position);
        if known.is_none_or(|(known, _)| *known != asked) {
            self.asked.truncate(position);
            self.failed |= self.asked.len() < position;
            self.asked.push((asked, None));
        }
        position as i64 + 1
    }

    /// Puts the generator behind the first `count` draws.
    fn go_to(&mut self, count: usize) {
        if self.made > count {
            self.draws.rewind();
            self.made = 0;
        }
        for at in self.made..count {
            match self.asked.get(at) {
                Some((a, _)) => self.failed |= self.draws.draw(a, Given::Any).is_none(),
                None => self.failed = true,
            }
        }
        self.made = count;
    }

    fn draw(&mut self, next: usize, asked: &Asked, given: Given<'_>) -> Option<Tensor> {
        let position = next.checked_sub(1)?;
        if let Some((known, Some(drawn))) = self.asked.get(position)
            && known == asked
        {
            return Some(drawn.clone());
        }
        self.go_to(position);
        self.made = next;
        let drawn = self.draws.draw(asked, given)?;
        let bytes = drawn.numel() as usize * drawn.dtype().size();
        if let Some((known, place)) = self.asked.get_mut(position)
            && known == asked
            && self.kept_bytes + bytes <= KEPT_BYTES
        {
            self.kept_bytes += bytes;
            *place = Some(drawn.clone());
        }
        Some(drawn)
    }

    /// Others have drawn since: the generator may be anywhere.
    pub fn lose_place(&mut self) {
        self.made = usize::MAX;
    }

    /// At the end of a run that made `count` draws: the generator stands behind them. Whether all
    /// went well.
    #[must_use]
    pub fn finish(&mut self, count: i64) -> bool {
        self.go_to(usize::try_from(count).unwrap_or(0));
        !self.failed
    }
}

/// The draws at an address that generated code was given.
///
/// # Safety
/// It is that of a live `RefCell<Drawing>`.
unsafe fn drawing<'a>(address: i64) -> &'a RefCell<Drawing<'static>> {
    // SAFETY: the caller's promise; nothing here keeps what outlives the run.
    unsafe { &*(address as *const RefCell<Drawing<'static>>) }
}

/// Notes a draw. `words` are: the distribution's number; the rank of what is drawn, and of the
/// parameters; for the input the address, extent and stride of an array, which holds the address of the
/// run's draws, the position, the bounds and the extents of both; the same for the result, which gets
/// the next position.
///
/// # Safety
/// The words are as above; the arrays have so many elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_advance(words: *const i64) {
    // SAFETY: the caller's promise.
    let (words, input, output) = unsafe {
        let words = std::slice::from_raw_parts(words, 9);
        let length = 4 + (words[1] + words[2]) as usize;
        let input = std::slice::from_raw_parts(words[3] as *const i64, length);
        (words, input, words[6] as *mut i64)
    };
    let &[source, position, low, high, ref extents @ ..] = input else {
        return;
    };
    let mut extents: Vec<i64> = extents.iter().map(|&n| n.max(0)).collect();
    let given = extents.split_off(words[1] as usize);
    let asked = Asked {
        number: words[0] as usize,
        bounds: (low, high),
        extents,
        given,
    };
    // SAFETY: the caller's promise.
    let drawing = unsafe { drawing(source) };
    let next = match drawing.try_borrow_mut() {
        Ok(mut drawing) => drawing.advance(position.max(0) as usize, asked),
        Err(_) => position + 1,
    };
    // SAFETY: the caller's promise.
    unsafe { *output = next };
}

/// Makes a draw, and writes it to `result`. `input` holds the address of the run's draws, the position
/// behind this one, and the bounds.
///
/// # Safety
/// `input` is as above and has four elements; `result` may be written.
unsafe fn make(
    number: i64,
    input: *const i64,
    result: &Operand<'_>,
    width: i64,
    given: (Vec<i64>, Given<'_>),
) {
    // SAFETY: the caller's promise.
    let input = unsafe { std::slice::from_raw_parts(input, 4) };
    let asked = Asked {
        number: number as usize,
        bounds: (input[2], input[3]),
        extents: result.extents.iter().map(|&n| n.max(0)).collect(),
        given: given.0,
    };
    // SAFETY: the caller's promise.
    let drawing = unsafe { drawing(input[0]) };
    let drawn = drawing.try_borrow_mut().ok().and_then(|mut drawing| {
        let next = usize::try_from(input[1]).unwrap_or(0);
        let drawn = drawing.draw(next, &asked, given.1);
        drawing.failed |= drawn.is_none();
        drawn
    });
    let dense = drawn
        .as_ref()
        .and_then(|t| t.contiguous_data().ok())
        .filter(|t| t.shape().as_slice() == asked.extents && t.dtype().size() == width as usize);
    let mut from = dense.as_ref().map(Tensor::data_ptr);
    result.each_piece(|to, bytes| match &mut from {
        Some(from) => {
            // SAFETY: the drawn tensor lies row-major and has the result's extents and element size.
            unsafe { ptr::copy_nonoverlapping(*from, to, bytes) };
            *from = from.wrapping_add(bytes);
        }
        // SAFETY: the caller's promise.
        None => unsafe { ptr::write_bytes(to, 0, bytes) },
    });
}

/// Makes a draw. `words` are: the distribution's number; the rank and the bytes of an element; for
/// the input the address, extent and stride of an array, which holds the address of the run's draws,
/// the position behind this one, and the bounds; then the address, the extents and the strides of the
/// result.
///
/// # Safety
/// The words are as above; the result may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_draw(words: *const i64) {
    // SAFETY: the caller's promise.
    let words = unsafe { all_words(words, 3, [1, *words.add(1) as usize].into_iter()) };
    let &[number, rank, width, input, _, _, ref rest @ ..] = words else {
        return;
    };
    let mut rest = rest;
    let Some(result) = Operand::read(&mut rest, rank as usize, width as usize) else {
        return;
    };
    let given = (Vec::new(), Given::Nothing);
    // SAFETY: the caller's promise.
    unsafe { make(number, input as *const i64, &result, width, given) };
}

/// Makes a draw from distributions whose parameters are a tensor. As [`janus_rt_draw`], with the
/// parameters' rank and bytes of an element before the input, and their address, extents and strides
/// behind it.
///
/// # Safety
/// The words are as above; the parameters may be read and the result written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_draw_from(words: *const i64) {
    // SAFETY: the caller's promise.
    let words = unsafe {
        let ranks = [1, *words.add(3) as usize, *words.add(1) as usize];
        all_words(words, 5, ranks.into_iter())
    };
    let &[
        number,
        rank,
        width,
        given_rank,
        given_width,
        input,
        _,
        _,
        ref rest @ ..,
    ] = words
    else {
        return;
    };
    let mut rest = rest;
    let parameters = Operand::read(&mut rest, given_rank as usize, given_width as usize);
    let result = Operand::read(&mut rest, rank as usize, width as usize);
    let (Some(parameters), Some(result)) = (parameters, result) else {
        return;
    };
    let mut bytes = Vec::new();
    parameters.each_piece(|at, length| {
        // SAFETY: the caller's promise.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(at, length) });
    });
    let extents = parameters.extents.iter().map(|&n| n.max(0)).collect();
    let given = (extents, Given::Bytes(&bytes));
    // SAFETY: the caller's promise.
    unsafe { make(number, input as *const i64, &result, width, given) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    /// Counts: draw `i` is all `i`s, plus 100 for each number of the distribution.
    struct Counting(i64);

    impl Draws for Counting {
        fn draw(&mut self, asked: &Asked, given: Given<'_>) -> Option<Tensor> {
            self.0 += 1;
            let first = match given {
                Given::Bytes(bytes) => i64::from(*bytes.first()?),
                _ => 0,
            };
            let value = self.0 + 100 * asked.number as i64 + 1000 * first;
            let count = asked.extents.iter().product::<i64>() as usize;
            let values = vec![crate::Scalar::I64(value); count];
            Tensor::from_scalars(&values, &asked.extents, DType::I64).ok()
        }

        fn rewind(&mut self) {
            self.0 = 0;
        }
    }

    fn advance(drawing: &RefCell<Drawing<'_>>, position: i64) -> i64 {
        let mut next = 0_i64;
        let input = [ptr::from_ref(drawing) as i64, position, 0, 0, 2];
        let words = [
            1,
            1,
            0,
            input.as_ptr() as i64,
            5,
            1,
            &raw mut next as i64,
            1,
            1,
        ];
        // SAFETY: the words describe the arrays.
        unsafe { janus_rt_advance(words.as_ptr()) };
        next
    }

    fn draw(drawing: &RefCell<Drawing<'_>>, next: i64) -> [i64; 2] {
        let mut result = [0_i64; 2];
        let input = [ptr::from_ref(drawing) as i64, next, 0, 0];
        let words = [
            1,
            1,
            8,
            input.as_ptr() as i64,
            4,
            1,
            result.as_mut_ptr() as i64,
            2,
            1,
        ];
        // SAFETY: the words describe the arrays.
        unsafe { janus_rt_draw(words.as_ptr()) };
        result
    }

    #[test]
    fn numbers_are_those_of_their_position() {
        let drawing = Drawing::new(Box::new(Counting(0)));
        let first = advance(&drawing, 0);
        assert_eq!(draw(&drawing, first), [101, 101]);
        // One that nobody looks at, then one that comes again.
        let third = advance(&drawing, advance(&drawing, first));
        assert_eq!(draw(&drawing, third), [103, 103]);
        assert_eq!(draw(&drawing, first), [101, 101]);
        assert_eq!(draw(&drawing, third), [103, 103]);
        assert!(drawing.borrow_mut().finish(2));
        assert_eq!(drawing.borrow().made, 2);
    }

    #[test]
    fn parameters_are_handed_on_row_major() {
        let drawing = Drawing::new(Box::new(Counting(0)));
        let mut next = 0_i64;
        let noted = [ptr::from_ref(&drawing) as i64, 0, 0, 0, 2, 2];
        let words = [
            1,
            1,
            1,
            noted.as_ptr() as i64,
            6,
            1,
            &raw mut next as i64,
            1,
            1,
        ];
        // SAFETY: the words describe the arrays.
        unsafe { janus_rt_advance(words.as_ptr()) };
        let (mut result, given) = ([0_i64; 2], [7_u8, 8, 9]);
        let input = [ptr::from_ref(&drawing) as i64, next, 0, 0];
        let words = [
            1,
            1,
            8,
            1,
            1,
            input.as_ptr() as i64,
            4,
            1,
            given.as_ptr() as i64,
            2,
            2,
            result.as_mut_ptr() as i64,
            2,
            1,
        ];
        // SAFETY: the words describe the arrays.
        unsafe { janus_rt_draw_from(words.as_ptr()) };
        assert_eq!(result, [7101, 7101]);
        assert!(drawing.borrow_mut().finish(1));
    }

    #[test]
    fn a_position_that_was_not_reached_is_an_error() {
        let drawing = Drawing::new(Box::new(Counting(0)));
        advance(&drawing, 3);
        assert!(!drawing.borrow_mut().finish(4));
    }
}
