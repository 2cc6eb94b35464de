//! Lists and iterators in CLIF.
//!
//! In: operands on the emitter's stack. Out: items, iterators. Always: an index out of range and
//! an item of another kind is a deopt before the instruction.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData as MemFlags, Value as Ir};

use crate::arith::{as_int, constant_of, leaf};
use crate::emit::{Done, Emitter, V, Why, is_equal, split};
use crate::kind::{Kind, tag};
use crate::layout::{PAYLOAD, VALUE};
use crate::lower::Helper;
use crate::step::read_as;

/// `len(list)`
pub(crate) fn length(e: &mut Emitter<'_, '_>, list: Ir) -> Ir {
    e.b.ins()
        .load(I64, MemFlags::trusted(), list, e.layout.list_len)
}

/// Where a list or a tuple has the address of its items, and their number.
fn parts(e: &Emitter<'_, '_>, kind: &Kind) -> (i32, i32) {
    match kind {
        Kind::Object(_) | Kind::TupleIter => (e.layout.tuple_items, e.layout.tuple_len),
        _ => (e.layout.list_items, e.layout.list_len),
    }
}

/// The address of an item; leaves where the index is out of range.
fn address(e: &mut Emitter<'_, '_>, kind: &Kind, list: Ir, index: Ir) -> Ir {
    let (items, len) = parts(e, kind);
    let len = e.b.ins().load(I64, MemFlags::trusted(), list, len);
    let at = match constant_of(e, index) {
        Some(i) if i >= 0 => index,
        _ => {
            let wrapped = e.b.ins().iadd(index, len);
            let negative = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, index, 0);
            e.b.ins().select(negative, wrapped, index)
        }
    };
    let out = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, at, len);
    e.deopt_if(out, Why::new("an index in range", "another index"));
    let items = e.b.ins().load(I64, MemFlags::trusted(), list, items);
    let offset = e.b.ins().imul_imm_s(at, VALUE);
    e.b.ins().iadd(items, offset)
}

/// The value at an address, with a reference of its own; leaves where it is of another kind.
pub(crate) fn read(e: &mut Emitter<'_, '_>, kind: &Kind, at: Ir) -> Done<V> {
    let v = peek(e, kind, at)?;
    e.count_up(&v);
    Ok(v)
}

/// The value at an address, with the reference from there.
pub(crate) fn take(e: &mut Emitter<'_, '_>, at: Ir) -> Done<V> {
    peek(e, &Kind::any(), at)
}

/// The value at an address, whose reference stays there.
pub(crate) fn peek(e: &mut Emitter<'_, '_>, kind: &Kind, at: Ir) -> Done<V> {
    let actual = e.b.ins().uload8(I64, MemFlags::trusted(), at, 0);
    if let Kind::Dyn { mask, item } = kind {
        if *mask != tag::ALL {
            e.expect_tag(actual, *mask, item);
        }
        let mut payload = e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
        if mask & 1 << tag::NONE != 0 {
            let zero = e.int(0);
            let is_none =
                e.b.ins()
                    .icmp_imm_u(IntCC::Equal, actual, i64::from(tag::NONE));
            payload = e.b.ins().select(is_none, zero, payload);
        }
        return Ok(V::new(kind.clone(), vec![actual, payload]));
    }
    e.expect_tag(actual, 1 << kind.tag().unwrap_or_default(), &Kind::Unset);
    Ok(match kind {
        Kind::Float => {
            let x = e.b.ins().load(F64, MemFlags::trusted(), at, PAYLOAD);
            V::one(Kind::Float, x)
        }
        Kind::Int | Kind::List(_) | Kind::Object(_) => {
            let x = e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
            V::one(kind.clone(), x)
        }
        Kind::Bool => {
            let x = e.b.ins().load(I8, MemFlags::trusted(), at, PAYLOAD);
            V::one(Kind::Bool, x)
        }
        Kind::None => V::bare(Kind::None),
        other => return Err(e.broken(other.name())),
    })
}

