//! Numbers of a dict, under an int that the graph computes: counters of classes, of lengths, of states; moves.
//!
//! In: a dict whose keys are a few known ints, and whose values are numbers of one type, or tuples of these. Out: the
//! value under a key, or the dict after a number was replaced. Always: the key is asserted to be there, so a new one is put in by tier 0.

use janus_object::Value;
use janus_plan::{DeoptReason, ScalarType};

use crate::Res;
use crate::entry::open_dicts::MAX_KEYS;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymScalar, add_key};

impl Executor<'_> {
    /// The keys and values of a dict whose keys are a few known ints.
    fn under_ints(&mut self, obj: Obj) -> Res<Option<(Vec<Sym>, Vec<Sym>)>> {
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return Ok(None);
        };
        let keys: Vec<Sym> = dict.entries.iter().map(|(k, _)| k.clone()).collect();
        let is_int = |k: &Sym| matches!(k, Sym::Known(Value::Int(_)));
        if !(1..=MAX_KEYS).contains(&keys.len()) || !keys.iter().all(is_int) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(keys.len());
        for key in &keys {
            match self.dict_get(obj, key)? {
                Some(v) => values.push(v),
                None => return Ok(None),
            }
        }
        Ok(Some((keys, values)))
    }

    /// These values as numbers; `None`: they are of several types, or something else.
    fn numbers_of_one_type(&mut self, values: &[Sym]) -> Res<Option<Vec<SymScalar>>> {
        let mut numbers: Vec<SymScalar> = Vec::with_capacity(values.len());
        for v in values {
            match self.number(v)? {
                Some(n) if numbers.iter().all(|other| other.ty == n.ty) => numbers.push(n),
                _ => return Ok(None),
            }
        }
        Ok(Some(numbers))
    }

    /// The elements of tuples of one length, those at one place together; `None`: they are something else.
    fn columns_of_tuples(&mut self, values: &[Sym]) -> Res<Option<Vec<Vec<Sym>>>> {
        let mut columns: Vec<Vec<Sym>> = Vec::new();
        for (i, v) in values.iter().enumerate() {
            let Some(items) = self.tuple_items(v)? else {
                return Ok(None);
            };
            if i == 0 {
                columns = vec![Vec::with_capacity(values.len()); items.len()];
            }
            if items.len() != columns.len() {
                return Ok(None);
            }
            for (column, item) in columns.iter_mut().zip(items) {
                column.push(item);
            }
        }
        Ok(Some(columns))
    }

    /// The one of these values whose key an int is; the last one, which has no key, where it is none of them. `None`:
    /// they are neither numbers of one type, nor tuples of these.
    fn under(&mut self, keys: &[Sym], key: SymScalar, values: &[Sym]) -> Res<Option<Sym>> {
        if let Some(numbers) = self.numbers_of_one_type(values)? {
            let Some((&last, numbers)) = numbers.split_last() else {
                return Ok(None);
            };
            let mut found = last;
            for (k, n) in keys.iter().zip(numbers) {
                found = self.if_equal(key, k, *n, found)?;
            }
            return Ok(Some(Sym::Scalar(found)));
        }
        let Some(columns) = self.columns_of_tuples(values)? else {
            return Ok(None);
        };
        let mut items = Vec::with_capacity(columns.len());
        for column in columns {
            match self.under(keys, key, &column)? {
                Some(item) => items.push(item),
                None => return Ok(None),
            }
        }
        Ok(Some(self.tuple(items)))
    }

    /// `dict[key]`, or `dict.get(key, default)`; `None`: it is no such dict.
    pub(crate) fn count_under(
        &mut self,
        obj: Obj,
        key: SymScalar,
        default: Option<&Sym>,
    ) -> Res<Option<Sym>> {
        if key.ty != ScalarType::Int {
            return Ok(None);
        }
        let Some((keys, mut values)) = self.under_ints(obj)? else {
            return Ok(None);
        };
        values.push(default.unwrap_or(&values[0]).clone());
        let found = self.under(&keys, key, &values)?;
        if found.is_some() && default.is_none() {
            self.assert_key(keys, key)?;
        }
        Ok(found)
    }

    /// `dict[key] = value`. Whether it is such a dict of numbers.
    pub(crate) fn set_count(&mut self, obj: Obj, key: SymScalar, value: &Sym) -> Res<bool> {
        if key.ty != ScalarType::Int {
            return Ok(false);
        }
        let Some((keys, values)) = self.under_ints(obj)? else {
            return Ok(false);
        };
        let (Some(numbers), Some(value)) =
            (self.numbers_of_one_type(&values)?, self.number(value)?)
        else {
            return Ok(false);
        };
        if numbers[0].ty != value.ty {
            return Ok(false);
        }
        self.assert_key(keys.clone(), key)?;
        let mut after = Vec::with_capacity(numbers.len());
        for (k, n) in keys.iter().zip(&numbers) {
            after.push(Sym::Scalar(self.if_equal(key, k, value, *n)?));
        }
        if let Kind::Dict(dict) = &mut self.state.heap[obj].kind {
            for ((key, slot), v) in dict.entries.iter_mut().zip(after) {
                *slot = Slot::Loaded(v);
                add_key(&mut dict.written, key);
            }
        }
        Ok(true)
    }

    fn assert_key(&mut self, keys: Vec<Sym>, key: SymScalar) -> Res<()> {
        if let Sym::Scalar(ok) = self.is_one_of(&Sym::Scalar(key), keys)? {
            let at = self.key("key");
            let expected = "the dict has the key".to_owned();
            self.assert(ok.id, DeoptReason::MissingFound, at, expected)?;
        }
        Ok(())
    }
}
