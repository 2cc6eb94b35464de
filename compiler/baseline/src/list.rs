//! Lists and iterators in CLIF.
//!
//! In: operands on the emitter's stack. Out: items, iterators. Always: an index out of range and
//! an item of another kind is a deopt before the instruction; a written item replaces a number or
//! None, so that dropping the old one runs nothing.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};

use crate::arith::{as_int, constant_of, leaf};
use crate::emit::{Done, Emitter, V, Why};
use crate::kind::{Kind, tag};
use crate::layout::{BOOL_PAYLOAD, PAYLOAD, VALUE};
use crate::lower::Helper;
use crate::step::read_as;

/// `len(list)`
pub(crate) fn length(e: &mut Emitter<'_, '_>, list: Ir) -> Ir {
    e.b.ins().load(I64, MemFlags::trusted(), list, e.layout.len)
}

/// The address of an item; leaves where the index is out of range.
fn address(e: &mut Emitter<'_, '_>, list: Ir, index: Ir) -> Ir {
    let len = length(e, list);
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
    let items =
        e.b.ins()
            .load(I64, MemFlags::trusted(), list, e.layout.items);
    let offset = e.b.ins().imul_imm_s(at, VALUE);
    e.b.ins().iadd(items, offset)
}

/// The value at an address; leaves where it is of another kind.
fn read(e: &mut Emitter<'_, '_>, kind: &Kind, at: Ir) -> Done<V> {
    let actual = e.b.ins().load(I8, MemFlags::trusted(), at, 0);
    let why = || Why::new(kind.name(), "an item of another type");
    if let Kind::Dyn { mask, .. } = kind {
        let actual = e.b.ins().uextend(I64, actual);
        // The tags of the mask, as bits: what is shifted out is another type.
        let one = e.int(1);
        let bit = e.b.ins().ishl(one, actual);
        let usual = e.b.ins().band_imm_u(bit, i64::from(*mask));
        let other = e.b.ins().icmp_imm_u(IntCC::Equal, usual, 0);
        let large =
            e.b.ins()
                .icmp_imm_u(IntCC::UnsignedGreaterThan, actual, i64::from(tag::LIST));
        let other = e.b.ins().bor(other, large);
        e.deopt_if(other, why());
        let payload = e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
        let short = e.b.ins().uload8(I64, MemFlags::trusted(), at, BOOL_PAYLOAD);
        let is_bool =
            e.b.ins()
                .icmp_imm_u(IntCC::Equal, actual, i64::from(tag::BOOL));
        let payload = e.b.ins().select(is_bool, short, payload);
        let zero = e.int(0);
        let is_none =
            e.b.ins()
                .icmp_imm_u(IntCC::Equal, actual, i64::from(tag::NONE));
        let mut payload = e.b.ins().select(is_none, zero, payload);
        if mask & 1 << tag::LIST != 0 {
            let inner = e.b.ins().iadd_imm_s(payload, e.layout.rc);
            let is_list =
                e.b.ins()
                    .icmp_imm_u(IntCC::Equal, actual, i64::from(tag::LIST));
            payload = e.b.ins().select(is_list, inner, payload);
            if e.roots {
                let (list, on) = (e.b.create_block(), e.b.create_block());
                e.b.ins().brif(is_list, list, &[], on, &[]);
                e.b.switch_to_block(list);
                e.call_helper(Helper::ListRoot, &[e.ctx, payload]);
                e.b.ins().jump(on, &[]);
                e.b.switch_to_block(on);
            }
        }
        return Ok(V::new(kind.clone(), vec![actual, payload]));
    }
    let wanted = i64::from(kind.tag().unwrap_or_default());
    let other = e.b.ins().icmp_imm_u(IntCC::NotEqual, actual, wanted);
    e.deopt_if(other, why());
    Ok(match kind {
        Kind::Float => {
            let x = e.b.ins().load(F64, MemFlags::trusted(), at, PAYLOAD);
            V::one(Kind::Float, x)
        }
        Kind::Int => {
            let x = e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
            V::one(Kind::Int, x)
        }
        Kind::Bool => {
            let x = e.b.ins().load(I8, MemFlags::trusted(), at, BOOL_PAYLOAD);
            V::one(Kind::Bool, x)
        }
        Kind::None => V::bare(Kind::None),
        Kind::List(_) => {
            let payload = e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
            let inner = e.b.ins().iadd_imm_s(payload, e.layout.rc);
            if e.roots {
                e.call_helper(Helper::ListRoot, &[e.ctx, inner]);
            }
            V::one(kind.clone(), inner)
        }
        other => return Err(e.broken(other.name())),
    })
}

/// `list[index]`
pub(crate) fn item(e: &mut Emitter<'_, '_>, list: &V, index: &V) -> Done<V> {
    let Kind::List(kind) = &list.kind else {
        return Err(e.broken("list"));
    };
    let (list, index) = (leaf(e, list)?, as_int(e, index)?);
    let at = address(e, list, index);
    let kind = item_kind(e, kind)?;
    read(e, &kind, at)
}

fn item_kind(e: &Emitter<'_, '_>, items: &Kind) -> Done<Kind> {
    let wide = e.program.is_wide(e.at, e.pc);
    read_as(items, wide).ok_or_else(|| e.broken("item"))
}

