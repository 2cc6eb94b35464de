//! Lists that a loop fills with some of its items: which ones, only the graph knows.
//!
//! In: a list that the region made, to which branches of an unrolled loop append. Out: its length, truth and items, a
//! loop over it, what torch functions make of it, and how it leaves the region. Always: an item is the object that was
//! appended; where one may not be there, what is done with it is one side of a branch on that.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::Bool;
use janus_object::Value;
use janus_plan::{DeoptReason, ReasonId};
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Device, Dim, Ops, Scalar};

use crate::Res;
use crate::branches::branch::{Branch, Decides, Merge};
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::state::cfg;
use crate::state::running::Flow;
use crate::state::sym::{Condition, Kind, Obj, Sym, SymFrame, SymGrown, SymIter};
use crate::tensors::tensor::Number;

/// Items of such a list at most: each is a branch in every loop over it.
const MAX_FILTERED: usize = 48;

/// Items, each with the condition on which it is there.
pub(crate) type Items = Vec<(Sym, Condition)>;

/// An item of which only the graph knows whether it is there.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    /// Its list and place.
    of: Obj,
    at: usize,
    /// The iterator over that list that comes to it.
    it: Obj,
}

fn is_certain(items: &[(Sym, Condition)]) -> bool {
    items.iter().all(|(_, c)| c.is_none())
}

