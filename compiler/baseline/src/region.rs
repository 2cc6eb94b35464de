//! A compiled region: entering it, and what its exits mean.
//!
//! In: a frame at the region's entry. Out: [`Entry`]. Always: a frame is entered only when it is
//! as the code assumes, and is whole again before anything else sees it.

use std::cell::{Cell, RefCell};

use cranelift_jit::JITModule;
use janus_interp::{Entry, Frame, Interp};
use janus_object::Value;

use crate::Left;
use crate::emit::{Exit, Tables, Why};
use crate::flow::{Program, Unit, line_of};
use crate::kind::Kind;
use crate::layout::{DEPTH, LIMIT, SLOTS};
use crate::runtime::{self, Session};

/// Deopts from which on a region is given up if they are that frequent.
const TOO_MANY: u32 = 16;

/// What the helpers of generated code see of its region.
pub(crate) struct Inner {
    pub program: Program,
    pub tables: Tables,
    left: RefCell<Option<Left>>,
    entries: Cell<u32>,
    deopts: Cell<u32>,
}

/// Machine code of a region.
pub struct CompiledRegion {
    inner: Inner,
    entry: *const u8,
    clif: String,
    module: Option<JITModule>,
    spare: Cell<Vec<u64>>,
}

impl Drop for CompiledRegion {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: no code of the module runs: a caller of `enter` borrows the region; and
            // nothing but the region holds addresses of it.
            unsafe { module.free_memory() }
        }
    }
}

impl Inner {
    /// The exit with a status.
    pub fn exit(&self, status: u64) -> Option<&Exit> {
        self.tables
            .exits
            .get(usize::try_from(status).ok()?.checked_sub(1)?)
    }

    /// Words that exits may write.
    pub fn room(&self) -> usize {
        self.tables.words.saturating_sub(SLOTS)
    }

    /// Whether what was assumed of globals still holds.
    pub fn guards_hold(&self) -> bool {
        self.program.guards.iter().all(crate::flow::Guard::holds)
    }

    /// An empty frame for the unit of an exit.
    pub fn callee_frame(&self, exit: &Exit) -> Option<Box<Frame>> {
        let unit = self.program.units.get(exit.unit)?;
        Some(Box::new(Frame {
            code: unit.code.clone(),
            globals: unit.globals.clone(),
            builtins: self.program.builtins.clone(),
            namespace: None,
            mapping: None,
            locals: vec![None; unit.code.code.varnames.len()],
            cells: Vec::new(),
            stack: Vec::new(),
            pc: exit.pc,
        }))
    }

    /// Records why an exit was taken.
    pub fn note(&self, exit: &Exit) {
        let (Some(why), Some(unit)) = (&exit.why, self.program.units.get(exit.unit)) else {
            return;
        };
        self.record(why, line_of(&unit.code, exit.pc));
    }

    fn record(&self, why: &Why, line: u32) {
        self.deopts.set(self.deopts.get().saturating_add(1));
        *self.left.borrow_mut() = Some(Left {
            overflow: why.overflow,
            line,
            expected: why.expected.clone(),
            actual: why.actual.clone(),
        });
    }
}

impl CompiledRegion {
    pub(crate) fn new(
        program: Program,
        tables: Tables,
        entry: *const u8,
        clif: String,
        module: JITModule,
    ) -> Self {
        CompiledRegion {
            inner: Inner {
                program,
                tables,
                left: RefCell::default(),
                entries: Cell::new(0),
                deopts: Cell::new(0),
            },
            entry,
            clif,
            module: Some(module),
            spare: Cell::default(),
        }
    }

