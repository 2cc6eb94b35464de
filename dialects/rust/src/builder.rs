//! Builds graphs op by op.
//!
//! In: op names, operands, attributes, result types, positions. Out: a verified [`Graph`].
//! Holds: ops stand in the graph in the order of the calls, which is the order in which gradients
//! are added up; each op is verified when it is built, so an error names its position.

use crate::{
    convert,
    error::DialectError,
    ffi,
    graph::Graph,
    ir::{Ir, capture},
    types::{Attr, Loc, Type, ValueId},
};
use melior::ir::{
    Identifier, Value,
    operation::{Operation, OperationBuilder},
};
use mlir_sys::{
    MlirBlock, MlirOperation, MlirValue, mlirBlockAppendOwnedOperation, mlirBlockGetArgument,
    mlirOpResultGetOwner, mlirOperationDestroy, mlirOperationGetNumOperands,
    mlirOperationGetOperand, mlirOperationGetResult, mlirOperationSetOperand, mlirOperationVerify,
    mlirValueReplaceAllUsesOfWith,
};

/// Builds a module of graphs, the first one being the entry.
pub struct GraphBuilder {
    ir: Ir,
    /// The body of the graph under construction; owned by the module.
    block: MlirBlock,
    values: Vec<Entry>,
    /// Values from here on belong to the graph under construction.
    first_of_graph: u32,
    unresolved: usize,
    /// Ops with results, in order: each with its first value and their number.
    ops: Vec<(MlirOperation, u32, u32)>,
}

/// A point in the making of a graph, to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    ops: usize,
    unresolved: usize,
}

struct Entry {
    raw: MlirValue,
    ty: Type,
    is_forward: bool,
}

impl GraphBuilder {
    /// A builder of the graph `name`, which has no arguments: loads name what it reads.
    pub fn new(name: &str) -> Self {
        let ir = Ir::new();
        let block = ir.create_graph(name, &[]);
        Self {
            ir,
            block,
            values: Vec::new(),
            first_of_graph: 0,
            unresolved: 0,
            ops: Vec::new(),
        }
    }

    /// Appends an op and returns its results.
    pub fn op(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        results: &[Type],
        loc: &Loc,
    ) -> Result<Vec<ValueId>, DialectError> {
        let context = self.ir.context();
        // MLIR aborts the process over an op that it does not know.
        if !context.is_registered_operation(name) {
            return Err(DialectError::UnknownOp(name.to_owned()));
        }
        let mut values = Vec::with_capacity(operands.len());
        for (operand, id) in operands.iter().enumerate() {
            let entry = self.entry(*id).ok_or_else(|| DialectError::UnknownValue {
                op: name.to_owned(),
                operand,
            })?;
            // SAFETY: the value belongs to an op or a block of the live module: ops are erased in
            // `resolve` only, which redirects the entry.
            values.push(unsafe { Value::from_raw(entry.raw) });
        }
        let mut attributes = Vec::with_capacity(attrs.len());
        for (key, attr) in attrs {
            let attribute = convert::attribute(context, name, key, attr)?;
            attributes.push((Identifier::new(context, key), attribute));
        }
        let types: Vec<_> = results
            .iter()
            .map(|ty| convert::mlir_type(context, ty))
            .collect();
        let builder = OperationBuilder::new(name, convert::location(context, loc))
            .add_operands(&values)
            .add_attributes(&attributes)
            .add_results(&types);
        let (built, diagnostics) = capture(context, || builder.build());
        let operation = built.map_err(|_| DialectError::Mlir {
            action: "building an op",
            diagnostics,
        })?;
        let raw = self.append(operation)?;
        if !results.is_empty() {
            let first = self.values.len() as u32;
            self.ops.push((raw, first, results.len() as u32));
        }
        let mut ids = Vec::with_capacity(results.len());
        for (i, ty) in results.iter().enumerate() {
            // SAFETY: the op was built with `results.len()` results and is alive in the module.
            let value = unsafe { mlirOperationGetResult(raw, i as isize) };
            ids.push(self.push(value, ty.clone(), false));
        }
        Ok(ids)
    }

    /// A constant scalar: `attr` is `F64`, `I64`, `Bool` or `Index`.
    pub fn scalar(&mut self, attr: Attr, loc: &Loc) -> Result<ValueId, DialectError> {
        let ty = match attr {
            Attr::F64(_) => Type::F64,
            Attr::I64(_) => Type::I64,
            Attr::Bool(_) => Type::I1,
            Attr::Index(_) => Type::Index,
            _ => {
                return Err(DialectError::BadAttribute {
                    op: "arith.constant".to_owned(),
                    attribute: "value".to_owned(),
                    reason: format!("{attr:?} is no scalar"),
                });
            }
        };
        let results = self.op("arith.constant", &[], &[("value", attr)], &[ty], loc)?;
        Ok(results[0])
    }

    /// A value that comes later, for the back edge of a frame. [`Self::resolve`] gives it.
    pub fn forward(&mut self, ty: Type, loc: &Loc) -> Result<ValueId, DialectError> {
        let name = "builtin.unrealized_conversion_cast";
        let id = self.op(name, &[], &[], std::slice::from_ref(&ty), loc)?[0];
        if let Some(entry) = self.values.get_mut(id.0 as usize) {
            entry.is_forward = true;
        }
        self.unresolved += 1;
        Ok(id)
    }