/// `dict[key]`
pub(crate) fn entry(e: &mut Emitter<'_, '_>, dict: &V, key: &V) -> Done<V> {
    let args = [e.ctx, leaf(e, dict)?, e.tag_of(key), e.bits(key)];
    let call = e.call_helper(Helper::DictGet, &args);
    let &[status] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    e.deopt_if(status, Why::new("a key of the dict", "another one"));
    let leaves = e.load_words(&Kind::any(), 0);
    Ok(V::new(Kind::any(), leaves))
}

/// `string[index]`
pub(crate) fn character(e: &mut Emitter<'_, '_>, string: &V, index: &V) -> Done<V> {
    let (string, index) = (leaf(e, string)?, as_int(e, index)?);
    let call = e.call_helper(Helper::StrItem, &[string, index]);
    let &[character] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let none = is_equal(e, character, 0);
    e.deopt_if(none, Why::new("an index of the string", "another one"));
    Ok(V::one(Kind::Object(tag::STR), character))
}

/// `dict[key] = value`
pub(crate) fn set_entry(e: &mut Emitter<'_, '_>, value: &V, dict: &V, key: &V) -> Done {
    let args = [
        leaf(e, dict)?,
        e.tag_of(key),
        e.bits(key),
        e.tag_of(value),
        e.bits(value),
    ];
    let call = e.call_helper(Helper::DictSet, &args);
    let &[status, owed] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    e.deopt_if(status, Why::new("a plain key", "another one"));
    e.owed = Some(e.b.ins().ireduce(I8, owed));
    Ok(())
}

/// `list[index]`
pub(crate) fn item(e: &mut Emitter<'_, '_>, list: &V, index: &V) -> Done<V> {
    let kind = item_kind(e, &list.kind);
    let (address_of, index) = (leaf(e, list)?, as_int(e, index)?);
    let at = address(e, &list.kind, address_of, index);
    read(e, &kind, at)
}

fn item_kind(e: &Emitter<'_, '_>, container: &Kind) -> Kind {
    let wide = e.program.is_wide(e.at, e.pc);
    match container {
        Kind::List(items) | Kind::ListIter(items) => read_as(items, wide),
        _ => Kind::any(),
    }
}

/// `list[index] = value`
pub(crate) fn set_item(e: &mut Emitter<'_, '_>, value: &V, list: &V, index: &V) -> Done<()> {
    let (address_of, index) = (leaf(e, list)?, as_int(e, index)?);
    let at = address(e, &list.kind, address_of, index);
    let value = e.owned(value.clone());
    let old = take(e, at)?;
    e.dropped.push(old);
    write(e, &value, at)
}

/// Writes a value, whose reference is there then.
pub(crate) fn write(e: &mut Emitter<'_, '_>, value: &V, at: Ir) -> Done<()> {
    let tag = e.tag_of(value);
    match (&value.kind, value.leaves.as_slice()) {
        (Kind::Dyn { .. }, &[_, bits]) => {
            e.b.ins().store(MemFlags::trusted(), bits, at, PAYLOAD);
        }
        (Kind::Bool, &[x]) => {
            let word = e.b.ins().uextend(I64, x);
            e.b.ins().store(MemFlags::trusted(), word, at, PAYLOAD);
        }
        (_, &[x]) => {
            e.b.ins().store(MemFlags::trusted(), x, at, PAYLOAD);
        }
        _ => {}
    }
    e.b.ins().store(MemFlags::trusted(), tag, at, 0);
    Ok(())
}

/// The items of a list that has `count` of them.
pub(crate) fn unpack(e: &mut Emitter<'_, '_>, list: &V, count: usize) -> Done<Vec<V>> {
    let kind = item_kind(e, &list.kind);
    let address = leaf(e, list)?;
    let (items, len) = parts(e, &list.kind);
    let len = e.b.ins().load(I64, MemFlags::trusted(), address, len);
    let other = e.b.ins().icmp_imm_u(IntCC::NotEqual, len, count as i64);
    e.deopt_if(other, Why::new("a sequence of this length", "another one"));
    let items = e.b.ins().load(I64, MemFlags::trusted(), address, items);
    let mut all = Vec::new();
    for i in 0..count {
        let at = e.b.ins().iadd_imm_s(items, VALUE * i as i64);
        all.push(peek(e, &kind, at)?);
    }
    // Nothing is counted before the last check.
    for v in &all {
        e.count_up(v);
    }
    Ok(all)
}

