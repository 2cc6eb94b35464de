//! The counted pointer.
//!
//! In: an object. Out: [`PyRef`], of which the last one that is dropped drops the object. Always:
//! dropping a long chain of objects does not recurse along it; an object whose finalizer did not
//! run yet is handed to the interpreter instead of being dropped.

use std::alloc::{Layout, dealloc};
use std::fmt;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::ops::Deref;
use std::ptr::NonNull;

use super::{
    Due, FINALIZED, HEAP, Head, Object, PAIRED, UNLISTED, WATCHED, list, owe, pair, unlist, weak,
};
use crate::Value;

/// An object with its head; `T` lies at the same offset whatever it is.
#[repr(C)]
pub(super) struct Block<T> {
    pub(super) head: Head,
    pub(super) object: T,
}

/// Drops nested in one another at most; what is deeper waits for the outermost one.
const DEEPEST_DROP: u32 = 48;

/// A counted reference to an object of the heap.
pub struct PyRef<T: Object> {
    block: NonNull<Block<T>>,
    /// It may drop an object; it stays on its thread.
    owns: PhantomData<*const T>,
}

impl<T: Object> PyRef<T> {
    /// Puts an object on the heap. Cycles through it are found.
    #[inline]
    pub fn new(object: T) -> Self {
        let made = Self::unlisted(object);
        if T::CONTAINER {
            list(made.head());
        }
        made
    }

    /// As [`PyRef::new`], for a part of another object: cycles through it are found only where that
    /// one alone refers to it, until [`PyRef::list`].
    #[inline]
    pub fn unlisted(object: T) -> Self {
        let block = Box::new(Block {
            head: Head::new(T::KIND, 0),
            object,
        });
        PyRef {
            block: NonNull::from(Box::leak(block)),
            owns: PhantomData,
        }
    }

    /// The reference that the head of a new block counts.
    ///
    /// # Safety
    /// The block is initialised, and no reference was made of it.
    #[inline(always)]
    pub(super) unsafe fn of_block(block: NonNull<Block<T>>) -> Self {
        PyRef {
            block,
            owns: PhantomData,
        }
    }

    /// From now on cycles through it are found, whoever refers to it.
    pub fn list(this: &Self) {
        if T::CONTAINER && this.head().slot.get() == UNLISTED {
            list(this.head());
        }
    }

    /// Whether it was listed: others than the object that it is a part of may refer to it.
    pub fn is_listed(this: &Self) -> bool {
        this.head().slot.get() != UNLISTED
    }

    /// What stands before the object.
    #[inline(always)]
    pub(super) fn head(&self) -> &Head {
        // SAFETY: `self` keeps the block alive.
        unsafe { &self.block.as_ref().head }
    }

    /// A new reference to the object behind a head.
    ///
    /// # Safety
    /// The object is alive, and is a `T`.
    pub(super) unsafe fn of_head(head: NonNull<Head>) -> Self {
        // SAFETY: the caller's promise: the object is alive.
        let strong = unsafe { &head.as_ref().strong };
        strong.set(strong.get() + 1);
        PyRef {
            block: head.cast(),
            owns: PhantomData,
        }
    }

    /// The object behind a head.
    ///
    /// # Safety
    /// The object is a `T` that lives as long as what is returned.
    pub(super) unsafe fn behind<'a>(head: NonNull<Head>) -> &'a T {
        // SAFETY: the caller's promise.
        unsafe { &head.cast::<Block<T>>().as_ref().object }
    }

    /// The object's address.
    #[inline]
    pub fn as_ptr(this: &Self) -> *const T {
        // SAFETY: the block is alive, so its field has an address in it.
        unsafe { &raw const (*this.block.as_ptr()).object }
    }

