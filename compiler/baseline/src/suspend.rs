//! The bodies of generators and coroutines in CLIF: where they go on, and where they are suspended.
//!
//! In: a frame's variables in memory. Out: the same in registers, and back. Always: while a frame is suspended, it holds what tier 0
//! would have left there, so that either tier goes on and anybody may look; what is taken out of it is checked for its kind first,
//! and then the frame's place holds nothing, as each reference is in one place.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as IrBlock, InstBuilder, MemFlagsData as MemFlags, Value as Ir};

use crate::Refused;
use crate::effect::null_tag;
use crate::emit::{Done, Emitter, V, is_equal};
use crate::kind::{Kind, tag};
use crate::layout::{PAYLOAD, SLOTS, VALUE, word};
use crate::list;
use crate::program::{Block, State, Unit, line_of};

/// A place at which code goes on in a suspended frame.
pub(crate) struct ResumePoint {
    /// The instruction.
    pub pc: u32,
    /// Values on the frame's stack, without the one that is sent.
    pub depth: usize,
}

/// Where a suspended frame keeps its variables.
pub(crate) struct SuspendedFrame {
    locals: Ir,
    stack: Ir,
}

/// Words that a resumption finds from [`SLOTS`] on: the addresses of the locals and of the stack.
pub(crate) const LOCALS: usize = 0;
/// See [`LOCALS`].
pub(crate) const STACK: usize = 1;
/// Which of the [`ResumePoint`]s it is.
pub(crate) const WHICH: usize = 2;
/// The tag and the bits of what is sent.
pub(crate) const SENT: usize = 3;
/// The address of the cells.
pub(crate) const CELLS: usize = 5;
/// How many words these are.
pub(crate) const WORDS: usize = 6;

/// The status of a resumption of a frame that does not fit.
pub(crate) const MISSED: u64 = 1 << 41;
/// The same of one that ended at a `yield`, with the instruction at which it goes on in the lower half.
pub(crate) const YIELDED: u64 = 1 << 42;

impl Emitter<'_, '_> {
    /// Emits the body of a generator: what is in the frame is looked at where it goes on.
    pub(crate) fn generator_body(&mut self) -> Done {
        let unit = self.unit()?;
        self.make_blocks(unit);
        self.tables.words = self.tables.words.max(SLOTS + WORDS);
        let (locals, stack) = (self.resumed_word(LOCALS), self.resumed_word(STACK));
        self.cells = Some(self.resumed_word(CELLS));
        let (which, tag, bits) = (
            self.resumed_word(WHICH),
            self.resumed_word(SENT),
            self.resumed_word(SENT + 1),
        );
        self.frame = Some(SuspendedFrame { locals, stack });
        let sent = V::new(Kind::any(), vec![tag, bits]);
        let missed = self.b.create_block();
        self.b.set_cold_block(missed);
        for (n, (id, block)) in unit.resumed().enumerate() {
            let (here, next) = (self.b.create_block(), self.b.create_block());
            let is = is_equal(self, which, n as u32);
            self.b.ins().brif(is, here, &[], next, &[]);
            self.b.switch_to_block(here);
            self.resume(unit, (id, block), &sent, missed)?;
            self.b.switch_to_block(next);
        }
        self.b.ins().jump(missed, &[]);
        self.b.switch_to_block(missed);
        let status = self.int(MISSED as i64);
        self.leave(status, None);
        self.all_blocks(unit)
    }

    fn resumed_word(&mut self, at: usize) -> Ir {
        let at = word(SLOTS + at);
        self.b.ins().load(I64, MemFlags::trusted(), self.ctx, at)
    }

    /// Takes what is in the frame, if it is what a block expects, and goes on there.
    fn resume(&mut self, unit: &Unit, to: (usize, &Block), sent: &V, missed: IrBlock) -> Done {
        let (id, block) = to;
        let Some(SuspendedFrame { locals, stack }) = self.frame else {
            return Err(self.broken("a frame"));
        };
        let is_sent = unit.is_resumed_at(block.pc);
        let depth = block.state.stack.len() - usize::from(is_sent);
        self.tables.resume_points.push(ResumePoint {
            pc: block.pc,
            depth,
        });
        self.tables.suspended_most = self.tables.suspended_most.max(depth);
        self.pc = block.pc;
        let places = |base, kinds: &[Kind]| -> Vec<(Ir, i64, Kind)> {
            let kinds = kinds.iter().cloned();
            (0..)
                .zip(kinds)
                .map(|(n, k)| (base, n * VALUE, k))
                .collect()
        };
        let mut kept = places(locals, &block.state.locals);
        kept.extend(places(
            stack,
            block.state.stack.get(..depth).unwrap_or_default(),
        ));
        let mut taken = Vec::new();
        let mut counted = Vec::new();
        for (base, offset, kind) in kept {
            let at = self.b.ins().iadd_imm_s(base, offset);
            taken.push(self.unpark(&kind, at, missed)?);
            if kind.is_counted() {
                counted.push(at);
            }
        }
        // Only now is it certain that the frame is taken over.
        let nothing = self.int(null_tag());
        for at in counted {
            self.b.ins().store(MemFlags::trusted(), nothing, at, 0);
        }
        self.stack = taken.split_off(block.state.locals.len());
        self.locals = taken;
        if is_sent {
            self.stack.push(sent.clone());
        }
        self.jump_to(id, &block.state)
    }

