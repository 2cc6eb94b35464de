//! What the interpreter keeps per code object: prepared instructions and inline caches (those of attributes: [`crate::attr_cache`]).
//!
//! In: a code object when it first runs. Out: [`CodeState`], found again in
//! [`CodeObject::caches`]. Always: `ops` is parallel to the instructions, so positions mean the
//! same to every tier; a cache entry is only believed after its versions and layouts were compared
//! with those of the object at hand.

use std::any::Any;
use std::cell::{Cell, RefCell};

use janus_bytecode::{BinaryOp, Instr, Opcode, for_each_opcode};
use janus_object::heap::Tracer;
use janus_object::ops::Special;
use janus_object::{
    BaseKind, Caches, Class, CodeObject, Instance, Name, Payload, PyFunction, PyRef, Value, name,
};

use crate::Interp;
use crate::attr_cache::{AttrCache, AttrKind};
use crate::seen::{SeenAttr, SeenOperator};

/// "No site", "no cache".
pub(crate) const NONE: u32 = u32::MAX;

macro_rules! define_ops {
    ($n:ident; $(($name:ident, $kind:ident, $pops:expr, $pushes:expr, $doc:literal),)*) => {
        /// What the eval loop dispatches on: the instructions of the machine, and faster forms
        /// of some that this crate puts in their place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(clippy::enum_variant_names, reason = "the names are CPython's: BinaryOp")]
        pub(crate) enum Op {
            $(#[doc = $doc] $name,)*
            /// `BinaryOp` with `+` or `+=`.
            Add,
            /// `BinaryOp` with `-` or `-=`.
            Sub,
            /// `BinaryOp` with `*` or `*=`.
            Mul,
            /// `LoadFast`, then `LoadFast` or `LoadConst`, then an operator: all three at once
            /// when the operands are immediates, else as `LoadFast`.
            FastPair,
            /// `LoadFast`, then an operator whose left operand is on the stack: both at once when
            /// the operands are immediates, else as `LoadFast`.
            FastRight,
            /// As `FastRight` for `LoadConst`.
            ConstRight,
            /// `LoadGlobal`, then `PushNull`: both at once.
            CallableGlobal,
            /// As that, then one or two `LoadFast` or `LoadConst`, then `Call`: all at once where the callable has an answer
            /// ([`janus_object::QuickWay`]), else as `CallableGlobal`.
            CallGlobal,
            /// `LoadFast` and `LoadAttr`: both at once on a cache hit, else as `LoadFast`.
            FastAttr,
            /// `LoadFast` and `LoadMethod`: both at once on a cache hit, else as `LoadFast`.
            FastMethod,
            /// An instruction before which a trace function is told something (`tracing.rs`).
            Traced,
        }

        impl From<Opcode> for Op {
            fn from(op: Opcode) -> Op {
                match op { $(Opcode::$name => Op::$name,)* }
            }
        }
    };
}

for_each_opcode!(define_ops);

impl Op {
    /// The first instruction of a fused form, for who executes one at a time.
    pub fn unfused(self) -> Op {
        match self {
            Op::FastPair | Op::FastRight | Op::FastAttr | Op::FastMethod => Op::LoadFast,
            Op::ConstRight => Op::LoadConst,
            Op::CallableGlobal | Op::CallGlobal => Op::LoadGlobal,
            op => op,
        }
    }
}

/// A prepared instruction.
#[derive(Clone, Debug)]
pub(crate) struct Quick {
    pub op: Op,
    /// What tells the kinds of the values that the instruction met last: its site knows them.
    pub last: Cell<u16>,
    pub arg: u32,
    /// Index into the profile's sites, or [`NONE`].
    pub site: u32,
    /// Index into the caches of its kind, or [`NONE`].
    pub cache: u32,
}

/// The cache of an access to a global.
pub(crate) struct GlobalCache {
    /// Layout of the globals, or [`NONE`].
    pub globals: Cell<u32>,
    /// Layout of the builtins, or 0 when the name is a global.
    pub builtins: Cell<u32>,
    pub index: Cell<u32>,
}

impl Default for GlobalCache {
    fn default() -> Self {
        GlobalCache {
            globals: Cell::new(NONE),
            builtins: Cell::new(0),
            index: Cell::new(0),
        }
    }
}

impl GlobalCache {
    pub fn set(&self, globals: u32, builtins: u32, index: usize) {
        self.globals.set(if globals == 0 { NONE } else { globals });
        self.builtins.set(builtins);
        self.index.set(index as u32);
    }
}

/// The cache of a call: a class whose instances are made by calling a Python `__init__`, and
/// nothing else; an instance whose class has a Python `__call__`; or an instance whose length is asked for.
#[derive(Default)]
pub(crate) struct CallCache {
    version: Cell<u32>,
    /// Version of the class whose `__call__` it is.
    called: Cell<u32>,
    init: RefCell<Option<PyRef<PyFunction>>>,
    /// Of `len`.
    pub len: OperatorCache,
}

impl CallCache {
    /// The `__init__` of a class that the cache knows.
    #[inline]
    pub fn init_of(&self, class: &Class) -> Option<PyRef<PyFunction>> {
        if self.version.get() != class.version.get() {
            return None;
        }
        self.init.borrow().clone()
    }

    /// What is called with the callable first, or with an instance of it: the `__init__` of a class, the `__call__` of an
    /// instance's.
    #[inline]
    pub fn method_of(&self, callable: &Value) -> Option<PyRef<PyFunction>> {
        match callable {
            Value::Class(class) => self.init_of(class),
            Value::Instance(instance) => {
                let version = instance.class_version();
                if version == 0 || version != self.called.get() {
                    return self.learn_called(instance);
                }
                self.init.borrow().clone()
            }
            _ => None,
        }
    }

    /// Learns what a call of an instance calls.
    #[cold]
    fn learn_called(&self, instance: &Instance) -> Option<PyRef<PyFunction>> {
        let class = instance.class();
        let version = class.version.get();
        if version == 0 || !matches!(instance.payload, Payload::None) {
            return None;
        }
        let Some(Value::Function(function)) = class.lookup(name!("__call__")) else {
            return None;
        };
        self.version.set(0);
        self.called.set(version);
        *self.init.borrow_mut() = Some(function.clone());
        Some(function)
    }

    /// Learns how a class makes its instances.
    #[cold]
    pub fn learn(&self, class: &Class) {
        let version = class.version.get();
        if version == 0 || class.has_metaclass() || class.kind.get() != BaseKind::Object {
            return;
        }
        let plain_new = matches!(
            class.lookup(name!("__new__")),
            Some(Value::Native(n)) if n.qualname == "object.__new__"
        );
        if let (true, Some(Value::Function(init))) = (plain_new, class.lookup(name!("__init__"))) {
            self.version.set(version);
            self.called.set(0);
            *self.init.borrow_mut() = Some(init);
        }
    }
}

/// The cache of an operation that the class of an instance defines: the classes that it met and what it came to.
#[derive(Default)]
pub(crate) struct OperatorCache {
    /// Version of the receiver's class; 0 if nothing is known.
    receiver: Cell<u32>,
    /// Version of the argument's class if that is an instance, else 0; [`ANY`] where it has no say.
    argument: Cell<u32>,
    /// Whether there was a comparison that looked at nothing but whether both are the same object.
    by_identity: Cell<bool>,
    method: RefCell<Option<PyRef<PyFunction>>>,
}

/// The version of the class of an argument that has no say.
pub(crate) const ANY: u32 = u32::MAX - 1;

/// The version of the class of an instance, which nothing is known of if it has none; 0 of anything else.
#[inline]
fn instance_version(value: &Value) -> u32 {
    match value {
        Value::Instance(instance) => match instance.class.borrow().version.get() {
            0 => NONE,
            version => version,
        },
        _ => 0,
    }
}

impl OperatorCache {
    #[inline]
    fn knows(&self, receiver: &Value, argument: Option<&Value>) -> bool {
        let version = instance_version(receiver);
        version != 0
            && version == self.receiver.get()
            && (self.argument.get() == ANY
                || argument.is_some_and(|a| instance_version(a) == self.argument.get()))
    }

    /// The method that an operation calls first.
    #[inline]
    pub fn method(&self, receiver: &Value, argument: Option<&Value>) -> Option<PyRef<PyFunction>> {
        if !self.knows(receiver, argument) {
            return None;
        }
        self.method.borrow().clone()
    }

    /// Learns what an operation calls.
    #[cold]
    pub fn learn(&self, special: Special, receiver: &Value, argument: Option<&Value>) {
        let Some(method) = special.first_method(receiver, argument) else {
            return;
        };
        self.receiver.set(instance_version(receiver));
        self.argument.set(match argument {
            Some(argument) if special.asks_argument() => instance_version(argument),
            _ => ANY,
        });
        drop(self.method.replace(Some(method)));
    }

    /// Notes that a comparison looked at nothing but whether both are the same object.
    #[inline]
    pub fn saw_identity(&self) {
        self.by_identity.set(true);
    }

    /// What it knows.
    pub fn seen(&self) -> Option<SeenOperator> {
        match self.method.borrow().clone() {
            Some(method) if !self.by_identity.get() => Some(SeenOperator::Method {
                receiver: self.receiver.get(),
                argument: Some(self.argument.get()).filter(|a| *a != ANY),
                method,
            }),
            None if self.by_identity.get() => Some(SeenOperator::Identity),
            _ => None,
        }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(Some(method)) = self.method.try_borrow().as_deref() {
            tracer.reference(method);
        }
    }

    fn clear(&self) {
        self.receiver.set(0);
        self.by_identity.set(false);
        drop(self.method.take());
    }
}

/// Per-code state.
pub(crate) struct CodeState {
    pub ops: Box<[Quick]>,
    pub globals: Box<[GlobalCache]>,
    pub attrs: Box<[AttrCache]>,
    pub calls: Box<[CallCache]>,
    pub operators: Box<[OperatorCache]>,
    /// Names of the parameters, in the order of `varnames`.
    pub params: Box<[Name]>,
    /// Parameters that live in cells: (local, cell).
    pub captured: Box<[(usize, usize)]>,
    /// Positional parameters only: a call may move its arguments straight into the locals.
    pub simple: bool,
    /// There are cells, its own or those of functions around it.
    pub has_cells: bool,
    /// A call makes a generator or coroutine.
    pub suspends: bool,
    /// Number of positional parameters.
    pub argcount: usize,
    /// Number of locals.
    pub locals: usize,
}

impl Caches for CodeState {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        for cache in &self.attrs {
            if let Ok(Some(value)) = cache.value.try_borrow().as_deref() {
                tracer.value(value);
            }
            if let Ok(earlier) = cache.earlier.try_borrow() {
                for value in earlier.iter().filter_map(SeenAttr::value) {
                    tracer.value(value);
                }
            }
        }
        for cache in &self.calls {
            if let Ok(Some(init)) = cache.init.try_borrow().as_deref() {
                tracer.reference(init);
            }
            cache.len.trace(tracer);
        }
        for cache in &self.operators {
            cache.trace(tracer);
        }
    }

    fn clear(&self) {
        for cache in &self.attrs {
            cache.kind.set(AttrKind::default());
            drop(cache.value.take());
            drop(cache.earlier.take());
        }
        for cache in &self.calls {
            cache.version.set(0);
            cache.called.set(0);
            drop(cache.init.take());
            cache.len.clear();
        }
        for cache in &self.operators {
            cache.clear();
        }
    }
}