    /// Makes `forward` mean `value`, here and wherever it was used.
    pub fn resolve(&mut self, forward: ValueId, value: ValueId) -> Result<(), DialectError> {
        let unknown = |operand| DialectError::UnknownValue {
            op: "forward value".into(),
            operand,
        };
        let from = self
            .entry(forward)
            .filter(|entry| entry.is_forward)
            .ok_or(unknown(0))?;
        let to = self
            .entry(value)
            .filter(|_| value != forward)
            .ok_or(unknown(1))?;
        if from.ty != to.ty {
            return Err(DialectError::ForwardType {
                expected: from.ty.clone(),
                found: to.ty.clone(),
            });
        }
        let (from, to, to_is_forward) = (from.raw, to.raw, to.is_forward);
        self.ops.retain(|&(_, first, _)| first != forward.0);
        // SAFETY: both values are alive; `from` is the result of the placeholder op, whose last
        // use goes before it does, and every entry that held it is redirected below.
        unsafe {
            mlirValueReplaceAllUsesOfWith(from, to);
            mlirOperationDestroy(mlirOpResultGetOwner(from));
        }
        for entry in &mut self.values {
            if entry.raw.ptr == from.ptr {
                entry.raw = to;
                entry.is_forward = to_is_forward;
            }
        }
        self.unresolved -= 1;
        Ok(())
    }

    /// Remembers this point.
    pub fn mark(&self) -> Mark {
        Mark {
            ops: self.ops.len(),
            unresolved: self.unresolved,
        }
    }

    /// The first value made since `mark`.
    pub fn first_since(&self, mark: Mark) -> Option<ValueId> {
        self.ops.get(mark.ops).map(|&(_, first, _)| ValueId(first))
    }

    /// Erases the ops made since `mark` whose first result `is_dead`; no op that stays may use
    /// them, and forward values made since then are taken for dead. Their values are not to be
    /// used any more.
    pub fn erase_since(&mut self, mark: Mark, is_dead: impl Fn(ValueId) -> bool) {
        let (dead, kept): (Vec<_>, Vec<_>) = self
            .ops
            .split_off(mark.ops.min(self.ops.len()))
            .into_iter()
            .partition(|&(_, first, _)| is_dead(ValueId(first)));
        // Back edges point at later ops: they go first, so that every op loses its users before
        // it is destroyed.
        for &(raw, ..) in &dead {
            // SAFETY: the op and its operands are alive; operand 0 stands above the op.
            unsafe {
                for i in 1..mlirOperationGetNumOperands(raw) {
                    mlirOperationSetOperand(raw, i, mlirOperationGetOperand(raw, 0));
                }
            }
        }
        for &(raw, ..) in dead.iter().rev() {
            // SAFETY: ops that used its results came later and are destroyed, by the caller's
            // promise; nothing refers to its values' entries any more.
            unsafe { mlirOperationDestroy(raw) };
        }
        self.ops.extend(kept);
        self.unresolved = mark.unresolved;
    }

    /// The type of a value; `Token` for a value of another builder.
    pub fn type_of(&self, value: ValueId) -> Type {
        self.values
            .get(value.0 as usize)
            .map_or(Type::Token, |entry| entry.ty.clone())
    }

    /// Ends the graph under construction with `returns` and starts another one, which
    /// `janus.invoke` can name. Returns its arguments; values of the former are out of reach.
    pub fn next_graph(
        &mut self,
        returns: &[ValueId],
        name: &str,
        arguments: &[Type],
    ) -> Result<Vec<ValueId>, DialectError> {
        self.end_graph(returns)?;
        self.block = self.ir.create_graph(name, arguments);
        self.first_of_graph = self.values.len() as u32;
        let mut ids = Vec::with_capacity(arguments.len());
        for (i, ty) in arguments.iter().enumerate() {
            // SAFETY: the block was made with one argument per type.
            let value = unsafe { mlirBlockGetArgument(self.block, i as isize) };
            ids.push(self.push(value, ty.clone(), false));
        }
        Ok(ids)
    }

    /// Ends the graph with `returns` (last the token, if it has effects) and verifies the module.
    pub fn finish(mut self, returns: &[ValueId]) -> Result<Graph, DialectError> {
        self.end_graph(returns)?;
        self.ir.verify()?;
        Ok(Graph::new(self.ir))
    }

    fn end_graph(&mut self, returns: &[ValueId]) -> Result<(), DialectError> {
        if self.unresolved != 0 {
            return Err(DialectError::Unresolved(self.unresolved));
        }
        let mut values = Vec::with_capacity(returns.len());
        for (operand, id) in returns.iter().enumerate() {
            let entry = self.entry(*id).ok_or_else(|| DialectError::UnknownValue {
                op: "janus.return".to_owned(),
                operand,
            })?;
            values.push(entry.raw);
        }
        // SAFETY: the block is the body of a graph without a terminator, the values are alive and
        // of that graph.
        unsafe {
            ffi::janusGraphFinish(self.block, values.len() as isize, values.as_ptr());
        }
        Ok(())
    }

    /// The entry of a value of the graph under construction.
    fn entry(&self, id: ValueId) -> Option<&Entry> {
        self.values
            .get(id.0 as usize)
            .filter(|_| id.0 >= self.first_of_graph)
    }

    fn push(&mut self, raw: MlirValue, ty: Type, is_forward: bool) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(Entry {
            raw,
            ty,
            is_forward,
        });
        id
    }

    /// Verifies an op and appends it to the block, which owns it then.
    fn append(&self, operation: Operation<'_>) -> Result<MlirOperation, DialectError> {
        let raw = operation.into_raw();
        // SAFETY: the op is owned by nobody and the block is alive.
        let (holds, diagnostics) = capture(self.ir.context(), || unsafe {
            mlirBlockAppendOwnedOperation(self.block, raw);
            mlirOperationVerify(raw)
        });
        if holds {
            return Ok(raw);
        }
        // SAFETY: the op is new, so nothing uses its results; destroying it takes it out of the block.
        unsafe { mlirOperationDestroy(raw) };
        Err(DialectError::Mlir {
            action: "building an op",
            diagnostics,
        })
    }
}
