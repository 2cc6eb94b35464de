//! The pointer to an object of the heap.

/// A counted reference to an object.
pub type PyRef<T> = std::rc::Rc<T>;
