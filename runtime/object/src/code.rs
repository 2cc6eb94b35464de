//! Code objects at run time: constants as values, interned names, profile, compiled code.
//!
//! In: [`Code`]. Out: [`CodeObject`]. Always: `consts` and `names` are as long as those of the
//! code, `site_of` as its instructions.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use janus_bytecode::{Code, Const, Instr, Opcode};

use crate::{Name, PyRef, PySet, PyTuple, PyWeak, Value};

/// A code object with what the interpreter keeps per code object.
pub struct CodeObject {
    /// The code.
    pub code: Rc<Code>,
    /// Constants as values; nested code as [`Value::Code`].
    pub consts: Box<[Value]>,
    /// Interned names.
    pub names: Box<[Name]>,
    /// What its sites saw.
    pub profile: Profile,
    /// What functions made of it are called.
    pub labels: OnceCell<Labels>,
    /// What a traceback shows of each of [`Code::inlined`], once one did.
    pub shown: OnceCell<Box<[PyRef<CodeObject>]>>,
    /// Inline caches of the interpreter, indexed by pc; a type of `janus-interp`.
    pub caches: OnceCell<Box<dyn Caches>>,
    /// What the tiers attached: compiled regions. A type of `janus-tiering`.
    pub jit: JitState,
}

/// Name and docstring of functions, as values.
pub struct Labels {
    /// `__name__`
    pub name: Value,
    /// `__qualname__`
    pub qualname: Value,
    /// `__doc__`
    pub doc: Value,
}

/// What the interpreter keeps per code object.
pub trait Caches: Any {
    /// Shows the references to objects that it holds, as [`crate::heap::Object::trace`] does.
    fn trace(&self, tracer: &mut crate::heap::Tracer<'_>);
    /// Lets go of them.
    fn clear(&self);
}

/// Hooks of the higher tiers on a code object.
#[derive(Default)]
pub struct JitState {
    /// The interpreter counts it down at each call and asks the `Jit` when it finds 0; the `Jit`
    /// sets it (0: ask at every call; `u32::MAX` and friends: as good as never).
    pub entry_countdown: Cell<u32>,
    /// Tiering's own state.
    pub state: RefCell<Option<Rc<dyn Any>>>,
    /// Machine code that takes arguments as they are, as the interpreter knows it.
    pub compiled: RefCell<Option<Rc<dyn Any>>>,
    /// How often that changed.
    pub changes: Cell<u32>,
    /// Calls that ran in a loop of the interpreter of their own, as those from functions in Rust do.
    pub from_outside: Cell<u32>,
    /// Of a generator: so little runs between two yields that the interpreter's loop, where it resumes the frame itself, is through with
    /// it before machine code would have begun. Only machine code asks for the other one then.
    pub is_brief: Cell<bool>,
}

/// What was observed while tier 0 ran this code.
pub struct Profile {
    /// Calls of this code.
    pub entries: Cell<u64>,
    /// One slot per instruction that profiles; indexed through `site_of`.
    pub sites: Box<[Site]>,
    /// Instruction index -> index into `sites`, or `u32::MAX`.
    pub site_of: Box<[u32]>,
    /// It calls itself over objects: tier 2 makes a graph of it that invokes itself.
    pub recursive: Cell<bool>,
    /// A function that it calls calls it in turn over objects: either is a part of the other's recursion.
    pub intertwined: Cell<bool>,
}

/// What a call site called. Nothing is kept alive for it.
pub struct Callee {
    /// Where it is: of a function its code, of a bound method that of the function, of a class or a native function
    /// itself, of any other object its class.
    pub address: usize,
    /// Whether it is written in Python.
    pub is_python: bool,
    /// The code of a function, or of that of a bound method.
    pub code: Option<PyWeak<CodeObject>>,
    /// Its name.
    pub name: Box<str>,
}

/// What one site saw. Which fields mean something depends on the instruction.
#[derive(Default)]
pub struct Site {
    /// Times executed (saturating).
    pub count: Cell<u32>,
    /// Conditional jumps: times taken. `ForIter`: times exhausted.
    pub taken: Cell<u32>,
    /// Loop heads: trips of the last, smallest and largest completed loop.
    pub trips: Cell<(u32, u32, u32)>,
    /// Loop heads: trips of the loop now running.
    pub running: Cell<u32>,
    /// Loop heads: as [`JitState::entry_countdown`], for iterations of this loop. Calls and yields: the same
    /// for what follows, where `resumes`.
    pub countdown: Cell<u32>,
    /// Calls and yields: what follows may be compiled on its own.
    pub resumes: Cell<bool>,
    /// Loop heads: a generator gave the last item, whose frame ran in the loop of this one, and not in machine code.
    pub drives: Cell<bool>,
    /// Bit set of [`TypeTag`]s seen (calls: of results; arithmetic: of both operands;
    /// loads: of the value).
    pub types: Cell<u32>,
    /// Calls: the callee seen so far; cleared with `polymorphic` once it changed.
    pub callee: RefCell<Option<Callee>>,
    /// Calls: more than one callee was seen.
    pub polymorphic: Cell<bool>,
    /// What was seen in more words than a tag has; only where the embedder asked for them.
    pub details: Cell<Option<Box<Vec<String>>>>,
}

/// Kinds of values that profiles tell apart; a bit each in [`Site::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum TypeTag {
    /// `None`
    None = 1 << 0,
    /// bool
    Bool = 1 << 1,
    /// int within 64 bits
    Int = 1 << 2,
    /// float
    Float = 1 << 3,
    /// big int
    BigInt = 1 << 4,
    /// str
    Str = 1 << 5,
    /// tuple
    Tuple = 1 << 6,
    /// list
    List = 1 << 7,
    /// dict or set
    Dict = 1 << 8,
    /// callable or class
    Callable = 1 << 9,
    /// an object of a native module (a tensor)
    Foreign = 1 << 10,
    /// an instance of any other class
    Object = 1 << 11,
    /// bytes or a bytearray
    Bytes = 1 << 12,
    /// anything else: a range, a slice, an iterator, a generator, a module
    Other = 1 << 13,
}