/// `iter(x)`
pub(crate) fn iterator(e: &mut Emitter<'_, '_>, v: &V) -> Done<V> {
    match (&v.kind, v.leaves.as_slice()) {
        (Kind::List(kind), &[list]) => {
            let zero = e.int(0);
            Ok(V::new(Kind::ListIter(kind.clone()), vec![list, zero]))
        }
        (Kind::Object(tag::TUPLE), &[tuple]) => {
            let zero = e.int(0);
            Ok(V::new(Kind::TupleIter, vec![tuple, zero]))
        }
        (Kind::Object(tag::RANGE), &[range]) => {
            let bounds = e.layout.range.map(|at| {
                let flags = MemFlags::trusted().with_readonly();
                e.b.ins().load(I64, flags, range, at)
            });
            iterator(e, &V::new(Kind::Range, bounds.to_vec()))
        }
        (Kind::Range, &[start, stop, step]) => {
            let zero = e.int(0);
            if constant_of(e, step) == Some(1) {
                let some = e.b.ins().icmp(IntCC::SignedGreaterThan, stop, start);
                let span = e.b.ins().isub(stop, start);
                let remaining = e.b.ins().select(some, span, zero);
                return Ok(V::new(Kind::RangeIter, vec![start, step, remaining]));
            }
            let up = e.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, step, 0);
            let low = e.b.ins().select(up, start, stop);
            let high = e.b.ins().select(up, stop, start);
            let some = e.b.ins().icmp(IntCC::SignedGreaterThan, high, low);
            // As unsigned numbers, the span and the magnitude of the step always fit.
            let span = e.b.ins().isub(high, low);
            let back = e.b.ins().ineg(step);
            let stride = e.b.ins().select(up, step, back);
            let before = e.b.ins().iadd_imm_s(span, -1);
            let strides = e.b.ins().udiv(before, stride);
            let count = e.b.ins().iadd_imm_s(strides, 1);
            let remaining = e.b.ins().select(some, count, zero);
            Ok(V::new(Kind::RangeIter, vec![start, step, remaining]))
        }
        (Kind::RangeIter | Kind::Zip(_) | Kind::Enumerate(_), _) => Ok(v.clone()),
        _ => Err(e.broken("iterable")),
    }
}

/// Goes to `done` where an iterator is at its end, and on where it is not.
fn end(e: &mut Emitter<'_, '_>, iterator: &V, done: Block) -> Done {
    let some = match (&iterator.kind, iterator.leaves.as_slice()) {
        (Kind::RangeIter, &[_, _, remaining]) => remaining,
        (Kind::ListIter(_) | Kind::TupleIter, &[list, index]) => {
            let (_, len) = parts(e, &iterator.kind);
            let len = e.b.ins().load(I64, MemFlags::trusted(), list, len);
            e.b.ins().icmp(IntCC::UnsignedLessThan, index, len)
        }
        (Kind::Zip(_), _) => {
            for part in split(iterator) {
                end(e, &part, done)?;
            }
            return Ok(());
        }
        (Kind::Enumerate(_), _) => match split(iterator).as_slice() {
            [_, of] => return end(e, of, done),
            _ => return Err(e.broken("enumerate")),
        },
        _ => return Err(e.broken("iterator")),
    };
    let on = e.b.create_block();
    e.b.ins().brif(some, on, &[], done, &[]);
    e.b.switch_to_block(on);
    Ok(())
}

