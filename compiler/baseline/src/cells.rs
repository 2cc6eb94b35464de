//! Variables that functions share, where compiled code works on their cells.
//!
//! In: the address of a frame's cells, or of a function's. Out: what is in one, or one itself. Always: others see what is assigned,
//! and what they assign is seen.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_object::{CodeObject, PyDict, PyRef, Value};

use crate::arith::leaf;
use crate::emit::{Done, Emitter, V, Why};
use crate::kind::{Kind, tag};
use crate::layout::{VALUE, payload, word};
use crate::list;

impl Emitter<'_, '_> {
    /// A cell.
    fn own_cell(&mut self, cell: usize) -> Done<Ir> {
        let Some(cells) = self.cells else {
            return Err(self.broken("cell"));
        };
        Ok(self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), cells, word(cell)))
    }

    /// Where what is in it is.
    fn place_in_cell(&mut self, cell: usize) -> Done<Ir> {
        let head = self.own_cell(cell)?;
        let value = i64::from(self.layout.cell_value);
        Ok(self.b.ins().iadd_imm_s(head, value))
    }

    /// What is in a cell.
    pub(crate) fn load_own_cell(&mut self, cell: usize, kind: &Kind) -> Done<V> {
        let at = self.place_in_cell(cell)?;
        self.load_set(kind, at)
    }

    /// A cell itself, for functions that are made there.
    pub(crate) fn own_cell_object(&mut self, cell: usize) -> Done<V> {
        let head = self.own_cell(cell)?;
        let cell = V::one(Kind::Object(tag::CELL), head);
        self.count_up(&cell);
        Ok(cell)
    }

    /// Assigns what is in a cell.
    pub(crate) fn store_own_cell(&mut self, cell: usize) -> Done {
        let at = self.place_in_cell(cell)?;
        self.box_at(1)?;
        let value = self.take()?;
        let value = self.owned(value);
        let old = list::take(self, at)?;
        self.dropped.push(old);
        list::write(self, &value, at)
    }

    /// The address of a function's cells, if it is one with this code and these globals; else the code is left.
    pub(crate) fn cells_of(
        &mut self,
        callable: &V,
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
    ) -> Done<Ir> {
        let why = || Why::new("a function with this code", "another callable");
        let actual = self.tag_of(callable);
        let tag = i64::from(tag::FUNCTION);
        let other = self.b.ins().icmp_imm_u(IntCC::NotEqual, actual, tag);
        self.deopt_if(other, why());
        let function = leaf(self, callable)?;
        let parts = [
            (self.layout.function_code, Value::Code(code.clone())),
            (self.layout.function_globals, Value::Dict(globals.clone())),
        ];
        for (at, wanted) in parts {
            let actual = self.b.ins().load(I64, MemFlags::trusted(), function, at);
            let wanted = self.int(payload(&wanted) as i64);
            let other = self.b.ins().icmp(IntCC::NotEqual, actual, wanted);
            self.deopt_if(other, why());
        }
        let closure = self.layout.function_closure;
        let holder = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), function, closure);
        let cells = i64::from(self.layout.closure_cells);
        Ok(self.b.ins().iadd_imm_s(holder, cells))
    }

    /// The default of a function that is so many from its last one on, without a reference; the code is left where it has no such, or one of another
    /// kind.
    pub(crate) fn default_of(&mut self, callable: &V, from_last: usize, kind: &Kind) -> Done<V> {
        let function = leaf(self, callable)?;
        let (place, count) = (self.layout.function_defaults, self.layout.defaults_count);
        let count = self.b.ins().load(I64, MemFlags::trusted(), function, count);
        let at = self.b.ins().iadd_imm_s(count, -(from_last as i64));
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, at, 0);
        self.deopt_if(none, Why::new("a function with a default", "one without"));
        let holder = self.b.ins().load(I64, MemFlags::trusted(), function, place);
        let offset = self.b.ins().imul_imm_s(at, VALUE);
        let place = self.b.ins().iadd(holder, offset);
        let values = i64::from(self.layout.closure_cells);
        let place = self.b.ins().iadd_imm_s(place, values);
        list::peek(self, kind, place)
    }

    /// Leaves the code where a callable is another than a known one.
    pub(crate) fn expect_callable(&mut self, from_top: usize, known: usize) -> Done {
        let Some(value) = self.program.known.get(known) else {
            return Err(self.broken("a known object"));
        };
        let known_value = self.immortal(value);
        let callable = self.top(from_top)?;
        let same = self.is_same(callable, known_value)?;
        let other = self.b.ins().bxor_imm_u(same, 1);
        self.deopt_if(other, Why::new("a callable as before", "another one"));
        Ok(())
    }
}
