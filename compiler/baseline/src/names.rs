//! Globals and cells that a region keeps in variables, in CLIF.
//!
//! In: such variables, and what is about to run that may see or assign what they stand for. Out: code that writes them to where
//! they live, lends them to functions of the region, and looks at whether they still are what they were. Always: Python that runs
//! sees what the region assigned, and where it assigned something itself, the region is left.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as IrBlock, InstBuilder, MemFlagsData as MemFlags, Value as Ir};

use crate::emit::{Done, Emitter, V};
use crate::kind::{Kind, tag};
use crate::layout::{LENT, SHOWN, WORDS_LENT, word};
use crate::lower::Helper;
use crate::program::Unit;

impl Emitter<'_, '_> {
    /// Lends the names that the code keeps in variables to a function that is called: Python that runs meanwhile may see them.
    pub(crate) fn lend_names(&mut self, unit: &Unit) {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        let stored = |at: usize| unit.names.get(at).is_some_and(|n| n.stored);
        if !(0..slots.len()).any(stored) {
            return;
        }
        let lent = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(LENT));
        for (at, v) in slots.iter().enumerate().filter(|(at, _)| stored(*at)) {
            let [_, _, words @ ..] = self.named(at, v);
            for (n, bits) in (0..).zip(words) {
                let place = word(at * WORDS_LENT + n);
                self.b.ins().store(MemFlags::trusted(), bits, lent, place);
            }
        }
    }

    /// After a call: where Python saw the names that were lent, they may have been assigned; then the code is left.
    pub(crate) fn take_names_back(&mut self, unit: &Unit) -> Done {
        if unit.names.is_empty() {
            return Ok(());
        }
        let shown = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(SHOWN));
        let (look, leave, on) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        self.b.set_cold_block(look);
        self.b.set_cold_block(leave);
        self.b.ins().brif(shown, look, &[], on, &[]);
        self.b.switch_to_block(look);
        let zero = self.int(0);
        self.b
            .ins()
            .store(MemFlags::trusted(), zero, self.ctx, word(SHOWN));
        match self.names_are_same(unit) {
            Some(same) => self.b.ins().brif(same, on, &[], leave, &[]),
            None => self.b.ins().jump(on, &[]),
        };
        self.b.switch_to_block(leave);
        let before = (self.locals.clone(), self.stack.clone());
        let (dropped, owed) = (self.dropped.clone(), self.owed);
        self.let_go();
        self.forget_names(unit);
        self.exit(self.pc + 1, None, false);
        (self.locals, self.stack) = before;
        (self.dropped, self.owed) = (dropped, owed);
        self.b.switch_to_block(on);
        Ok(())
    }

    /// Writes globals and cells that are kept in variables to where they live. What was written in the block is not written
    /// again: if others assign it, the code is left.
    pub(crate) fn write_back(&mut self, unit: &Unit) {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        self.written.resize(slots.len(), None);
        for (at, v) in slots.iter().enumerate() {
            let args = match self.written.get_mut(at) {
                Some(Some(written)) if *written == v.leaves && !v.leaves.is_empty() => continue,
                Some(written) if unit.names.get(at).is_some_and(|n| n.stored) => {
                    *written = Some(v.leaves.clone());
                    self.named(at, v)
                }
                _ => continue,
            };
            self.call_helper(Helper::NameSet, &args);
        }
    }

    /// A name and the variable that it is kept in, as helpers take them.
    fn named(&mut self, at: usize, v: &V) -> [Ir; 5] {
        let (index, zero) = (self.int(at as i64), self.int(0));
        let (tag, bits, more) = match (&v.kind, v.leaves.as_slice()) {
            (Kind::Complex, &[re, im]) => {
                let re = self.b.ins().bitcast(I64, MemFlags::new(), re);
                let im = self.b.ins().bitcast(I64, MemFlags::new(), im);
                (self.int(i64::from(tag::COMPLEX)), re, im)
            }
            (Kind::Known(k), _) => (self.int(i64::from(tag::KNOWN)), self.int(*k as i64), zero),
            _ => (self.tag_of(v), self.bits(v), zero),
        };
        [self.ctx, index, tag, bits, more]
    }

    /// Whether all names that the code keeps in variables are what these say; nothing if there are none.
    pub(crate) fn names_are_same(&mut self, unit: &Unit) -> Option<Ir> {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        let mut all = None;
        for (at, v) in slots.iter().enumerate() {
            let args = self.named(at, v);
            let call = self.call_helper(Helper::NameIs, &args);
            let same = self.b.inst_results(call).first().copied()?;
            all = Some(match all {
                Some(all) => self.b.ins().band(all, same),
                None => same,
            });
        }
        all
    }

    /// Others may have assigned the names that the code keeps in variables: what these hold is not to be written back.
    pub(crate) fn forget_names(&mut self, unit: &Unit) {
        let count = self.locals.len().min(unit.code.code.varnames.len());
        let kept = self.locals.split_off(count);
        self.let_go_of(&kept);
        self.locals.extend(kept.iter().map(|_| V::bare(Kind::Keep)));
    }

    /// What is pending is the result, if it is of the kind that is expected.
    pub(crate) fn arrive(
        &mut self,
        number: usize,
        acts: i64,
        fine: IrBlock,
        leave: IrBlock,
    ) -> Done {
        let (number, acts) = (self.int(number as i64), self.int(acts));
        let call = self.call_helper(Helper::Arrive, &[self.ctx, number, acts]);
        let &[other] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.b.ins().brif(other, leave, &[], fine, &[]);
        Ok(())
    }
}