    /// Runs the region on a frame that stands at its entry.
    pub fn enter(&self, vm: &mut Interp, frame: &mut Frame) -> Entry {
        let region = &self.inner;
        let Some(unit) = region.program.units.first() else {
            return Entry::Interpret;
        };
        region.entries.set(region.entries.get().saturating_add(1));
        let mut context = self.spare.take();
        context.clear();
        context.resize(SLOTS, 0);
        // Lists that the code has addresses of must survive what the exit overwrites.
        let mut roots = Vec::new();
        if let Err(why) = self.load(unit, frame, &mut context, &mut roots) {
            self.spare.set(context);
            region.record(&why, line_of(&unit.code, frame.pc));
            return Entry::Interpret;
        }
        let Some(depth) = runtime::entry_depth(vm, unit.head.is_none()) else {
            self.spare.set(context);
            return Entry::Interpret;
        };
        context.resize(context.len().max(region.tables.words).max(SLOTS + 1), 0);
        if let Some([limit, at]) = context.get_mut(LIMIT..=DEPTH) {
            (*limit, *at) = (vm.recursion_limit() as u64, depth as u64);
        }
        let mut session = Session {
            vm,
            region,
            pending: None,
            raised: None,
        };
        // SAFETY: the entry is this region's, whose code is alive while `self` is borrowed; the
        // context has room for the largest exit.
        let status = unsafe { runtime::run(self.entry, &mut context, &mut session) };
        let words = context.get(SLOTS..).unwrap_or_default();
        let entry = match region.exit(status) {
            None => Entry::Return(self.result(unit, words)),
            Some(exit) => {
                runtime::rebuild(exit, words, frame, &mut session, true);
                region.note(exit);
                match session.raised.take() {
                    Some(raised) if exit.raise => Entry::Raise(raised),
                    _ => Entry::Resume,
                }
            }
        };
        drop(roots);
        self.spare.set(context);
        entry
    }

    /// Writes the values at entry into the context, if they are what the code assumes.
    fn load(
        &self,
        unit: &Unit,
        frame: &Frame,
        context: &mut Vec<u64>,
        roots: &mut Vec<Value>,
    ) -> Result<(), Why> {
        if !self.inner.guards_hold() {
            return Err(Why::new("a global that stays as it was", "another value"));
        }
        let mut put = |kind: &Kind, value: Option<&Value>| {
            if !kind.admits(value) {
                let actual = value.map_or("unset".to_owned(), Value::type_name);
                return Err(Why::new(kind.name(), &actual));
            }
            runtime::flatten(kind, value, context);
            match value {
                Some(list @ (Value::List(_) | Value::Iter(_))) if *kind != Kind::Keep => {
                    roots.push(list.clone())
                }
                _ => {}
            }
            Ok(())
        };
        let (locals, names) = unit
            .entry
            .locals
            .split_at(frame.locals.len().min(unit.entry.locals.len()));
        for (kind, value) in locals.iter().zip(&frame.locals) {
            put(kind, value.as_ref())?;
        }
        for (kind, slot) in names.iter().zip(&unit.names) {
            let value = match kind {
                Kind::Keep => None,
                _ => runtime::name_value(&frame.globals, &frame.builtins, &slot.name),
            };
            put(kind, value.as_ref())?;
        }
        if frame.stack.len() != unit.entry.stack.len() {
            return Err(Why::new("a stack as it was", "another one"));
        }
        for (kind, value) in unit.entry.stack.iter().zip(&frame.stack) {
            put(kind, value.as_ref())?;
        }
        Ok(())
    }

    fn result(&self, unit: &Unit, words: &[u64]) -> Value {
        let bits = words.first().copied().unwrap_or_default();
        match unit.result {
            Some(Kind::Int) => Value::Int(bits as i64),
            Some(Kind::Float) => Value::Float(f64::from_bits(bits)),
            Some(Kind::Bool) => Value::Bool(bits & 1 != 0),
            _ => Value::None,
        }
    }

    /// The code before Cranelift's optimisations.
    pub fn clif(&self) -> &str {
        &self.clif
    }

    /// The last deopt, once.
    pub fn take_deopt(&self) -> Option<Left> {
        self.inner.left.take()
    }

    /// Whether deopts are so frequent that the region does not pay.
    pub fn hopeless(&self) -> bool {
        let (deopts, entries) = (self.inner.deopts.get(), self.inner.entries.get());
        deopts >= TOO_MANY && deopts > entries / 4
    }
}