    /// Whether both are the same object.
    #[inline]
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        this.block == other.block
    }

    /// How many references there are.
    #[inline]
    pub fn strong_count(this: &Self) -> usize {
        this.head().strong.get()
    }

    /// A new reference to the object at an address.
    ///
    /// # Safety
    /// The address came from [`PyRef::as_ptr`], and the object is alive.
    pub unsafe fn at(object: *const T) -> Self {
        // SAFETY: the caller's promise: so many bytes before the object its block begins.
        let head = unsafe { object.byte_sub(offset_of!(Block<T>, object)) };
        // SAFETY: the address of a living block is not null, and its object is a `T`.
        unsafe { Self::of_head(NonNull::new_unchecked(head.cast_mut().cast())) }
    }

    /// A new reference to the object at an address, unless it lost its last one and waits to be dropped.
    ///
    /// # Safety
    /// The address came from [`PyRef::as_ptr`], and the object was not dropped yet.
    pub unsafe fn alive_at(object: *const T) -> Option<Self> {
        // SAFETY: the caller's promise; that of a dying object is the pointer's only one, and forgotten.
        let made = std::mem::ManuallyDrop::new(unsafe { Self::at(object) });
        if Self::strong_count(&made) == 1 {
            made.head().strong.set(0);
            return None;
        }
        Some(std::mem::ManuallyDrop::into_inner(made))
    }

    #[inline(never)]
    fn drop_last(&mut self) {
        let head = self.head();
        if T::FINALIZED && !head.is(FINALIZED) && self.needs_finalizer() {
            head.set(FINALIZED);
            // SAFETY: the object was not dropped; the reference that is made here is its only one.
            owe(Due::Finalizer(unsafe {
                Value::behind(NonNull::from(head))
            }));
            return;
        }
        if head.is(WATCHED) {
            weak::forget(head, true);
        }
        if T::CONTAINER && head.slot.get() != UNLISTED {
            unlist(head);
        }
        let block = self.block.cast::<Head>();
        if !T::CONTAINER {
            // SAFETY: this was the last reference.
            return unsafe { free::<T>(block) };
        }
        HEAP.with(|heap| {
            let depth = heap.drops.get();
            if depth >= DEEPEST_DROP {
                heap.waiting.borrow_mut().push((block, free::<T>));
                return;
            }
            heap.drops.set(depth + 1);
            // SAFETY: this was the last reference.
            unsafe { free::<T>(block) };
            if depth == 0 {
                loop {
                    // Not borrowed while the next one is dropped, which may let others wait.
                    let next = heap.waiting.borrow_mut().pop();
                    let Some((block, free)) = next else { break };
                    // SAFETY: what waits lost its last reference, and waits once.
                    unsafe { free(block) };
                }
            }
            heap.drops.set(depth);
        });
    }
}

/// Drops an object and gives its memory back.
///
/// # Safety
/// It is a `T` without references, and is not used afterwards.
unsafe fn free<T: Object>(head: NonNull<Head>) {
    let block = head.cast::<Block<T>>();
    // SAFETY: the caller's promise.
    let is_paired = unsafe { head.as_ref() }.is(PAIRED);
    // SAFETY: the caller's promise.
    unsafe { std::ptr::drop_in_place(block.as_ptr()) };
    if is_paired {
        // SAFETY: it was dropped just now.
        return unsafe { pair::release(head) };
    }
    // SAFETY: the block was allocated by a `Box` of this type.
    unsafe {
        dealloc(block.as_ptr().cast(), Layout::new::<Block<T>>());
    }
}

impl<T: Object> Drop for PyRef<T> {
    #[inline]
    fn drop(&mut self) {
        let strong = &self.head().strong;
        let left = strong.get() - 1;
        strong.set(left);
        if left == 0 {
            self.drop_last();
        }
    }
}

impl<T: Object> Clone for PyRef<T> {
    #[inline]
    fn clone(&self) -> Self {
        let strong = &self.head().strong;
        strong.set(strong.get() + 1);
        PyRef {
            block: self.block,
            owns: PhantomData,
        }
    }
}

impl<T: Object> Deref for PyRef<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: `self` keeps the block alive, and nobody has the object mutably before it is dropped.
        unsafe { &self.block.as_ref().object }
    }
}

impl<T: Object + Default> Default for PyRef<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Object + PartialEq> PartialEq for PyRef<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Object + Eq> Eq for PyRef<T> {}

impl<T: Object + fmt::Debug> fmt::Debug for PyRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Object + fmt::Display> fmt::Display for PyRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