impl Executor<'_> {
    pub(crate) fn filtered(&self, v: &Sym) -> Option<(Obj, &Items)> {
        let Sym::Obj(obj) = *v else { return None };
        match &self.state.heap[obj].kind {
            Kind::Filtered(items) => Some((obj, items)),
            _ => None,
        }
    }

    // ---- branches ------------------------------------------------------------------------

    /// The items of a list that the region made, of such a one or a plain one.
    fn items_there(&mut self, kind: &Kind) -> Res<Option<Items>> {
        let list = match kind {
            Kind::Filtered(items) => return Ok(Some(items.clone())),
            Kind::List(list) if list.appended.is_empty() && list.dropped == 0 => list,
            _ => return Ok(None),
        };
        let mut items = Items::new();
        for slot in list.base.as_deref().unwrap_or_default() {
            match self.load_slot(slot)? {
                Some(v) => items.push((v, None)),
                None => return Ok(None),
            }
        }
        Ok(Some(items))
    }

    /// A list behind a branch of which one side alone appended something; `None`: it is no such list.
    pub(crate) fn merge_filtered(
        &mut self,
        merge: &mut Merge,
        obj: Obj,
        a: &Kind,
        b: &Kind,
    ) -> Res<Option<Items>> {
        let plain = matches!((a, b), (Kind::List(_), Kind::List(_)));
        if self.state.heap[obj].origin.is_some()
            || self.region.relaxations.one_kind.contains(&merge.key)
        {
            return Ok(None);
        }
        if plain && !self.is_filled_in_loop(obj) {
            return Ok(None);
        }
        let (Some(x), Some(y)) = (self.items_there(a)?, self.items_there(b)?) else {
            return Ok(None);
        };
        let longest = x.len().max(y.len());
        if plain && x.len() == y.len() || longest > MAX_FILTERED {
            return Ok(None);
        }
        self.branching.choices.insert(merge.key.clone());
        let mut items = Items::with_capacity(longest);
        if x.len() == y.len() {
            for ((v, c), (w, d)) in x.iter().zip(&y) {
                let condition = self.merge_conditions(merge, *c, *d)?;
                items.push((self.merge_sym(merge, v, w)?, condition));
            }
            return Ok(Some(items));
        }
        let both = x.iter().zip(&y);
        let same = both
            .take_while(|((v, c), (w, d))| v.same(w) && c == d)
            .count();
        items.extend(x[..same].iter().cloned());
        for (side, more) in [(true, &x[same..]), (false, &y[same..])] {
            for (v, condition) in more {
                let condition = match condition {
                    None => self.side_is_taken(merge, side)?,
                    inner => self.condition_of_side(merge, side, *inner)?,
                };
                items.push((self.value_of_side(merge, side, v)?, Some(condition)));
            }
        }
        Ok(Some(items))
    }

    /// Whether an item is there that each side has on a condition of its own.
    fn merge_conditions(
        &mut self,
        merge: &mut Merge,
        a: Condition,
        b: Condition,
    ) -> Res<Condition> {
        let [a, b] = [a, b].map(|c| c.map_or(Sym::Known(Value::bool(true)), Sym::flag));
        Ok(match self.merge_sym(merge, &a, &b)? {
            Sym::Scalar(s) => Some(s.id),
            _ => None,
        })
    }

    /// The condition that a later branch on the same predicate knows, too.
    fn side_is_taken(&mut self, merge: &Merge, side: bool) -> Res<ValueId> {
        if side == merge.first {
            return Ok(merge.predicate);
        }
        match self.not(&Sym::flag(merge.predicate))? {
            Sym::Scalar(s) => Ok(s.id),
            _ => self.defect("a branch on what is known"),
        }
    }

    /// Whether code in a loop appends to a list that was made outside of this loop.
    fn is_filled_in_loop(&self, list: Obj) -> bool {
        let maker = self.calls.active.iter().rposition(|a| list >= a.before);
        let filling = self
            .calls
            .active
            .iter()
            .enumerate()
            .skip(maker.unwrap_or(0));
        let mut loops = filling.map(|(depth, a)| {
            let around = self.region.loop_head.filter(|_| depth == 0);
            cfg::is_in_loop(&a.code.code, a.pc, around)
        });
        loops.any(|is_in_loop| is_in_loop)
    }

    /// Such a list that one side of a branch made, behind it.
    pub(crate) fn lifted_items(
        &mut self,
        merge: &mut Merge,
        side: bool,
        items: &Items,
    ) -> Res<Items> {
        let mut lifted = Items::with_capacity(items.len());
        for (v, condition) in items {
            let condition = match condition {
                Some(c) if !self.is_visible(*c) => {
                    Some(self.condition_of_side(merge, side, Some(*c))?)
                }
                seen => *seen,
            };
            lifted.push((self.value_of_side(merge, side, v)?, condition));
        }
        Ok(lifted)
    }

    // ---- loops ---------------------------------------------------------------------------

    /// The next item of an iterator, if only the graph knows whether it is there, and the condition on which it is.
    fn item_in_question(&self, it: Obj) -> Option<(Question, ValueId)> {
        match self.iter_state(it)? {
            SymIter::Items { of, next } => {
                let Kind::Filtered(items) = &self.state.heap[of].kind else {
                    return None;
                };
                let at = self.next_there(of, next);
                let condition = items.get(at)?.1?;
                let unknown = self.known_side(condition).is_none();
                let question = Question { of, at, it };
                unknown.then_some((question, condition))
            }
            SymIter::Enumerate { inner, .. } => self.item_in_question(inner),
            SymIter::Zip { inner } | SymIter::Map { inner, .. } => {
                inner.into_iter().find_map(|i| self.item_in_question(i))
            }
            _ => None,
        }
    }

    /// The first item from `next` on of which is not known that it is not there.
    fn next_there(&self, list: Obj, next: usize) -> usize {
        let Kind::Filtered(items) = &self.state.heap[list].kind else {
            return next;
        };
        let gone = |(_, condition): &&(Sym, Condition)| {
            condition.is_some_and(|c| self.known_side(c) == Some(false))
        };
        next + items.iter().skip(next).take_while(gone).count()
    }

    /// The item of such a list that an iterator comes to, and its place; the outer `None`: it is another list.
    pub(crate) fn filtered_next(
        &self,
        list: Obj,
        next: usize,
    ) -> Res<Option<(Option<Sym>, usize)>> {
        let Kind::Filtered(items) = &self.state.heap[list].kind else {
            return Ok(None);
        };
        let at = self.next_there(list, next);
        let is_there = |c: ValueId| {
            self.branching.taken_item == Some((list, at)) || self.known_side(c) == Some(true)
        };
        match items.get(at) {
            Some((_, Some(c))) if !is_there(*c) => self.refuse(
                ReasonId::BranchSides,
                "an item is taken of a list that may not have it",
            ),
            item => Ok(Some((item.map(|(v, _)| v.clone()), at))),
        }
    }

    /// A `for` at its head whose next item may not be there: a branch around its body. The outer `None`: it is there,
    /// or there is none.
    pub(crate) fn for_filtered(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        it: &Sym,
        stop: Option<u32>,
    ) -> Res<Option<Option<Flow>>> {
        let Sym::Obj(it) = *it else { return Ok(None) };
        let Some((question, condition)) = self.item_in_question(it) else {
            return Ok(None);
        };
        let branch = Branch {
            pc,
            predicate: condition,
            jump_on: true,
            target: pc + 1,
            decides: Decides::Item { it, question },
            join: Some(pc),
            effects: self.state.effects.len(),
        };
        self.branch(frame, &branch, stop).map(Some)
    }

    /// Takes the item in question, or goes on behind it.
    pub(crate) fn take_item(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        (it, question): (Obj, Question),
        is_there: bool,
    ) -> Res<()> {
        let Question { of, at, .. } = question;
        if !is_there {
            frame.pc = branch.pc;
            let next = at + 1;
            self.state.heap[question.it].kind = Kind::Iter(SymIter::Items { of, next });
            return Ok(());
        }
        let outer = self.branching.taken_item.replace((of, at));
        let next = self.next(&Sym::Obj(it));
        self.branching.taken_item = outer;
        match next? {
            Some(v) => {
                frame.stack.push(v);
                frame.pc = branch.target;
            }
            // Another iterator beside it ended.
            None => {
                self.pop(frame)?;
                let instr = frame.code.code.instrs.get(branch.pc as usize);
                frame.pc = instr.map_or(branch.target, |i| i.arg);
            }
        }
        Ok(())
    }

    /// Whether an iterator goes over such a list.
    pub(crate) fn goes_over_filtered(&self, it: Obj) -> bool {
        match self.iter_state(it) {
            Some(SymIter::Items { of, .. }) => {
                matches!(self.state.heap[of].kind, Kind::Filtered(_))
            }
            Some(SymIter::Enumerate { inner, .. }) => self.goes_over_filtered(inner),
            Some(SymIter::Zip { inner } | SymIter::Map { inner, .. }) => {
                inner.into_iter().any(|i| self.goes_over_filtered(i))
            }
            _ => false,
        }
    }

    // ---- what is asked of it -------------------------------------------------------------

    /// `len(list)`
    pub(crate) fn filtered_length(&mut self, items: &[(Sym, Condition)]) -> Res<Sym> {
        let length = self.with_appended(Sym::Known(Value::Int(0)), items)?;
        if let Sym::Scalar(length) = &length
            && let Sym::Scalar(any) = self.has_items(items)?
        {
            self.branching.lengths.insert(length.id, any.id);
        }
        Ok(length)
    }

    /// Whether a list has an item whose length this is, where it may have none: the same condition that its truth is.
    pub(crate) fn is_length_of_some(&self, length: ValueId) -> Option<ValueId> {
        let any = self.branching.lengths.get(&length).copied();
        any.filter(|&any| self.is_visible(any))
    }

    /// A length compared with a bound that tells whether there is an item.
    pub(crate) fn compared_length(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let (Sym::Scalar(length), Sym::Known(Value::Int(bound))) = (a, b) else {
            return Ok(None);
        };
        let Some(any) = self.is_length_of_some(length.id) else {
            return Ok(None);
        };
        match (op, bound) {
            (CompareOp::Gt | CompareOp::Ne, 0) | (CompareOp::Ge, 1) => Ok(Some(Sym::flag(any))),
            (CompareOp::Eq | CompareOp::Le, 0) | (CompareOp::Lt, 1) => {
                self.not(&Sym::flag(any)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether such a list has an item: one condition, whenever it is asked for.
    pub(crate) fn has_items(&mut self, items: &[(Sym, Condition)]) -> Res<Sym> {
        let conditions: Vec<ValueId> = items.iter().filter_map(|(_, c)| *c).collect();
        if conditions.len() < items.len() {
            return Ok(Sym::Known(Value::bool(true)));
        }
        if let Some(&id) = self.branching.any_of.get(&conditions)
            && self.is_visible(id)
        {
            return Ok(Sym::flag(id));
        }
        let mut any = Sym::Known(Value::bool(false));
        for &c in &conditions {
            any = self.binary(BinaryOp::Or, &any, &Sym::flag(c))?;
        }
        if let Sym::Scalar(s) = &any {
            self.branching.any_of.insert(conditions, s.id);
        }
        Ok(any)
    }

    /// `list[index]`, for a known index.
    pub(crate) fn filtered_item(&mut self, items: &[(Sym, Condition)], index: &Sym) -> Res<Sym> {
        if let Sym::Obj(slice) = index
            && let Kind::Slice(bounds) = self.state.heap[*slice].kind.clone()
        {
            return self.filtered_slice(&items.to_vec(), &bounds);
        }
        let Some(at) = index.known().and_then(Value::as_int) else {
            return self.refuse(
                ReasonId::TooLarge,
                "an index that moves, into a list that got some of its items",
            );
        };
        let length = self.filtered_length(items)?;
        let enough = Sym::Known(Value::Int(at.saturating_add(1).max(at.saturating_neg())));
        match self.compare(CompareOp::Ge, &length, &enough)? {
            Sym::Known(Value::Bool(Bool::True)) => {}
            Sym::Scalar(ok) => {
                let (key, expected) = (self.key("length"), "the list is long enough".to_owned());
                self.assert(ok.id, DeoptReason::IndexRange, key, expected)?;
            }
            _ => return self.raise_index("list index out of range".to_owned()),
        }
        // From the end that the index counts from: how many were there so far decides.
        let mut order: Vec<&(Sym, Condition)> = items.iter().collect();
        let mut wanted = at;
        if at < 0 {
            order.reverse();
            wanted = at.saturating_neg() - 1;
        }
        let (zero, wanted) = (Sym::Known(Value::Int(0)), Sym::Known(Value::Int(wanted)));
        let mut met = zero;
        let mut candidates = Vec::new();
        for (v, condition) in order {
            let is_it = self.compare(CompareOp::Eq, &met, &wanted)?;
            let there = condition.map_or(Sym::Known(Value::bool(true)), Sym::flag);
            let is_it = self.binary(BinaryOp::And, &is_it, &there)?;
            met = self.binary(BinaryOp::Add, &met, &there)?;
            match is_it {
                Sym::Known(Value::Bool(Bool::False)) => {}
                Sym::Known(_) => {
                    candidates.push((v, None));
                    break;
                }
                Sym::Scalar(s) => candidates.push((v, Some(s.id))),
                _ => return self.defect("bad condition"),
            }
        }
        // One of them is there: the last candidate needs no test.
        let Some((last, _)) = candidates.pop() else {
            return self.raise_index("list index out of range".to_owned());
        };
        let mut found = last.clone();
        for (v, condition) in candidates.into_iter().rev() {
            if let Some(c) = condition {
                found = self.merged_on(c, v, &found)?;
            }
        }
        Ok(found)
    }

    /// One thing or another, as a variable that a branch on the condition set to them would be behind it.
    pub(crate) fn merged_on(
        &mut self,
        condition: ValueId,
        then: &Sym,
        otherwise: &Sym,
    ) -> Res<Sym> {
        let predicate = self.use_value(condition)?;
        let contexts = [true, false].map(|side| {
            let kind = ContextKind::Side { predicate, side };
            self.new_context(kind)
        });
        let (key, common) = (self.key("item"), self.state.heap.len());
        let mut merge = Merge::new(key, (predicate, true), contexts, common);
        self.merge_sym(&mut merge, then, otherwise)
    }

    /// `list[start:stop]`, and `list[::-1]`.
    pub(crate) fn filtered_slice(&mut self, items: &Items, bounds: &[Sym; 3]) -> Res<Sym> {
        let sliced = match self.known_bounds(bounds)? {
            [None, None, Some(-1)] => items.iter().rev().cloned().collect(),
            [start, stop, None | Some(1)] => {
                let mut sliced = Items::with_capacity(items.len());
                for (at, (v, condition)) in items.iter().enumerate() {
                    let mut is_in = condition.map_or(Sym::Known(Value::bool(true)), Sym::flag);
                    for (bound, is_start) in [(start, true), (stop, false)] {
                        let Some(bound) = bound else { continue };
                        // How many come before it, or from it to the end.
                        let (counted, op) = match (bound < 0, is_start) {
                            (false, true) => (&items[..at], CompareOp::Ge),
                            (false, false) => (&items[..at], CompareOp::Lt),
                            (true, true) => (&items[at..], CompareOp::Le),
                            (true, false) => (&items[at..], CompareOp::Gt),
                        };
                        let place = self.filtered_length(counted)?;
                        let bound = Sym::Known(Value::Int(bound.saturating_abs()));
                        let within = self.compare(op, &place, &bound)?;
                        is_in = self.binary(BinaryOp::And, &is_in, &within)?;
                    }
                    match is_in {
                        Sym::Known(Value::Bool(Bool::False)) => {}
                        Sym::Scalar(s) => sliced.push((v.clone(), Some(s.id))),
                        _ => sliced.push((v.clone(), None)),
                    }
                }
                sliced
            }
            _ => {
                return self.refuse(
                    ReasonId::TooLarge,
                    "a slice with steps, of a list that got some of its items",
                );
            }
        };
        Ok(self.alloc(Kind::Filtered(sliced)))
    }

    /// `item in list`
    pub(crate) fn filtered_contains(&mut self, items: &[(Sym, Condition)], item: &Sym) -> Res<Sym> {
        let mut any = Sym::Known(Value::bool(false));
        for (v, condition) in items {
            let mut equal = self.is_one_of(item, vec![v.clone()])?;
            if let Some(c) = condition {
                equal = self.binary(BinaryOp::And, &Sym::flag(*c), &equal)?;
            }
            any = self.binary(BinaryOp::Or, &any, &equal)?;
        }
        Ok(any)
    }

    /// `sum(list)` of tensors of one form, which begins with 0: a tensor where there is one, else that 0.
    pub(crate) fn sum_of_filtered(&mut self, items: &Sym, it: &Sym) -> Res<Option<Sym>> {
        let Some((_, list)) = self.filtered(items) else {
            return Ok(None);
        };
        let list = list.clone();
        let mut form: Option<(DType, Device, Dims)> = None;
        for (v, _) in &list {
            let Sym::Obj(obj) = v else { return Ok(None) };
            if !self.is_tensor(v) {
                return Ok(None);
            }
            let now = (
                self.tensor(*obj)?.dtype,
                self.device_of(*obj),
                self.dims_of(*obj)?,
            );
            if form.as_ref().is_some_and(|form| *form != now) {
                return Ok(None);
            }
            form = Some(now);
        }
        let Some((dtype, device, dims)) = form.filter(|_| !is_certain(&list)) else {
            return Ok(None);
        };
        if !dtype.is_float() && dtype != DType::I64 {
            return Ok(None);
        }
        let any = self.has_items(&list)?;
        let zero = self.full(&Number::Known(Scalar::I64(0)), dtype, &dims)?;
        self.tensor_mut(zero)?.device = device;
        let total = self.inlined_loop("sum", vec![it.clone(), Sym::Obj(zero)])?;
        let nothing = Sym::Known(Value::Int(0));
        match any {
            Sym::Scalar(s) => self.one_or_other(s.id, total, nothing).map(Some),
            _ => Ok(Some(total)),
        }
    }

    /// The same items as rows of tensors, for what does not ask which objects they are: numbers, or tensors of one form.
    pub(crate) fn as_grown(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let Some((_, items)) = self.filtered(v) else {
            return Ok(None);
        };
        let items = items.clone();
        let Some((first, rest)) = items.split_first() else {
            return Ok(None);
        };
        let mut item = self.template(&first.0);
        self.check_item(&mut item)?;
        for (v, _) in rest {
            item = self.widen_item(item, v)?.0;
        }
        self.check_rows(&item)?;
        let most = Dim::Known(i64::try_from(items.len()).unwrap_or(i64::MAX));
        let used = Sym::Known(Value::Int(0));
        let mut grown = SymGrown::of_rows(item, Vec::new(), most, used);
        grown.count = None;
        let template = grown.item.clone();
        self.empty_rows(&template, most, &mut grown.rows)?;
        let mut is_next = true;
        for (v, condition) in &items {
            if self.mixes(&template, v)? {
                return self.refuse(
                    ReasonId::TooLarge,
                    "some items of a list require grad and some do not",
                );
            }
            let before = grown.used.clone();
            // The next one takes the place of one that is not there.
            self.store_row(&mut grown, v, is_next)?;
            is_next = condition.is_none();
            if let Some(c) = condition {
                grown.used = self.binary(BinaryOp::Add, &before, &Sym::flag(*c))?;
            }
        }
        Ok(Some(self.alloc(Kind::Grown(grown))))
    }

    /// The items of a list of the region.
    pub(crate) fn items_in(&mut self, list: &Sym) -> Res<Option<Items>> {
        let Sym::Obj(obj) = *list else {
            return Ok(None);
        };
        let kind = self.state.heap[obj].kind.clone();
        self.items_there(&kind)
    }

    /// The iterator of a loop that is left early goes over rows, if the list is of numbers: the loop can be a frame
    /// then.
    pub(crate) fn go_over_numbers(&mut self, it: Obj) -> Res<()> {
        match self.iter_state(it) {
            Some(SymIter::Items { of, next: 0 }) => {
                if let Some(Sym::Obj(of)) = self.numbers_as_grown(&Sym::Obj(of))? {
                    let next = Sym::Known(Value::Int(0));
                    self.state.heap[it].kind = Kind::Iter(SymIter::Grown { of, next });
                }
                Ok(())
            }
            Some(SymIter::Enumerate { inner, .. }) => self.go_over_numbers(inner),
            _ => Ok(()),
        }
    }

    /// The same, if its items are numbers.
    pub(crate) fn numbers_as_grown(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let Some((_, items)) = self.filtered(v) else {
            return Ok(None);
        };
        for (v, _) in items.clone() {
            if self.number(&v)?.is_none() {
                return Ok(None);
            }
        }
        self.as_grown(v)
    }

    /// The arguments of a torch function, where the first one is such a list.
    pub(crate) fn with_rows(&mut self, args: &[Sym]) -> Res<Option<Vec<Sym>>> {
        let Some(first) = args.first().filter(|v| self.filtered(v).is_some()) else {
            return Ok(None);
        };
        let rows = self.as_grown(first)?;
        Ok(rows.map(|rows| [&[rows], &args[1..]].concat()))
    }

    /// What is shown of such a list, or of each item of it.
    pub(crate) fn frozen_filtered(&mut self, items: &Items, conversion: u32) -> Res<Sym> {
        let mut frozen = Items::with_capacity(items.len());
        for (v, condition) in items {
            frozen.push((self.frozen(v, conversion)?, *condition));
        }
        Ok(self.alloc(Kind::Filtered(frozen)))
    }

    /// Whether two of these hold the same.
    pub(crate) fn same_items(a: &Items, b: &Items) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|((v, c), (w, d))| v.same(w) && c == d)
    }

    /// `list + other`, where one of them is such a list.
    pub(crate) fn joined_filtered(&mut self, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let mut parts = Vec::with_capacity(2);
        let mut is_one = false;
        for v in [a, b] {
            let Sym::Obj(obj) = *v else { return Ok(None) };
            let kind = self.state.heap[obj].kind.clone();
            is_one |= matches!(kind, Kind::Filtered(_));
            parts.push(match kind {
                Kind::Filtered(items) => items,
                Kind::List(_) => self.items_of(obj)?.into_iter().map(|v| (v, None)).collect(),
                _ => return Ok(None),
            });
        }
        let items = parts.concat();
        if !is_one || items.len() > MAX_FILTERED {
            return Ok(None);
        }
        Ok(Some(self.alloc(Kind::Filtered(items))))
    }
}