impl CodeState {
    /// Whether so many arguments fit a function with this code: it has positional parameters only, and defaults for the others.
    #[inline(always)]
    pub fn takes(&self, function: &PyFunction, count: usize) -> bool {
        self.simple && (count == self.argcount || self.takes_fewer(function, count))
    }

    #[inline(never)]
    fn takes_fewer(&self, function: &PyFunction, count: usize) -> bool {
        count < self.argcount && function.defaults.borrow().len() + count >= self.argcount
    }

    /// The state of a code object that ran before.
    #[inline]
    pub fn of(code: &CodeObject) -> Option<&CodeState> {
        Some(Self::from_caches(&**code.caches.get()?))
    }

    #[inline]
    fn from_caches(caches: &dyn Caches) -> &CodeState {
        debug_assert!((caches as &dyn Any).is::<CodeState>());
        // SAFETY: nobody but `prepare` fills the caches of a code object, and with nothing else; asking the box for its type
        // costs more than many an instruction.
        unsafe { &*(&raw const *caches).cast() }
    }

    fn new(code: &CodeObject) -> Self {
        let c = &code.code;
        let (mut globals, mut attrs, mut calls, mut operators) = (0, 0, 0, 0);
        let count = |counter: &mut u32| {
            *counter += 1;
            *counter - 1
        };
        let ops = c
            .instrs
            .iter()
            .zip(&code.profile.site_of)
            .map(|(instr, site)| Quick {
                op: quickened(*instr),
                last: Cell::new(u16::MAX),
                arg: instr.arg,
                site: *site,
                cache: match instr.op {
                    Opcode::LoadGlobal
                    | Opcode::LoadName
                    | Opcode::StoreGlobal
                    | Opcode::StoreName => count(&mut globals),
                    Opcode::LoadAttr | Opcode::LoadMethod | Opcode::StoreAttr => count(&mut attrs),
                    Opcode::Call => count(&mut calls),
                    Opcode::BinaryOp
                    | Opcode::CompareOp
                    | Opcode::BinarySubscr
                    | Opcode::ContainsOp => count(&mut operators),
                    _ => NONE,
                },
            })
            .collect();
        let mut ops: Box<[Quick]> = ops;
        fuse(&mut ops);
        let params = c
            .varnames
            .iter()
            .take(c.parameter_count())
            .map(|n| Name::new(n))
            .collect();
        let captured = c
            .cellvars
            .iter()
            .enumerate()
            .filter_map(|(cell, name)| {
                let params = c.varnames.iter().take(c.parameter_count());
                params
                    .enumerate()
                    .find(|(_, v)| *v == name)
                    .map(|(local, _)| (local, cell))
            })
            .collect();
        let suspends = c.flags.generator || c.flags.coroutine;
        CodeState {
            ops,
            globals: (0..globals).map(|_| GlobalCache::default()).collect(),
            attrs: (0..attrs).map(|_| AttrCache::default()).collect(),
            calls: (0..calls).map(|_| CallCache::default()).collect(),
            operators: (0..operators).map(|_| OperatorCache::default()).collect(),
            params,
            captured,
            simple: c.kwonly_argcount == 0 && !c.flags.varargs && !c.flags.varkw,
            has_cells: !c.cellvars.is_empty() || !c.freevars.is_empty(),
            suspends,
            argcount: c.argcount as usize,
            locals: c.varnames.len(),
        }
    }
}

