//! `_heapq` and `_bisect`: heaps in lists and binary search.
//!
//! In: lists. Out: the same lists, or positions. Always: only `<` is asked of the items; a list is
//! not borrowed while it is asked.

use janus_bytecode::CompareOp;
use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyList, PyRef, PyResult, Raised, Signature, Value, Vm, ops};

use crate::support::{int, module};

const HEAPQ: &[NativeDef] = &[
    NativeDef::function("heapq.heappush", heappush),
    NativeDef::function("heapq.heappop", heappop),
    NativeDef::function("heapq.heapify", heapify),
    NativeDef::function("heapq.heapreplace", heapreplace),
    NativeDef::function("heapq.heappushpop", heappushpop),
];

const BISECT: &[NativeDef] = &[
    NativeDef::function("bisect.bisect_left", |vm, args| search(vm, args, true)),
    NativeDef::function("bisect.bisect_right", |vm, args| search(vm, args, false)),
];

/// Makes `_heapq`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module("_heapq", "", HEAPQ)))
}

/// Makes `_bisect`.
pub(crate) fn build_bisect(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module("_bisect", "", BISECT)))
}

fn heap(value: &Value) -> PyResult<&PyRef<PyList>> {
    value.as_list().ok_or_else(|| {
        Raised::type_error(format!(
            "heap argument must be a list, not {}",
            value.type_name()
        ))
    })
}

fn less(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult<bool> {
    let verdict = ops::compare(vm, CompareOp::Lt, a, b)?;
    ops::truth(vm, &verdict)
}

fn changed() -> Raised {
    Raised::runtime_error("list changed size during iteration")
}

fn at(list: &PyList, index: usize) -> PyResult {
    list.get(index).ok_or_else(changed)
}

fn put(list: &PyList, index: usize, value: Value) -> PyResult<()> {
    let old = match list.items.borrow_mut().get_mut(index) {
        Some(slot) => std::mem::replace(slot, value),
        None => return Err(changed()),
    };
    drop(old);
    Ok(())
}

/// Moves the item at `position` up to where it belongs, not above `start`.
fn sift_down(vm: &mut dyn Vm, list: &PyList, start: usize, mut position: usize) -> PyResult<()> {
    let item = at(list, position)?;
    while position > start {
        let parent = (position - 1) >> 1;
        let above = at(list, parent)?;
        if !less(vm, &item, &above)? {
            break;
        }
        put(list, position, above)?;
        position = parent;
    }
    put(list, position, item)
}

/// Moves the smaller child up until a leaf is reached, then the item to its place.
fn sift_up(vm: &mut dyn Vm, list: &PyList, start: usize) -> PyResult<()> {
    let end = list.len();
    let mut position = start;
    let item = at(list, position)?;
    let mut child = 2 * position + 1;
    while child < end {
        let right = child + 1;
        if right < end && !less(vm, &at(list, child)?, &at(list, right)?)? {
            child = right;
        }
        put(list, position, at(list, child)?)?;
        position = child;
        child = 2 * position + 1;
    }
    put(list, position, item)?;
    sift_down(vm, list, start, position)
}

fn heappush(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [list, item] = args.exactly("heappush")?;
    let list = heap(list)?;
    list.push(item.clone());
    sift_down(vm, list, 0, list.len() - 1)?;
    Ok(Value::None)
}

fn heappop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [list] = args.exactly("heappop")?;
    let list = heap(list)?;
    let last = list.items.borrow_mut().pop();
    let Some(last) = last else {
        return Err(Raised::index_error("index out of range"));
    };
    if list.is_empty() {
        return Ok(last);
    }
    let smallest = at(list, 0)?;
    put(list, 0, last)?;
    sift_up(vm, list, 0)?;
    Ok(smallest)
}

fn heapify(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [list] = args.exactly("heapify")?;
    let list = heap(list)?;
    for i in (0..list.len() / 2).rev() {
        sift_up(vm, list, i)?;
    }
    Ok(Value::None)
}

fn heapreplace(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [list, item] = args.exactly("heapreplace")?;
    let list = heap(list)?;
    let Some(smallest) = list.get(0) else {
        return Err(Raised::index_error("index out of range"));
    };
    put(list, 0, item.clone())?;
    sift_up(vm, list, 0)?;
    Ok(smallest)
}

fn heappushpop(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [list, item] = args.exactly("heappushpop")?;
    let list = heap(list)?;
    if let Some(smallest) = list.get(0)
        && less(vm, &smallest, item)?
    {
        put(list, 0, item.clone())?;
        sift_up(vm, list, 0)?;
        return Ok(smallest);
    }
    Ok(item.clone())
}

/// Where `x` goes in a sorted sequence: before (`left`) or after its equals.
fn search(vm: &mut dyn Vm, args: Args<'_>, left: bool) -> PyResult {
    static SIGNATURE: Signature<5> = Signature::new("bisect", ["a", "x", "lo", "hi", "key"])
        .required(2)
        .keyword_only(4);
    let [sequence, x, low, high, key] = SIGNATURE.parse(args)?;
    let (sequence, x) = (sequence.unwrap_or(Value::None), x.unwrap_or(Value::None));
    let mut low = low.map_or(Ok(0), |v| int(vm, &v))?;
    if low < 0 {
        return Err(Raised::value_error("lo must be non-negative"));
    }
    let mut high = match high {
        None | Some(Value::None) => ops::len(vm, &sequence)? as i64,
        Some(high) => int(vm, &high)?,
    };
    let key = key.filter(|k| !k.is_none());
    while low < high {
        let middle = low + (high - low) / 2;
        let mut item = match &sequence {
            Value::List(list) => list
                .get(middle as usize)
                .ok_or_else(|| Raised::index_error("list index out of range"))?,
            other => ops::get_item(vm, other, &Value::Int(middle))?,
        };
        if let Some(key) = &key {
            item = vm.call(key, Args::new(&[item]))?;
        }
        let go_right = if left {
            less(vm, &item, &x)?
        } else {
            !less(vm, &x, &item)?
        };
        if go_right {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(Value::Int(low))
}
