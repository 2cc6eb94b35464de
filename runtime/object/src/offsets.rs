//! Where the parts of objects lie, for generated code.
//!
//! In: samples of objects. Out: [`Offsets`]. Always: what the language does not promise is measured, and where something
//! does not lie as generated code expects, there are no offsets.

use std::cell::Cell;
use std::mem::{offset_of, size_of};
use std::rc::Rc;

use janus_bytecode::Code;

use crate::{
    CodeObject, Instance, Payload, PyCell, PyDict, PyFunction, PyList, PyRange, PyRef, PyTuple,
    Value, types,
};

/// Byte offsets. Those of parts of an object count from its head, to which the payload of a [`Value`] points; the first word
/// there is the number of references.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    /// The object itself.
    pub object: i32,
    /// List: the address of its items.
    pub list_items: i32,
    /// List: how many there are.
    pub list_len: i32,
    /// Tuple: the address of its items.
    pub tuple_items: i32,
    /// Tuple: how many there are.
    pub tuple_len: i32,
    /// Instance: its class's head.
    pub class: i32,
    /// Instance: its dict's head, or 0.
    pub dict: i32,
    /// Class: its version, 32 bits.
    pub version: i32,
    /// Class: whether its instances are compared by identity, a byte.
    pub object_eq: i32,
    /// Instance of a class of tuples: the tuple's head.
    pub instance_tuple: i32,
    /// Dict: its layout, 32 bits.
    pub layout: i32,
    /// Dict with a layout: the layout once more, as its values have it.
    pub dict_shape: i32,
    /// Dict with a layout: how many values it has, 32 bits.
    pub dict_count: i32,
    /// Dict with a layout: the first of the values that lie in it, which are [`PyDict::INLINE`].
    pub dict_first: i32,
    /// Dict with a layout: the address of the values behind those.
    pub dict_rest: i32,
    /// Function: its code's head.
    pub function_code: i32,
    /// Function: its globals' head.
    pub function_globals: i32,
    /// Function: what its cells lie behind.
    pub function_closure: i32,
    /// Function: what its defaults lie behind, as its cells do.
    pub function_defaults: i32,
    /// Function: how many defaults there are.
    pub defaults_count: i32,
    /// From there to the first of its cells, which are addresses of heads, or of its defaults.
    pub closure_cells: i32,
    /// Cell: what is in it.
    pub cell_value: i32,
    /// Range: its start, its stop and its step.
    pub range: [i32; 3],
}

/// The address of the head that a value's payload points to.
fn head(value: &Value) -> Option<usize> {
    value.count().map(|count| count as usize)
}

fn between(from: usize, to: usize) -> Option<i32> {
    i32::try_from(to as i64 - from as i64).ok()
}

/// Where, from `from` on, a word lies that is equal to `wanted`, among `count` words at `start`.
fn find(from: usize, start: *const usize, count: usize, wanted: usize) -> Option<i32> {
    let mut found = None;
    for at in 0..count {
        // SAFETY: the caller's words are those of a living object, all initialised.
        let word = unsafe { start.add(at) };
        // SAFETY: as above.
        if unsafe { word.read() } == wanted {
            if found.is_some() {
                return None;
            }
            found = between(from, word as usize);
        }
    }
    found
}