/// `list[index] = value`
pub(crate) fn set_item(e: &mut Emitter<'_, '_>, value: &V, list: &V, index: &V) -> Done<()> {
    let (list, index) = (leaf(e, list)?, as_int(e, index)?);
    let at = address(e, list, index);
    let old = e.b.ins().load(I8, MemFlags::trusted(), at, 0);
    let counted =
        e.b.ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, old, i64::from(tag::FLOAT));
    e.deopt_if(
        counted,
        Why::new("an item that is a number", "another object"),
    );
    write(e, value, at)
}

/// Writes a value that is not counted.
fn write(e: &mut Emitter<'_, '_>, value: &V, at: Ir) -> Done<()> {
    let tag = e.tag_of(value);
    match (&value.kind, value.leaves.as_slice()) {
        (Kind::Dyn { .. }, &[_, bits]) => {
            // Either payload is where its variant has it; the other bytes mean nothing.
            e.b.ins()
                .istore8(MemFlags::trusted(), bits, at, BOOL_PAYLOAD);
            e.b.ins().store(MemFlags::trusted(), bits, at, PAYLOAD);
        }
        (Kind::Bool, &[x]) => {
            e.b.ins().store(MemFlags::trusted(), x, at, BOOL_PAYLOAD);
        }
        (_, &[x]) => {
            e.b.ins().store(MemFlags::trusted(), x, at, PAYLOAD);
        }
        _ => {}
    }
    e.b.ins().istore8(MemFlags::trusted(), tag, at, 0);
    Ok(())
}

/// The items of a list that has `count` of them.
pub(crate) fn unpack(e: &mut Emitter<'_, '_>, list: &V, count: usize) -> Done<Vec<V>> {
    let Kind::List(kind) = &list.kind else {
        return Err(e.broken("list"));
    };
    let kind = item_kind(e, kind)?;
    let address = leaf(e, list)?;
    let len = length(e, address);
    let other = e.b.ins().icmp_imm_u(IntCC::NotEqual, len, count as i64);
    e.deopt_if(other, Why::new("a list of this length", "another one"));
    let items =
        e.b.ins()
            .load(I64, MemFlags::trusted(), address, e.layout.items);
    let mut all = Vec::new();
    for i in 0..count {
        let at = e.b.ins().iadd_imm_s(items, VALUE * i as i64);
        all.push(read(e, &kind, at)?);
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
        _ => Err(e.broken("iterable")),
    }
}

/// The head of a loop: the next item, or out.
pub(crate) fn for_iter(e: &mut Emitter<'_, '_>, end: u32) -> Done {
    let iterator = e.top(1)?;
    let (on, done) = (e.b.create_block(), e.b.create_block());
    let before = (e.locals.clone(), e.stack.clone());
    let pushed = match (&iterator.kind, iterator.leaves.as_slice()) {
        (Kind::RangeIter, &[next, step, remaining]) => {
            e.b.ins().brif(remaining, on, &[], done, &[]);
            e.b.switch_to_block(on);
            let left = e.b.ins().iadd_imm_s(remaining, -1);
            let after = e.b.ins().iadd(next, step);
            let advanced = V::new(Kind::RangeIter, vec![after, step, left]);
            [advanced, V::one(Kind::Int, next)]
        }
        (Kind::ListIter(kind), &[list, index]) => {
            let len = length(e, list);
            let some = e.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
            e.b.ins().brif(some, on, &[], done, &[]);
            e.b.switch_to_block(on);
            let items =
                e.b.ins()
                    .load(I64, MemFlags::trusted(), list, e.layout.items);
            let offset = e.b.ins().imul_imm_s(index, VALUE);
            let at = e.b.ins().iadd(items, offset);
            let kind = item_kind(e, kind)?;
            let item = read(e, &kind, at)?;
            let after = e.b.ins().iadd_imm_s(index, 1);
            [V::new(iterator.kind.clone(), vec![list, after]), item]
        }
        _ => return Err(e.broken("iterator")),
    };
    e.pop(1);
    e.stack.extend(pushed);
    e.goto(e.pc + 1)?;
    e.b.switch_to_block(done);
    (e.locals, e.stack) = before;
    e.pop(1);
    e.goto(end)
}

/// `[a, b, c]`
pub(crate) fn build(e: &mut Emitter<'_, '_>, items: &[V], kind: &Kind) -> Done<V> {
    let call = e.call_helper(Helper::ListNew, &[e.ctx]);
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
    let call = e.call_helper(Helper::ListRepeat, &[e.ctx, address, count]);
    let &[made] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let none = e.b.ins().icmp_imm_u(IntCC::Equal, made, 0);
    e.deopt_if(none, Why::new("a list of numbers", "another one"));
    Ok(V::one(list.kind.clone(), made))
}

/// Appends to the list at an address.
pub(crate) fn push(e: &mut Emitter<'_, '_>, list: Ir, value: &V) {
    let (tag, bits) = (e.tag_of(value), e.bits(value));
    e.call_helper(Helper::ListAppend, &[list, tag, bits]);
}

/// `list.append(value)`: the list, then the value are the topmost operands.
pub(crate) fn append(e: &mut Emitter<'_, '_>) -> Done<V> {
    let (list, value) = (e.top(2)?, e.top(1)?);
    let list = leaf(e, &list)?;
    push(e, list, &value);
    Ok(V::bare(Kind::None))
}
