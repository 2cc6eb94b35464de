//! A name in a namespace, with the place where it was found last.
//!
//! In: a namespace, and the one behind it. Out: the value that the name has there. Always: a place is believed only where the
//! layouts are those for which it was found; the namespace may be another one than last time.

use std::cell::Cell;

use janus_object::{Name, PyDict, Value};

/// A name that is looked up again and again.
#[derive(Clone)]
pub(crate) struct PlacedName {
    /// The name.
    pub name: Name,
    place: Cell<Place>,
}

/// Where a name is found in namespaces of some layouts, without a search.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Layout of the first namespace; 0 if nothing is known.
    layout: u32,
    /// Layout of the second one where the first lacks the name, else 0.
    builtins: u32,
    index: u32,
}

impl PartialEq for PlacedName {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl PlacedName {
    pub fn new(name: Name) -> PlacedName {
        PlacedName {
            name,
            place: Cell::default(),
        }
    }

    /// The value of the name in `namespace`, else in `builtins`.
    #[inline]
    pub fn value(&self, namespace: &PyDict, builtins: Option<&PyDict>) -> Option<Value> {
        let Place {
            layout,
            builtins: behind,
            index,
        } = self.place.get();
        if layout != 0 && layout == namespace.layout() {
            match (behind, builtins) {
                (0, _) => return namespace.value_at(index as usize),
                (behind, Some(builtins)) if behind == builtins.layout() => {
                    return builtins.value_at(index as usize);
                }
                _ => {}
            }
        }
        self.look_up(namespace, builtins)
    }

    /// Assigns the name in `namespace`.
    pub fn set(&self, namespace: &PyDict, value: Value) {
        let place = self.place.get();
        let is_known =
            place.layout != 0 && place.layout == namespace.layout() && place.builtins == 0;
        let value = match is_known {
            true => namespace.set_index(place.index as usize, value),
            false => Err(value),
        };
        if let Err(value) = value {
            namespace.set_name(&self.name, value);
        }
    }

    #[cold]
    fn look_up(&self, namespace: &PyDict, builtins: Option<&PyDict>) -> Option<Value> {
        let mut place = Place {
            layout: namespace.layout(),
            ..Place::default()
        };
        let (index, dict) = match (namespace.index_of_name(&self.name), builtins) {
            (Some(index), _) => (index, namespace),
            (None, Some(builtins)) => {
                place.builtins = builtins.layout();
                if place.builtins == 0 {
                    place.layout = 0;
                }
                (builtins.index_of_name(&self.name)?, builtins)
            }
            (None, None) => return None,
        };
        place.index = index as u32;
        self.place.set(place);
        dict.value_at(index)
    }
}