impl Offsets {
    /// Measures; `None` if something does not lie as generated code expects.
    #[must_use]
    pub fn measure() -> Option<Offsets> {
        let mut items = Vec::with_capacity(7);
        items.extend([Value::None, Value::None, Value::None]);
        let list = PyRef::new(PyList::new(items));
        let list_head = head(&Value::List(list.clone()))?;
        let vec: *const Vec<Value> = list.items.as_ptr();
        if size_of::<Vec<Value>>() != 3 * size_of::<usize>() {
            return None;
        }
        let first = list.items.borrow().as_ptr() as usize;

        let tuple = PyRef::new(PyTuple::new(vec![Value::None, Value::None, Value::None]));
        let tuple_head = head(&Value::Tuple(tuple.clone()))?;
        let boxed = &raw const tuple.items;
        if size_of::<Box<[Value]>>() != 2 * size_of::<usize>() {
            return None;
        }

        let class = types().object.clone();
        let instance = PyRef::new(Instance::new(class.clone(), Payload::None));
        let instance_value = Value::Instance(instance.clone());
        let instance_head = head(&instance_value)?;
        let class_head = head(&Value::Class(class.clone()))?;
        let dict = PyRef::unlisted(PyDict::namespace());
        for at in 0..=PyDict::INLINE {
            dict.set_str(&format!("a{at}"), Value::Int(7));
        }
        let dict_head = head(&Value::Dict(dict.clone()))?;
        drop(instance.dict.replace(Some(dict.clone())));

        let payload = Payload::Tuple(tuple.clone());
        let named = PyRef::new(Instance::new(class.clone(), payload));
        let named_head = head(&Value::Instance(named.clone()))?;
        let Payload::Tuple(inside) = &named.payload else {
            return None;
        };
        // SAFETY: a reference is one word.
        if unsafe { std::ptr::from_ref(inside).cast::<usize>().read() } != tuple_head {
            return None;
        }
        let inside = std::ptr::from_ref(inside) as usize;

        let range = PyRef::new(PyRange {
            start: 1,
            stop: 2,
            step: 1,
        });
        let range_head = head(&Value::Range(range.clone()))?;
        let of_range = |part: &i64| between(range_head, std::ptr::from_ref(part) as usize);

        let cell = PyRef::new(PyCell::new(None));
        let cell_head = head(&Value::Cell(cell.clone()))?;
        let cells: Rc<[PyRef<PyCell>]> = Rc::new([cell.clone()]);
        if size_of::<PyRef<PyCell>>() != size_of::<usize>() {
            return None;
        }
        // SAFETY: there is one reference, which is one word.
        if unsafe { cells.as_ptr().cast::<usize>().read() } != cell_head {
            return None;
        }
        let code = CodeObject::new(Rc::new(Code::default()));
        let function = PyRef::new(PyFunction::new(
            code.clone(),
            dict.clone(),
            Rc::new([Value::None, Value::None, Value::None]),
            None,
            cells,
        ));
        let function_head = head(&Value::Function(function.clone()))?;
        let code_head = head(&Value::Code(code.clone()))?;
        let closure = &raw const function.closure;
        // SAFETY: a shared slice is two words, the address of what holds it and its length.
        let holder = unsafe { closure.cast::<usize>().read() };
        let closure_cells = between(holder, function.closure.as_ptr() as usize)?;
        if size_of_val(&function.closure) != 2 * size_of::<usize>()
            || !(0..=64).contains(&closure_cells)
        {
            return None;
        }

        let defaults = function.defaults.as_ptr();
        let values = function.defaults.borrow().as_ptr() as usize;
        let defaults_holder = values.checked_sub(usize::try_from(closure_cells).ok()?)?;

        let table = dict.addresses()?;
        // SAFETY: nothing else runs while it is looked at.
        let value = std::ptr::from_ref(unsafe { dict.value_ref(0) }?) as usize;
        if value != table.split.first
            || size_of::<Cell<u32>>() != 4
            || size_of_val(&instance.dict) != size_of::<usize>()
        {
            return None;
        }
        Some(Offsets {
            object: between(list_head, PyRef::as_ptr(&list) as usize)?,
            list_items: find(list_head, vec.cast(), 3, first)?,
            list_len: find(list_head, vec.cast(), 3, 3)?,
            tuple_items: find(tuple_head, boxed.cast(), 2, tuple.items.as_ptr() as usize)?,
            tuple_len: find(tuple_head, boxed.cast(), 2, 3)?,
            class: {
                let class: *const PyRef<crate::Class> = instance.class.as_ptr();
                // SAFETY: a reference is one word.
                if unsafe { class.cast::<usize>().read() } != class_head {
                    return None;
                }
                between(instance_head, class as usize)?
            },
            dict: find(
                instance_head,
                (&raw const instance.dict).cast(),
                1,
                dict_head,
            )?,
            instance_tuple: between(named_head, inside)?,
            version: between(class_head, &raw const class.version as usize)?,
            object_eq: between(
                class_head,
                class.flags.as_ptr() as usize + offset_of!(crate::ClassFlags, object_eq),
            )?,
            layout: between(dict_head, table.layout)?,
            dict_shape: between(dict_head, table.split.layout)?,
            dict_count: between(dict_head, table.split.count)?,
            dict_first: between(dict_head, table.split.first)?,
            dict_rest: find(
                dict_head,
                table.split.rest.0 as *const usize,
                3,
                table.split.rest.1,
            )?,
            function_code: {
                let place = function.code.as_ptr();
                // SAFETY: a reference is one word.
                if unsafe { place.cast::<usize>().read() } != code_head {
                    return None;
                }
                between(function_head, place as usize)?
            },
            function_globals: find(
                function_head,
                (&raw const function.globals).cast(),
                1,
                dict_head,
            )?,
            function_closure: find(function_head, closure.cast(), 2, holder)?,
            function_defaults: find(function_head, defaults.cast(), 2, defaults_holder)?,
            defaults_count: find(function_head, defaults.cast(), 2, 3)?,
            closure_cells,
            range: [
                of_range(&range.start)?,
                of_range(&range.stop)?,
                of_range(&range.step)?,
            ],
            cell_value: between(cell_head, cell.value.as_ptr() as usize)?,
        })
    }
}
