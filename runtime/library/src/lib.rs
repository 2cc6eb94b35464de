//! The Python text of the standard library.
//!
//! In: nothing. Out: [`OURS`], the modules that are written here, and [`CPYTHON`], those of CPython that
//! `cpython.txt` lists. Always: a module is in one of the two.

mod ours;

pub use ours::OURS;

/// One module in Python.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its dotted name.
    pub name: &'static str,
    /// Whether it holds submodules.
    pub is_package: bool,
    /// Its text.
    pub text: &'static str,
}

/// The modules of CPython, as they are in its library.
pub const CPYTHON: &[Source] = include!(concat!(env!("OUT_DIR"), "/cpython.rs"));

/// Every module.
pub fn all() -> impl Iterator<Item = &'static Source> {
    OURS.iter().chain(CPYTHON)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn a_module_has_one_source() {
        let mut seen = HashSet::new();
        for source in super::all() {
            assert!(seen.insert(source.name), "{} is there twice", source.name);
        }
    }
}