/// An iterator that is not at its end, one further on, and its item, whose references stay where they are.
fn advance(e: &mut Emitter<'_, '_>, iterator: &V) -> Done<(V, V)> {
    match (&iterator.kind, iterator.leaves.as_slice()) {
        (Kind::RangeIter, &[next, step, remaining]) => {
            let left = e.b.ins().iadd_imm_s(remaining, -1);
            let after = e.b.ins().iadd(next, step);
            let advanced = V::new(Kind::RangeIter, vec![after, step, left]);
            Ok((advanced, V::one(Kind::Int, next)))
        }
        (Kind::ListIter(_) | Kind::TupleIter, &[list, index]) => {
            let (items, _) = parts(e, &iterator.kind);
            let items = e.b.ins().load(I64, MemFlags::trusted(), list, items);
            let offset = e.b.ins().imul_imm_s(index, VALUE);
            let at = e.b.ins().iadd(items, offset);
            let kind = item_kind(e, &iterator.kind);
            let item = peek(e, &kind, at)?;
            let after = e.b.ins().iadd_imm_s(index, 1);
            Ok((V::new(iterator.kind.clone(), vec![list, after]), item))
        }
        (Kind::Zip(_), _) => {
            let mut all = (Vec::new(), Vec::new());
            for part in split(iterator) {
                let (advanced, item) = advance(e, &part)?;
                all.0.push(advanced);
                all.1.push(item);
            }
            Ok((joined(&all.0, Kind::Zip), joined(&all.1, Kind::Tuple)))
        }
        (Kind::Enumerate(_), _) => {
            let [count, of] = split(iterator)
                .try_into()
                .map_err(|_| e.broken("enumerate"))?;
            let (advanced, item) = advance(e, &of)?;
            let next = leaf(e, &count)?;
            let mut leaves = vec![e.b.ins().iadd_imm_s(next, 1)];
            leaves.extend(advanced.leaves);
            let advanced = V::new(Kind::Enumerate(Box::new(advanced.kind)), leaves);
            Ok((advanced, joined(&[count, item], Kind::Tuple)))
        }
        _ => Err(e.broken("iterator")),
    }
}

/// One value of several, which it consists of.
pub(crate) fn joined<'v>(
    parts: impl IntoIterator<Item = &'v V>,
    kind: impl Fn(Vec<Kind>) -> Kind,
) -> V {
    let (mut kinds, mut leaves) = (Vec::new(), Vec::new());
    for part in parts {
        kinds.push(part.kind.clone());
        leaves.extend(&part.leaves);
    }
    V::new(kind(kinds), leaves)
}

/// The head of a loop: the next item, or out.
pub(crate) fn for_iter(e: &mut Emitter<'_, '_>, end: u32) -> Done {
    let iterator = e.top(1)?;
    let done = e.b.create_block();
    let before = (e.locals.clone(), e.stack.clone());
    self::end(e, &iterator, done)?;
    let (advanced, item) = advance(e, &iterator)?;
    // Nothing is counted before the last check.
    e.count_up(&item);
    e.take()?;
    e.stack.extend([advanced, item]);
    e.goto(e.pc + 1)?;
    e.b.switch_to_block(done);
    (e.locals, e.stack) = before;
    e.pop(1);
    e.release_dropped(end)?;
    e.goto(end)
}

/// `[a, b, c]`
pub(crate) fn build(e: &mut Emitter<'_, '_>, items: &[V], kind: &Kind) -> Done<V> {
    let call = e.call_helper(Helper::ListNew, &[]);
    let &[list] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    for item in items {
        push(e, list, item);
    }
    Ok(V::one(Kind::List(Box::new(kind.clone())), list))
}

/// `list * count`
pub(crate) fn repeat(e: &mut Emitter<'_, '_>, list: &V, count: &V) -> Done<V> {
    let (address, count) = (leaf(e, list)?, leaf(e, count)?);
    let call = e.call_helper(Helper::ListRepeat, &[address, count]);
    let &[made] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let none = e.b.ins().icmp_imm_u(IntCC::Equal, made, 0);
    e.deopt_if(none, Why::new("a list of numbers", "another one"));
    Ok(V::one(list.kind.clone(), made))
}

/// Appends to the list at an address a value that has a reference of its own.
pub(crate) fn push(e: &mut Emitter<'_, '_>, list: Ir, value: &V) {
    let (tag, bits) = (e.tag_of(value), e.bits(value));
    e.call_helper(Helper::ListAppend, &[list, tag, bits]);
}
