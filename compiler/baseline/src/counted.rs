//! References in CLIF: who holds them, and what happens when one goes.
//!
//! In: values of counted kinds. Out: code that counts as tier 0 does. Always: each local and each place of the stack holds a
//! reference of its own, but for what a load from a local put on the stack: that is the local's until the local is
//! assigned or control leaves the block; what an instruction takes off the stack goes when the instruction is done, and
//! if something is owed to what died of it, tier 0 pays before the next one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_object::Value;

use crate::emit::{Done, Emitter, Own, V, Why, split};
use crate::kind::{Kind, tag, tag_byte};
use crate::layout::payload;
use crate::lower::Helper;
use crate::program::Unit;
use crate::split::{self as apart, Place};

/// Whether a value of several kinds must be asked whether it is counted.
fn always(mask: u32) -> bool {
    mask & !tag::COUNTED == 0
}

impl Emitter<'_, '_> {
    /// A value that lives as long as the region.
    pub(crate) fn immortal(&mut self, value: &Value) -> V {
        let kind = Kind::of_mask(1 << tag_byte(value));
        let address = self.int(payload(value) as i64);
        V {
            own: Own::Region,
            ..V::one(kind, address)
        }
    }

    /// The same value with a reference of its own.
    pub(crate) fn owned(&mut self, v: V) -> V {
        if v.own == Own::Self_ {
            return v;
        }
        self.count_up(&v);
        V {
            own: Own::Self_,
            ..v
        }
    }