impl Interp {
    /// The state of a code object, made at its first use.
    #[inline]
    pub(crate) fn code_state<'c>(&self, code: &'c CodeObject) -> &'c CodeState {
        CodeState::from_caches(match code.caches.get() {
            Some(caches) => &**caches,
            None => self.prepare(code),
        })
    }

    #[cold]
    fn prepare<'c>(&self, code: &'c CodeObject) -> &'c dyn Caches {
        if let Some(hook) = self.any_jit() {
            code.jit.entry_countdown.set(hook.first_entry);
            for (instr, site) in code.code.instrs.iter().zip(&code.profile.site_of) {
                if matches!(instr.op, Opcode::ForIter | Opcode::LoopHead)
                    && let Some(site) = code.profile.sites.get(*site as usize)
                {
                    site.countdown.set(hook.first_loop);
                }
            }
        }
        &**code.caches.get_or_init(|| Box::new(CodeState::new(code)))
    }
}

/// The form in which the eval loop executes an instruction.
fn quickened(instr: Instr) -> Op {
    match (instr.op, BinaryOp::from_arg(instr.arg).map(BinaryOp::plain)) {
        (Opcode::BinaryOp, Some(BinaryOp::Add)) => Op::Add,
        (Opcode::BinaryOp, Some(BinaryOp::Sub)) => Op::Sub,
        (Opcode::BinaryOp, Some(BinaryOp::Mul)) => Op::Mul,
        (op, _) => op.into(),
    }
}

