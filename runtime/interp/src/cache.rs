//! What the interpreter keeps per code object: prepared instructions and inline caches.
//!
//! In: a code object when it first runs. Out: [`CodeState`], found again in
//! [`CodeObject::caches`]. Always: `ops` is parallel to the instructions, so positions mean the
//! same to every tier; a cache entry is only believed after its versions and layouts were compared
//! with those of the object at hand.

use std::any::Any;
use std::cell::{Cell, RefCell};

use janus_bytecode::{BinaryOp, Instr, Opcode, for_each_opcode};
use janus_object::heap::Tracer;
use janus_object::{
    BaseKind, Binding, Caches, Class, CodeObject, Instance, Name, Payload, PyDict, PyFunction,
    PyRef, PyResult, Value, name, types,
};

use crate::Interp;
use crate::seen::SeenAttr;

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

/// A prepared instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quick {
    pub op: Op,
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

/// What an [`AttrCache`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum AttrKind {
    /// Nothing yet.
    #[default]
    Empty,
    /// An instance of the class with that version and a dict with that layout: at `index`.
    Slot,
    /// An instance of the class with that version and a dict with that layout, to which storing
    /// appends the name: `index` is the layout afterwards.
    Append,
    /// As `Slot`, but the dict lacks the name and `value` of the class counts. If that is an instance, its class has the
    /// version `index`, and no `__get__`.
    ClassValue,
    /// As `ClassValue` of a function that is not bound: what is in a static method.
    Static,
    /// As `ClassValue` of a function that is bound to the class: what is in a class method.
    ClassMethod,
    /// An instance of the class with that version: `value` is called to get the attribute.
    Getter,
    /// A module whose dict has that layout: at `index`.
    Module,
    /// The class with that version: `value`. As to instances, see `ClassValue`.
    OfClass,
    /// The class with that version: the function `value` bound to it.
    MethodOfClass,
    /// A value of a built-in type, known by its tag, kept in `version`: the method `value`.
    Builtin,
}

/// The cache of an attribute access.
#[derive(Default)]
pub(crate) struct AttrCache {
    pub kind: Cell<AttrKind>,
    pub version: Cell<u32>,
    pub layout: Cell<u32>,
    pub index: Cell<u32>,
    pub value: RefCell<Option<Value>>,
    /// What it held before, for compilers: a site may meet several classes.
    pub earlier: RefCell<Vec<SeenAttr>>,
}

/// Of what a cache held before, so much is kept.
const EARLIER: usize = 7;

/// The cache of a call: a class whose instances are made by calling a Python `__init__`, and
/// nothing else.
#[derive(Default)]
pub(crate) struct CallCache {
    version: Cell<u32>,
    init: RefCell<Option<PyRef<PyFunction>>>,
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
            *self.init.borrow_mut() = Some(init);
        }
    }
}

/// The cache of an operator on instances: the classes that it met and the method that is called first.
#[derive(Default)]
pub(crate) struct OperatorCache {
    /// Version of the left operand's class; 0 if nothing is known.
    left: Cell<u32>,
    /// Version of the right operand's class if that is an instance, else 0.
    right: Cell<u32>,
    method: RefCell<Option<PyRef<PyFunction>>>,
}

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
    /// The method that an operator calls first.
    #[inline]
    pub fn method(&self, a: &Value, b: &Value) -> Option<PyRef<PyFunction>> {
        let left = instance_version(a);
        if left == 0 || left != self.left.get() || instance_version(b) != self.right.get() {
            return None;
        }
        self.method.borrow().clone()
    }

    /// Learns what an operator calls.
    #[cold]
    pub fn learn(&self, op: u32, a: &Value, b: &Value) {
        let op = janus_bytecode::BinaryOp::from_arg(op);
        if let Some(method) = op.and_then(|op| janus_object::ops::first_method(op, a, b)) {
            self.left.set(instance_version(a));
            self.right.set(instance_version(b));
            *self.method.borrow_mut() = Some(method);
        }
    }

    /// What it knows: the versions of the classes, and the method.
    pub fn seen(&self) -> Option<(u32, u32, PyRef<PyFunction>)> {
        let method = self.method.borrow().clone()?;
        Some((self.left.get(), self.right.get(), method))
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
    /// Positional parameters only, and neither generator nor coroutine: a call may move its
    /// arguments straight into the locals.
    pub simple: bool,
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
        }
        for cache in &self.operators {
            if let Ok(Some(method)) = cache.method.try_borrow().as_deref() {
                tracer.reference(method);
            }
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
            drop(cache.init.take());
        }
        for cache in &self.operators {
            cache.left.set(0);
            drop(cache.method.take());
        }
    }
}