impl TypeTag {
    /// The kind of a value.
    #[inline(always)]
    pub fn of(value: &Value) -> TypeTag {
        if let Value::Instance(instance) = value
            && let crate::Payload::Foreign(_) = instance.payload
        {
            return TypeTag::Foreign;
        }
        // This is asked at nearly each instruction: what a `match` becomes is a jump that is hard to foresee.
        let kind = KINDS.get(usize::from(value.tag()));
        kind.copied().unwrap_or(TypeTag::Other)
    }
}

/// Kinds of values by [`Value::tag`], instances of native modules apart; what has a tag behind the last one is something else.
static KINDS: [TypeTag; 18] = {
    use TypeTag as T;
    [
        T::None,
        T::Bool,
        T::Int,
        T::Float,
        T::BigInt,
        T::Str,
        T::Bytes,
        T::Tuple,
        T::List,
        T::Dict,
        T::Dict,  // a set
        T::Other, // a range
        T::Other, // a slice
        T::Callable,
        T::Callable,
        T::Callable,
        T::Callable,
        T::Object,
    ]
};

impl Site {
    /// The trips of a loop so far count, but are not all of this run's, which goes on in machine code.
    pub fn leave_loop(&self) {
        let trips = self.running.replace(0);
        self.count.set(self.count.get().saturating_add(trips));
    }

    /// Adds the kind of a value to those seen.
    #[inline]
    pub fn saw(&self, value: &Value) {
        self.types.set(self.types.get() | TypeTag::of(value) as u32);
    }

    /// Counts one execution.
    #[inline]
    pub fn hit(&self) {
        self.count.set(self.count.get().saturating_add(1));
    }
}

const NO_SITE: u32 = u32::MAX;

impl Profile {
    /// An empty profile of these instructions.
    #[must_use]
    pub fn new(instrs: &[Instr]) -> Self {
        let mut sites = 0;
        let site_of = instrs
            .iter()
            .map(|instr| {
                if !profiles(instr.op) {
                    return NO_SITE;
                }
                sites += 1;
                sites - 1
            })
            .collect();
        Profile {
            entries: Cell::new(0),
            sites: (0..sites).map(|_| Site::default()).collect(),
            site_of,
            recursive: Cell::new(false),
            intertwined: Cell::new(false),
        }
    }

    /// The site of an instruction, if that instruction profiles.
    #[inline]
    pub fn site(&self, pc: u32) -> Option<&Site> {
        self.sites.get(*self.site_of.get(pc as usize)? as usize)
    }
}

