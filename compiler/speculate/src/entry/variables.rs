//! The symbolic frame: its stack, locals, cells and namespaces; objects that it makes.
//!
//! In: what an instruction names. Out: values. Always: what was there at entry is looked at when it
//! is first needed.

use std::rc::Rc;

use janus_bytecode::MakeFunctionFlags;
use janus_object::{CodeObject, Name, PyRef, Value, class_of, ops};
use janus_plan::{Check, Load, Namespace, Node, NodeId, ReasonId, ScalarType, Step};

use crate::Res;
use crate::executor::Executor;
use crate::state::place::Place;
use crate::state::running::{Flow, Leave};
use crate::state::sym::{
    FoundKind, HeapObject, Kind, Obj, Slot, Sym, SymFrame, SymFunction, SymList, SymScalar,
    Unloaded,
};

/// A region begins with the stack of its frame; only the values on top of it are its own.
const BELOW_STACK: &str =
    "a loop in the middle of an expression uses values that were computed before it";

impl Executor<'_> {
    // ---- the frame -----------------------------------------------------------------------

    /// A `return`: from a loop that is being turned into a frame it first leaves that.
    pub(crate) fn returning(&self, frame: &mut SymFrame, v: Sym) -> Flow {
        let depth = self.calls.active.len();
        match self.looping.loops.last().filter(|l| l.depth == depth) {
            Some(l) => {
                frame.stack.truncate(l.base);
                frame.pc = l.head;
                Flow::LoopEnd {
                    go_on: Sym::Known(Value::bool(false)),
                    leave: Some(Leave::Return),
                    returned: Some(v),
                }
            }
            None => Flow::Return(v),
        }
    }

    pub(crate) fn pop(&self, frame: &mut SymFrame) -> Res<Sym> {
        match frame.stack.pop() {
            Some(v) => Ok(v),
            None => self.refuse(ReasonId::NoGraphForm, BELOW_STACK),
        }
    }

    pub(crate) fn peek(&mut self, frame: &SymFrame, n: usize) -> Res<Sym> {
        let Some(i) = frame.stack.len().checked_sub(n) else {
            return self.below_stack(frame, n - frame.stack.len());
        };
        match frame.stack.get(i) {
            Some(v) => Ok(v.clone()),
            None => self.refuse(ReasonId::NoGraphForm, BELOW_STACK),
        }
    }

    /// The list that a comprehension fills: it lies below the iterator of the region's loop.
    fn below_stack(&mut self, frame: &SymFrame, n: usize) -> Res<Sym> {
        let at = (frame.below as usize).checked_sub(n);
        let own = self.calls.active.len() == 1;
        let list = at
            .filter(|_| own)
            .and_then(|at| Some((at, self.region.below.get(at)?.clone()?)));
        match list {
            Some((at, value @ Value::List(_))) => self.wrap(&Unloaded {
                step: Step::Stack(u32::try_from(at).unwrap_or(u32::MAX)),
                value,
                path: format!("stack[{at}]").into(),
            }),
            _ => self.refuse(ReasonId::NoGraphForm, BELOW_STACK),
        }
    }

    pub(crate) fn split_at(&self, frame: &SymFrame, n: usize) -> Res<usize> {
        match frame.stack.len().checked_sub(n) {
            Some(at) => Ok(at),
            None => self.refuse(ReasonId::NoGraphForm, BELOW_STACK),
        }
    }

    pub(crate) fn name(&self, code: &CodeObject, n: usize) -> Res<Name> {
        match code.names.get(n) {
            Some(name) => Ok(name.clone()),
            None => self.defect("bad name"),
        }
    }

    pub(crate) fn local<'f>(&self, frame: &'f mut SymFrame, n: usize) -> Res<&'f mut Slot> {
        match frame.locals.get_mut(n) {
            Some(slot) => Ok(slot),
            None => self.defect("bad local"),
        }
    }

    pub(crate) fn load_local(&mut self, frame: &mut SymFrame, n: usize) -> Res<Sym> {
        let slot = self.local(frame, n)?.clone();
        match slot {
            Slot::Loaded(v) => {
                let known = self.set_for_sure(v.clone())?;
                if !known.same(&v) {
                    *self.local(frame, n)? = Slot::Loaded(known.clone());
                }
                Ok(known)
            }
            Slot::Unloaded(u) => {
                let v = self.wrap(&u)?;
                *self.local(frame, n)? = Slot::Loaded(v.clone());
                Ok(v)
            }
            Slot::Empty => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a local is read before it is set",
            ),
        }
    }

    pub(crate) fn load_cell(&mut self, frame: &SymFrame, n: usize) -> Res<Sym> {
        let Some(&cell) = frame.cells.get(n) else {
            return self.defect("bad cell");
        };
        self.cell_content(cell)
    }

    pub(crate) fn cell_content(&mut self, cell: Obj) -> Res<Sym> {
        self.note_read(&Place::Cell(cell));
        let Kind::Cell(c) = &self.state.heap[cell].kind else {
            return self.defect("not a cell");
        };
        match c.content.clone() {
            Slot::Loaded(v) => Ok(v),
            Slot::Unloaded(u) => {
                let v = self.wrap(&u)?;
                if let Kind::Cell(c) = &mut self.state.heap[cell].kind {
                    c.content = Slot::Loaded(v.clone());
                }
                Ok(v)
            }
            Slot::Empty => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a free variable is read before it is set",
            ),
        }
    }

    pub(crate) fn store_cell(&mut self, frame: &SymFrame, n: usize, content: Slot) -> Res<()> {
        match frame.cells.get(n).map(|&c| &mut self.state.heap[c].kind) {
            Some(Kind::Cell(c)) => {
                c.content = content;
                c.written = true;
                Ok(())
            }
            _ => self.defect("bad cell"),
        }
    }

    pub(crate) fn own_namespace(&self, frame: &SymFrame) -> Res<PyRef<janus_object::PyDict>> {
        match &frame.namespace {
            Some(namespace) => Ok(namespace.clone()),
            None => self.defect("the frame has no namespace"),
        }
    }

    pub(crate) fn load_name(&mut self, frame: &SymFrame, name: &Name) -> Res<Sym> {
        let namespace = self.own_namespace(frame)?;
        if !PyRef::ptr_eq(&namespace, &frame.globals)
            && let Some(v) = self.load_namespace(&Namespace::Globals(namespace), name)?
        {
            return Ok(v);
        }
        self.load_global(&frame.globals.clone(), name)
    }

    pub(crate) fn keyword_names(&self, frame: &mut SymFrame) -> Res<Vec<Name>> {
        match self.pop(frame)? {
            Sym::Known(Value::Tuple(names)) => names
                .items
                .iter()
                .map(|n| match n {
                    Value::Str(s) => Ok(Name::new(s.as_str())),
                    _ => self.defect("bad keyword"),
                })
                .collect(),
            _ => self.defect("bad keywords"),
        }
    }

    pub(crate) fn make_function(&mut self, frame: &mut SymFrame, flags: u32) -> Res<()> {
        let Sym::Known(Value::Code(code)) = self.pop(frame)? else {
            return self.defect("bad function");
        };
        let closure = if flags & MakeFunctionFlags::CLOSURE != 0 {
            let cells = self.pop(frame)?;
            let cells = self.collect(&cells)?;
            cells
                .iter()
                .map(|c| match c {
                    Sym::Obj(o) => Ok(*o),
                    _ => self.defect("bad closure"),
                })
                .collect::<Res<_>>()?
        } else {
            Vec::new()
        };
        if flags & MakeFunctionFlags::ANNOTATIONS != 0 {
            self.pop(frame)?;
        }
        let kw_defaults = if flags & MakeFunctionFlags::KW_DEFAULTS != 0 {
            let dict = self.pop(frame)?;
            self.keyword_mapping(&dict)?
        } else {
            Vec::new()
        };
        let defaults = if flags & MakeFunctionFlags::DEFAULTS != 0 {
            let tuple = self.pop(frame)?;
            self.collect(&tuple)?
        } else {
            Vec::new()
        };
        let function = SymFunction {
            code,
            globals: frame.globals.clone(),
            defaults,
            kw_defaults,
            closure,
            annotated: flags & MakeFunctionFlags::ANNOTATIONS != 0,
        };
        let v = self.alloc(Kind::Function(Rc::new(function)));
        frame.stack.push(v);
        Ok(())
    }

    // ---- objects -------------------------------------------------------------------------

    pub(crate) fn alloc(&mut self, kind: Kind) -> Sym {
        self.state.heap.push(HeapObject { origin: None, kind });
        Sym::Obj(self.state.heap.len() - 1)
    }

    pub(crate) fn tuple(&mut self, items: Vec<Sym>) -> Sym {
        let known: Option<Vec<Value>> = items
            .iter()
            .map(|s| {
                s.known()
                    .filter(|v| !matches!(v, Value::Instance(_)))
                    .cloned()
            })
            .collect();
        match known {
            Some(values) => Sym::Known(Value::tuple(values)),
            None => self.alloc(Kind::Tuple(items.into_iter().map(Slot::Loaded).collect())),
        }
    }

    pub(crate) fn list(&mut self, items: Vec<Sym>) -> Sym {
        let base = items.into_iter().map(Slot::Loaded).collect();
        self.alloc(Kind::List(SymList {
            base: Some(base),
            appended: Vec::new(),
            rewritten: false,
            dropped: 0,
        }))
    }

    /// Refuses what a branch decided between two kinds of things.
    pub(crate) fn decided(&self, v: &Sym) -> Res<()> {
        match v {
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Choice { .. }) => self.refuse(
                ReasonId::BranchSides,
                "a variable is of one kind or another after a branch",
            ),
            _ => Ok(()),
        }
    }

    /// Whether two values are the same object.
    pub(crate) fn is(&mut self, a: &Sym, b: &Sym) -> Res<bool> {
        self.decided(a)?;
        self.decided(b)?;
        match (a, b) {
            // Text from outside is guarded to be equal, not to be the object that it was.
            (Sym::Known(Value::Str(x)), Sym::Known(Value::Str(y)))
                if x == y && !ops::is(&Value::Str(x.clone()), &Value::Str(y.clone())) =>
            {
                self.refuse(ReasonId::NoGraphForm, "`is` between equal texts")
            }
            (Sym::Known(a), Sym::Known(b)) => Ok(ops::is(a, b)),
            (Sym::Obj(x), Sym::Obj(y)) if x != y && (self.is_found(a) || self.is_found(b)) => self
                .refuse(
                    ReasonId::Recursion,
                    "`is` on an object that a recursion comes to",
                ),
            // Text and instances that are constants of the graph may be what a recursion comes to.
            (Sym::Obj(_), Sym::Known(v)) | (Sym::Known(v), Sym::Obj(_))
                if (self.is_found(a) || self.is_found(b)) && FoundKind::of(v).is_some() =>
            {
                self.refuse(
                    ReasonId::Recursion,
                    "`is` on an object that a recursion comes to",
                )
            }
            (Sym::Obj(a), Sym::Obj(b)) => {
                let decided = |o: &Obj| matches!(&self.state.heap[*o].kind, Kind::Tensor(t) if !t.is_itself());
                if a != b && (decided(a) || decided(b)) {
                    return self.undecided("`is` on what a branch decided between two tensors");
                }
                let elsewhere = |o: &Obj| self.looping.known_elsewhere.contains(o);
                if a != b && (elsewhere(a) || elsewhere(b)) {
                    return self.refuse(
                        ReasonId::LoopState,
                        "`is` on a list that a loop replaces by another",
                    );
                }
                if a != b {
                    self.are_distinct(*a, *b);
                }
                Ok(a == b)
            }
            (Sym::Scalar(a), Sym::Scalar(b)) if a == b => Ok(true),
            // A number is no other kind of object.
            (Sym::Scalar(_), Sym::Obj(_)) | (Sym::Obj(_), Sym::Scalar(_)) => Ok(false),
            (Sym::Scalar(_), Sym::Known(v)) | (Sym::Known(v), Sym::Scalar(_))
                if !matches!(v, Value::Int(_) | Value::Float(_) | Value::Bool(_)) =>
            {
                Ok(false)
            }
            (Sym::Scalar(_), _) | (_, Sym::Scalar(_)) => {
                self.refuse(ReasonId::NoGraphForm, "`is` between numbers")
            }
            // What is read at entry is another object than a constant if it is of another class, or other text.
            (Sym::Obj(o), Sym::Known(v)) | (Sym::Known(v), Sym::Obj(o))
                if self.is_of_class_of(*o, v) =>
            {
                match v {
                    Value::Str(_) if self.equal_at_entry(a, b)? == Some(false) => Ok(false),
                    _ => self.refuse(
                        ReasonId::NoGraphForm,
                        "`is` between a constant and what may be that object",
                    ),
                }
            }
            (Sym::Obj(_), _) | (_, Sym::Obj(_)) => Ok(false),
            (Sym::Null, _) | (_, Sym::Null) => self.defect("bad operand"),
        }
    }

    /// Whether an object was there at entry and has the class of a constant.
    fn is_of_class_of(&self, o: Obj, constant: &Value) -> bool {
        let origin = self.state.heap[o].origin.as_ref();
        origin.is_some_and(|origin| PyRef::ptr_eq(&class_of(&origin.value), &class_of(constant)))
    }

    /// Notes that the code relies on two objects not being one.
    fn are_distinct(&mut self, a: Obj, b: Obj) {
        let origin = |o: Obj| self.state.heap[o].origin.as_ref().map(|origin| origin.node);
        // What the region made is no other object.
        let (Some(a), Some(b)) = (origin(a), origin(b)) else {
            return;
        };
        let known = |id: NodeId| {
            let check = self.entry.nodes.get(id.0 as usize).map(|n| &n.check);
            matches!(
                check,
                Some(Check::Same(_) | Check::Instance { same: Some(_), .. })
            )
        };
        let pair = (a.min(b), a.max(b));
        if known(a) && known(b) || self.entry.distinct.contains(&pair) {
            return;
        }
        self.entry.distinct.push(pair);
    }

    /// How many guards there are, to tell whether more were made.
    pub(crate) fn guards_made(&self) -> (usize, usize) {
        (self.entry.nodes.len(), self.entry.assumed.len())
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, step: Step, check: Check, path: &Rc<str>) -> NodeId {
        let id = NodeId(u32::try_from(self.entry.nodes.len()).unwrap_or(u32::MAX));
        let line = self.line();
        self.entry.nodes.push(Node {
            step,
            check,
            path: path.clone(),
            line,
        });
        id
    }

    /// A number read at entry.
    pub(crate) fn load_scalar(&mut self, node: NodeId, ty: ScalarType) -> Res<Sym> {
        let slot = self.entry.loads.len();
        self.entry.loads.push(Load::Scalar(node, ty));
        let id = self.emit_load(node, crate::state::types::type_of(ty), slot)?;
        Ok(Sym::Scalar(SymScalar { id, ty }))
    }
}