impl CodeState {
    /// The state of a code object that ran before.
    #[inline]
    pub fn of(code: &CodeObject) -> Option<&CodeState> {
        let caches: &dyn Any = &**code.caches.get()?;
        caches.downcast_ref()
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
                arg: instr.arg,
                site: *site,
                cache: match instr.op {
                    Opcode::LoadGlobal
                    | Opcode::LoadName
                    | Opcode::StoreGlobal
                    | Opcode::StoreName => count(&mut globals),
                    Opcode::LoadAttr | Opcode::LoadMethod | Opcode::StoreAttr => count(&mut attrs),
                    Opcode::Call => count(&mut calls),
                    Opcode::BinaryOp => count(&mut operators),
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
            simple: c.kwonly_argcount == 0 && !c.flags.varargs && !c.flags.varkw && !suspends,
            suspends,
            argcount: c.argcount as usize,
            locals: c.varnames.len(),
        }
    }
}

impl Interp {
    /// The state of a code object, made at its first use.
    #[inline]
    pub(crate) fn code_state<'c>(&self, code: &'c CodeObject) -> PyResult<&'c CodeState> {
        let state = match code.caches.get() {
            Some(state) => &**state,
            None => self.prepare(code),
        };
        debug_assert!((state as &dyn Any).is::<CodeState>());
        // SAFETY: nobody but `prepare` fills `caches`, and with nothing else; asking the box for its type costs more
        // than many an instruction.
        Ok(unsafe { &*(&raw const *state).cast() })
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
    for at in 0..ops.len().saturating_sub(3) {
        let Some([first, second, third, _]) = ops.get_mut(at..at + 4) else {
            return;
        };
        first.op = match (first.op, second.op, third.op) {
            (Op::LoadFast, Op::LoadFast | Op::LoadConst, third) if operator(third) => Op::FastPair,
            (Op::LoadFast, second, _) if operator(second) => Op::FastRight,
            (Op::LoadConst, second, _) if operator(second) => Op::ConstRight,
            (Op::LoadFast, Op::LoadAttr, _) => Op::FastAttr,
            (Op::LoadFast, Op::LoadMethod, _) => Op::FastMethod,
            (op, ..) => op,
        };
    }
}

/// The layout of an instance's dict; one that was not made yet is empty.
#[inline]
pub(crate) fn instance_layout(instance: &Instance) -> u32 {
    // SAFETY: its layout is all that is read of it.
    match unsafe { instance.dict.peek() } {
        Some(dict) => dict.layout(),
        None => PyDict::EMPTY_LAYOUT,
    }
}

/// A number for the built-in types whose values are told apart without a class.
#[inline]
pub(crate) fn builtin_tag(value: &Value) -> Option<u32> {
    Some(match value {
        Value::Int(_) | Value::BigInt(_) => 1,
        Value::Float(_) => 2,
        Value::Str(_) => 3,
        Value::Tuple(_) => 4,
        Value::List(_) => 5,
        Value::Dict(_) => 6,
        Value::Range(_) => 7,
        Value::Set(set) if set.frozen => 8,
        Value::Set(_) => 9,
        Value::Bytes(bytes) if bytes.mutable => 10,
        Value::Bytes(_) => 11,
        _ => return None,
    })
}

/// What a cache says about an attribute.
pub(crate) enum Hit {
    /// The attribute.
    Value(Value),
    /// A function to be bound to the object.
    Method(Value),
    /// A function to be bound to the class of the object.
    ClassMethod(Value),
    /// To be called with the object.
    Getter(Value),
}