/// Whether an instruction has a site.
fn profiles(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        PopJumpIfFalse
            | PopJumpIfTrue
            | PopJumpIfNone
            | PopJumpIfNotNone
            | JumpIfFalseOrPop
            | JumpIfTrueOrPop
            | ForIter
            | LoopHead
            | Call
            | CallKw
            | CallEx
            | BinaryOp
            | CompareOp
            | BinarySubscr
            | UnaryNegative
            | LoadAttr
            | LoadMethod
            | LoadGlobal
            | LoadFast
            | LoadDeref
            | UnpackSequence
            | ContainsOp
            | YieldValue
    ) || changes_object(op)
}

/// Whether an instruction changes an object and leaves nothing on the stack.
fn changes_object(op: Opcode) -> bool {
    use Opcode::*;
    matches!(op, StoreSubscr | StoreAttr | DeleteSubscr)
}

/// Whether tier 0 can run an instruction between two graphs, of which the second begins right after it (after a
/// `yield`: where the generator is resumed).
#[must_use]
pub fn may_divide(op: Opcode) -> bool {
    use Opcode::*;
    matches!(op, Call | CallKw | CallEx | ContainsOp | YieldValue) || changes_object(op)
}

impl CodeObject {
    /// Prepares a code object for running.
    pub fn new(code: Rc<Code>) -> PyRef<CodeObject> {
        let consts = code.consts.iter().map(constant).collect();
        let names = code.names.iter().map(|n| Name::new(n)).collect();
        let profile = Profile::new(&code.instrs);
        PyRef::new(CodeObject {
            code,
            consts,
            names,
            profile,
            labels: OnceCell::new(),
            shown: OnceCell::new(),
            caches: OnceCell::new(),
            jit: JitState::default(),
        })
    }

    /// What functions made of it are called.
    pub fn labels(&self) -> &Labels {
        self.labels.get_or_init(|| Labels {
            name: Name::new(&self.code.name).to_value(),
            qualname: Name::new(&self.code.qualname).to_value(),
            doc: self.code.doc.as_deref().map_or(Value::None, Value::str),
        })
    }

    /// The frames that a traceback shows for an instruction, outermost first: code with the instruction that it is at. These
    /// are one more than the comprehensions around the instruction.
    pub fn shown_at(this: &PyRef<Self>, pc: u32) -> Vec<(PyRef<CodeObject>, u32)> {
        let all = &this.code.inlined;
        let around: Vec<usize> = (0..all.len())
            .filter(|n| all[*n].start <= pc && pc < all[*n].end)
            .collect();
        let code_of = |n: usize| {
            let shown = this.shown.get_or_init(|| {
                all.iter()
                    .map(|inlined| CodeObject::new(Rc::new(this.code.as_shown(inlined))))
                    .collect()
            });
            shown[n].clone()
        };
        let mut frames = vec![(this.clone(), pc)];
        for n in around {
            if let Some(outer) = frames.last_mut() {
                outer.1 = all[n].start;
            }
            frames.push((code_of(n), pc));
        }
        frames
    }
}

/// A constant as a value.
pub fn constant(c: &Const) -> Value {
    match c {
        Const::None => Value::None,
        Const::Ellipsis => Value::Ellipsis,
        Const::Bool(b) => Value::bool(*b),
        Const::Int(i) => Value::Int(*i),
        // The front end only writes digits; should it not, the constant is 0.
        Const::BigInt(digits) => Value::big(digits.parse().unwrap_or_default()),
        Const::Float(f) => Value::float(*f),
        Const::Complex(re, im) => crate::complex_value(*re, *im),
        // Identifier-like constants are keys and attribute names; interning them makes dict
        // lookups compare pointers.
        Const::Str(s) if s.len() <= 32 => Name::new(s).to_value(),
        Const::Str(s) => Value::str(&**s),
        Const::Bytes(b) => Value::bytes(b.to_vec()),
        Const::Tuple(items) => Value::Tuple(PyRef::new(PyTuple::new(
            items.iter().map(constant).collect::<Vec<_>>(),
        ))),
        Const::FrozenSet(items) => {
            let set = PySet::new(true);
            for item in items.iter() {
                set.add_constant(constant(item));
            }
            Value::Set(PyRef::new(set))
        }
        Const::Code(code) => Value::Code(CodeObject::new(code.clone())),
    }
}
