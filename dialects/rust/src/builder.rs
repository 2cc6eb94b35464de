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
use std::collections::HashMap;

use melior::ir::{
    Identifier, Value,
    operation::{Operation, OperationBuilder},
    r#type::TypeLike,
};
use mlir_sys::{
    MlirBlock, MlirOperation, MlirValue, mlirBlockAddArgument, mlirBlockAppendOwnedOperation,
    mlirBlockGetArgument, mlirBlockGetParentOperation, mlirLocationUnknownGet,
    mlirOpResultGetOwner, mlirOperationClone, mlirOperationDestroy, mlirOperationGetNumOperands,
    mlirOperationGetOperand, mlirOperationGetResult, mlirOperationSetOperand,
    mlirOperationSetOperands, mlirOperationVerify, mlirValueIsAOpResult,
    mlirValueReplaceAllUsesOfWith,
};

/// A graph of the module under construction; 0 is the entry.
pub type GraphId = u32;

/// Builds a module of graphs, the first one being the entry. Several may be under construction at
/// once: ops are appended to the selected one, whose values alone they may use.
pub struct GraphBuilder {
    ir: Ir,
    /// The bodies of the graphs; owned by the module. `None`: it was dropped.
    graphs: Vec<Option<MlirBlock>>,
    selected: GraphId,
    values: Vec<Entry>,
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

/// A value that another graph made.
#[derive(Clone, Copy, Debug)]
pub enum Imported {
    /// A constant of its own.
    Copy(ValueId),
    /// An argument: each `janus.invoke` of the graph has to pass it.
    Argument(ValueId),
}

struct Entry {
    raw: MlirValue,
    ty: Type,
    graph: GraphId,
    is_forward: bool,
    /// The result of an op that makes the same wherever it stands.
    is_constant: bool,
    /// A number that elements of tensors decide.
    is_read: bool,
    /// Its op was erased.
    is_gone: bool,
}

impl GraphBuilder {
    /// A builder of the graph `name`, which has no arguments: loads name what it reads.
    pub fn new(name: &str) -> Self {
        let ir = Ir::new();
        let block = ir.create_graph(name, &[]);
        Self {
            ir,
            graphs: vec![Some(block)],
            selected: 0,
            values: Vec::new(),
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
        let is_number = |ty: &Type| matches!(ty, Type::F64 | Type::I64 | Type::I1 | Type::Index);
        let is_read = name == "janus.item" || operands.iter().any(|&id| self.is_read(id));
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
            let id = self.push(value, ty.clone());
            let entry = &mut self.values[id.0 as usize];
            entry.is_constant = matches!(name, "arith.constant" | "janus.constant");
            entry.is_read = is_read && is_number(ty);
            ids.push(id);
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

    /// Erases the ops made since `mark` whose first result `is_dead`, but for those that an op which stays uses;
    /// forward values made since then are taken for dead. Their values are not to be used any more.
    pub fn erase_since(&mut self, mark: Mark, is_dead: impl Fn(ValueId) -> bool) {
        let since = self.ops.split_off(mark.ops.min(self.ops.len()));
        let mut stays: Vec<bool> = since
            .iter()
            .map(|&(_, first, _)| !is_dead(ValueId(first)))
            .collect();
        let places = since.iter().enumerate();
        let places: HashMap<usize, usize> = places
            .map(|(i, &(raw, ..))| (raw.ptr as usize, i))
            .collect();
        let mut pending: Vec<usize> = (0..since.len()).filter(|&i| stays[i]).collect();
        while let Some(i) = pending.pop() {
            // SAFETY: none of these ops is destroyed before it is known which stay.
            for owner in unsafe { owners_of_operands(since[i].0) } {
                if let Some(&used) = places.get(&(owner.ptr as usize))
                    && !stays[used]
                {
                    stays[used] = true;
                    pending.push(used);
                }
            }
        }
        let mut stays = stays.into_iter();
        let (kept, dead): (Vec<_>, Vec<_>) = since
            .into_iter()
            .partition(|_| stays.next().unwrap_or(true));
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
            // SAFETY: of the ops made since the mark none that stays uses its results, as was looked after above, and
            // those from before it use nothing later but what `resolve` gave them, whose op is older than any mark
            // that is still to be gone back to; nothing refers to its values' entries any more.
            unsafe { mlirOperationDestroy(raw) };
        }
        for &(_, first, count) in &dead {
            let results = first as usize..(first + count) as usize;
            for entry in self.values.get_mut(results).unwrap_or_default() {
                entry.is_gone = true;
            }
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

    /// Whether elements of tensors decide this number. What a back edge brings is not looked at.
    pub fn is_read(&self, value: ValueId) -> bool {
        (self.values.get(value.0 as usize)).is_some_and(|entry| entry.is_read)
    }

    /// Starts another graph, which `janus.invoke` can name, and selects it. Returns its number and
    /// its arguments.
    pub fn begin_graph(&mut self, name: &str, arguments: &[Type]) -> (GraphId, Vec<ValueId>) {
        let block = self.ir.create_graph(name, arguments);
        self.graphs.push(Some(block));
        self.selected = self.graphs.len() as GraphId - 1;
        let mut ids = Vec::with_capacity(arguments.len());
        for (i, ty) in arguments.iter().enumerate() {
            // SAFETY: the block was made with one argument per type.
            let value = unsafe { mlirBlockGetArgument(block, i as isize) };
            ids.push(self.push(value, ty.clone()));
        }
        (self.selected, ids)
    }

    /// Ops are appended to this graph from now on.
    pub fn select(&mut self, graph: GraphId) {
        self.selected = graph;
    }

    /// A value of another graph as the selected one gets it: a copy, for a constant, or else a new
    /// last argument.
    pub fn import(&mut self, value: ValueId) -> Result<Imported, DialectError> {
        let unknown = || DialectError::UnknownValue {
            op: "janus.graph".into(),
            operand: 0,
        };
        let block = self.block().ok_or_else(unknown)?;
        let entry = self.values.get(value.0 as usize).ok_or_else(unknown)?;
        let (raw, ty, is_constant) = (entry.raw, entry.ty.clone(), entry.is_constant);
        let is_read = entry.is_read;
        if is_constant {
            // SAFETY: a constant is the result of an op, which is alive and has no operands.
            let copy = unsafe {
                let copy = mlirOperationClone(mlirOpResultGetOwner(raw));
                mlirBlockAppendOwnedOperation(block, copy);
                copy
            };
            self.ops.push((copy, self.values.len() as u32, 1));
            // SAFETY: it has one result, as its original.
            let value = unsafe { mlirOperationGetResult(copy, 0) };
            let id = self.push(value, ty);
            self.values[id.0 as usize].is_constant = true;
            return Ok(Imported::Copy(id));
        }
        let context = self.ir.context();
        let mlir_type = convert::mlir_type(context, &ty).to_raw();
        // SAFETY: block and type belong to the live context; the graph's type is given at its end.
        let argument = unsafe {
            mlirBlockAddArgument(block, mlir_type, mlirLocationUnknownGet(context.to_raw()))
        };
        let id = self.push(argument, ty);
        self.values[id.0 as usize].is_read = is_read;
        Ok(Imported::Argument(id))
    }

    /// Adds operands to the op with this result: what a `janus.invoke` of a graph under
    /// construction passes on turns out at the graph's end.
    pub fn add_operands(
        &mut self,
        result: ValueId,
        operands: &[ValueId],
    ) -> Result<(), DialectError> {
        let unknown = |operand| DialectError::UnknownValue {
            op: "janus.invoke".into(),
            operand,
        };
        let target = self.values.get(result.0 as usize).ok_or(unknown(0))?;
        let mut values = Vec::new();
        // SAFETY: the value is the result of a live op of the module.
        let owner = unsafe { mlirOpResultGetOwner(target.raw) };
        // SAFETY: `owner` is alive, and the numbers are below its count.
        unsafe {
            for i in 0..mlirOperationGetNumOperands(owner) {
                values.push(mlirOperationGetOperand(owner, i));
            }
        }
        for (operand, id) in operands.iter().enumerate() {
            let entry = self.values.get(id.0 as usize);
            let entry = entry.filter(|e| e.graph == target.graph);
            values.push(entry.ok_or(unknown(operand))?.raw);
        }
        // SAFETY: all values are alive and of the op's graph.
        unsafe { mlirOperationSetOperands(owner, values.len() as isize, values.as_ptr()) };
        Ok(())
    }

    /// Ends a graph that [`Self::begin_graph`] began with `returns`, and selects the entry.
    pub fn end_graph(&mut self, graph: GraphId, returns: &[ValueId]) -> Result<(), DialectError> {
        self.selected = graph;
        self.terminate(returns)?;
        self.selected = 0;
        Ok(())
    }

    /// Removes a graph that [`Self::begin_graph`] began, with all its ops; no op that stays may name it.
    pub fn drop_graph(&mut self, graph: GraphId) {
        self.selected = 0;
        let Some(block) = self.graphs.get_mut(graph as usize).and_then(Option::take) else {
            return;
        };
        let values = &self.values;
        self.ops
            .retain(|&(_, first, _)| values.get(first as usize).is_none_or(|v| v.graph != graph));
        // SAFETY: the block is the body of a graph op, which the module owns; its ops' entries
        // cannot be reached any more, since values are looked up in the selected graph only.
        unsafe { mlirOperationDestroy(mlirBlockGetParentOperation(block)) };
    }

    /// Ends the graph with `returns` (last the token, if it has effects) and verifies the module.
    pub fn finish(mut self, returns: &[ValueId]) -> Result<Graph, DialectError> {
        self.selected = 0;
        self.terminate(returns)?;
        self.ir.verify()?;
        Ok(Graph::new(self.ir))
    }

    fn terminate(&mut self, returns: &[ValueId]) -> Result<(), DialectError> {
        // Other graphs may be inside of a frame now.
        if self.selected == 0 && self.unresolved != 0 {
            return Err(DialectError::Unresolved(self.unresolved));
        }
        let block = self.block().ok_or_else(|| DialectError::UnknownValue {
            op: "janus.graph".to_owned(),
            operand: 0,
        })?;
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
            ffi::janusGraphFinish(block, values.len() as isize, values.as_ptr());
        }
        Ok(())
    }

    /// The body of the selected graph.
    fn block(&self) -> Option<MlirBlock> {
        self.graphs.get(self.selected as usize).copied().flatten()
    }

    /// The entry of a value of the selected graph.
    fn entry(&self, id: ValueId) -> Option<&Entry> {
        self.values
            .get(id.0 as usize)
            .filter(|e| e.graph == self.selected && !e.is_gone)
    }

    fn push(&mut self, raw: MlirValue, ty: Type) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(Entry {
            raw,
            ty,
            graph: self.selected,
            is_forward: false,
            is_constant: false,
            is_read: false,
            is_gone: false,
        });
        id
    }

    /// Verifies an op and appends it to the block, which owns it then.
    fn append(&self, operation: Operation<'_>) -> Result<MlirOperation, DialectError> {
        let Some(block) = self.block() else {
            return Err(DialectError::UnknownValue {
                op: "janus.graph".to_owned(),
                operand: 0,
            });
        };
        let raw = operation.into_raw();
        // SAFETY: the op is owned by nobody and the block is alive.
        let (holds, diagnostics) = capture(self.ir.context(), || unsafe {
            mlirBlockAppendOwnedOperation(block, raw);
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

/// The ops whose results an op uses.
///
/// # Safety
/// The op is alive.
unsafe fn owners_of_operands(op: MlirOperation) -> Vec<MlirOperation> {
    // SAFETY: the op is alive by contract, and so are its operands; the owner of a result is an op.
    unsafe {
        (0..mlirOperationGetNumOperands(op))
            .map(|i| mlirOperationGetOperand(op, i))
            .filter(|&operand| mlirValueIsAOpResult(operand))
            .map(|operand| mlirOpResultGetOwner(operand))
            .collect()
    }
}
