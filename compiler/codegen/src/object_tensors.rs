//! Tensors that objects hold, as compiled code reads them while it runs.
//!
//! In: a region's table, the address of an object that a field gave as an instance, or 0, and the form of a tensor.
//! Out: whether it is a tensor of this form, and its elements. Always: what is of another form is not read.

use std::slice;

use janus_object::fields::{FieldTable, instance_ref};
use janus_tensor::Tensor;
use janus_tensor::kernels::conv::element;
use janus_tensor::kernels::records::fill_from;

/// What both routines get.
struct Asked<'a> {
    table: &'a FieldTable,
    object: i64,
    code: i64,
    extents: &'a [i64],
    /// The words of the result.
    result: &'a [i64],
}

impl<'a> Asked<'a> {
    /// Reads the words: the element type's number, the rank, the extents; for the input the address, extent and
    /// stride of an array of two, the table's address and the object's; and those of a result of rank `rank`, or of
    /// that of the tensor.
    ///
    /// # Safety
    /// The words are so; the table is alive.
    unsafe fn read(words: *const i64, rank: Option<usize>) -> Asked<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            let of_tensor = *words.add(1) as usize;
            let result = 1 + 2 * rank.unwrap_or(of_tensor);
            let words = slice::from_raw_parts(words, 2 + of_tensor + 3 + result);
            let (head, rest) = words.split_at(2 + of_tensor);
            let input = slice::from_raw_parts(rest[0] as *const i64, 2);
            Asked {
                table: &*(input[0] as *const FieldTable),
                object: input[1],
                code: head[0],
                extents: &head[2..],
                result: &rest[3..],
            }
        }
    }

    /// The tensor, if it is one of this form that may be read.
    ///
    /// # Safety
    /// The object is 0, or the address of a live instance.
    unsafe fn tensor(&self) -> Option<&'a Tensor> {
        if self.object == 0 {
            return None;
        }
        // SAFETY: the caller's promise.
        let instance = unsafe { instance_ref(self.object) };
        let tensor = instance.foreign::<Tensor>()?;
        let is_so = tensor.dtype() == element(Some(self.code))
            && *tensor.shape() == *self.extents
            && tensor.is_contiguous()
            && !tensor.requires_grad()
            && !tensor.is_inference();
        let written = self.table.written.try_borrow().ok()?;
        (is_so && !written.contains(&tensor.storage_id())).then_some(tensor)
    }
}

/// The routine for generated code: whether an object is such a tensor, as an int of 0 or 1. The words are those of
/// [`Asked::read`], with a result of one element.
///
/// # Safety
/// The words are so; the table is alive, and the object's address is 0 or that of a live instance.
pub(crate) unsafe extern "C" fn janus_rt_is_tensor(words: *const i64) {
    // SAFETY: the caller's promise.
    unsafe {
        let asked = Asked::read(words, Some(1));
        *(asked.result[0] as *mut i64) = i64::from(asked.tensor().is_some());
    }
}

/// The routine for generated code: the elements of such a tensor, or zeros. The words are those of
/// [`Asked::read`], with a result like the tensor.
///
/// # Safety
/// As [`janus_rt_is_tensor`]; the result may be written, and is memory of its own.
pub(crate) unsafe extern "C" fn janus_rt_tensor_at(words: *const i64) {
    // SAFETY: the caller's promise; a tensor of this form has as many elements as the result.
    unsafe {
        let asked = Asked::read(words, None);
        let from = asked.tensor().map(|t| t.data_ptr().cast_const());
        let width = element(Some(asked.code)).size();
        fill_from(asked.result, asked.extents.len(), width, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use janus_object::{Instance, Opaque, fields, types};

    /// What is read of `object` as float32 of `extents`, and whether it is that.
    fn read(table: &FieldTable, object: i64, extents: &[i64; 2]) -> (i64, [f32; 4]) {
        let input = [std::ptr::from_ref(table) as i64, object];
        let (mut is, mut elements) = (-1_i64, [7.0_f32; 4]);
        let head = [0, 2, extents[0], extents[1], input.as_ptr() as i64, 2, 1];
        let mut words = head.to_vec();
        words.extend([&raw mut is as i64, 1, 1]);
        // SAFETY: the words describe the input and the int; the object is 0 or alive.
        unsafe { janus_rt_is_tensor(words.as_ptr()) };
        let mut words = head.to_vec();
        let at = elements.as_mut_ptr() as i64;
        words.extend([at, extents[0], extents[1], extents[1], 1]);
        // SAFETY: the same, with the array of four, which is as long as the extents say.
        unsafe { janus_rt_tensor_at(words.as_ptr()) };
        (is, elements)
    }

    #[test]
    fn only_tensors_of_the_form_are_read() {
        let made = Tensor::from_slice(&[1.0_f32, 2.0, 3.0, 4.0], &[2, 2]);
        let storage = made.as_ref().map_or(0, Tensor::storage_id);
        let object = made.map(|t| Instance::native(&types().object, Opaque(t)));
        let at = object.as_ref().map_or(0, fields::address);
        let table = FieldTable::default();
        assert_eq!(read(&table, at, &[2, 2]), (1, [1.0, 2.0, 3.0, 4.0]));
        assert_eq!(read(&table, at, &[4, 1]), (0, [0.0; 4]));
        assert_eq!(read(&table, 0, &[2, 2]), (0, [0.0; 4]));
        table.written.borrow_mut().push(storage);
        assert_eq!(read(&table, at, &[2, 2]), (0, [0.0; 4]));
    }
}