impl AttrCache {
    /// The attribute, if it is at the cached place of an instance's dict: the most common case. It is to be copied
    /// before anything else runs.
    #[inline(always)]
    pub fn slot<'a>(&self, object: &'a Value) -> Option<&'a Value> {
        let Value::Instance(instance) = object else {
            return None;
        };
        if self.kind.get() != AttrKind::Slot || instance.class_version() != self.version.get() {
            return None;
        }
        // SAFETY: see above.
        let dict = unsafe { instance.dict.peek() }?;
        if dict.layout() != self.layout.get() {
            return None;
        }
        // SAFETY: see above.
        unsafe { dict.value_ref(self.index.get() as usize) }
    }

    /// The function to be bound to the object, if that is what is cached. It is to be copied before anything else runs.
    #[inline(always)]
    pub fn method<'a>(&'a self, object: &Value) -> Option<&'a Value> {
        let kind = self.kind.get();
        let is_known = match object {
            Value::Instance(instance) => {
                kind == AttrKind::ClassValue
                    && instance.class_version() == self.version.get()
                    && instance_layout(instance) == self.layout.get()
            }
            _ => kind == AttrKind::Builtin && builtin_tag(object) == Some(self.version.get()),
        };
        if !is_known {
            return None;
        }
        // SAFETY: it is copied before anything else runs.
        let value = unsafe { self.value.try_borrow_unguarded() };
        match value.ok()? {
            Some(value @ (Value::Function(_) | Value::Native(_))) => Some(value),
            _ => None,
        }
    }

    /// Looks an object up.
    #[inline]
    pub fn load(&self, object: &Value) -> Option<Hit> {
        let kind = self.kind.get();
        match object {
            Value::Instance(instance) => {
                if instance.class_version() != self.version.get() {
                    return None;
                }
                match kind {
                    AttrKind::Slot => {
                        // SAFETY: a value is copied out of it.
                        let dict = unsafe { instance.dict.peek() }?;
                        if dict.layout() != self.layout.get() {
                            return None;
                        }
                        dict.value_at(self.index.get() as usize).map(Hit::Value)
                    }
                    AttrKind::ClassValue => {
                        if instance_layout(instance) != self.layout.get() {
                            return None;
                        }
                        self.class_value()
                    }
                    AttrKind::Static | AttrKind::ClassMethod => {
                        if instance_layout(instance) != self.layout.get() {
                            return None;
                        }
                        let value = self.value.borrow().clone()?;
                        Some(match kind {
                            AttrKind::Static => Hit::Value(value),
                            _ => Hit::ClassMethod(value),
                        })
                    }
                    AttrKind::Getter => self.value.borrow().clone().map(Hit::Getter),
                    _ => None,
                }
            }
            Value::Module(module) if kind == AttrKind::Module => {
                if module.dict.layout() != self.layout.get() {
                    return None;
                }
                module
                    .dict
                    .value_at(self.index.get() as usize)
                    .map(Hit::Value)
            }
            Value::Class(class) if class.version.get() == self.version.get() => {
                let value = self.value.borrow();
                match (kind, value.as_ref()?) {
                    (AttrKind::OfClass, v) if is_shown(v, self.index.get()) => {
                        Some(Hit::Value(v.clone()))
                    }
                    (AttrKind::MethodOfClass, v) => Some(Hit::Method(v.clone())),
                    _ => None,
                }
            }
            _ if kind == AttrKind::Builtin => {
                if builtin_tag(object)? != self.version.get() {
                    return None;
                }
                self.value.borrow().clone().map(Hit::Method)
            }
            _ => None,
        }
    }

    /// The value of the class: a function is bound by the caller.
    #[inline]
    fn class_value(&self) -> Option<Hit> {
        match &*self.value.borrow() {
            Some(f @ (Value::Function(_) | Value::Native(_))) => Some(Hit::Method(f.clone())),
            Some(v) if is_shown(v, self.index.get()) => Some(Hit::Value(v.clone())),
            _ => None,
        }
    }

    /// Looks an object up in what the cache held before.
    pub fn load_earlier(&self, object: &Value) -> Option<Hit> {
        let earlier = self.earlier.borrow();
        earlier.iter().find_map(|seen| seen.find(object))
    }

    fn fill(&self, kind: AttrKind, version: u32, layout: u32, index: u32, value: Option<Value>) {
        if let Some(old) = SeenAttr::of(self) {
            let mut earlier = self.earlier.borrow_mut();
            if earlier.len() < EARLIER && !earlier.iter().any(|e| e.is_same(&old)) {
                earlier.push(old);
            }
        }
        self.kind.set(kind);
        self.version.set(version);
        self.layout.set(layout);
        self.index.set(index);
        let old = self.value.replace(value);
        drop(old);
    }

    /// Learns what loading `name` from `object` means, if that is one of the cached kinds.
    #[cold]
    pub fn learn(&self, object: &Value, name: &Name) {
        match object {
            Value::Instance(instance) => self.learn_instance(instance, name),
            Value::Module(module) => {
                let layout = module.dict.layout();
                if layout != 0
                    && let Some(index) = module.dict.index_of_name(name)
                {
                    self.fill(AttrKind::Module, 0, layout, index as u32, None);
                }
            }
            Value::Class(class) => {
                let version = class.version.get();
                // A metaclass of its own may define the name, too.
                if version == 0 || class.has_metaclass() || types().type_.lookup(name).is_some() {
                    return;
                }
                match class.lookup(name) {
                    Some(
                        v @ (Value::Function(_)
                        | Value::Int(_)
                        | Value::Float(_)
                        | Value::Str(_)
                        | Value::Tuple(_)
                        | Value::List(_)
                        | Value::Dict(_)
                        | Value::None
                        | Value::Bool(_)
                        | Value::Class(_)),
                    ) => self.fill(AttrKind::OfClass, version, 0, 0, Some(v)),
                    Some(Value::Instance(v)) => match unwrapped(&v) {
                        Some((AttrKind::ClassMethod, function)) => {
                            self.fill(AttrKind::MethodOfClass, version, 0, 0, Some(function));
                        }
                        Some((_, value)) => {
                            self.fill(AttrKind::OfClass, version, 0, 0, Some(value));
                        }
                        None => {
                            if let Some(shown) = shown_version(&v) {
                                let value = Some(Value::Instance(v));
                                self.fill(AttrKind::OfClass, version, 0, shown, value);
                            }
                        }
                    },
                    _ => {}
                }
            }
            other => {
                let Some(tag) = builtin_tag(other) else {
                    return;
                };
                match janus_object::class_of(other).lookup(name) {
                    Some(Value::Native(n)) if n.binding == Binding::Method => {
                        self.fill(AttrKind::Builtin, tag, 0, 0, Some(Value::Native(n)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn learn_instance(&self, instance: &PyRef<Instance>, name: &Name) {
        let class = instance.class();
        let (version, flags) = (class.version.get(), class.flags.get());
        if version == 0
            || flags.custom_getattribute
            || name.as_str().starts_with("__")
            || matches!(instance.payload, Payload::Super(_))
        {
            return;
        }
        let layout = instance_layout(instance);
        let found = class.lookup(name);
        match &found {
            Some(v) if is_data_descriptor(v) => {
                // Properties without setter are data descriptors, too: they win over the dict.
                let getter = match v {
                    Value::Native(_) => Some(v.clone()),
                    Value::Instance(i) => match &i.payload {
                        Payload::Property(p) if !p.get().is_none() => Some(p.get().clone()),
                        _ => None,
                    },
                    _ => None,
                };
                // What a getter raises may be an AttributeError, which `__getattr__` answers.
                if getter.is_some() && !flags.custom_getattr {
                    self.fill(AttrKind::Getter, version, 0, 0, getter);
                }
                return;
            }
            _ => {}
        }
        if layout == 0 {
            return;
        }
        if let Some(index) = instance.dict.get().and_then(|d| d.index_of_name(name)) {
            self.fill(AttrKind::Slot, version, layout, index as u32, None);
            return;
        }
        match found {
            Some(v) if is_plain(&v) => self.fill(AttrKind::ClassValue, version, layout, 0, Some(v)),
            Some(Value::Instance(v)) => match unwrapped(&v) {
                Some((kind, function)) => self.fill(kind, version, layout, 0, Some(function)),
                None => {
                    if let Some(shown) = shown_version(&v) {
                        let value = Some(Value::Instance(v));
                        self.fill(AttrKind::ClassValue, version, layout, shown, value);
                    }
                }
            },
            _ => {}
        }
    }

    /// Stores into an attribute that the cache knows; hands the value back otherwise.
    #[inline]
    pub fn store(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        let Value::Instance(instance) = object else {
            return Err(value);
        };
        if instance.class_version() != self.version.get() {
            return Err(value);
        }
        match self.kind.get() {
            AttrKind::Slot => match instance.dict.get() {
                Some(dict) if dict.layout() == self.layout.get() => {
                    dict.set_index(self.index.get() as usize, value)
                }
                _ => Err(value),
            },
            AttrKind::Append => {
                let (before, after) = (self.layout.get(), self.index.get());
                instance.dict().append_known(before, after, name, value)
            }
            _ => Err(value),
        }
    }

    /// As [`Self::store`], or as what the cache held before.
    #[inline]
    pub fn store_known(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        self.store(object, name, value)
            .or_else(|value| self.store_earlier(object, name, value))
    }

    fn store_earlier(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        let Value::Instance(instance) = object else {
            return Err(value);
        };
        let (of, now) = (instance.class_version(), instance_layout(instance));
        // What is replaced may run anything when it is dropped: nothing is borrowed then.
        let place = self.earlier.borrow().iter().find_map(|seen| match *seen {
            SeenAttr::Slot {
                version,
                layout,
                index,
            } if version == of && layout == now => Some((index, None)),
            SeenAttr::Append {
                version,
                before,
                after,
            } if version == of && before == now => Some((before, Some(after))),
            _ => None,
        });
        match place {
            Some((index, None)) => instance.dict().set_index(index as usize, value),
            Some((before, Some(after))) => instance.dict().append_known(before, after, name, value),
            None => Err(value),
        }
    }

    /// Learns where storing `name` goes, after it was stored into an instance whose layout was
    /// `before`.
    #[cold]
    pub fn learn_store(&self, object: &Value, before: u32, name: &Name) {
        let Value::Instance(instance) = object else {
            return;
        };
        let class = instance.class();
        let (version, flags) = (class.version.get(), class.flags.get());
        if version == 0
            || flags.custom_setattr
            || name.as_str().starts_with("__")
            || class.lookup(name).is_some_and(|v| is_data_descriptor(&v))
        {
            return;
        }
        let Some(dict) = instance.dict.get() else {
            return;
        };
        let after = dict.layout();
        let Some(index) = dict.index_of_name(name) else {
            return;
        };
        if after == 0 {
            return;
        }
        if after == before {
            self.fill(AttrKind::Slot, version, after, index as u32, None);
        } else if index + 1 == dict.len() && before != 0 {
            self.fill(AttrKind::Append, version, before, after, None);
        }
    }
}

/// The layout of an object's dict, if it is an instance.
pub(crate) fn layout_of(object: &Value) -> u32 {
    match object {
        Value::Instance(instance) => instance_layout(instance),
        _ => 0,
    }
}

/// Whether a class attribute may take part in setting, so that an instance's dict does not hide it.
fn is_data_descriptor(value: &Value) -> bool {
    match value {
        Value::Native(n) => matches!(n.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(i) => match &i.payload {
            Payload::Property(_) => true,
            Payload::ClassMethod(_) | Payload::StaticMethod(_) => false,
            // A user's descriptor, told by its class.
            _ => ["__set__", "__delete__"]
                .iter()
                .any(|n| i.class().lookup(&Name::new(n)).is_some()),
        },
        _ => false,
    }
}

/// The function in a static method or class method.
fn unwrapped(value: &PyRef<Instance>) -> Option<(AttrKind, Value)> {
    match &value.payload {
        Payload::StaticMethod(f @ Value::Function(_)) => Some((AttrKind::Static, f.clone())),
        Payload::ClassMethod(f @ Value::Function(_)) => Some((AttrKind::ClassMethod, f.clone())),
        _ => None,
    }
}

/// The version of the class of an instance in a class, where that is shown as it is: it is no descriptor.
fn shown_version(value: &PyRef<Instance>) -> Option<u32> {
    let class = value.class();
    let plain = matches!(value.payload, Payload::None) && class.lookup(name!("__get__")).is_none();
    Some(class.version.get()).filter(|version| plain && *version != 0)
}

/// Whether a value in a class is still shown as it is: `version` is what [`shown_version`] told of an instance.
#[inline]
pub(crate) fn is_shown(value: &Value, version: u32) -> bool {
    match value {
        Value::Instance(instance) => instance.class_version() == version,
        _ => true,
    }
}

/// Whether a class attribute is what an instance shows: a value without `__get__`, or a function
/// to be bound.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Native(n) => n.binding == Binding::Method,
        Value::Instance(_) | Value::Class(_) | Value::Method(_) => false,
        _ => true,
    }
}