/// Puts fused forms where sequences start. The instructions that follow stay as they are: a jump
/// may lead to them, and a fused form that cannot do all at once does only its first.
fn fuse(ops: &mut [Quick]) {
    let operator = |op: Op| {
        matches!(
            op,
            Op::Add | Op::Sub | Op::Mul | Op::BinaryOp | Op::CompareOp | Op::BinarySubscr
        )
    };
    // A fused form looks at up to three instructions after its own.
    let simple = |op: Op| matches!(op, Op::LoadFast | Op::LoadConst);
    for at in 0..ops.len().saturating_sub(3) {
        let fifth = ops.get(at + 4).map(|quick| (quick.op, quick.arg));
        let Some([first, second, third, fourth]) = ops.get_mut(at..at + 4) else {
            return;
        };
        first.op = match (first.op, second.op, third.op) {
            (Op::LoadFast, Op::LoadFast | Op::LoadConst, third) if operator(third) => Op::FastPair,
            (Op::LoadFast, second, _) if operator(second) => Op::FastRight,
            (Op::LoadConst, second, _) if operator(second) => Op::ConstRight,
            (Op::LoadGlobal, Op::PushNull, third) => {
                let one = simple(third) && fourth.op == Op::Call && fourth.arg == 1;
                let two = simple(third) && simple(fourth.op) && fifth == Some((Op::Call, 2));
                match one || two {
                    true => Op::CallGlobal,
                    false => Op::CallableGlobal,
                }
            }
            (Op::LoadFast, Op::LoadAttr, _) => Op::FastAttr,
            (Op::LoadFast, Op::LoadMethod, _) => Op::FastMethod,
            (op, ..) => op,
        };
    }
}
