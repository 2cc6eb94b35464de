//! An instance and its dict in one block of memory.
//!
//! In: a class. Out: an instance that has a dict. Always: each of the two is counted and dropped as if it had a block of its own,
//! since a script may keep the dict, or give the instance another one; the memory goes back once both were dropped.

use std::alloc::{Layout, dealloc};
use std::mem::offset_of;
use std::ptr::NonNull;

use super::reference::Block;
use super::{DROPPED, Head, Kind, PAIRED, list};
use crate::{Class, Instance, PyDict, PyRef};

#[repr(C)]
struct Pair {
    instance: Block<Instance>,
    dict: Block<PyDict>,
}

/// A plain object of a class, with an empty dict.
#[inline]
pub(crate) fn instance_with_dict(class: PyRef<Class>) -> PyRef<Instance> {
    let mut pair = Box::<Pair>::new_uninit();
    let at = pair.as_mut_ptr();
    // SAFETY: the addresses of the parts of a block that was just allocated.
    let (instance, dict) = unsafe { (&raw mut (*at).instance, &raw mut (*at).dict) };
    let block = Block {
        head: Head::new(Kind::Dict, PAIRED),
        object: PyDict::namespace(),
    };
    // SAFETY: there is room for it, which nothing else uses; the head counts the reference that is made.
    let dict = unsafe {
        dict.write(block);
        PyRef::of_block(NonNull::new_unchecked(dict))
    };
    let block = Block {
        head: Head::new(Kind::Instance, PAIRED),
        object: Instance::of_parts(class, dict),
    };
    // SAFETY: as above.
    let made = unsafe {
        instance.write(block);
        PyRef::of_block(NonNull::new_unchecked(instance))
    };
    let _ = Box::into_raw(pair);
    list(made.head());
    made
}

/// Notes that one of the two was dropped, and gives the memory back if the other one was, too.
///
/// # Safety
/// The head is that of an object in a pair, which was dropped just now, and is not used afterwards.
pub(super) unsafe fn release(head: NonNull<Head>) {
    // SAFETY: the memory is still there, and what a head is made of needs no dropping.
    let own = unsafe { head.as_ref() };
    own.set(DROPPED);
    let (pair, other) = match own.kind {
        Kind::Dict => {
            // SAFETY: the caller's promise: so many bytes before the dict its pair begins, with the instance.
            let pair = unsafe { head.byte_sub(offset_of!(Pair, dict)) };
            (pair, pair)
        }
        // SAFETY: the caller's promise: so many bytes behind the instance there is the dict.
        _ => (head, unsafe { head.byte_add(offset_of!(Pair, dict)) }),
    };
    // SAFETY: as above.
    if unsafe { other.as_ref() }.is(DROPPED) {
        // SAFETY: both were dropped, so this is the last use of the block, which a `Box` of this type allocated.
        unsafe { dealloc(pair.as_ptr().cast(), Layout::new::<Pair>()) };
    }
}