    /// Runs `then` where a value is counted, with its address.
    fn where_counted(
        &mut self,
        kind: &Kind,
        leaves: &[Ir],
        then: &mut dyn FnMut(&mut Self, Ir, Ir),
    ) {
        match (kind, leaves) {
            (Kind::Object(tag), &[address]) if kind.is_counted() => {
                let tag = self.int(i64::from(*tag));
                then(self, tag, address);
            }
            (Kind::List(_), &[address]) | (Kind::ListIter(_), &[address, _]) => {
                let tag = self.int(i64::from(tag::LIST));
                then(self, tag, address);
            }
            (Kind::TupleIter, &[address, _]) => {
                let tag = self.int(i64::from(tag::TUPLE));
                then(self, tag, address);
            }
            (Kind::Dyn { mask, .. }, &[tag, address]) if mask & tag::COUNTED != 0 => {
                if always(*mask) {
                    return then(self, tag, address);
                }
                let above = self.b.ins().iadd_imm_s(tag, -i64::from(tag::BIG_INT));
                let most = i64::from(tag::CODE - tag::BIG_INT);
                let counted = self
                    .b
                    .ins()
                    .icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, most);
                let (here, on) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(counted, here, &[], on, &[]);
                self.b.switch_to_block(here);
                then(self, tag, address);
                self.b.ins().jump(on, &[]);
                self.b.switch_to_block(on);
            }
            _ => {}
        }
    }

    /// One more reference to a value.
    pub(crate) fn count_up(&mut self, v: &V) {
        if v.kind.parts().is_some() {
            for item in split(v) {
                self.count_up(&item);
            }
            return;
        }
        self.where_counted(&v.kind.clone(), &v.leaves, &mut |e, _, address| {
            let count = e.b.ins().load(I64, MemFlags::trusted(), address, 0);
            let more = e.b.ins().iadd_imm_s(count, 1);
            e.b.ins().store(MemFlags::trusted(), more, address, 0);
        });
    }

    /// One reference less; whether something is owed then is in the result, if there can be.
    fn count_down(&mut self, v: &V, owed: &mut Option<Ir>) {
        if v.own != Own::Self_ || !v.kind.is_counted() {
            return;
        }
        if v.kind.parts().is_some() {
            for item in split(v) {
                self.count_down(&item, owed);
            }
            return;
        }
        let before = owed.take();
        let end = self.b.create_block();
        let result = self.b.append_block_param(end, I8);
        let before = match before {
            Some(before) => before,
            None => self.b.ins().iconst(I8, 0),
        };
        self.where_counted(&v.kind.clone(), &v.leaves, &mut |e, tag, address| {
            let count = e.b.ins().load(I64, MemFlags::trusted(), address, 0);
            let less = e.b.ins().iadd_imm_s(count, -1);
            let (last, others) = (e.b.create_block(), e.b.create_block());
            e.b.set_cold_block(last);
            e.b.ins().brif(less, others, &[], last, &[]);
            e.b.switch_to_block(last);
            let call = e.call_helper(Helper::DropLast, &[tag, address]);
            let due = e.b.inst_results(call).first().copied().unwrap_or(before);
            let due = e.b.ins().bor(due, before);
            e.b.ins().jump(end, &[due.into()]);
            e.b.switch_to_block(others);
            e.b.ins().store(MemFlags::trusted(), less, address, 0);
        });
        self.b.ins().jump(end, &[before.into()]);
        self.b.switch_to_block(end);
        *owed = Some(result);
    }

    /// Lets go of what the instruction dropped; what follows is at `pc`.
    pub(crate) fn release_dropped(&mut self, pc: u32) -> Done {
        match self.let_go() {
            Some(owed) => self.settle_if(owed, pc),
            None => Ok(()),
        }
    }

    /// Lets go of what the instruction dropped; whether something is owed then.
    pub(crate) fn let_go(&mut self) -> Option<Ir> {
        let mut owed = self.owed.take();
        for v in std::mem::take(&mut self.dropped) {
            self.count_down(&v, &mut owed);
        }
        owed
    }

    /// Lets go of locals and then of the rest; whether something is owed then.
    pub(crate) fn let_go_of(&mut self, values: &[V]) -> Option<Ir> {
        let mut owed = None;
        for v in values {
            self.count_down(v, &mut owed);
        }
        owed
    }

    /// Assigns a local.
    pub(crate) fn assign(&mut self, slot: usize, v: V) -> Done {
        let v = match v.own {
            // It keeps the reference that it has.
            Own::Local(of) if of == slot => V {
                own: Own::Self_,
                ..v
            },
            _ => {
                let v = self.owned(v);
                let borrowed: Vec<usize> = (0..self.stack.len())
                    .filter(|at| {
                        self.stack
                            .get(*at)
                            .is_some_and(|v| v.own == Own::Local(slot))
                    })
                    .collect();
                for at in borrowed {
                    if let Some(v) = self.stack.get(at).cloned() {
                        let v = self.owned(v);
                        if let Some(place) = self.stack.get_mut(at) {
                            *place = v;
                        }
                    }
                }
                if let Some(old) = self.locals.get(slot).cloned() {
                    self.dropped.push(old);
                }
                v
            }
        };
        match self.locals.get_mut(slot) {
            Some(local) => *local = v,
            None => return Err(self.broken("variable")),
        }
        Ok(())
    }

    /// Makes an object of what lies `n` from the top of the stack, where it is none yet.
    pub(crate) fn box_at(&mut self, n: usize) -> Done {
        let v = self.top(n)?;
        if !matches!(
            v.kind,
            Kind::Known(_) | Kind::Tuple(_) | Kind::Range | Kind::Complex
        ) {
            return Ok(());
        }
        let boxed = self.boxed(v)?;
        let at = self.stack.len() - n;
        if let Some(place) = self.stack.get_mut(at) {
            *place = boxed;
        }
        // What was noted of the stack before is another state.
        self.out = None;
        Ok(())
    }

    /// A value as an object that others may refer to; the value is gone.
    pub(crate) fn boxed(&mut self, v: V) -> Done<V> {
        let tag = match &v.kind {
            Kind::Known(k) => {
                let Some(known) = self.program.known.get(*k) else {
                    return Err(self.broken("a known object"));
                };
                return Ok(self.immortal(known));
            }
            Kind::Tuple(_) => tag::TUPLE,
            Kind::Range => tag::RANGE,
            Kind::Complex => tag::INSTANCE,
            _ => return Ok(v),
        };
        self.store_words(&v.leaves);
        let index = self.int(self.tables.kinds.len() as i64);
        self.tables.kinds.push(v.kind);
        let call = self.call_helper(Helper::Build, &[self.ctx, index]);
        let &[address] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        Ok(V::one(Kind::Object(tag), address))
    }

    /// Takes what lies on top of the stack: its reference is the caller's.
    pub(crate) fn take(&mut self) -> Done<V> {
        let v = self.stack.pop();
        v.ok_or_else(|| self.broken("corrupt stack"))
    }

    /// What lies on the stack has the kinds that the instruction is compiled for, or the code is left.
    pub(crate) fn narrow(&mut self, unit: &Unit, pc: u32) -> Done {
        let wide = self.program.is_wide(self.at, pc);
        let kinds: Vec<Kind> = self.stack.iter().map(|v| v.kind.clone()).collect();
        for (place, mask) in apart::narrowed(&unit.code, pc, wide, &kinds) {
            let Place::Stack(at) = place else { continue };
            let Some(v) = self.stack.get(at).cloned() else {
                continue;
            };
            let (Kind::Dyn { item, .. }, &[actual, bits]) = (&v.kind, v.leaves.as_slice()) else {
                continue;
            };
            let kind = self.expect_tag(actual, mask, item);
            let leaves = match kind {
                Kind::Dyn { .. } => vec![actual, bits],
                _ => self.with_bits(&kind, bits).leaves,
            };
            if let Some(place) = self.stack.get_mut(at) {
                *place = V {
                    kind,
                    leaves,
                    own: v.own,
                };
            }
        }
        Ok(())
    }

    /// Leaves unless a tag is one of a mask; the kind of the value then.
    pub(crate) fn expect_tag(&mut self, actual: Ir, mask: u32, item: &Kind) -> Kind {
        let kind = match mask.is_power_of_two() {
            true => Kind::of_tag(mask.trailing_zeros(), item),
            false => Kind::Dyn {
                mask,
                item: Box::new(item.clone()),
            },
        };
        let why = Why::new(kind.name(), "another type");
        if mask.is_power_of_two() {
            let wrong =
                self.b
                    .ins()
                    .icmp_imm_u(IntCC::NotEqual, actual, i64::from(mask.trailing_zeros()));
            self.deopt_if(wrong, why);
        } else {
            let one = self.int(1);
            let bit = self.b.ins().ishl(one, actual);
            let usual = self.b.ins().band_imm_u(bit, i64::from(mask));
            let other = self.b.ins().icmp_imm_u(IntCC::Equal, usual, 0);
            self.deopt_if(other, why);
        }
        kind
    }
}