    /// The value at a place of a frame, if it is of a kind.
    fn unpark(&mut self, kind: &Kind, at: Ir, missed: IrBlock) -> Done<V> {
        let actual = self.b.ins().uload8(I64, MemFlags::trusted(), at, 0);
        let payload = |e: &mut Self| e.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
        let expected = match kind {
            Kind::Dyn { mask, .. } => {
                let mut found = actual;
                if mask & 1 << tag::UNSET != 0 {
                    let unset = self.int(i64::from(tag::UNSET));
                    let is_unset = self.is_nothing(actual);
                    found = self.b.ins().select(is_unset, unset, actual);
                }
                let one = self.int(1);
                let bit = self.b.ins().ishl(one, found);
                let usual = self.b.ins().band_imm_u(bit, i64::from(*mask));
                let other = self.b.ins().icmp_imm_u(IntCC::Equal, usual, 0);
                self.unless(other, missed);
                // What is no object has no payload.
                let (bits, zero) = (payload(self), self.int(0));
                let is_none = is_equal(self, found, tag::NONE);
                let bits = self.b.ins().select(is_none, zero, bits);
                return Ok(V::new(kind.clone(), vec![found, bits]));
            }
            Kind::Unset | Kind::Null => null_tag(),
            other => match other.tag() {
                Some(tag) => i64::from(tag),
                None => {
                    let what = format!("{} in a suspended frame", other.name());
                    let line = line_of(&self.unit()?.code, self.pc);
                    return Err(Refused::new(what, line));
                }
            },
        };
        let other = self.b.ins().icmp_imm_u(IntCC::NotEqual, actual, expected);
        self.unless(other, missed);
        if kind.types().is_empty() {
            return Ok(V::bare(kind.clone()));
        }
        let bits = payload(self);
        Ok(self.with_bits(kind, bits))
    }

    /// Goes on, unless a condition holds.
    fn unless(&mut self, condition: Ir, out: IrBlock) {
        let on = self.b.create_block();
        self.b.ins().brif(condition, out, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    fn is_nothing(&mut self, tag: Ir) -> Ir {
        self.b.ins().icmp_imm_u(IntCC::Equal, tag, null_tag())
    }

    /// Puts the variables back into the frame and hands out the value on top of the stack.
    pub(crate) fn suspend(&mut self, unit: &Unit) -> Done {
        let next = self.pc + 1;
        let value = self.take()?;
        let value = self.owned(value);
        let value = self.coerce(value, &Kind::any())?;
        let parked = |values: &[V]| -> Option<Vec<Kind>> {
            let mut kinds = values.iter().map(|v| self.program.parked(&v.kind));
            kinds.by_ref().collect()
        };
        let (Some(locals), Some(mut stack)) = (parked(&self.locals), parked(&self.stack)) else {
            return Err(self.broken("a suspended frame"));
        };
        stack.push(Kind::any());
        let state = State {
            locals,
            stack,
            rare: false,
        };
        let target = unit.block_for(next, &state, false);
        let target = target.and_then(|id| unit.blocks.get(id));
        let (Some(target), Some(frame)) = (target, &self.frame) else {
            return Err(self.broken("a suspended frame"));
        };
        let places = [
            (
                frame.locals,
                std::mem::take(&mut self.locals),
                &target.state.locals,
            ),
            (
                frame.stack,
                std::mem::take(&mut self.stack),
                &target.state.stack,
            ),
        ];
        for (base, values, kinds) in places {
            for (n, (v, kind)) in (0..).zip(values.into_iter().zip(kinds)) {
                let v = self.owned(v);
                let v = self.coerce(v, kind)?;
                let at = self.b.ins().iadd_imm_s(base, n * VALUE);
                self.park(&v, at)?;
            }
        }
        self.store_words(&value.leaves);
        let status = self.int(YIELDED as i64 | i64::from(next));
        self.leave(status, None);
        Ok(())
    }

    /// Puts a value into a place of a frame.
    fn park(&mut self, v: &V, at: Ir) -> Done {
        let nothing = self.int(null_tag());
        match (&v.kind, v.leaves.as_slice()) {
            (Kind::Unset | Kind::Null, _) => {
                self.b.ins().store(MemFlags::trusted(), nothing, at, 0);
            }
            (Kind::Dyn { mask, .. }, &[tag, bits]) if mask & 1 << tag::UNSET != 0 => {
                let is_unset = is_equal(self, tag, tag::UNSET);
                let tag = self.b.ins().select(is_unset, nothing, tag);
                self.b.ins().store(MemFlags::trusted(), bits, at, PAYLOAD);
                self.b.ins().store(MemFlags::trusted(), tag, at, 0);
            }
            _ => list::write(self, v, at)?,
        }
        Ok(())
    }
}
